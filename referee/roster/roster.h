#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/roster/csv.h"

// The roster of a class: a CSV file with a row for each bot that is expected. One format for
// registration, submissions and grades. configs/README.md tells its columns to instructors.

namespace referee::roster {

// A roster of more rows than this is no class.
inline constexpr std::size_t roster_rows_max = 10'000;

// A row. All but the name may be empty.
struct Student {
    std::size_t line = 0;    // of the file
    std::string name;        // of the bot; a valid one
    std::string student_id;  // as the school writes it
    std::string email;
    std::string team;
    std::string token;  // what the bot says at its login, or that hashed

    bool has_hashed_token() const;
};

class Roster {
 public:
    // In the order of the file.
    const std::vector<Student>& students() const { return students_; }
    // Null where nobody has that name.
    const Student* named(std::string_view name) const;
    bool holds_tokens() const;  // not hashed ones

    // Requires: nobody has that name yet.
    void add(Student student);

 private:
    std::vector<Student> students_;
    std::map<std::string, std::size_t, std::less<>> by_name_;
};

// What is in each column of a table.
enum class RosterColumn : std::uint8_t { name, student_id, email, team, token, unknown };
// By the header's words: capitals, spaces, `-` and `_` don't matter.
RosterColumn column_of(std::string_view header);
std::string_view name_of(RosterColumn column);

struct ReadRoster {
    Roster roster;
    CsvTable table;                    // as it stands in the file
    std::vector<std::string> remarks;  // "column \"section\" is kept and not used"
};

// Reads and checks a roster; tells all mistakes at once. No mistake shows a token.
base::Result<ReadRoster, std::vector<CsvMistake>> read_roster(std::string_view text);
base::Result<ReadRoster, std::vector<CsvMistake>> read_roster_file(const std::string& file);

// Gives each row without a token one that `make` makes; adds the column where there is none. Tells
// how many were made.
std::size_t fill_tokens(CsvTable& table, const std::function<std::string()>& make);
// Puts the hash of each token in its place; tells how many.
std::size_t hash_tokens(CsvTable& table,
                        const std::function<std::string(std::string_view)>& hash_of);

// How a text begins that stands in place of a token: "pbkdf2-sha256$ROUNDS$SALT$HASH".
inline constexpr std::string_view hashed_token_begins = "pbkdf2-sha256$";
inline constexpr std::size_t salt_digits = 16;
inline constexpr std::size_t hash_digits = 64;
// Each login pays for the rounds on the referee's one thread: more of them, such as a damaged line
// may name, would hold up every game.
inline constexpr unsigned hash_rounds_max = 100'000;

struct TokenHash {
    unsigned rounds = 0;    // from 1 to hash_rounds_max
    std::string_view salt;  // hexadecimal digits, as is the hash
    std::string_view hash;
};
// The parts live as long as `text`. An error says what was expected and what was found, and shows
// nothing of the salt and the hash.
base::Result<TokenHash, std::string> read_token_hash(std::string_view text);

// Columns by which services know a roster's students, beside the roster's own.
enum class Extra : std::uint8_t {
    none,
    full_name,
    first_name,
    last_name,
    login,
    canvas_id,
    school_id,
    section
};

// Between the words of a column's name, and of a person's.
inline constexpr std::string_view word_ends = " ,.-_'\t";

// What a column is, by its name: capitals, accents, blanks and lines between words don't matter.
Extra extra_of(std::string_view header);

}  // namespace referee::roster

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/roster/roster.h"
#include "referee/submit/exports/read_export.h"

// The students of a roster, as services name them: by id, e-mail address, login or name.

namespace referee::matching {

struct ListedPerson {
    std::string bot;  // the roster's name
    std::string student_id;
    std::string email;
    std::string team;
    std::string full_name;  // of the person; empty where the roster has no such column
    std::string section;
    std::vector<std::string> logins;
    std::string canvas_id;         // Canvas's own number
    std::string school_id;         // as services know it: Canvas's SIS id, Moodle's ID number
    std::vector<std::string> ids;  // student_id and those of services
};

// What of a person is the same.
enum class Feature : std::uint8_t { id, email, login, name };
std::string_view name_of(Feature feature);

class ClassList {
 public:
    // Beside the roster's own columns it reads the extra ones (roster.h).
    explicit ClassList(const roster::ReadRoster& roster);

    const std::vector<ListedPerson>& people() const { return people_; }
    // All whose feature this text is: capitals don't count, nor do accents and the order of words
    // of names. An e-mail address is also known by what stands before its @, as a login.
    std::vector<std::size_t> with(Feature feature, std::string_view text) const;
    std::vector<std::size_t> of_team(std::string_view team) const;
    // The person somebody may have meant, in words: "ann (Ann Lee)"; empty where nobody is near.
    std::string near(std::string_view name) const;

 private:
    using Index = std::map<std::string, std::vector<std::size_t>, std::less<>>;

    std::vector<ListedPerson> people_;
    Index ids_;
    Index emails_;
    Index logins_;
    Index names_;
    Index teams_;
    std::map<std::string, std::size_t> spellings_;  // plain names, to look near them
};

// The longest pieces of the text that are made of such bytes alone.
template <typename IsOfWord>
std::vector<std::string> words_in(std::string_view text, IsOfWord is_of_word) {
    std::vector<std::string> words;
    bool in_word = false;
    for (const char byte : text) {
        const bool begins = is_of_word(byte) && !in_word;
        in_word = is_of_word(byte);
        if (begins) words.emplace_back();
        if (in_word) words.back() += byte;
    }
    return words;
}

// The students of a roster's file. An error tells all its mistakes, a line each, with the file.
base::Result<roster::ReadRoster, std::string> students_in(const std::string& file);

// "ann (Ann Lee)", or "ann".
std::string text_of(const ListedPerson& person);
// "ann (Ann Lee), bob"
std::string list_of(const ClassList& people, const std::vector<std::size_t>& some);

// Whose a submission is. Nobody is guessed: a name that is only near one of the roster is asked
// about.
struct Found {
    std::vector<std::size_t> people;  // of the class list, in its order
    std::string how;                  // "by name", "by e-mail address"
    // What keeps it from being anybody's; empty where somebody was found.
    std::string doubt;  // "nobody of the roster is Ann Le: is it ann (Ann Lee)?"
    // What stands before the part of a folder's name that named somebody: "snake-1-".
    std::string before{};
};

Found find_students(const ClassList& people, const exports::Submission& submission);

// ---- group_claims.cpp -----------------------------------------------------------------------

// Whose the submissions of groups are, where the course's export, their first lines and the
// instructor may name others. Whoever names another against the export is not believed.

// What the line says in which a group names itself by its ids: `// 1234567 1234568`.
struct FirstLine {
    std::vector<std::size_t> people;  // of the class list, in its order
    // Of words that look like the roster's ids and are nobody's: "nobody of the roster has the id
    // 1009: is it 1003 of cay (Cay Day)?"
    std::vector<std::string> doubts;
};
FirstLine first_line_in(const ClassList& people, std::string_view line);

// Whose a submission may be.
struct Claim {
    std::string key;                     // in the export
    std::vector<std::size_t> by_export;  // empty: the export names nobody of the roster
    std::vector<std::size_t> by_line;
    std::vector<std::size_t> by_instructor;  // empty: nothing is said of it
    std::vector<std::string> doubts;         // of its line, or of whom the export names
};

// Whose it is.
struct Settled {
    enum class By : std::uint8_t { course_export, line, instructor };
    std::vector<std::size_t> people;  // empty: nobody's
    By by = By::line;
    std::vector<std::string> odd;  // what the instructor should look at; empty: all is plain
    // The submission that its people handed in by the instructor's word, in place of this one.
    std::string instead{};
};

// One for each claim. What the instructor says counts. Else a line is believed where it names all
// whom the export names, and no other group's line, nor another one's own submission, says
// otherwise. Where it isn't, the submission is theirs whom the export names.
std::vector<Settled> settle_claims(const ClassList& people, const std::vector<Claim>& claims);

}  // namespace referee::matching

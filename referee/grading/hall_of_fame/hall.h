#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/exit_code.h"

// The Hall of Fame: the best programs across semesters, by their average scores. It is a JSON file.

namespace referee::hall_of_fame {

// Averages count in thousandths.
inline constexpr double thousandths_of_one = 1000;

// A name has one in each semester of a game.
struct HallEntry {
    std::string game;
    std::string semester;
    std::string bot;
    std::int64_t thousandths = 0;  // of the average score, rounded down
    std::uint64_t games = 0;
    std::string seeds;  // of the games, as in "1-100"; "hidden"; empty: not told
    std::string rubric_hash;
    std::string program;  // as results name it; empty: not told
    std::string version;  // of the referee that graded
    std::int64_t entered_ms = 0;
    std::size_t rank = 0;  // not in the file: of ranked() alone

    bool operator==(const HallEntry&) const = default;
};
using Entries = std::vector<HallEntry>;  // in the order in which they came

// Of a game and a semester; empty: of all.
struct Filter {
    std::string game;
    std::string semester;
    bool has(const HallEntry& entry) const {
        return (game.empty() || game == entry.game) &&
               (semester.empty() || semester == entry.semester);
    }
};

// What a grade says of a program that may enter.
struct Candidate {
    HallEntry entry;          // without a semester
    std::string hindrance{};  // why it can't enter, whatever its average: it isn't final, or played
                              // nothing; else empty
};
// Of a grade.json. `step`: the id of the step whose average counts; it may be empty where all
// steps that ask for an average say the same. An error says what is wrong with the file.
base::Result<Candidate, std::string> read_candidate(const std::string& file,
                                                    const std::string& step);

inline constexpr std::string_view default_name = "hall-of-fame.json";

// The file itself, or the one in a folder of that name.
std::string file_of(const std::string& file_or_folder);

// An error has exit_trouble, or exit_bad_input where the file is missing or is no table.
base::Result<Entries, Ending> read_table(const std::string& file);

// These change the file wholly or not at all, and what they return is on the disk.

// What became of a candidate.
struct Entering {
    bool is_in = false;  // whether the name has a place now
    std::string told;    // "ann enters with 712.5"
};
// Enters whoever may, in the order in which they are given; makes the file where it is missing. A
// name keeps its best of a semester. `bar`: the least average, in thousandths. Each entry has its
// semester and its time.
base::Result<std::vector<Entering>, Ending> add(const std::string& file,
                                                const std::vector<Candidate>& candidates,
                                                std::int64_t bar);
// Takes a name out of the tables that the filter leaves. Returns of how many.
base::Result<std::size_t, Ending> remove(const std::string& file, const std::string& name,
                                         const Filter& filter);
// Puts a placeholder in the name's place; its ranks stay. Returns the placeholder; empty: nobody of
// that name is there.
base::Result<std::string, Ending> forget(const std::string& file, const std::string& name);

// Best first, game by game; ranks count from 1 among those that are left, and who has the same
// average shares one.
Entries ranked(Entries entries, const Filter& filter);

// Of such entries why places may not compare: a sentence for each game whose averages come from
// different games.
std::vector<std::string> doubts_about(const Entries& entries);
// Names are strangers' words: each format shows them, and none obeys them.
std::string text_of(const Entries& entries);
std::string csv_of(const Entries& entries);
std::string markdown_of(const Entries& entries);
// Has the members of a tournament's standings.json that graders read: "tie_breaks", "bots".
std::string json_of(const Entries& entries);

}  // namespace referee::hall_of_fame

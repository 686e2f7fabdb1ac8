#pragma once

#include <string>
#include <vector>

#include "referee/grading/rubric/rubric.h"

// What is played for a rubric, in words.

namespace referee::grading {

// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names);
// How many games a series has by its own match or, where it says nothing, by the game's; 0 where
// nobody knows.
std::uint32_t games_of(const rubric::Series& series, const std::string& game);
// "10 games against dumb and smarter", "6 games, which right-hand plays as well"; of runs "runs of
// ./sb-read 8 10".
std::string games_in_words(const rubric::Series& series, const std::string& game);
// Of an instructor alone: by what the runs are judged.
std::string reference_in_words(const rubric::Runs& runs);
// What a game of it begins from and how long a turn may take: "size 3. Time: 1 s of wall time for
// each turn".
std::string terms_in_words(const rubric::Series& series, const std::string& game);

}  // namespace referee::grading

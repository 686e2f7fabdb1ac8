#pragma once

#include <cstddef>
#include <cstdint>

namespace referee::rating {

// What the rating of a bot's former program tells of its new one: as much as so many drawn matches
// of the two. That is a bell curve around the former rating, 174 Elo to each side. In the
// simulation of tests/referee/contest/rating/new_version_test.cpp, in which new programs
// are by 200 Elo better, 200 worse or alike, this number brings the least error; anything from 3 to
// 6 brings nearly the same.
inline constexpr double former_worth_matches = 4;

// How many points of Elo one match moves the rating of a new program at most that has played so
// many, where nothing but that and the former program's rating is known.
double step_of_new_version(std::uint64_t matches_before);

// A player that is the former program of another, and rated from its own matches.
struct Former {
    std::size_t player = 0;
    std::size_t of = 0;
};

}  // namespace referee::rating

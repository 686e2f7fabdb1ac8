#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "referee/grading/rubric/rubric.h"

// What a step tells of single games, said once.

namespace referee::verdict {

// Faults that a step's advice shows, each with where to look: what is mended first is seen first.
inline constexpr std::size_t advice_max = 5;

// Of what a step tells something.
struct AdvicePlace {
    std::string id{};       // of a game, "ann.s/1.1", or of an input, "analyze/07.txt"
    std::string map{};      // that the game was played on; empty: none
    std::string words{};    // "game ann.s/1.1 on tiny, turn 3"
    std::int64_t turn = 0;  // the first that is told; 0: none, or before the first
};
struct AdviceLine {
    AdvicePlace place;
    std::string what;  // ": a wall is there"
};

// What went wrong in games, how they ended, and slips: what went wrong and cost a few turns of a
// game, which each step says anew, with what that cost. Lines say the same where they differ in
// numbers and in printed data alone.
enum class Advice : std::uint8_t { on_faults, on_ends, on_slips };

// What steps have said of their games, with the title of the step that did and the begin of what it
// said; and of each of these how many faults it tells.
struct EarlierAdvice {
    std::map<std::string, std::pair<std::string, std::string>> by;
    std::map<std::string, std::size_t> things;
};

// As a step shows it; a line that is of many games has the place of the first, or none.
struct AdviceText {
    AdvicePlace place{};
    std::string text;
};

// The first of them, each said once with the names of others that say the same ("game ann/1.1 and 9
// more (1.2 to 1.10): it printed nothing"), and which more there are. Of what an earlier step has
// said, of an end of the same game, it says that alone, and of which games.
std::vector<AdviceText> first_of(Advice kind, const std::vector<AdviceLine>& advice,
                                 const rubric::Step& step, EarlierAdvice& told);

}  // namespace referee::verdict

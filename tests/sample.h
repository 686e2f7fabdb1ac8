#pragma once

#include <cstdint>

// Which part of a large set of cases a run looks at. scripts/test sets REFEREE_SAMPLE: a number,
// made of the commit, that chooses the part and is printed; or "whole", which is all of it
// (scripts/test --whole). Unset is 0.
namespace tests {

// Whether the case of this index is among the one in `of` that is looked at; in a whole run, among
// the one in `of_whole`, which is more than 1 where sanitizers make all of them too slow.
bool in_sample(std::uint64_t index, std::uint64_t of, std::uint64_t of_whole = 1);

// The same of cases that are run one after the other: the set is cut into so many stretches, and
// one of them is looked at.
struct Stretch {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};
Stretch sampled_stretch(std::uint64_t all, std::uint64_t of, std::uint64_t of_whole = 1);

// A number from the environment.
std::uint64_t number_from(const char* name, std::uint64_t otherwise);

}  // namespace tests

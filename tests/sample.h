#pragma once

#include <cstdint>

// Which part of a large set of cases a run looks at. scripts/test sets REFEREE_SAMPLE: a number, made of the commit, that
// chooses the part and is printed; or "whole", which is all of it (scripts/test --whole). Unset is 0.
namespace tests {

// Whether the case of this index is among the one in `of` that is looked at.
bool in_sample(std::uint64_t index, std::uint64_t of);

// Of so many cases a run of `part` one after the other: the first of them. 0 where all are looked at.
struct Stretch {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};
Stretch sampled_stretch(std::uint64_t part, std::uint64_t all);

}  // namespace tests

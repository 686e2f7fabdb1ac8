#include "tests/sim/seeds.h"

#include <algorithm>
#include <cstdlib>

#include "tests/sample.h"

namespace tests::sim {
namespace {

constexpr std::uint64_t runs_of_a_whole_run = 2000;

}  // namespace

Seeds Seeds::part(std::uint64_t number, std::uint64_t of) const {
    return {first + count() * number / of, first + count() * (number + 1) / of, by_name};
}

Seeds seeds_of(const SeedsWanted& wanted) {
    if (std::getenv(wanted.alone) != nullptr) {
        const auto seed = number_from(wanted.alone, 0);
        return {seed, seed + 1, true};
    }
    Stretch stretch{0, number_from("SIM_RUNS", 0) * wanted.percent / 100};
    if (std::getenv("SIM_RUNS") == nullptr) {
        const auto all = runs_of_a_whole_run * wanted.percent / 100;
        stretch = sampled_stretch(all, SIM_SAMPLED_OF, SIM_WHOLE_OF);
    }
    auto first = wanted.first + stretch.first;
    if (wanted.from != nullptr) first = number_from(wanted.from, first);
    return {first, first + std::max(stretch.count, wanted.least)};
}

}  // namespace tests::sim

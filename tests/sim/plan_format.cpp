#include "tests/sim/run_plan.h"

#include <variant>

namespace tests::sim {
namespace {

constexpr std::uint64_t matches_of_a_question = 12;

}  // namespace

referee::formats::FormatOptions draw_options(Random& random,
                                             const std::vector<referee::formats::FormatKind>& kinds,
                                             std::size_t seats, const engines::Game& game) {
    auto options = referee::formats::options_of(kinds[random.below(kinds.size())], seats,
                                                game.info().seats_min);
    if (auto* asked = std::get_if<referee::formats::AdaptiveOptions>(&options))
        asked->matches = matches_of_a_question;
    return options;
}

bool fits(const referee::formats::FormatConfig& format, const RunPlan& plan,
          const engines::Game& game) {
    std::vector<referee::formats::Entry> entries;
    for (const auto& bot : plan.bots) entries.push_back({.name = bot.name});
    const auto& info = game.info();
    return check_format(format, entries, {info.seats_min, info.seats_max, info.seats_max == 1})
        .empty();
}

}  // namespace tests::sim

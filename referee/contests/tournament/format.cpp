#include "referee/contests/tournament/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contests/rating/random.h"
#include "referee/contests/tournament/gauntlet.h"
#include "referee/contests/tournament/knockout.h"
#include "referee/contests/tournament/ladder.h"
#include "referee/contests/tournament/leaderboard.h"
#include "referee/contests/tournament/round_table.h"
#include "referee/contests/tournament/stages.h"
#include "referee/contests/tournament/swiss.h"

namespace referee::tournament {

namespace {

struct NamedKind {
    FormatKind kind;
    std::string_view name;
};

constexpr std::array<NamedKind, 7> kinds{{
    {FormatKind::round_robin, "round_robin"},
    {FormatKind::swiss, "swiss"},
    {FormatKind::leaderboard, "leaderboard"},
    {FormatKind::gauntlet, "gauntlet"},
    {FormatKind::knockout, "knockout"},
    {FormatKind::stages, "stages"},
    {FormatKind::ladder, "ladder"},
}};

constexpr std::uint64_t purpose_of_lots = 1;
constexpr std::uint32_t swiss_rounds_min = 3;

}  // namespace

std::string_view name_of(FormatKind kind) {
    for (const auto& named : kinds) {
        if (named.kind == kind) return named.name;
    }
    REFEREE_ASSERT(false);
    return {};
}

std::optional<FormatKind> format_named(std::string_view name) {
    for (const auto& named : kinds) {
        if (named.name == name) return named.kind;
    }
    return std::nullopt;
}

std::uint32_t rounds_without_repeats(std::size_t entrants, std::size_t seats) {
    if (seats != 2) return static_cast<std::uint32_t>((entrants - 1) / (seats - 1));
    return static_cast<std::uint32_t>(entrants % 2 == 0 ? entrants - 1 : entrants);
}

std::uint32_t default_rounds(std::size_t entrants, std::size_t seats) {
    const auto halvings = static_cast<std::uint32_t>(std::bit_width(entrants - 1));
    const std::uint32_t wanted = std::max(swiss_rounds_min, halvings);
    return seats == 2 ? std::min(wanted, rounds_without_repeats(entrants, seats)) : wanted;
}

std::vector<Entrant> numbers_of(const FormatConfig& config, std::size_t entrants,
                                std::uint64_t seed) {
    std::vector<Entrant> numbers(entrants);
    std::iota(numbers.begin(), numbers.end(), Entrant{0});
    if (config.draw_numbers) {
        rating::Random lots(rating::derived_seed(seed, purpose_of_lots));
        lots.shuffle(std::span<Entrant>(numbers));
    }
    return numbers;
}

namespace {

std::unique_ptr<Schedule> round_robin(const FormatConfig& config, std::size_t entrants,
                                      std::uint64_t seed) {
    auto table = config.seats == 2
                     ? berger_table(entrants, config.cycles, config.swap_last_rounds)
                     : design_table(entrants, config.seats, config.meetings, config.cycles);
    return table_schedule(std::move(table), numbers_of(config, entrants, seed));
}

}  // namespace

std::unique_ptr<Schedule> make_schedule(const FormatConfig& config, std::vector<Entry> entries,
                                        std::uint64_t seed) {
    switch (config.kind) {
        case FormatKind::round_robin:
            return round_robin(config, entries.size(), seed);
        case FormatKind::swiss: {
            auto numbers = numbers_of(config, entries.size(), seed);
            return config.seats == 2
                       ? swiss_of_pairs(config, std::move(entries), std::move(numbers), seed)
                       : swiss_of_pods(config, std::move(entries), std::move(numbers), seed);
        }
        case FormatKind::leaderboard:
            return leaderboard(config, entries.size());
        case FormatKind::gauntlet:
            return gauntlet(config, entries.size());
        case FormatKind::knockout:
            return knockout(config, entries.size(), numbers_of(config, entries.size(), seed));
        case FormatKind::ladder:
            return ladder(config, std::move(entries));
        case FormatKind::stages:
            return stages(config, std::move(entries), seed);
    }
    REFEREE_ASSERT(false);
    return nullptr;
}

}  // namespace referee::tournament

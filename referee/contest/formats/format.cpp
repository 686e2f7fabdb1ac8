#include "referee/contest/formats/format.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/overloaded.h"
#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/gauntlet.h"
#include "referee/contest/formats/knockout.h"
#include "referee/contest/formats/round_table.h"
#include "referee/contest/formats/swiss.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {
namespace {

constexpr std::array<base::Named<FormatKind>, 8> kinds{{
    {FormatKind::round_robin, "round_robin"},
    {FormatKind::swiss, "swiss"},
    {FormatKind::leaderboard, "leaderboard"},
    {FormatKind::gauntlet, "gauntlet"},
    {FormatKind::knockout, "knockout"},
    {FormatKind::stages, "stages"},
    {FormatKind::ladder, "ladder"},
    {FormatKind::adaptive, "adaptive"},
}};
static_assert(base::in_order(kinds) && kinds.size() == std::variant_size_v<FormatOptions>);

constexpr std::uint64_t purpose_of_lots = 1;
constexpr std::uint32_t swiss_rounds_min = 3;

RoundTable round_table(const RoundRobinOptions& its, std::size_t entrants) {
    return its.seats == 2 ? berger_table(entrants, its.cycles, its.swap_last_rounds)
                          : pod_table(entrants, its.seats, its.cycles);
}

using engines::Score;

std::int64_t others_of(const FormatConfig& format) {
    return static_cast<std::int64_t>(std::max<std::size_t>(seats_of(format), 2) - 1);
}

}  // namespace

std::string_view name_of(FormatKind kind) {
    return base::row_of(kinds, kind).name;
}

FormatOptions options_of(FormatKind kind, std::size_t seats, std::size_t seats_min) {
    const std::array<FormatOptions, kinds.size()> plain{
        RoundRobinOptions{}, SwissOptions{},  LeaderboardOptions{}, GauntletOptions{},
        KnockoutOptions{},   StagesOptions{}, LadderOptions{},      AdaptiveOptions{}};
    auto options = plain[static_cast<std::size_t>(kind)];
    std::visit(
        [&](auto& its) {
            if constexpr (requires { its.seats; }) its.seats = seats;
            if constexpr (requires { its.seats_min; }) its.seats_min = seats_min;
        },
        options);
    return options;
}

std::size_t seats_of(const FormatConfig& format) {
    constexpr std::size_t two = 2;
    return std::visit(
        base::Overloaded{[](const RoundRobinOptions& its) { return its.seats; },
                         [](const SwissOptions& its) { return its.seats; },
                         [](const LadderOptions& its) { return its.seats; },
                         [](const AdaptiveOptions&) { return two; },
                         [](const LeaderboardOptions& its) { return its.opponents.size() + 1; },
                         [](const GauntletOptions& its) { return its.match_seats; },
                         [](const KnockoutOptions&) { return two; },
                         [](const StagesOptions& its) {
                             return its.stages.empty() ? two : seats_of(its.stages.front().format);
                         }},
        format.options);
}

std::size_t seats_min_of(const FormatConfig& format) {
    const auto seats = seats_of(format);
    if (const auto* swiss = format.as<SwissOptions>()) return std::min(swiss->seats_min, seats);
    if (const auto* ladder = format.as<LadderOptions>()) return std::min(ladder->seats_min, seats);
    return seats;
}

std::span<const StageConfig> stages_of(const FormatConfig& format) {
    if (const auto* its = format.as<StagesOptions>()) return its->stages;
    return {};
}

const std::vector<Entrant>& fixed_opponents(const FormatConfig& format) {
    static const std::vector<Entrant> none;
    const auto* leaderboard = format.as<LeaderboardOptions>();
    return leaderboard != nullptr ? leaderboard->opponents : none;
}

FormatConfig for_field(FormatConfig format, std::span<const Entry> entries) {
    auto* const asked = std::get_if<AdaptiveOptions>(&format.options);
    if (asked != nullptr && !asked->better_than_name.empty())
        asked->better_than = entrant_named(entries, asked->better_than_name).value_or(no_entrant);
    auto* const board = std::get_if<LeaderboardOptions>(&format.options);
    if (board == nullptr || board->opponent_names.empty()) return format;
    board->opponents.clear();
    for (const auto& name : board->opponent_names) {
        if (const auto entrant = entrant_named(entries, name)) board->opponents.push_back(*entrant);
    }
    return format;
}

const SprtBounds* sequential_test(const FormatConfig& format) {
    const auto* gauntlet = format.as<GauntletOptions>();
    return gauntlet != nullptr && gauntlet->sprt ? &*gauntlet->sprt : nullptr;
}

std::chrono::nanoseconds time_of(const FormatConfig& format) {
    const auto* adaptive = format.as<AdaptiveOptions>();
    return adaptive != nullptr ? adaptive->time : std::chrono::nanoseconds(0);
}

Traits traits_of(const FormatConfig& format) {
    Traits traits;
    traits.may_end_any_time = sequential_test(format) != nullptr;
    traits.takes_late = format.as<LadderOptions>() != nullptr ||
                        format.as<SwissOptions>() != nullptr ||
                        format.as<AdaptiveOptions>() != nullptr;
    traits.fixed_list = format.as<RoundRobinOptions>() != nullptr ||
                        format.as<LeaderboardOptions>() != nullptr ||
                        format.as<GauntletOptions>() != nullptr;
    if (format.as<LadderOptions>() != nullptr) {
        traits.ends = false;
        traits.open_field = true;
        traits.pairs_who_is_free = true;
        traits.matches_kept = ladder_matches_kept;
    }
    return traits;
}

std::uint32_t rounds_without_repeats(std::size_t entrants, std::size_t seats) {
    if (seats != 2) return static_cast<std::uint32_t>((entrants - 1) / (seats - 1));
    return static_cast<std::uint32_t>(entrants % 2 == 0 ? entrants - 1 : entrants);
}

std::uint32_t default_rounds(std::size_t entrants, std::size_t seats) {
    const auto rounds_of_halving = static_cast<std::uint32_t>(std::bit_width(entrants - 1));
    const std::uint32_t wanted = std::max(swiss_rounds_min, rounds_of_halving);
    return seats == 2 ? std::min(wanted, rounds_without_repeats(entrants, seats)) : wanted;
}

std::uint32_t rounds_of(const SwissOptions& its, std::size_t entrants) {
    return its.rounds != 0 ? its.rounds : default_rounds(entrants, its.seats);
}

std::vector<Entrant> numbers_of(std::size_t entrants) {
    std::vector<Entrant> numbers(entrants);
    std::iota(numbers.begin(), numbers.end(), Entrant{0});
    return numbers;
}

std::vector<Entrant> numbers_of(const FormatConfig& config, std::size_t entrants,
                                std::uint64_t seed) {
    auto numbers = numbers_of(entrants);
    const bool by_lot = std::visit(
        [](const auto& its) {
            if constexpr (requires { its.draw_numbers; }) return its.draw_numbers;
            return false;
        },
        config.options);
    if (by_lot) {
        rating::Random lots(rating::derived_seed(seed, purpose_of_lots));
        lots.shuffle(std::span<Entrant>(numbers));
    }
    return numbers;
}

std::unique_ptr<Schedule> make_schedule(const FormatConfig& config, std::vector<Entry> entries,
                                        std::uint64_t seed) {
    const auto format = for_field(config, entries);
    const auto size = entries.size();
    const auto numbers = [&] { return numbers_of(format, size, seed); };
    using Made = std::unique_ptr<Schedule>;
    return std::visit(
        base::Overloaded{
            [&](const RoundRobinOptions& its) -> Made {
                return table_schedule(round_table(its, size), numbers());
            },
            [&](const SwissOptions& its) -> Made {
                const auto swiss = its.seats == 2 ? swiss_of_pairs : swiss_of_pods;
                return swiss(format, std::move(entries), numbers(), seed);
            },
            [&](const LeaderboardOptions& its) -> Made {
                return table_schedule(leaderboard_table(its.opponents, size), numbers_of(size));
            },
            [&](const GauntletOptions& its) -> Made {
                return table_schedule(gauntlet_table(its, size), numbers_of(size), its.sprt);
            },
            [&](const KnockoutOptions& its) -> Made { return knockout(its, size, numbers()); },
            [&](const LadderOptions& its) -> Made { return ladder(its, std::move(entries)); },
            [&](const AdaptiveOptions& its) -> Made { return adaptive(its, entries, seed); },
            [&](const StagesOptions& its) -> Made {
                return stages(its, std::move(entries), seed);
            }},
        format.options);
}

std::optional<std::uint32_t> planned_rounds(const FormatConfig& config, std::size_t entrants) {
    if (entrants < 2) return std::nullopt;
    if (const auto* swiss = config.as<SwissOptions>()) return rounds_of(*swiss, entrants);
    if (const auto* knockout = config.as<KnockoutOptions>())
        return knockout_rounds(*knockout, entrants);
    if (const auto* robin = config.as<RoundRobinOptions>(); robin != nullptr && robin->seats == 2)
        return berger::rounds(static_cast<std::uint32_t>(entrants)) * robin->cycles;
    return std::nullopt;
}

const FormatConfig& stage_of(const FormatConfig& format, std::size_t stage) {
    const auto* stages = format.as<StagesOptions>();
    if (stages == nullptr) return format;
    REFEREE_ASSERT(stage < stages->stages.size());
    return stages->stages[stage].format;
}

MatchTerms terms_of(const FormatConfig& format, std::uint64_t seed) {
    REFEREE_ASSERT(format.as<StagesOptions>() == nullptr);
    MatchTerms terms;
    terms.behind = format.win_points;
    terms.level = format.draw_points;
    const auto* knockout = format.as<KnockoutOptions>();
    terms.one_goes_on = knockout != nullptr;
    terms.extra_games = knockout != nullptr ? knockout->extra_games : 0;
    terms.seed = seed;
    return terms;
}

Score win_of_match(const FormatConfig& format) {
    return Score::halves(format.win_points.in_halves() * others_of(format));
}

Score draw_of_match(const FormatConfig& format) {
    return Score::halves(format.draw_points.in_halves() * others_of(format));
}

standings::PointSystem points_of(const FormatConfig& format) {
    if (const auto stages = stages_of(format); !stages.empty())
        return points_of(stages.front().format);
    standings::PointSystem points;
    points.win = standings::tenths_of(win_of_match(format));
    points.draw = standings::tenths_of(draw_of_match(format));
    points.others = others_of(format);
    return points;
}

}  // namespace referee::formats

#include "referee/contest/certainty/seats.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "referee/contest/certainty/p_values.h"
#include "referee/contest/certainty/seat_model.h"

namespace referee::certainty {
namespace {

constexpr double outside_95 = 0.05;
constexpr double missed_one_in_five = 0.4;  // to both sides of the bell curve
constexpr double average_share = 0.5;
constexpr double paired_part_least = 0.5;
constexpr double variance_least = 1e-12;  // below it there is only the rounding of sums

// The games of one match that an effect is looked for in.
using Unit = std::vector<TargetGame>;

bool balanced(const Unit& unit) {
    std::map<std::size_t, std::size_t> seats;    // by player: all its seats
    std::map<std::size_t, std::size_t> targets;  // and how often it had the one
    for (const auto& [game, seat] : unit) {
        for (const auto player : game->players) ++seats[player];
        ++targets[game->players[seat]];
    }
    const auto width = unit.front().game->players.size();
    return std::all_of(seats.begin(), seats.end(),
                       [&](const auto& of) { return targets[of.first] * width == of.second; });
}

double value_of(const Unit& unit) {
    double sum = 0;
    for (const auto& [game, seat] : unit) sum += game->shares[seat] - average_share;
    return sum / static_cast<double>(unit.size());
}

void tell(SeatEffect& effect, const Estimate& estimate) {
    // Matches that all went as the strengths foretell leave nothing by which to say how sure it is.
    if (!(estimate.variance > variance_least)) return;
    effect.advantage = estimate.value;
    const double error = std::sqrt(estimate.variance);
    const double half = student_quantile(outside_95, estimate.freedom) * error;
    effect.interval = {estimate.value - half, estimate.value + half};
    effect.p = student_two_sided(estimate.value / error, estimate.freedom);
    const double reach = normal_quantile(outside_95) + normal_quantile(missed_one_in_five);
    const double times = reach * error / advantage_of_note;
    effect.needed =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(effect.matches) * times * times));
}

// The mean over matches in which what the bots are worth cancels. One match more, in which each
// game was a coin's throw, is thought to have been seen: so matches that all ended alike are not
// taken for a law.
Estimate paired_estimate(const std::vector<const Unit*>& units, double games) {
    const auto matches = static_cast<double>(units.size());
    double mean = 0;
    for (const auto* unit : units) mean += value_of(*unit) / matches;
    double squares = coin_variance_of_game * matches / games;
    for (const auto* unit : units) squares += std::pow(value_of(*unit) - mean, 2);
    return {mean, squares / matches / matches, matches - 1};
}

void estimate(SeatEffect& effect, std::size_t players, const std::vector<Unit>& units) {
    std::vector<const Unit*> paired;
    double all = 0;
    double in_paired = 0;
    for (const auto& unit : units) {
        all += static_cast<double>(unit.size());
        if (!balanced(unit)) continue;
        paired.push_back(&unit);
        in_paired += static_cast<double>(unit.size());
    }
    effect.paired = in_paired > 0 && in_paired >= paired_part_least * all;
    effect.games = static_cast<std::uint64_t>(effect.paired ? in_paired : all);
    effect.matches = effect.paired ? paired.size() : units.size();
    if (effect.matches < effect_matches_min) return;
    if (effect.paired) {
        tell(effect, paired_estimate(paired, in_paired));
    } else if (const auto fitted = fitted_advantage(players, units)) {
        tell(effect, *fitted);
    }
}

template <typename SeatOf>
std::vector<Unit> units_of(std::span<const SeatGame* const> games, const SeatOf& seat_of) {
    std::map<std::uint64_t, Unit> by_match;
    for (const auto* game : games) {
        const std::optional<std::size_t> seat = seat_of(*game);
        if (seat) by_match[game->match].push_back({game, *seat});
    }
    std::vector<Unit> units;
    for (auto& [match, unit] : by_match) units.push_back(std::move(unit));
    return units;
}

void correct(std::vector<SeatEffect>& effects) {
    std::vector<double> p;
    for (const auto& effect : effects)
        if (effect.advantage) p.push_back(effect.p);
    p = holm_corrected(std::move(p));
    std::size_t next = 0;
    for (auto& effect : effects) {
        if (!effect.advantage) continue;
        effect.p = p[next++];
        effect.real = effect.p <= seats_alpha;
    }
}

// What each seat of a game gave, as far as it was told.
using Given = std::vector<double>;

std::optional<Given> given_by_seats(const std::vector<SeatEffect>& effects, std::size_t width) {
    Given given(width, 0.0);
    for (const auto& effect : effects) {
        if (effect.kind != EffectKind::seat) continue;
        if (!effect.advantage) return std::nullopt;
        given[effect.seat] = *effect.advantage;
        if (width == 2) given[1] = -*effect.advantage;
    }
    return given;
}

template <typename GivenIn>
SeatLeft most_left(EffectKind kind, std::size_t players, std::span<const SeatGame* const> games,
                   const GivenIn& given_in) {
    SeatLeft most{.kind = kind};
    std::vector<double> gained(players, 0.0);
    std::vector<double> played(players, 0.0);
    for (const auto* game : games) {
        const Given given = given_in(*game);
        for (std::size_t seat = 0; seat < given.size(); ++seat) {
            gained[game->players[seat]] += given[seat];
            ++played[game->players[seat]];
            most.alone = std::max(most.alone, std::abs(given[seat]));
        }
    }
    for (std::size_t player = 0; player < players; ++player) {
        if (played[player] == 0) continue;
        const double its = gained[player] / played[player];
        if (std::abs(its) <= std::abs(most.gained)) continue;
        most.player = player;
        most.gained = its;
    }
    return most;
}

// Whether each player had each seat equally often.
bool seats_were_alike(std::size_t players, std::span<const SeatGame* const> games,
                      std::size_t width) {
    std::vector<std::vector<std::uint64_t>> had(players, std::vector<std::uint64_t>(width, 0));
    for (const auto* game : games)
        for (std::size_t seat = 0; seat < width; ++seat) ++had[game->players[seat]][seat];
    return std::all_of(had.begin(), had.end(), [](const auto& its) {
        return std::all_of(its.begin(), its.end(),
                           [&its](auto count) { return count == its.front(); });
    });
}

// Whether each player moved first as often as its share of the seats is.
bool first_moves_were_alike(std::size_t players, std::span<const SeatGame* const> games,
                            std::size_t width) {
    std::vector<std::uint64_t> first(players, 0);
    std::vector<std::uint64_t> played(players, 0);
    for (const auto* game : games) {
        if (!game->mover) continue;
        ++first[game->players[*game->mover]];
        for (const auto player : game->players) ++played[player];
    }
    for (std::size_t player = 0; player < players; ++player)
        if (first[player] * width != played[player]) return false;
    return true;
}

void tell_what_is_left(SeatTable& table, std::size_t players,
                       std::span<const SeatGame* const> games, std::size_t width) {
    if (const auto given = given_by_seats(table.effects, width)) {
        table.left.push_back(
            most_left(EffectKind::seat, players, games, [&](const auto&) { return *given; }));
        table.left.back().alike = seats_were_alike(players, games, width);
    }
    for (const auto& effect : table.effects) {
        if (effect.kind != EffectKind::first_move || !effect.advantage) continue;
        table.left.push_back(
            most_left(EffectKind::first_move, players, games, [&](const SeatGame& game) {
                if (!game.mover) return Given(width, 0.0);
                Given given(width, -*effect.advantage / static_cast<double>(width - 1));
                given[*game.mover] = *effect.advantage;
                return given;
            }));
        table.left.back().alike = first_moves_were_alike(players, games, width);
    }
}

}  // namespace

SeatTable seat_table(std::size_t players, std::size_t setups, std::span<const SeatGame> games) {
    SeatTable table;
    if (games.empty()) return table;
    const auto width = games.front().players.size();
    std::vector<const SeatGame*> alike;
    std::set<std::uint64_t> matches;
    std::set<std::optional<std::size_t>> movers;
    for (const auto& game : games) {
        if (width < 2 || game.players.size() != width) continue;
        alike.push_back(&game);
        matches.insert(game.match);
        movers.insert(game.mover);
    }
    table.games = alike.size();
    table.matches = matches.size();
    const auto listed = width == 2 ? 1 : width;
    const auto add = [&](SeatEffect effect, const auto& seat_of) {
        const auto units = units_of(alike, seat_of);
        if (units.empty()) return;
        estimate(effect, players, units);
        table.effects.push_back(effect);
    };
    for (std::size_t seat = 0; seat < listed; ++seat)
        add({.kind = EffectKind::seat, .seat = seat},
            [=](const SeatGame&) { return std::optional(seat); });
    // A seat that always moves first has its line already.
    if (movers.size() > 1)
        add({.kind = EffectKind::first_move}, [](const SeatGame& game) { return game.mover; });
    for (std::size_t setup = 0; setups > 1 && setup < setups; ++setup)
        for (std::size_t seat = 0; seat < listed; ++seat)
            add({.kind = EffectKind::setup, .seat = seat, .setup = setup},
                [=](const SeatGame& game) {
                    return game.setup == setup ? std::optional(seat) : std::nullopt;
                });
    correct(table.effects);
    tell_what_is_left(table, players, alike, width);
    return table;
}

}  // namespace referee::certainty

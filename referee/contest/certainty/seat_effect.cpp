#include "referee/contest/certainty/seat_effect.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "referee/contest/rating/rating_network.h"

namespace referee::certainty {
namespace {

// What a game of two adds to the squares that are left, where coins decide it.
constexpr double coin_variance_of_game = 0.25;

using Game = SeatGames::Kept;

// A game, and the seat in it that is looked at.
struct TargetGame {
    const Game* game = nullptr;
    std::size_t seat = 0;
};

struct SeatEstimate {
    double value = 0;
    double variance = 0;
    double freedom = 1;
};

constexpr double average_share = 0.5;
constexpr double own_small = 1e-3;  // only keeps the equations of a group solvable
// Of how often the seat changed, what must be left when bots' worth is taken off.
constexpr double changed_least = 0.05;
constexpr double matches_a_bot_least = 2;

// The games of one match that an effect is looked for in.
using Unit = std::vector<TargetGame>;

// A column of numbers, one for each seat of each game, that sums to 0 in each game.
template <typename Value>
std::vector<double> summed_by_player(std::size_t players, const std::vector<Unit>& matches,
                                     const Value& value) {
    std::vector<double> sums(players, 0.0);
    for (const auto& match : matches)
        for (const auto& target : match)
            for (std::size_t seat = 0; seat < target.game->players.size(); ++seat)
                sums[target.game->players[seat]] += value(target, seat);
    return sums;
}

double of_the_seat(const TargetGame& target, std::size_t seat) {
    const auto width = static_cast<double>(target.game->players.size());
    return (seat == target.seat ? 1.0 : 0.0) - 1 / width;
}

double of_the_share(const TargetGame& target, std::size_t seat) {
    return target.game->shares[seat] - average_share;
}

// By seat: what players are worth against the mean of the game.
std::vector<double> worths(const std::vector<double>& worth, const Game& game) {
    double mean = 0;
    for (const auto player : game.players)
        mean += worth[player] / static_cast<double>(game.players.size());
    std::vector<double> by_seat;
    by_seat.reserve(game.players.size());
    for (const auto player : game.players) by_seat.push_back(worth[player] - mean);
    return by_seat;
}

rating::RatingNetwork network_of(std::size_t players, const std::vector<Unit>& matches) {
    std::vector<rating::RatedPair> pairs;
    std::vector<rating::RatedMeeting> meetings;
    for (const auto& match : matches) {
        for (const auto& target : match) {
            const auto& who = target.game->players;
            if (who.size() == 2) {
                // The scatter of two is half of their squared difference.
                if (who[0] != who[1]) pairs.push_back({who[0], who[1], 0.5});
            } else {
                meetings.push_back({who, 1});
            }
        }
    }
    return {std::vector<double>(players, own_small), std::move(pairs), meetings};
}

// What the seat gives, where bots didn't have it equally often: shares are taken as the sum of what
// bots are worth and of the seat, fitted to all games at once. How it errs follows from what is
// left unexplained of each match. By match; nothing where there are hardly more matches than bots,
// or where seats hardly changed.
std::optional<SeatEstimate> fitted_advantage(std::size_t players,
                                             const std::vector<Unit>& matches) {
    const auto network = network_of(players, matches);
    const auto seat_worth =
        network.solved(summed_by_player(players, matches, of_the_seat), rating::exactly);
    const auto share_worth =
        network.solved(summed_by_player(players, matches, of_the_share), rating::exactly);
    std::vector<bool> playing(players, false);
    // What is left of the seat and of the shares, when what the players are worth is taken off.
    double of_seat_left = 0;  // the sum of squares
    double changed = 0;       // the same before
    double with_share = 0;    // the sum of products
    for (const auto& match : matches) {
        for (const auto& target : match) {
            const auto of_players = worths(seat_worth, *target.game);
            for (std::size_t seat = 0; seat < of_players.size(); ++seat) {
                const double column = of_the_seat(target, seat);
                changed += column * column;
                of_seat_left += (column - of_players[seat]) * (column - of_players[seat]);
                with_share += (column - of_players[seat]) * of_the_share(target, seat);
                playing[target.game->players[seat]] = true;
            }
        }
    }
    const auto bots = static_cast<double>(std::ranges::count(playing, true));
    const auto count = static_cast<double>(matches.size());
    if (count < matches_a_bot_least * bots || of_seat_left < changed_least * changed)
        return std::nullopt;
    const double effect = with_share / of_seat_left;
    // As of one match by coins more: where all went as the strengths foretell, a point would be
    // told.
    double squares = coin_variance_of_game * of_seat_left / count;
    for (const auto& match : matches) {
        double sum = 0;
        for (const auto& target : match) {
            const auto of_seat = worths(seat_worth, *target.game);
            const auto of_share = worths(share_worth, *target.game);
            for (std::size_t seat = 0; seat < of_seat.size(); ++seat) {
                const double column = of_the_seat(target, seat) - of_seat[seat];
                sum += column * (of_the_share(target, seat) - of_share[seat] - effect * column);
            }
        }
        squares += sum * sum;
    }
    const double free = count - bots;  // each bot's worth took one
    // What is left unexplained is smaller than luck is, as each bot's worth follows some of it.
    const double larger = count / free;
    const double width = static_cast<double>(matches.front().front().game->players.size());
    const double whole = 1 - 1 / width;  // the seat against the mean of all
    return SeatEstimate{effect * whole,
                        squares / (of_seat_left * of_seat_left) * larger * larger * whole * whole,
                        free};
}

constexpr double outside_95 = 0.05;
constexpr double missed_one_in_five = 0.4;  // to both sides of the bell curve
constexpr double paired_part_least = 0.5;
constexpr double variance_least = 1e-12;  // below it there is only the rounding of sums

bool balanced(const Unit& unit) {
    std::map<std::size_t, std::size_t> seats;    // by player: all its seats
    std::map<std::size_t, std::size_t> targets;  // and how often it had the one
    for (const auto& [game, seat] : unit) {
        for (const auto player : game->players) ++seats[player];
        ++targets[game->players[seat]];
    }
    const auto width = unit.front().game->players.size();
    return std::ranges::all_of(
        seats, [&](const auto& of) { return targets[of.first] * width == of.second; });
}

double value_of(const Unit& unit) {
    double sum = 0;
    for (const auto& [game, seat] : unit) sum += game->shares[seat] - average_share;
    return sum / static_cast<double>(unit.size());
}

void tell(SeatEffect& effect, const SeatEstimate& estimate) {
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
SeatEstimate paired_estimate(const std::vector<const Unit*>& units, double games) {
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
std::vector<Unit> units_of(std::span<const Game* const> games, const SeatOf& seat_of) {
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
SeatLeft most_left(EffectKind kind, std::size_t players, std::span<const Game* const> games,
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
bool seats_were_alike(std::size_t players, std::span<const Game* const> games, std::size_t width) {
    std::vector<std::vector<std::uint64_t>> had(players, std::vector<std::uint64_t>(width, 0));
    for (const auto* game : games)
        for (std::size_t seat = 0; seat < width; ++seat) ++had[game->players[seat]][seat];
    return std::ranges::all_of(had, [](const auto& its) {
        return std::ranges::all_of(its, [&its](auto count) { return count == its.front(); });
    });
}

// Whether each player moved first as often as its share of the seats is.
bool first_moves_were_alike(std::size_t players, std::span<const Game* const> games,
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

void tell_what_is_left(SeatTable& table, std::size_t players, std::span<const Game* const> games,
                       std::size_t width) {
    if (const auto given = given_by_seats(table.effects, width)) {
        table.left.push_back(
            most_left(EffectKind::seat, players, games, [&](const auto&) { return *given; }));
        table.left.back().alike = seats_were_alike(players, games, width);
    }
    for (const auto& effect : table.effects) {
        if (effect.kind != EffectKind::first_move || !effect.advantage) continue;
        table.left.push_back(
            most_left(EffectKind::first_move, players, games, [&](const Game& game) {
                if (!game.mover) return Given(width, 0.0);
                Given given(width, -*effect.advantage / static_cast<double>(width - 1));
                given[*game.mover] = *effect.advantage;
                return given;
            }));
        table.left.back().alike = first_moves_were_alike(players, games, width);
    }
}

}  // namespace

SeatTable seat_table(std::size_t players, std::size_t setups, const SeatGames& all) {
    const auto& games = all.all();
    SeatTable table;
    if (games.empty()) return table;
    const auto width = games.front().players.size();
    std::vector<const Game*> alike;
    alike.reserve(games.size());
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
            [=](const Game&) { return std::optional(seat); });
    // A seat that always moves first has its line already.
    if (movers.size() > 1)
        add({.kind = EffectKind::first_move}, [](const Game& game) { return game.mover; });
    for (std::size_t setup = 0; setups > 1 && setup < setups; ++setup)
        for (std::size_t seat = 0; seat < listed; ++seat)
            add({.kind = EffectKind::setup, .seat = seat, .setup = setup}, [=](const Game& game) {
                return game.setup == setup ? std::optional(seat) : std::nullopt;
            });
    correct(table.effects);
    tell_what_is_left(table, players, alike, width);
    return table;
}

}  // namespace referee::certainty

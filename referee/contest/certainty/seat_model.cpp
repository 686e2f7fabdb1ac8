#include "referee/contest/certainty/seat_model.h"

#include "referee/contest/rating/network.h"

namespace referee::certainty {
namespace {

constexpr double average_of_game = 0.5;
constexpr double own_small = 1e-3;  // only keeps the equations of a group solvable
// Of how often the seat changed, what must be left when bots' worth is taken off.
constexpr double changed_least = 0.05;
constexpr double matches_a_bot_least = 2;

using Matches = std::vector<std::vector<TargetGame>>;

// A column of numbers, one for each seat of each game, that sums to 0 in each game.
template <typename Value>
std::vector<double> summed_by_player(std::size_t players, const Matches& matches,
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
    return target.game->shares[seat] - average_of_game;
}

// By seat: what players are worth against the mean of the game.
std::vector<double> worths(const std::vector<double>& worth, const SeatGame& game) {
    double mean = 0;
    for (const auto player : game.players)
        mean += worth[player] / static_cast<double>(game.players.size());
    std::vector<double> by_seat;
    by_seat.reserve(game.players.size());
    for (const auto player : game.players) by_seat.push_back(worth[player] - mean);
    return by_seat;
}

rating::Network network_of(std::size_t players, const Matches& matches) {
    std::vector<rating::Pair> pairs;
    std::vector<rating::Meeting> meetings;
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

// What is left of the seat and of the shares, when what the players are worth is taken off.
struct Left {
    double of_seat = 0;     // the sum of squares
    double changed = 0;     // the same before
    double with_share = 0;  // the sum of products
};

}  // namespace

std::optional<Estimate> fitted_advantage(std::size_t players, const Matches& matches) {
    const auto network = network_of(players, matches);
    const auto seat_worth =
        network.solved(summed_by_player(players, matches, of_the_seat), rating::exactly);
    const auto share_worth =
        network.solved(summed_by_player(players, matches, of_the_share), rating::exactly);
    std::vector<bool> playing(players, false);
    Left left;
    for (const auto& match : matches) {
        for (const auto& target : match) {
            const auto of_players = worths(seat_worth, *target.game);
            for (std::size_t seat = 0; seat < of_players.size(); ++seat) {
                const double column = of_the_seat(target, seat);
                left.changed += column * column;
                left.of_seat += (column - of_players[seat]) * (column - of_players[seat]);
                left.with_share += (column - of_players[seat]) * of_the_share(target, seat);
                playing[target.game->players[seat]] = true;
            }
        }
    }
    double bots = 0;
    for (const bool one : playing) bots += one ? 1 : 0;
    const auto count = static_cast<double>(matches.size());
    if (count < matches_a_bot_least * bots || left.of_seat < changed_least * left.changed)
        return std::nullopt;
    const double effect = left.with_share / left.of_seat;
    // As of one match by coins more: where all went as the strengths foretell, a point would be
    // told.
    double squares = coin_variance_of_game * left.of_seat / count;
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
    return Estimate{effect * whole,
                    squares / (left.of_seat * left.of_seat) * larger * larger * whole * whole,
                    free};
}

}  // namespace referee::certainty

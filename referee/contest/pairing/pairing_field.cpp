#include "referee/contest/pairing/pairing_field.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "protocol/base/assertion.h"

namespace referee::pairing {

int points_of(const Game& game, const PairingPoints& points) {
    // In the order of the outcomes.
    constexpr std::array<int PairingPoints::*, 9> worth{
        &PairingPoints::win,         &PairingPoints::draw,         &PairingPoints::loss,
        &PairingPoints::forfeit_win, &PairingPoints::forfeit_loss, &PairingPoints::allocated_bye,
        &PairingPoints::full_bye,    &PairingPoints::half_bye,     &PairingPoints::absent};
    static_assert(worth.size() == static_cast<std::size_t>(PairingOutcome::absent) + 1);
    return game.points_tenths.value_or(points.*worth[static_cast<std::size_t>(game.outcome)]);
}

Game game_of(const Entrant& entrant, int round) {
    REFEREE_ASSERT(round >= 1);
    const auto index = static_cast<std::size_t>(round - 1);
    return index < entrant.games.size() ? entrant.games[index] : Game{};
}

int score_tenths(const PairingField& field, const Entrant& entrant, int before_round) {
    int score = 0;
    for (int round = 1; round < before_round; ++round)
        score += points_of(game_of(entrant, round), field.points);
    for (const Bonus& bonus : entrant.bonuses)
        if (bonus.round < before_round) score += bonus.points_tenths;
    return score;
}

int pairing_score_tenths(const PairingField& field, const Entrant& entrant, int before_round) {
    const auto index = static_cast<std::size_t>(before_round - 1);
    const auto& extra = entrant.acceleration_tenths;
    return score_tenths(field, entrant, before_round) + (index < extra.size() ? extra[index] : 0);
}

bool took_part(const Game& game) {
    return game.opponent != nobody || game.outcome == PairingOutcome::allocated_bye ||
           game.outcome == PairingOutcome::forfeit_win;
}

PairingField before_round(const PairingField& field, int round) {
    REFEREE_ASSERT(round >= 1 && round <= field.rounds_played);
    PairingField earlier = field;
    earlier.rounds_played = round - 1;
    for (Entrant& entrant : earlier.entrants) {
        entrant.absent = !took_part(game_of(entrant, round));
        const auto kept = static_cast<std::size_t>(round - 1);
        if (entrant.games.size() > kept) entrant.games.resize(kept);
    }
    return earlier;
}

void accelerate_baku(PairingField& field) {
    constexpr std::size_t quarter = 4;
    const std::size_t upper =
        std::min(2 * ((field.entrants.size() + quarter - 1) / quarter), field.entrants.size());
    const int accelerated = (field.rounds_total + 1) / 2;
    const int full = (accelerated + 1) / 2;
    std::vector<int> virtual_tenths(static_cast<std::size_t>(accelerated), field.points.win / 2);
    std::fill_n(virtual_tenths.begin(), full, field.points.win);
    for (std::size_t i = 0; i < upper; ++i) field.entrants[i].acceleration_tenths = virtual_tenths;
}

}  // namespace referee::pairing

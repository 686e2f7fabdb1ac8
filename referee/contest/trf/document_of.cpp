#include <algorithm>
#include <string>

#include "protocol/base/assertion.h"
#include "referee/contest/trf/reading.h"

namespace referee::trf {

namespace {

using pairing::Colour;
using pairing::Entrant;
using pairing::Field;
using pairing::Game;
using pairing::Outcome;

char code_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::win:
            return '1';
        case Outcome::draw:
            return '=';
        case Outcome::loss:
            return '0';
        case Outcome::forfeit_win:
            return '+';
        case Outcome::forfeit_loss:
            return '-';
        case Outcome::allocated_bye:
            return 'U';
        case Outcome::full_bye:
            return 'F';
        case Outcome::half_bye:
            return 'H';
        case Outcome::absent:
            break;
    }
    return 'Z';
}

// 299 has letters for results, whatever the game's length.
char abnormal_code_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::win:
            return 'W';
        case Outcome::draw:
            return 'D';
        case Outcome::loss:
            return 'L';
        default:
            return code_of(outcome);
    }
}

RoundEntry entry_of(const Game& game) {
    RoundEntry entry;
    entry.opponent = game.opponent;
    entry.result = code_of(game.outcome);
    if (game.colour) entry.colour = *game.colour == Colour::white ? 'w' : 'b';
    return entry;
}

PlayerRecord player_of(const Field& field, const Entrant& entrant) {
    PlayerRecord player;
    player.number = entrant.number;
    player.name = std::to_string(entrant.number);
    player.points_tenths = score_tenths(field, entrant, field.rounds_played + 1);
    for (int round = 1; round <= field.rounds_played; ++round)
        player.rounds.push_back(entry_of(pairing::game_of(entrant, round)));
    return player;
}

void rank_by_points(std::vector<PlayerRecord>& players) {
    std::vector<PlayerRecord*> order;
    for (PlayerRecord& player : players) order.push_back(&player);
    std::stable_sort(order.begin(), order.end(), [](const PlayerRecord* a, const PlayerRecord* b) {
        return *a->points_tenths > *b->points_tenths;
    });
    int place = 0;
    for (PlayerRecord* player : order) player->rank = ++place;
}

void add_abnormal(const Field& field, const Entrant& entrant, Document& document) {
    for (const pairing::Bonus& bonus : entrant.bonuses)
        document.abnormal.push_back({' ', bonus.points_tenths, bonus.round, {entrant.number}});
    for (int round = 1; round <= field.rounds_played; ++round) {
        const Game game = pairing::game_of(entrant, round);
        if (!game.points_tenths) continue;
        REFEREE_ASSERT(game.outcome != Outcome::allocated_bye);
        document.abnormal.push_back(
            {abnormal_code_of(game.outcome), *game.points_tenths, round, {entrant.number}});
    }
}

}  // namespace

Document document_of(const Field& field) {
    Document document;
    if (field.rounds_total > 0) document.rounds_total = field.rounds_total;
    document.initial_colour = field.initial_colour;
    if (field.points != pairing::PointSystem{}) document.points = field.points;
    ByeRecord away{'Z', field.rounds_played + 1, {}};
    for (const Entrant& entrant : field.entrants) {
        document.players.push_back(player_of(field, entrant));
        if (entrant.absent) away.numbers.push_back(entrant.number);
        add_abnormal(field, entrant, document);
    }
    const auto by_number = [](const Entrant& a, const Entrant& b) { return a.number < b.number; };
    document.ranked_by_rank =
        !std::is_sorted(field.entrants.begin(), field.entrants.end(), by_number);
    int place = 0;
    if (document.ranked_by_rank)
        for (PlayerRecord& player : document.players) player.rank = ++place;
    else
        rank_by_points(document.players);
    if (!away.numbers.empty()) document.byes.push_back(away);
    for (const Entrant& entrant : field.entrants)
        add_virtual_points(document, entrant.number, entrant.acceleration_tenths);
    for (const pairing::ForbiddenGroup& group : field.forbidden)
        document.forbidden.push_back({group.first_round, group.last_round, group.numbers});
    return document;
}

}  // namespace referee::trf

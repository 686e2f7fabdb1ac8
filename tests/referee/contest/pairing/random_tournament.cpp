#include "tests/referee/contest/pairing/random_tournament.h"

#include "referee/contest/pairing/graph.h"

namespace referee::pairing {

RandomTournament::RandomTournament(const TournamentKind& kind, std::uint64_t seed)
    : kind_(kind), random_(seed) {
    const int players = between(kind.players_least, kind.players_most);
    field_.rounds_total = between(kind.rounds_least, kind.rounds_most);
    field_.initial_colour = happens(50) ? Colour::white : Colour::black;
    if (kind.other_points) {
        const PairingPoints systems[] = {{30, 10, 0, 30, 0, 30, 10, 0, 30},
                                         {30, 20, 10, 30, 0, 30, 20, 0, 30},
                                         {20, 10, 0, 20, 0, 20, 10, 0, 10},
                                         {.allocated_bye = 5}};
        field_.points = systems[below(4)];
    }
    for (int number = 1; number <= players; ++number) {
        field_.entrants.emplace_back().number = number;
        arrives_.push_back(happens(kind.late_entries) ? between(2, field_.rounds_total) : 1);
    }
    away_as_.assign(at(players), PairingOutcome::absent);
    withdrawn_.assign(at(players), false);
    for (int i = 0; i < kind.forbidden_groups; ++i) {
        auto& group = field_.forbidden.emplace_back();
        group.last_round = field_.rounds_total;
        const int size = between(2, 3);
        for (int j = 0; j < size; ++j) group.numbers.push_back(between(1, players));
    }
    if (kind.forbidden_by_round) {
        for (auto& group : field_.forbidden) {
            group.first_round = between(1, field_.rounds_total);
            group.last_round = between(group.first_round, field_.rounds_total);
        }
    }
    field_.colours = kind.colours;
    if (kind.baku) accelerate_baku(field_);
}

void RandomTournament::announce_absences() {
    const int round = field_.rounds_played + 1;
    for (Entrant& entrant : field_.entrants) {
        const std::size_t place = at(entrant.number - 1);
        if (round > 1 && happens(kind_.withdrawals)) withdrawn_[place] = true;
        away_as_[place] = PairingOutcome::absent;
        entrant.absent = withdrawn_[place] || round < arrives_[place];
        if (entrant.absent || !happens(kind_.asked_byes)) continue;
        constexpr int kinds = 4;
        const int kind = below(kinds);
        entrant.absent = true;
        if (kind == 0) away_as_[place] = PairingOutcome::full_bye;
        if (kind == 1 || kind == 2) away_as_[place] = PairingOutcome::half_bye;
    }
}

void RandomTournament::play_round(const RoundPairing& pairing) {
    std::vector<Game> games(field_.entrants.size());
    for (const Entrant& entrant : field_.entrants)
        if (entrant.absent)
            games[at(entrant.number - 1)].outcome = away_as_[at(entrant.number - 1)];
    for (const Board& board : pairing.boards) {
        const bool forfeited = happens(kind_.forfeits);
        PairingOutcome white = forfeited ? PairingOutcome::forfeit_win : PairingOutcome::win;
        PairingOutcome black = forfeited ? PairingOutcome::forfeit_loss : PairingOutcome::loss;
        if (!forfeited && happens(kind_.draws)) white = black = PairingOutcome::draw;
        // The better ranked wins more often than not.
        constexpr int favourite_wins = 70;
        if ((board.white > board.black) == happens(favourite_wins)) std::swap(white, black);
        if (forfeited && happens(10)) white = black = PairingOutcome::forfeit_loss;
        games[at(board.white - 1)] = {white, board.black, Colour::white, {}};
        games[at(board.black - 1)] = {black, board.white, Colour::black, {}};
    }
    if (pairing.bye != nobody) games[at(pairing.bye - 1)].outcome = PairingOutcome::allocated_bye;
    for (Entrant& entrant : field_.entrants) {
        entrant.games.push_back(games[at(entrant.number - 1)]);
        entrant.absent = false;
    }
    ++field_.rounds_played;
}

void RandomTournament::play(const Watch& watch) {
    while (field_.rounds_played < field_.rounds_total) {
        announce_absences();
        const auto answer = pair_round(field_);
        if (!watch(field_, answer) || !answer) return;
        play_round(*answer);
    }
}

}  // namespace referee::pairing

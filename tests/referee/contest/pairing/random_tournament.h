#pragma once

#include <cstdint>
#include <functional>
#include <random>

#include "referee/contest/pairing/dutch.h"

// Tournaments drawn by lot, for tests: the same seed gives the same tournament everywhere.

namespace referee::pairing {

struct TournamentKind {
    const char* name = "plain";
    int players_least = 8;
    int players_most = 40;
    int rounds_least = 3;
    int rounds_most = 9;
    // In percent, of each player in each round, or of each game.
    int draws = 35;
    int forfeits = 0;
    int asked_byes = 0;
    int withdrawals = 0;
    int late_entries = 0;      // of the players, once
    int forbidden_groups = 0;  // how many
    bool baku = false;
    bool other_points = false;
    bool colours = true;
    bool forbidden_by_round = false;
};

class RandomTournament {
 public:
    RandomTournament(const TournamentKind& kind, std::uint64_t seed);

    // Plays round after round; `watch` sees the field before each round, and its pairing. Stops
    // early when `watch` answers false or no legal pairing is left.
    using Watch =
        std::function<bool(const PairingField&, const base::Result<RoundPairing, NoLegalPairing>&)>;
    void play(const Watch& watch);

 private:
    int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }
    int between(int least, int most) { return least + below(most - least + 1); }
    bool happens(int percent) { return below(100) < percent; }
    void announce_absences();
    void play_round(const RoundPairing& pairing);

    TournamentKind kind_;
    std::mt19937_64 random_;
    PairingField field_;
    std::vector<int> arrives_;  // by entrant: the first round
    std::vector<PairingOutcome> away_as_;
    std::vector<bool> withdrawn_;
};

}  // namespace referee::pairing

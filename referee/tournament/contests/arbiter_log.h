#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "referee/game/result/game_result.h"
#include "referee/store/records/journal.h"

namespace referee::contests {

// What an arbiter ordered of a tournament, in order; what was taken back or lifted is here too.
struct ArbiterLog {
    std::vector<records::RulingRecord> rulings;
    std::vector<records::ForbiddenPairsRecord> forbidden;
    std::vector<records::RequestedByeRecord> byes;

    std::vector<records::HandPairingRecord> by_hand;

    bool empty() const {
        return rulings.empty() && forbidden.empty() && byes.empty() && by_hand.empty();
    }
    // What stands of that round: matches that were set by hand and not taken back.
    std::vector<records::HandPairingRecord> by_hand_in(std::uint32_t round) const {
        std::vector<records::HandPairingRecord> standing;
        for (const auto& pairing : by_hand) {
            if (pairing.round != round) continue;
            std::erase_if(standing, [&](const auto& one) {
                return std::is_permutation(one.bots.begin(), one.bots.end(), pairing.bots.begin(),
                                           pairing.bots.end());
            });
            if (pairing.order == records::ManualPairingOrder::paired) standing.push_back(pairing);
        }
        return standing;
    }
    // The last ruling about the match, where it stands; else null.
    const records::RulingRecord* ruling_of(std::uint64_t match) const {
        const records::RulingRecord* last = nullptr;
        for (const auto& ruling : rulings) {
            if (ruling.match == match) last = ruling.placing.empty() ? nullptr : &ruling;
        }
        return last;
    }
};

// Plays that counted and were annulled by order, and why.
using AnnulledGames = std::map<GameKey, std::string>;

}  // namespace referee::contests

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "referee/store/records/journal.h"

namespace referee::scheduler {

// What an arbiter ordered of a tournament, in order; what was taken back or lifted is here too.
struct ArbiterLog {
    std::vector<journal::RulingRecord> rulings;
    std::vector<journal::ForbiddenPairsRecord> forbidden;
    std::vector<journal::RequestedByeRecord> byes;

    std::vector<journal::HandPairingRecord> by_hand;

    bool empty() const {
        return rulings.empty() && forbidden.empty() && byes.empty() && by_hand.empty();
    }
    // What stands of that round: matches that were set by hand and not taken back.
    std::vector<journal::HandPairingRecord> by_hand_in(std::uint32_t round) const {
        std::vector<journal::HandPairingRecord> standing;
        for (const auto& pairing : by_hand) {
            if (pairing.round != round) continue;
            std::erase_if(standing, [&](const auto& one) {
                return std::is_permutation(one.bots.begin(), one.bots.end(), pairing.bots.begin(),
                                           pairing.bots.end());
            });
            if (pairing.order == journal::HandOrder::paired) standing.push_back(pairing);
        }
        return standing;
    }
    // The last ruling about the match, where it stands; else null.
    const journal::RulingRecord* ruling_of(std::uint64_t match) const {
        const journal::RulingRecord* last = nullptr;
        for (const auto& ruling : rulings) {
            if (ruling.match == match) last = ruling.placing.empty() ? nullptr : &ruling;
        }
        return last;
    }
};

}  // namespace referee::scheduler

#pragma once

#include <cstdint>
#include <vector>

#include "referee/memory/journal/journal.h"

namespace referee::scheduler {

// What an arbiter ordered of a tournament, in order; what was taken back or lifted is here too.
struct ArbiterLog {
    std::vector<journal::RulingRecord> rulings;
    std::vector<journal::ForbiddenPairsRecord> forbidden;
    std::vector<journal::RequestedByeRecord> byes;

    bool empty() const { return rulings.empty() && forbidden.empty() && byes.empty(); }
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

#pragma once

#include <array>
#include <cstddef>

#include "referee/record/result.h"

namespace referee::play {

inline constexpr std::size_t fault_codes = static_cast<std::size_t>(FaultCode::protocol) + 1;

// What each kind of fault costs; by game default, or by config.
struct FaultPolicy {
    std::array<Consequence, fault_codes> consequences = defaults();
    unsigned strikes_max = 3;  // that many strikes forfeit the game

    Consequence of(FaultCode code) const { return consequences[static_cast<std::size_t>(code)]; }
    void set(FaultCode code, Consequence consequence) {
        consequences[static_cast<std::size_t>(code)] = consequence;
    }

    static constexpr std::array<Consequence, fault_codes> defaults() {
        using enum Consequence;
        //      late          malformed     illegal       disconnected  crashed
        return {missing_move, missing_move, missing_move, none,         forfeit,
                // hung over_budget flooding protocol
                forfeit,   forfeit,    forfeit, none};
    }
};

}  // namespace referee::play

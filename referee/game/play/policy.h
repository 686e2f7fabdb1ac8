#pragma once

#include <array>
#include <cstddef>

#include "engines/game.h"
#include "referee/game/result/game_result.h"

namespace referee::play {

inline constexpr std::size_t fault_codes = static_cast<std::size_t>(FaultCode::protocol) + 1;

// What each kind of fault costs; by game default, or by config. What a bad move costs on the board
// is for the game's rules to say: `none`, `missing_move` and `lost_turn` all leave it to them.
struct FaultPolicy {
    std::array<Consequence, fault_codes> consequences = defaults();
    unsigned strikes_max = 3;  // that many strikes forfeit the game

    constexpr Consequence of(FaultCode code) const {
        return consequences[static_cast<std::size_t>(code)];
    }
    constexpr void set(FaultCode code, Consequence consequence) {
        consequences[static_cast<std::size_t>(code)] = consequence;
    }

    static constexpr std::array<Consequence, fault_codes> defaults() {
        using enum Consequence;
        //      late          malformed     illegal       disconnected  crashed
        return {missing_move, missing_move, missing_move, none, forfeit,
                // hung over_budget flooding protocol
                forfeit, forfeit, forfeit, none};
    }
};

// What the game's page names as its default.
constexpr FaultPolicy default_faults(const engines::GameInfo& game) {
    FaultPolicy policy;
    if (game.bad_move == engines::BadMove::loses_pieces) {
        for (const auto code : {FaultCode::late, FaultCode::malformed, FaultCode::illegal})
            policy.set(code, Consequence::lost_turn);
    }
    return policy;
}

}  // namespace referee::play

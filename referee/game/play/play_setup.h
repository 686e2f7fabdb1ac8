#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/game/clock/clock_config.h"
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

// A turn that was played before a game began; or a seat that was taken out of it.
struct PastTurn {
    std::vector<std::string> moves;     // by seat, JSON text; empty where none came in time
    std::vector<std::int64_t> used_us;  // by seat, as it was charged
    std::optional<engines::Seat> forfeit{};
};

// The first turns of another game, from which a game goes on: it is a fork of that one. Its bots
// are told with their start that it is `resumed`, and all of these turns.
struct Past {
    std::string game_id;            // of the other game
    std::string replay;             // the other game's: "sha256:" and 64 hexadecimal digits
    std::vector<std::string> bots;  // by seat, who played the other game
    std::vector<PastTurn> turns;
};

// Why a bot never came, as far as that is known.
struct Absence {
    std::string cause;  // after "it did not show up: "; may be empty
    protocol::Evidence evidence;
    std::string withdrawn{};  // instead of "did not show up", of one that is out of its tournament
    std::string left{};       // the game that it left when it was last here, if it left one
};

// All that decides a game before it begins.
struct PlaySetup {
    GameKey key;
    const engines::Game* game = nullptr;
    std::string params;  // as given; the play completes them
    std::uint32_t seed = 1;
    std::vector<std::string> bots;  // by seat
    clock::ClockConfig clock;
    FaultPolicy faults;
    Duration ready_budget = protocol::limits::ready_time_max;
    std::map<engines::Seat, Absence> absences;  // what start() is to tell of seats that are absent
    // A game that a bot was not ready for in time is interrupted; otherwise it begins without it.
    bool needs_all_ready = false;
    // The game goes on from here. The turns fit the game, which isn't over behind them; they are
    // charged to the clocks, but lateness that was waited for is not known any more.
    std::optional<Past> past;
};

}  // namespace referee::play

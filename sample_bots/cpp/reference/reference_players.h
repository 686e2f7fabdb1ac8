#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sample_bots/cpp/bot/bot.h"

// The reference bots of all games as players within a program, for who plays many games at once:
// without a process, a connection or a clock.

namespace bots {

struct ReferencePlayer {
    std::string_view program;  // "walls-greedy"
    std::string_view game;     // "walls"
    std::unique_ptr<Player> (*make)(const GameStart& start);
    // It thinks as long as its turn's budget lets it, so the same game may go another way again.
    bool timed = false;
    // The strongest of its game of which thousands of games take seconds.
    bool quick = false;
    // The same player by the engine's own position, where reading its text would take most of the
    // time; null: there is none.
    std::unique_ptr<InsidePlayer> (*make_inside)(const engines::State& state) = nullptr;
};

// A line of each reference_bot() in the CMakeLists.txt of the games' bots: the build makes the
// list.
std::span<const ReferencePlayer> reference_players();

// Nothing where there is none of that name.
inline const ReferencePlayer* reference_player(std::string_view program) {
    for (const auto& player : reference_players())
        if (player.program == program) return &player;
    return nullptr;
}
// The quick one of the game; nothing where it has none.
inline const ReferencePlayer* quick_player(std::string_view game) {
    for (const auto& player : reference_players())
        if (player.quick && player.game == game) return &player;
    return nullptr;
}

}  // namespace bots

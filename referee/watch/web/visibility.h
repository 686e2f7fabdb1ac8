#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "referee/watch/web/web_sessions.h"

namespace referee::web {

// What a replay's first line says of who plays what; nothing of it where it can't be read.
struct PlayersOfReplay {
    std::string game;
    std::vector<std::string> bots;
};
PlayersOfReplay players_of(std::string_view replay);

// A replay as that visitor may see it: of faults of bots that are not its own it leaves out what
// they sent and printed, and of all others which programs they are. The replay's last line alone is
// written again; a line that can't be read stays out.
std::string replay_for(std::string_view replay, const Visitor& visitor);

// Whether that visitor may know the seed of a game that is over. Others play from the same one
// where the game has one seat, or doesn't count and is played again.
bool may_know_seed(std::string_view replay, const Visitor& visitor);

// How such a game ended, as what a showing of it has at its end: {"faults": [...], "faults_total":
// ..., "result": {...}}; as everybody may see it.
std::string end_of(std::string_view replay);

}  // namespace referee::web

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "referee/check_bot/bot_checker.h"
#include "referee/check_bot/report.h"

namespace referee::check_bot {

// Tries all corners, one after the other, and tells what was found. `on_finding` is told of each at
// once: an examination takes a while.
BotReport examine(BotChecker& checker, const std::function<void(const CornerFinding&)>& on_finding);

// ---- Groups of corners, in their order; each appends its findings ---------------------------

// Launch and login. False where the bot can't be examined further.
bool try_login(BotChecker& checker, BotReport& report);
// A plain game of each kind, another on the same connection, and odd states. Returns the games of
// which a plain one went well.
std::vector<std::string> try_games(BotChecker& checker, BotReport& report);
// How messages may come, in games of this kind.
void try_manners(BotChecker& checker, const std::string& game, BotReport& report);
// A lost connection, and goodbyes.
void try_endings(BotChecker& checker, const std::string& game, BotReport& report);
// Whether the answers of a game came in time: each within its budget, and where the game's rules
// limit the mean of a player's turns, their mean. Requires: there are some.
CornerFinding judged_times(const engines::GameInfo& info,
                           std::vector<BotObservations::Answer> answers);
// What was seen all along: answering in time, and what else the bot sent or printed.
void judge_observations(BotChecker& checker, BotReport& report);

// That the bot did not come for a corner.
CornerFinding not_connected(std::string corner, const std::string& game, const std::string& why);
// Whether it is here for the corner; where it isn't, that is noted.
bool comes_for(BotChecker& checker, const char* corner, const std::string& game, BotReport& report);

// The first position of the game.
const Position& plain_position(const std::string& game);
// Finds fault with a game that was played in a corner, or is content with `seen`.
CornerFinding judged(std::string corner, const std::string& game, const PlayedTrial& played,
                     std::string seen, std::string expected, std::string advice);

}  // namespace referee::check_bot

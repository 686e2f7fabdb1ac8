#pragma once

// The reference bots for Snake Labyrinth. Each plays one game; none remembers anything of another.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "protocol/base/split_mix.h"
#include "protocol/json/document.h"
#include "sample_bots/cpp/bot/bot.h"
#include "sample_bots/cpp/snake_labyrinth/ways.h"

namespace bots::snake_labyrinth {

// A position from a game's params and a state of it; nothing where they are not what the rules
// say they are.
std::optional<Position> read_position(protocol::json::View params, protocol::json::View state);

// What of a budget may be spent on thinking: the rest is for the start, the way of the answer and
// the last step of thinking, which is not broken off.
constexpr std::int64_t thinking_us(std::int64_t budget_us) {
    return budget_us / 4 * 3;
}

// Says true once so much time has gone by since it was made. The only clock of these bots, and
// only a guard: their work is counted.
inline std::function<bool()> late_after(std::int64_t microseconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
    return [end] { return std::chrono::steady_clock::now() >= end; };
}

// The two simple strategies of the handout. Neither looks at coins, mishaps, drills or the body.

// One of the legal steps, each as likely; a letter that can't be carried out where there is none.
char random_letter(const Walk& walk, base::SplitMix& random);

// All the way to an exit with the right hand on the wall, never drilling: straight on to a wall
// first where none is at hand. Where that leads around in a circle, the shortest way from there.
// Ends after steps_max steps, or where no exit can be reached.
std::string right_hand_plan(const Position& position);

// The shortest way to an exit without drilling, whatever lies on it; empty where there is none.
std::string shortest_plan(const Walk& walk);

// A step at a time, any legal one with equal probability; the same ones again in a game of the
// same id.
std::unique_ptr<Player> make_random(const GameStart& start);
// The right hand on the wall, all the way as one plan.
std::unique_ptr<Player> make_right_hand(const GameStart& start);
// The strongest plan that it finds, within a small part of the game's budget.
std::unique_ptr<Player> make_best(const GameStart& start);

// ---- best.cpp ----

// How hard to think. Counted in work, not in time, so that the same position gives the same plan on
// every machine of a kind.
struct Effort {
    std::int64_t nodes_max = 100'000'000;  // looked at by the searches for strong ways
    std::size_t positions_max = 200'000;   // looked at to prove that a way is the best
    // A guard for slow machines: where it says true, the best way so far is the answer. The work
    // is meant to be done long before. Empty: never late.
    std::function<bool()> is_late = {};
};

// A strong way out under coins, mishaps, drills and the body; the best there is where that can be
// proven with the effort given. Where no way out is found, letters that end the game soon.
std::string best_plan(const Position& position, const Effort& effort = {});

}  // namespace bots::snake_labyrinth

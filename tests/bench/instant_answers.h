#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

// What an instant bot plays: Walls on a board of board_size; or E7 Planets, alone, on a map of that
// size with ghosts, with the whole state each turn or with what has changed.
enum class Game : std::uint8_t { walls, e7, e7_deltas };

// The board of Walls, and the length of the games on it: each bot fills its half column by column,
// so a game has well over a thousand turns.
inline constexpr int board_size = 35;

// How many bots a game has.
constexpr std::size_t seats_of(Game game) {
    return game == Game::walls ? 2 : 1;
}

// The map of E7 Planets, as a config's params have it, and how many turns a game on it has.
inline constexpr std::uint64_t e7_turns = 1000;
std::string e7_params();

// An instant bot's side of the protocol: lines in, answers out, no tree of JSON.
class InstantAnswers {
 public:
    enum class Line : std::uint8_t { other, first_turn, turn, last_turn };

    InstantAnswers(std::string name, Game game) : name_(std::move(name)), game_(game) {}

    // Appends what it answers. The last turn is the last for which it has a script: a game may go
    // on for a few.
    Line answer(std::string_view line, std::string& answers);

 private:
    Line move(std::string_view line, std::string& answers);

    std::string name_;
    Game game_;
    std::string script_;
    std::size_t step_ = 0;
};

}  // namespace bench

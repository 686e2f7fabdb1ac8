#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "sample_bots/cpp/superball/tools/tool_texts.h"

namespace bots::superball::tools {

// While it lives, a QUIT signal to this process prints the score so far and the game goes on. One
// at a time; made before any other thread. The signal stays blocked afterwards, so that a late one
// doesn't take the program down in its last moment.
class QuitReport {
 public:
    QuitReport();
    ~QuitReport();
    QuitReport(const QuitReport&) = delete;
    QuitReport& operator=(const QuitReport&) = delete;

    void set_score(std::int64_t score) { score_ = score; }

 private:
    void listen();

    std::atomic<std::int64_t> score_{0};
    std::atomic<bool> ending_{false};
    std::thread listener_;
};

// A player program of the old kind: run once a move as `COMMAND rows cols min-score-size colors`,
// with the board on its standard input; the first line that it prints is its move.
class PlayerCommand {
 public:
    PlayerCommand(std::string command, const Rules& rules);

    // Runs it and waits for its end. Nothing where it could not be run or printed no line; what
    // it says on standard error goes where ours goes.
    std::optional<std::string> move_for(const Board& board) const;

 private:
    std::string command_line_;
};

// The move that a player's line says, or why it can't be played.
base::Result<Move, std::string> read_move(const engines::superball::Position& game,
                                          const std::string& line);

}  // namespace bots::superball::tools

#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/walls/walls.h"
#include "protocol/json/document.h"
#include "sample_bots/cpp/bot/bot.h"

// The reference bots for Walls. Each plays one game; none remembers anything of another.

namespace bots::walls {

// The position that a state of Walls shows; nothing where it is no such state, or the game is over.
std::optional<engines::walls::Position> read_position(protocol::json::View state);

// The move as JSON.
std::string text_of(engines::walls::Move move);

// The first move of a shortest way to the next brick; forward rather than left rather than right
// where several are as short. Turns left where no brick can be had any more.
engines::walls::Move greedy_move(const engines::walls::Position& position);

// Any move with equal probability, the same ones again in a game of the same id and seat.
std::unique_ptr<Player> make_random(const GameStart& start);
// The shortest way to the next brick of its own; doesn't look at what the other is up to.
std::unique_ptr<Player> make_greedy(const GameStart& start);
// Alpha-beta, as deep as a part of the turn's budget allows; perfect on a board of size 3.
std::unique_ptr<Player> make_minimax(const GameStart& start);

// Alpha-beta search with iterative deepening and a table of positions seen, which is kept from
// move to move. What is proven (somebody can't be caught up with any more) is told apart from what
// is estimated, so that it plays perfectly once it has proven the value of the position.
class Minimax {
 public:
    static constexpr int deepest = 200;

    explicit Minimax(int depth_max = deepest);

    // Requires: the game is not over.
    engines::walls::Move choose(engines::walls::Position position,
                                std::chrono::steady_clock::time_point deadline);

    // Whether the last choice was proven to be the best, and how deep the last search was.
    bool proven() const { return proven_; }
    int depth() const { return depth_; }

 private:
    // From the view of the player to move.
    struct Value {
        int points = 0;
        bool proven = false;
    };
    enum class Bound : std::uint8_t { none, exact, at_least, at_most };
    struct Entry {
        std::uint64_t key = 0;
        std::int16_t points = 0;
        std::int16_t depth = 0;
        Bound bound = Bound::none;
        bool proven = false;
        engines::walls::Move best = engines::walls::Move::none;
    };

    Value search(engines::walls::Position& position, int depth, int alpha, int beta);
    Value search_moves(engines::walls::Position& position, int depth, int alpha, int beta,
                       Entry& entry);
    Value estimate(const engines::walls::Position& position);
    void measure_distances(const engines::walls::Position& position, int player);
    bool out_of_time();
    std::uint64_t key_of(const engines::walls::Position& position) const;
    void prepare(const engines::walls::Position& position);

    std::vector<Entry> table_;
    std::vector<std::uint64_t> brick_keys_;  // two for each square
    std::uint64_t bricks_key_ = 0;           // of the bricks now on the board
    std::array<std::vector<int>, engines::walls::players> distances_;
    std::vector<engines::walls::Square> queue_;
    std::chrono::steady_clock::time_point deadline_;
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
    bool proven_ = false;
    int depth_max_;
    int depth_ = 0;
};

}  // namespace bots::walls

#include "sample_bots/cpp/walls/players.h"

#include <chrono>
#include <random>

#include "engines/walls/walls.h"
#include "sample_bots/cpp/walls/greedy.h"
#include "sample_bots/cpp/walls/minimax.h"
#include "sample_bots/cpp/walls/reading.h"

namespace bots::walls {
namespace {

using engines::walls::Move;

// FNV-1a: the same number on every machine.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
}

class RandomPlayer final : public kit::Player {
 public:
    explicit RandomPlayer(std::uint64_t seed) : random_(seed) {}
    std::string move(const kit::Turn&) override {
        return text_of(engines::walls::all_moves[random_() % engines::walls::all_moves.size()]);
    }

 private:
    std::mt19937_64 random_;
};

class GreedyPlayer final : public kit::Player {
 public:
    std::string move(const kit::Turn& turn) override {
        const auto position = read_position(turn.state);
        return text_of(position ? greedy_move(*position) : Move::left);
    }
};

class MinimaxPlayer final : public kit::Player {
 public:
    std::string move(const kit::Turn& turn) override {
        // The rest is for the way there and back, and for a busy machine.
        constexpr int thinking_percent = 40;
        const auto deadline = std::chrono::steady_clock::now() +
                              std::chrono::microseconds(turn.budget_us * thinking_percent / 100);
        const auto position = read_position(turn.state);
        if (!position) return text_of(Move::left);
        return text_of(search_.choose(*position, deadline));
    }

 private:
    Minimax search_;
};

}  // namespace

std::unique_ptr<kit::Player> make_random(const kit::GameStart& start) {
    return std::make_unique<RandomPlayer>(hash_of(start.game_id) + start.seat);
}

std::unique_ptr<kit::Player> make_greedy(const kit::GameStart&) {
    return std::make_unique<GreedyPlayer>();
}

std::unique_ptr<kit::Player> make_minimax(const kit::GameStart&) {
    return std::make_unique<MinimaxPlayer>();
}

}  // namespace bots::walls

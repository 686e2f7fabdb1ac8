#include "sample_bots/cpp/snake_labyrinth/players.h"

#include <string>
#include <utility>

#include "sample_bots/cpp/snake_labyrinth/best.h"
#include "sample_bots/cpp/snake_labyrinth/guard.h"
#include "sample_bots/cpp/snake_labyrinth/reading.h"
#include "sample_bots/cpp/snake_labyrinth/wandering.h"

namespace bots::snake_labyrinth {
namespace {

namespace json = protocol::json;

// FNV-1a: the same number on every machine.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash;
}

// What all of them have in common: the params are kept, each turn's state is read.
class BoardPlayer : public kit::Player {
 public:
    explicit BoardPlayer(const kit::GameStart& start) {
        json::Writer writer(params_text_);
        start.params.write(writer);
    }

    std::string move(const kit::Turn& turn) final {
        json::Document params;
        if (!params.parse(params_text_)) return null_move;
        const auto position = read_position(params.root(), turn.state);
        if (!position) return null_move;
        const auto letters = plan(*position, turn.budget_us);
        return letters.empty() ? "\"N\"" : '"' + letters + '"';
    }

 private:
    static constexpr const char* null_move = "null";

    virtual std::string plan(const Position& position, std::int64_t budget_us) = 0;

    std::string params_text_;
};

class RandomPlayer final : public BoardPlayer {
 public:
    explicit RandomPlayer(const kit::GameStart& start)
        : BoardPlayer(start), random_(hash_of(start.game_id)) {}

 private:
    std::string plan(const Position& position, std::int64_t /*budget_us*/) override {
        return std::string(1, random_letter(position.walk, random_));
    }

    base::SplitMix random_;
};

class RightHandPlayer final : public BoardPlayer {
 public:
    using BoardPlayer::BoardPlayer;

 private:
    std::string plan(const Position& position, std::int64_t /*budget_us*/) override {
        return right_hand_plan(position);
    }
};

class BestPlayer final : public BoardPlayer {
 public:
    using BoardPlayer::BoardPlayer;

 private:
    std::string plan(const Position& position, std::int64_t budget_us) override {
        return best_plan(position, {.is_late = late_after(thinking_us(budget_us))}).letters;
    }
};

}  // namespace

std::unique_ptr<kit::Player> make_random(const kit::GameStart& start) {
    return std::make_unique<RandomPlayer>(start);
}

std::unique_ptr<kit::Player> make_right_hand(const kit::GameStart& start) {
    return std::make_unique<RightHandPlayer>(start);
}

std::unique_ptr<kit::Player> make_best(const kit::GameStart& start) {
    return std::make_unique<BestPlayer>(start);
}

}  // namespace bots::snake_labyrinth

#include "sample_bots/cpp/walls/players.h"

#include <chrono>
#include <random>
#include <utility>
#include <vector>

#include "sample_bots/cpp/walls/minimax.h"

namespace bots::walls {
namespace {

namespace json = protocol::json;
namespace rules = engines::walls;

std::optional<int> small(json::View view, int below) {
    const auto value = view.integer();
    if (!value || *value < 0 || *value >= below) return {};
    return static_cast<int>(*value);
}

std::optional<rules::Pawn> read_pawn(json::View view, int size) {
    const auto row = small(view.find("at").at(0), size);
    const auto column = small(view.find("at").at(1), size);
    const auto idle = small(view.find("idle"), rules::idle_max + 1);
    const auto letter = view.find("facing").string().value_or("");
    const auto facing = letter.size() == 1 ? rules::facing_letters.find(letter) : std::string::npos;
    if (!row || !column || !idle || facing == std::string::npos) return {};
    rules::Pawn pawn;
    pawn.at = {*row, *column};
    pawn.facing = static_cast<rules::Facing>(facing);
    pawn.idle = *idle;
    pawn.stalled = *idle == rules::idle_max;
    return pawn;
}

using rules::Facing;
using rules::Move;

constexpr std::size_t facings_of_a_square = 4;

// Where a player can be, and by which first move it gets there soonest.
struct Place {
    rules::Square at;
    Facing facing;
    Move first;
};

class Reach {
 public:
    explicit Reach(const rules::Position& position)
        : position_(position),
          player_(position.to_move()),
          seen_(static_cast<std::size_t>(position.squares()) * facings_of_a_square) {}

    Move to_next_brick() {
        const auto& pawn = position_.pawn(player_);
        if (lays_brick(pawn.at, pawn.facing)) return Move::forward;
        mark({pawn.at, pawn.facing, Move::none});
        for (const Move move : rules::all_moves) expand(queue_.front(), move, move);
        for (std::size_t i = 1; i < queue_.size(); ++i) {
            const Place place = queue_[i];
            if (lays_brick(place.at, place.facing)) return place.first;
            for (const Move move : rules::all_moves) expand(place, move, place.first);
        }
        return Move::left;
    }

 private:
    bool lays_brick(rules::Square at, Facing facing) const {
        return position_.square(at) == rules::unmarked &&
               position_.can_enter(player_, rules::ahead_of(at, facing));
    }

    void mark(const Place& place) {
        auto seen = seen_[position_.index(place.at) * facings_of_a_square +
                          static_cast<std::size_t>(place.facing)];
        if (seen) return;
        seen = true;
        queue_.push_back(place);
    }

    void expand(const Place from, Move move, Move first) {
        if (move != Move::forward) {
            mark({from.at, rules::turned(from.facing, move), first});
            return;
        }
        const auto ahead = rules::ahead_of(from.at, from.facing);
        if (position_.can_enter(player_, ahead)) mark({ahead, from.facing, first});
    }

    const rules::Position& position_;
    int player_;
    std::vector<bool> seen_;
    std::vector<Place> queue_;
};

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

std::optional<rules::Position> read_position(json::View state) {
    const auto size = small(state.find("size"), rules::size_max + 1);
    const auto to_move = small(state.find("to_move"), rules::players);
    if (!size || !to_move) return {};
    std::string squares;
    for (const auto row : state.find("board").elements()) squares += row.string().value_or("");
    const auto a = read_pawn(state.find("players").at(0), *size);
    const auto b = read_pawn(state.find("players").at(1), *size);
    if (!a || !b || squares.size() != static_cast<std::size_t>(*size * *size)) return {};
    return rules::Position(*size, std::move(squares), {*a, *b}, *to_move);
}

std::string text_of(engines::walls::Move move) {
    switch (move) {
        case engines::walls::Move::left:
            return "\"L\"";
        case engines::walls::Move::right:
            return "\"R\"";
        default:
            return "\"F\"";
    }
}

Move greedy_move(const rules::Position& position) {
    return Reach(position).to_next_brick();
}

std::unique_ptr<kit::Player> make_random(const kit::GameStart& start) {
    return std::make_unique<RandomPlayer>(kit::seed_of(start.game_id) + start.seat);
}

std::unique_ptr<kit::Player> make_greedy(const kit::GameStart&) {
    return std::make_unique<GreedyPlayer>();
}

std::unique_ptr<kit::Player> make_minimax(const kit::GameStart&) {
    return std::make_unique<MinimaxPlayer>();
}

}  // namespace bots::walls

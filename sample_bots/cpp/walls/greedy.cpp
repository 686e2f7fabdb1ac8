#include "sample_bots/cpp/walls/greedy.h"

#include <vector>

namespace bots::walls {
namespace {

namespace rules = engines::walls;
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

}  // namespace

Move greedy_move(const rules::Position& position) {
    return Reach(position).to_next_brick();
}

}  // namespace bots::walls

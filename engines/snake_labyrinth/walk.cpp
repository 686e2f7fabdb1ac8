#include "engines/snake_labyrinth/walk.h"

#include "protocol/base/assertion.h"

namespace engines::snake_labyrinth {
namespace {

constexpr std::int64_t never = -1;

}  // namespace

Walk::Walk(const Board& board, bool has_body) : Walk(board, has_body, Luggage{}) {}

Walk::Walk(const Board& board, bool has_body, const Luggage& luggage)
    : board_(board),
      has_body_(has_body),
      cells_(board.cells()),
      head_(board.start()),
      body_length_(luggage.body.size()),
      visits_(board.size(), never),
      path_begin_(luggage.body.size()),
      coins_(luggage.coins),
      drill_uses_(luggage.drill_uses),
      steps_(luggage.steps) {
    REFEREE_ASSERT(has_body || luggage.body.empty());
    auto square = head_;
    visits_[square] = static_cast<std::int64_t>(body_length_);
    path_.resize(body_length_);
    for (auto i = body_length_; i > 0; --i) {
        const auto direction = luggage.body[i - 1];
        path_[i - 1] = letter_of(direction);
        const auto behind = board_.neighbour(square, opposite(direction));
        REFEREE_ASSERT(behind.has_value());
        square = *behind;
        visits_[square] = static_cast<std::int64_t>(i - 1);
    }
}

Walk::Step Walk::step(Direction direction) {
    REFEREE_ASSERT(!has_left_);
    const auto ahead = board_.neighbour(head_, direction);
    if (!ahead) return Step::edge;
    const char object = cells_[*ahead];
    if (object == cell::wall && drill_uses_ == 0) return Step::wall;
    ++steps_;
    path_ += letter_of(direction);
    if (object == cell::exit) {
        move_to(*ahead);
        has_left_ = true;
        return Step::left;
    }
    cells_[*ahead] = cell::empty;
    if (object == cell::coin && has_body_) ++body_length_;  // the tail stays where it was
    move_to(*ahead);
    meet(object);
    return Step::moved;
}

void Walk::move_to(Square square) {
    const auto last_visit = visits_[square];
    head_ = square;
    visits_[square] = static_cast<std::int64_t>(path_.size());
    cross_body(last_visit);
}

// The segments lie on the squares of the last visits now - 1, now - 2, ..., now - length.
void Walk::cross_body(std::int64_t last_visit) {
    if (last_visit == never) return;
    const auto segment = static_cast<std::int64_t>(path_.size()) - 1 - last_visit;  // from 0
    if (segment >= static_cast<std::int64_t>(body_length_)) return;
    body_length_ = static_cast<std::size_t>(segment);
    coins_ = segment;
}

void Walk::meet(char object) {
    switch (object) {
        case cell::coin:
            ++coins_;
            return;
        case cell::mishap:
            coins_ /= 2;
            body_length_ /= 2;
            return;
        case cell::drill:
            drill_uses_ += uses_a_drill;
            return;
        case cell::wall:
            --drill_uses_;
            ++drilled_;
            return;
        default:
            return;
    }
}

std::vector<Square> Walk::body() const {
    return body(body_length_);
}

std::vector<Square> Walk::body(std::size_t count) const {
    REFEREE_ASSERT(count <= body_length_);
    std::vector<Square> squares;
    squares.reserve(count);
    auto square = head_;
    for (std::size_t i = 0; i < count; ++i) {
        const auto direction = direction_of(path_[path_.size() - 1 - i]);
        square = *board_.neighbour(square, opposite(*direction));
        squares.push_back(square);
    }
    return squares;
}

}  // namespace engines::snake_labyrinth

#include "sample_bots/cpp/snake_labyrinth/trail.h"

#include <algorithm>

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

}  // namespace

Grid::Grid(const Board& board) : around_(board.size()) {
    for (Square square = 0; square < board.size(); ++square) {
        for (const auto direction : rules_of::all_directions) {
            around_[square][static_cast<std::size_t>(direction)] =
                board.neighbour(square, direction).value_or(no_square);
        }
    }
}

Trail::Trail(const Walk& walk, const Grid& grid)
    : grid_(grid),
      cells_(walk.cells()),
      visits_(grid.size(), never),
      first_body_(walk.body()),
      start_(walk.head()),
      head_(walk.head()),
      has_body_(walk.has_body()),
      body_length_(static_cast<std::int64_t>(walk.body_length())),
      coins_(walk.coins()),
      drill_uses_(walk.drill_uses()),
      steps_before_(walk.steps()) {
    for (auto i = first_body_.size(); i > 0; --i)
        visits_[first_body_[i - 1]] = -static_cast<std::int64_t>(i);
    visits_[head_] = 0;
}

void Trail::step_to(Square square) {
    const char object = cells_[square];
    log_.push_back({square, object, visits_[square], body_length_, coins_, drill_uses_});
    head_ = square;
    visits_[square] = static_cast<std::int64_t>(log_.size());
    switch (object) {
        case cell::empty: {
            // The segments lie where the head was last, so a visit tells which one is met.
            const auto segment = visits_[square] - 1 - log_.back().visit;
            if (has_body_ && segment < body_length_) body_length_ = coins_ = segment;
            return;
        }
        case cell::coin:
            ++coins_;
            if (has_body_) ++body_length_;
            break;
        case cell::mishap:
            coins_ /= 2;
            body_length_ /= 2;
            break;
        case cell::drill:
            drill_uses_ += rules_of::uses_a_drill;
            break;
        case cell::wall:
            --drill_uses_;
            break;
        default:
            return;  // an exit stays
    }
    cells_[square] = cell::empty;
}

void Trail::take_back(std::size_t length) {
    while (log_.size() > length) {
        const auto& step = log_.back();
        cells_[step.square] = step.object;
        visits_[step.square] = step.visit;
        body_length_ = step.body_length;
        coins_ = step.coins;
        drill_uses_ = step.drill_uses;
        log_.pop_back();
    }
    head_ = log_.empty() ? start_ : log_.back().square;
}

Square Trail::segment(std::int64_t i) const {
    const auto steps = static_cast<std::int64_t>(log_.size()) - 1 - i;
    if (steps < 0) return first_body_[static_cast<std::size_t>(-steps - 1)];
    return steps == 0 ? start_ : log_[static_cast<std::size_t>(steps - 1)].square;
}

bool Trail::has_left() const {
    return !log_.empty() && log_.back().object == cell::exit;
}

std::int64_t Trail::score() const {
    return rules_of::points_at_start + rules_of::points_a_coin * coins_ - steps();
}

std::string Trail::letters() const {
    std::string letters;
    auto here = start_;
    for (const auto& step : log_) {
        const auto& around = grid_.around(here);
        const auto at = std::find(around.begin(), around.end(), step.square) - around.begin();
        letters += rules_of::letter_of(rules_of::all_directions[static_cast<std::size_t>(at)]);
        here = step.square;
    }
    return letters;
}

}  // namespace bots::snake_labyrinth

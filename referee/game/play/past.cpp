#include "referee/game/play/past.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "referee/game/play/play.h"

namespace referee::play {

std::string forked_from(const Past& past) {
    const auto turns = std::count_if(past.turns.begin(), past.turns.end(),
                                     [](const auto& turn) { return !turn.forfeit; });
    std::string text;
    json::Writer writer(text);
    writer.begin_object()
        .member("game_id", past.game_id)
        .member("turn", static_cast<std::int64_t>(turns) + 1)
        .member("replay", past.replay);
    writer.key("bots").texts(past.bots);
    writer.key("past_told_by").begin_array().string("resumed").string("history").end_array();
    writer.end_object();
    return text;
}

void Play::take_past(const Past& past) {
    for (const auto& turn : past.turns) {
        REFEREE_ASSERT(!state_->over());
        if (turn.forfeit) {
            replay_.forfeit(*turn.forfeit);
            state_->forfeit(*turn.forfeit);
        } else {
            take_past_turn(turn);
        }
    }
    REFEREE_ASSERT(!state_->over());
    state_text_fresh_ = false;
    for (auto& seat : seats_) {
        seat.turn.clear();
        seat.valid_moves = 0;  // those of others
    }
}

void Play::take_past_turn(const PastTurn& turn) {
    const auto to_move = state_->to_move();
    for (Seat seat = 0; seat < seats_.size(); ++seat) {
        auto& state = seats_[seat];
        state.turn.clear();
        state.turn.move = turn.moves[seat];
        state.turn.used_us = turn.used_us[seat];
        if (to_move.test(seat)) state.clock.used_before(from_us(state.turn.used_us));
    }
    ++turn_;
    apply_answers({});
}

}  // namespace referee::play

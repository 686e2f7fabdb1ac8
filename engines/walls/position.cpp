#include "engines/walls/position.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"

namespace engines::walls {
namespace {

constexpr int facings = 4;

int other(int player) {
    return 1 - player;
}

}  // namespace

Square ahead_of(Square from, Facing facing) {
    switch (facing) {
        case Facing::north:
            return {from.row - 1, from.column};
        case Facing::east:
            return {from.row, from.column + 1};
        case Facing::south:
            return {from.row + 1, from.column};
        case Facing::west:
            return {from.row, from.column - 1};
    }
    return from;
}

Facing turned(Facing facing, Move turn) {
    const int steps = turn == Move::right ? 1 : facings - 1;
    return static_cast<Facing>((static_cast<int>(facing) + steps) % facings);
}

Position::Position(int size, int first)
    : size_(size),
      squares_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), unmarked),
      to_move_(first) {
    REFEREE_ASSERT(size >= size_min && size <= size_max && size % 2 == 1);
    REFEREE_ASSERT(first == 0 || first == 1);
    const int centre = size / 2;
    pawns_[0].at = {centre, centre - 1};
    pawns_[0].facing = Facing::west;
    pawns_[1].at = {centre, centre + 1};
    pawns_[1].facing = Facing::east;
}

Position::Position(int size, std::string squares, const std::array<Pawn, players>& pawns,
                   int to_move)
    : size_(size), squares_(std::move(squares)), pawns_(pawns), to_move_(to_move) {
    REFEREE_ASSERT(squares_.size() == static_cast<std::size_t>(this->squares()));
    for (std::size_t i = 0; i < pawns_.size(); ++i) {
        REFEREE_ASSERT(on_board(pawns_[i].at));
        pawns_[i].bricks =
            static_cast<int>(std::count(squares_.begin(), squares_.end(), brick_letters[i]));
    }
}

bool Position::on_board(Square at) const {
    return at.row >= 0 && at.row < size_ && at.column >= 0 && at.column < size_;
}

bool Position::can_enter(int player, Square at) const {
    return on_board(at) && at != pawn(other(player)).at &&
           square(at) != brick_letters[static_cast<std::size_t>(other(player))];
}

Played Position::play(Move move) {
    REFEREE_ASSERT(!over());
    const int player = to_move_;
    Pawn& pawn = pawns_[static_cast<std::size_t>(player)];
    Played played{player, pawn, false};
    if (move == Move::left || move == Move::right) {
        pawn.facing = turned(pawn.facing, move);
    } else if (move == Move::forward) {
        const Square ahead = ahead_of(pawn.at, pawn.facing);
        if (can_enter(player, ahead)) {
            char& left_behind = squares_[index(pawn.at)];
            if (left_behind == unmarked) {
                left_behind = brick_letters[static_cast<std::size_t>(player)];
                played.new_brick = true;
            }
            pawn.at = ahead;
        }
    }
    if (played.new_brick) {
        ++pawn.bricks;
        pawn.idle = 0;
    } else {
        pawn.stalled = ++pawn.idle >= idle_max;
    }
    to_move_ = next_after(player);
    return played;
}

void Position::undo(const Played& played) {
    pawns_[static_cast<std::size_t>(played.player)] = played.before;
    if (played.new_brick) squares_[index(played.before.at)] = unmarked;
    to_move_ = played.player;
}

int Position::next_after(int player) const {
    if (bricks() == squares()) return nobody;
    if (!pawn(other(player)).stalled) return other(player);
    return pawn(player).stalled ? nobody : player;
}

}  // namespace engines::walls

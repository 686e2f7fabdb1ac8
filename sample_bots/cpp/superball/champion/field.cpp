#include "sample_bots/cpp/superball/champion/field.h"

namespace bots::superball::champion {

bool Field::fits(const Board& board) {
    return board.rows() * (board.cols() + 1) <= bits_max && board.colors() <= colors_max;
}

Field::Field(const Board& board) : cols_(board.cols()), stride_(board.cols() + 1) {
    for (int cell = 0; cell < board.size(); ++cell) {
        all_ |= bit(place(cell));
        if (board.is_goal(cell)) within_[0] |= bit(place(cell));
    }
    for (std::size_t steps = 1; steps < within_.size(); ++steps) {
        within_[steps] = grown(within_[steps - 1]);
    }
    for (int cell = 0; cell < board.size(); ++cell) {
        around_[static_cast<std::size_t>(place(cell))] = grown(grown(bit(place(cell))));
    }
}

Pieces pieces_on(const Board& board, const Field& field) {
    Pieces pieces;
    pieces.colors = board.colors();
    for (int cell = 0; cell < board.size(); ++cell) {
        if (board.is_empty(cell)) continue;
        pieces.of[static_cast<std::size_t>(board.at(cell))] |= bit(field.place(cell));
    }
    return pieces;
}

}  // namespace bots::superball::champion

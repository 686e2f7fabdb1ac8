#!/usr/bin/env python3
"""Plays Walls: always the shortest way to the next brick of its own, whatever the other is up to."""

from collections import deque

from referee_bot import run

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
CLOCKWISE = "NESW"


def ahead(at, facing):
    return at[0] + STEPS[facing][0], at[1] + STEPS[facing][1]


def turned(facing, move):
    return CLOCKWISE[(CLOCKWISE.index(facing) + (1 if move == "R" else -1)) % 4]


class Board:
    """The board as one of the players can use it."""

    def __init__(self, state, seat):
        self._board = state["board"]
        self._other = tuple(state["players"][1 - seat]["at"])
        self._others_brick = "BA"[seat]

    def can_enter(self, square):
        row, column = square
        size = len(self._board)
        return (
            0 <= row < size
            and 0 <= column < size
            and square != self._other
            and self._board[row][column] != self._others_brick
        )

    def lays_brick(self, at, facing):
        return self._board[at[0]][at[1]] == "." and self.can_enter(ahead(at, facing))

    def after(self, at, facing, move):
        """Where a move leads to, or None where it fails."""
        if move != "F":
            return at, turned(facing, move)
        square = ahead(at, facing)
        return (square, facing) if self.can_enter(square) else None


def greedy_move(state, seat):
    """The first move of a shortest way to the next brick; F rather than L rather than R where several are as short."""
    board = Board(state, seat)
    player = state["players"][seat]
    begin = tuple(player["at"]), player["facing"]
    first_moves = {begin: None}
    places = deque([begin])
    while places:
        place = places.popleft()
        if board.lays_brick(*place):
            return first_moves[place] or "F"
        for move in "FLR":
            following = board.after(*place, move)
            if following is not None and following not in first_moves:
                first_moves[following] = first_moves[place] or move
                places.append(following)
    return "L"  # no brick can be had any more


def choose(game):
    return greedy_move(game.state, game.seat)


if __name__ == "__main__":
    run({"walls": choose}, name="walls-greedy-py")

#!/usr/bin/env python3
"""Plays Snake Labyrinth, and badly: it steps at random to where no wall is.
Where to begin: state.board shows coins as $ and exits as _: find a way to them. A move may be many letters.
engines/snake_labyrinth/RULES.md says what the state holds and what a move looks like.
"""
import random

from referee_bot import run

STEPS = {"N": (-1, 0), "S": (1, 0), "O": (0, -1), "E": (0, 1)}


def is_open(board, row, column):
    return 0 <= row < len(board) and 0 <= column < len(board[row]) and board[row][column] != "#"


def choose(game):
    board = game.state["board"]
    row, column = game.state["head"]
    ways = [letter for letter, (down, right) in STEPS.items() if is_open(board, row + down, column + right)]
    return random.choice(ways or ["N"])


if __name__ == "__main__":
    run({"snake_labyrinth": choose}, name="my-bot")

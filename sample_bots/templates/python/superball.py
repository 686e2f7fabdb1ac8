#!/usr/bin/env python3
"""Plays Superball, and badly: it swaps two pieces at random, and never scores.
Where to begin: look for a group that touches a goal cell, and answer SCORE row column.
engines/superball/RULES.md says what the state holds and what a move looks like.
"""
import random

from referee_bot import run


def choose(game):
    board = game.state["board"]
    pieces = [(row, column) for row, line in enumerate(board) for column, cell in enumerate(line) if cell.isalpha()]
    (row, column), (other_row, other_column) = random.sample(pieces, 2)
    return "SWAP {} {} {} {}".format(row, column, other_row, other_column)


if __name__ == "__main__":
    run({"superball": choose}, name="my-bot")

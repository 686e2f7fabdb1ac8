#!/usr/bin/env python3
"""Makes the boards of configs/rubrics/superball-boards: games of the model, stopped after some moves.

    superball_boards.py FOLDER
"""
import os
import random
import sys

from superball import Superball

BOARDS = 20
TRIES = 300  # of swaps, of which the best is taken: fewer leave hardly a set to score


def near_pair(game, draw):
    """A swap that makes a pair more often than one at random: so there are groups of all sizes."""
    pieces = [cell for cell, piece in enumerate(game.board) if piece is not None]
    best = None
    for _ in range(TRIES):
        one, two = draw.sample(pieces, 2)
        game.board[one], game.board[two] = game.board[two], game.board[one]
        worth = sum(len(game.group(cell)) ** 2 for cell in (one, two))
        game.board[one], game.board[two] = game.board[two], game.board[one]
        if best is None or worth > best[0]:
            best = (worth, one, two)
    return best[1:]


def board(number):
    game, draw = Superball({"pace_us": 0}, number), random.Random(number)
    moves = 0 if number == 1 else draw.randint(8, 15)  # the first has hardly a piece, the last are full
    for _ in range(moves):
        before = list(game.board)
        one, two = near_pair(game, draw)
        game.apply([f"SWAP {one // 10} {one % 10} {two // 10} {two % 10}"], [0])
        if game.over():
            game.board = before
            break
    return "".join(row + "\n" for row in game.state()["board"])


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    for number in range(1, BOARDS + 1):
        with open(os.path.join(sys.argv[1], f"{number:02}.txt"), "w") as file:
            file.write(board(number))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Plays Walls, and badly: it turns and walks at random.
Where to begin: state.board shows the bricks and state.players where both stand: walk to a square that has no brick yet.
engines/walls/RULES.md says what the state holds and what a move looks like.
"""
import random

from referee_bot import run


def choose(game):
    return random.choice("FLR")


if __name__ == "__main__":
    run({"walls": choose}, name="my-bot")

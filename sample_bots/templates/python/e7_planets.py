#!/usr/bin/env python3
"""Plays E7 Planets, and badly: it flies at random.
Where to begin: state.player.location ends with where your ship is, state.scraps says where the scraps lie: go there.
engines/e7_planets/RULES.md says what the state holds and what a move looks like.
"""
import random

from referee_bot import run


def choose(game):
    return random.choice("UDLR")


if __name__ == "__main__":
    run({"e7_planets": choose}, name="my-bot")

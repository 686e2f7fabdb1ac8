#!/usr/bin/env python3
"""Plays Walls at random."""

import random

from referee_bot import run


def choose(_):
    return random.choice("FLR")


if __name__ == "__main__":
    run({"walls": choose}, name="walls-random-py")

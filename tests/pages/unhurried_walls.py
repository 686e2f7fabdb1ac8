"""Plays Walls as the greedy sample does, and takes its time, without using the machine meanwhile.

    unhurried_walls.py SECONDS      for each move
"""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "sample_bots" / "python"))
from referee_bot import run  # noqa: E402
from walls_greedy import choose  # noqa: E402


def choose_slowly(game):
    time.sleep(float(sys.argv[1]))  # time: the bot is slow by design
    return choose(game)


if __name__ == "__main__":
    run({"walls": choose_slowly}, name="unhurried")

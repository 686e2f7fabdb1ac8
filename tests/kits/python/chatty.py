"""Prints to standard output by habit, and reads."""
import sys

from referee_bot import run

print("chatty begins")


def choose(game):
    sys.stdin.readline()
    print("thinking about turn", game.turn)
    return "F"


run({"walls": choose}, "chatty")

"""Prints to standard output by habit."""
from referee_bot import run

print("chatty begins")


def choose(game):
    print("thinking about turn", game.turn)
    return "F"


run({"walls": choose}, "chatty")

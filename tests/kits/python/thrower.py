"""Has no idea in its third answer of a game."""
from referee_bot import run


def choose(game):
    game.memory["answers"] = game.memory.get("answers", 0) + 1
    if game.memory["answers"] == 3:
        raise RuntimeError("no idea")
    return "F"


run({"walls": choose}, "thrower")

#!/usr/bin/env python3
"""Plays Light Cycles, and badly: it goes anywhere that nobody has been.
Where to begin: count the free cells that each step leaves you, and take the step with the most.
engines/light_cycles/RULES.md says what the state holds and what a move looks like.
"""
from referee_bot import run

STEPS = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def choose(game):
    used = game.memory.setdefault("used", {})  # cell: whose trail. The state doesn't show the trails
    for cycle, at in enumerate(game.state["cycles"]):
        if at == [-1, -1]:  # it is terminated, and its trail is free again
            for cell in [cell for cell in used if used[cell] == cycle]:
                del used[cell]
        else:
            used[tuple(at)] = cycle
    count = game.params["cycles_per_team"]
    return [step(game, used, cycle) for cycle in range(game.seat * count, (game.seat + 1) * count)]


def step(game, used, cycle):
    x, y = game.state["cycles"][cycle]
    for right, down in STEPS:
        to = (x + right, y + down)
        if 0 <= to[0] < game.params["width"] and 0 <= to[1] < game.params["height"] and to not in used:
            used[to] = cycle  # for the other cycles of the team
            return list(to)
    return [x, y]  # there is no way out


if __name__ == "__main__":
    run({"light_cycles": choose}, name="my-bot")

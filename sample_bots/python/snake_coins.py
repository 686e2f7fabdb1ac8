#!/usr/bin/env python3
"""Plays Snake Labyrinth: steps to the nearest coin while that leaves time, then to the nearest exit."""

from collections import deque

from referee_bot import run

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "O": (0, -1)}
STEPS_KEPT = 100  # for the way out


def step_to(target, state):
    """The first step of a shortest way to the next `target`, or None where there is none."""
    board = state["board"]
    begin = tuple(state["head"])
    places, seen = deque([(begin, None)]), {begin}
    while places:
        (row, column), first = places.popleft()
        if first and board[row][column] == target:
            return first
        for letter, (down, right) in STEPS.items():
            place = row + down, column + right
            inside = 0 <= place[0] < len(board) and 0 <= place[1] < len(board[place[0]])
            if not inside or place in seen:
                continue
            cell = board[place[0]][place[1]]
            if cell == "#" or (cell == "_" and target != "_"):
                continue
            seen.add(place)
            places.append((place, first or letter))
    return None


def choose(game):
    in_time = game.state["steps"] + STEPS_KEPT < game.params["max_steps"]
    coin = step_to("$", game.state) if in_time else None
    game.debug("to a coin" if coin else "to the exit")
    return coin or step_to("_", game.state) or "N"


if __name__ == "__main__":
    run({"snake_labyrinth": choose}, name="snake-coins-py")

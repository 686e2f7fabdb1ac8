#!/usr/bin/env python3
"""Pictures of the pages, with games of the sample bots.

    screenshots.py OUT

REFEREE_BIN, REFEREE_SOURCE and REFEREE_BUILD name the built programs, the sources and the build folder.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import games
import pages_test

# The game, its params, its bots, and the turn that is shown.
GAMES = {
    "walls": ("walls", {"size": 7}, ["walls-greedy", "walls-minimax"], 60),
    "e7_planets": ("e7_planets", {"map": "spiral_ghosts"}, ["e7-planner"], 100),
    "light_cycles": ("light_cycles", {}, ["cycles-smarter", "cycles-dumb", "cycles-smarter", "cycles-dumb"], 300),
    "snake_labyrinth": ("snake_labyrinth", {"maze": "handout"}, ["snake-best"], 30),
    "superball": ("superball", {}, ["superball-level3"], 200),
}


def play(folder, name):
    game, params, bots, turn = GAMES[name]
    replay = pathlib.Path(folder) / f"{name}.ndjson"
    commands = [part for bot in bots for part in ("--bot", str(games.BIN / bot))]
    games.run(games.REFEREE, "play", game, *commands, "--params", json.dumps(params), "--seed", "7", "--quiet", "--replay", replay)
    games.run(games.REFEREE, "view", replay, "--html", replay.with_suffix(".html"))
    return turn


def main():
    if len(sys.argv) != 2:
        sys.exit("expected a folder for the pictures, such as: screenshots.py /tmp/pictures")
    out = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        environment = pages_test.environment_of_node(folder)
        turns = {name: play(folder, name) for name in GAMES}
        faults = pathlib.Path(folder) / "faults.ndjson"
        shutil.copy(games.SOURCE / "tests/golden/explain/faults.ndjson", faults)
        games.run(games.REFEREE, "view", faults, "--html", faults.with_suffix(".html"))
        environment["PAGES_TURNS"] = json.dumps(dict(turns, faults=1))
        environment["PAGES_OUT"] = str(out)
        sys.exit(subprocess.run(["node", str(pages_test.HERE / "screenshots.js")], env=environment).returncode)


if __name__ == "__main__":
    main()

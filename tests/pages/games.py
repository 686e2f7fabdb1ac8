"""Games that the pages are looked at with: replays of every game, one with faults, a long one, as showings and as a page."""
import json
import os
import pathlib
import random
import subprocess

BIN = pathlib.Path(os.environ["REFEREE_BIN"])
SOURCE = pathlib.Path(os.environ["REFEREE_SOURCE"])
REFEREE = str(BIN / "referee")
HANG_SECONDS = 120

# Played by the built-in bot `random`: what a game's params are here.
PLAYED = {
    "walls": ("walls", {}),
    "e7_planets": ("e7_planets", {"map": "spiral_ghosts"}),
    "light_cycles": ("light_cycles", {}),
    "snake_labyrinth": ("snake_labyrinth", {"maze": "handout"}),
    "superball": ("superball", {}),
    "wide_superball": ("superball", {"rows": 4, "cols": 30, "colors": "abcdefghij"}),
    "long_way": ("snake_labyrinth", {"maze": "challenge3_10x18", "level": "challenge3"}),
}
LONG_TURNS = 1000
LONG_SIZE = 35


def run(*command):
    # In a session of its own: a review, which gives way to whatever its session does, is given its share beside another one's work.
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, start_new_session=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr}{done.stdout}")
    return done.stdout


def long_e7(turns=LONG_TURNS, size=LONG_SIZE):
    """A replay of E7 Planets: a ship that wanders for all its turns, and ghosts that go back and forth in corridors of their own."""
    numbers = random.Random(7)
    grid = [[numbers.choice([0] * 9 + [-1, numbers.randint(1, 9)]) for _ in range(size)] for _ in range(size)]
    ghosts = []
    for row in range(0, size, 5):  # the corridors: walls keep the ship out
        for column in range(size):
            grid[row][column] = 0
            for beside in (row - 1, row + 1):
                if 0 <= beside < size:
                    grid[beside][column] = -1
        ghosts.append({"location": [[row + 1, 1], [row + 1, 2]], "type": "backandforth", "transparency": 0})
    # Around the edges it would get into a corridor's ends.
    home = 3
    for row in (home - 1, home):
        for column in range(size):
            grid[row][column] = 0
    # Scraps that nobody can reach: the game goes on to its last turn.
    scraps = [{"location": [row + 4, column], "value": column} for row in range(5, size - 5, 5) for column in range(2, size, 6)]
    for scrap in scraps:
        grid[scrap["location"][0] - 1][scrap["location"][1] - 1] = 0
    planet = {"grid": grid, "player": {"location": [[None, None], [home + 1, 5]], "score": 0}, "scraps": scraps, "ghosts": ghosts,
              "remaining_turns": turns}
    clock = {"kind": "turn", "measure": "wall", "budget_us": 1000000, "hard_limit_us": 1000000}
    lines = [{"replay": 1, "game_id": "class/e7_planets.1", "tournament": "class", "match": 1, "number": 1, "attempt": 1, "game": "e7_planets",
              "seed": 1, "params": {"map": planet}, "bots": ["wanderer"], "clock": clock}]
    lines += [{"moves": [numbers.choice("LR")], "used_us": [numbers.randint(50, 900000)]} for _ in range(turns)]
    result = {"game_id": "class/e7_planets.1", "status": "played", "reason": "ended by the game's rules",
              "outcome": {"scores": [0], "placing": [1], "detail": {}}, "turns": turns, "clock": "turn", "measure": "wall", "used_us": [turns],
              "faults": [], "faults_total": 0}
    return "".join(json.dumps(line) + "\n" for line in lines + [{"result": result}])


def run_tournament(folder):
    """A tournament's output folder, FOLDER/real, as the program writes it."""
    bots = [{"name": name, "launch": [str(BIN / "walls-random")]} for name in ("alice", "<b>bob</b>", "\u05e9\u05dc\u05d5\u05dd")]
    config = {"listen": {"address": "127.0.0.1", "port": 0}, "bots": bots, "tournaments": [{"id": "class", "game": "walls", "params": {"size": 3}}]}
    file = folder / "real.json"
    file.write_text(json.dumps(config))
    run(REFEREE, "run", file, "--out", folder / "real")


def alter(replay, to):
    """With moves taken out the rules speak against the record."""
    lines = replay.read_text().splitlines()
    end = json.loads(lines[-1])
    end["result"].update(turns=len(lines) - 4, used_us=[0, 0])
    end["result"].pop("turn_us", None)
    to.write_text("\n".join(lines[:3] + lines[5:-1] + [json.dumps(end)]) + "\n")


def replay_of(name, folder):
    path = folder / f"{name}.ndjson"
    if path.exists():
        return path
    if name == "faults":
        path.write_text((SOURCE / "tests/golden/explain/faults.ndjson").read_text())
    elif name == "long":
        path.write_text(long_e7())
    elif name == "altered":
        alter(replay_of("walls", folder), path)
    else:
        game, params = PLAYED[name]
        run(REFEREE, "play", game, "--params", json.dumps(params), "--seed", "3", "--quiet", "--replay", path)
    return path


def make(folder, names):
    """Writes into the folder what is named: a game's showing as NAME.json; games.html with three games, as the program makes it; the
    output folder real of a tournament; NAME.review.json and .html, which takes some seconds of an idle processor."""
    folder = pathlib.Path(folder)
    for name in names:
        if name == "real":
            run_tournament(folder)
        elif name == "games.html":
            run(REFEREE, "view", *(replay_of(each, folder) for each in ("faults", "e7_planets", "walls")), "--html", folder / name)
        elif name.endswith(".review"):
            replay = replay_of(name[:-len(".review")], folder)
            run(REFEREE, "review", replay, "--playouts", "12", "--json", "--out", folder / f"{name}.json", "--html", folder / f"{name}.html")
        else:
            (folder / f"{name}.json").write_text(run(REFEREE, "view", replay_of(name, folder), "--json"))

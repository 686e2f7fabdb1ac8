"""Games that the pages are looked at with: replays of every game, one with faults, a long one, as showings and as a page."""
import json
import os
import pathlib
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


def run(*command):
    # In a session of its own: a review, which gives way to whatever its session does, is given its share beside another one's work.
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG_SECONDS, start_new_session=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr}{done.stdout}")
    return done.stdout


def long_map():
    """35 x 35 cells of E7 Planets with a thousand turns."""
    planet = json.loads((SOURCE / "engines/e7_planets/maps/spiral_ghosts.json").read_text())
    ghosts = [ghost for ghost in planet["ghosts"] if ghost["transparency"] == 0 and ghost["location"][0][0] == 22]
    return {**planet, "remaining_turns": LONG_TURNS, "ghosts": ghosts}


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
    elif name == "altered":
        alter(replay_of("walls", folder), path)
    else:
        game, params = ("e7_planets", {"map": long_map()}) if name == "long" else PLAYED[name]
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

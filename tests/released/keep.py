"""Keeps what a version leaves behind: keep.py FOLDER_OF_ITS_PROGRAMS FOLDER_OF_ITS_PYTHON_KIT NEW_FOLDER"""
# calm: a person runs it, before a version
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time

PYTHON = "/usr/bin/python3"
KIT = ("referee_bot.py", "walls_greedy.py", "walls_random.py")
# The reference bots that are quickest to end a game, and a small board.
OTHER_GAMES = {
    "e7_planets": ("e7-random", {"setups": [{"map": "one_scrap"}]}),
    "light_cycles": ("cycles-dumb", {"params": {"width": 20, "height": 20, "cycles_per_team": 1, "starts": [[19, 10], [10, 19], [0, 10], [10, 0]]}}),
    "snake_labyrinth": ("snake-random", {"params": {"max_steps": 40}, "setups": [{"maze": "handout"}]}),
    "superball": ("superball-random", {}),
}
FORMATS = {"snake_labyrinth": "leaderboard", "superball": "leaderboard"}
DIALS_IN = "carol"
PASSWORD = "a class password"
TOKEN = "carol's token of a semester"
GAMES_OF_FRIDAY, GAMES_OF_LADDER = 5, 6
PATIENCE_S = 300


def config():
    bots = [{"name": name, "launch": [PYTHON, "-B", f"walls_{kind}.py"], "directory": "kit"}
            for name, kind in (("alice", "greedy"), ("bob", "random"), ("dave", "random"))]
    walls = {"game": "walls", "params": {"size": 3}, "clock": {"budget": "10s"}}
    tournaments = [
        {"id": "ladder", **walls, "bots": ["alice", "bob"], "format": {"kind": "ladder"}, "rest": "100ms"},
        {"id": "monday", **walls, "bots": ["alice", "bob", "dave"], "format": {"kind": "round_robin"}},
        {"id": "friday", **walls, "bots": ["alice", "bob", "dave"], "format": {"kind": "swiss", "rounds": 3}, "match": {"games": 6}},
    ]
    for game, (bot, more) in OTHER_GAMES.items():
        names = [bot, *(f"{bot}-{number}" for number in (2, 3, 4))]
        bots += [{"name": name, "launch": [bot]} for name in names]
        tournaments.append({"id": game, "game": game, "bots": names, "format": {"kind": FORMATS.get(game, "round_robin")},
                            "match": {"games": 1}, "clock": {"budget": "10s"}, **more})
    for tournament in tournaments[1:]:
        tournament["starts"] = "by_order"
    return {"listen": {"address": "127.0.0.1", "port": 0}, "registration": {"password": PASSWORD}, "bots": bots,
            "tournaments": tournaments}




class Daemon:
    """A daemon of that version, told by its control orders what to do."""

    def __init__(self, referee, folder):
        self.referee, self.folder = referee, folder
        self.process = subprocess.Popen([referee, "serve", "class.json", "--out", "out"], cwd=folder, stderr=subprocess.PIPE, text=True)
        self.address = ""
        while not self.address:
            line = self.process.stderr.readline()
            if not line:
                raise SystemExit("the daemon ended before it listened")
            if " on 127.0.0.1:" in line:
                self.address = "127.0.0.1:" + line.split(" on 127.0.0.1:")[1].split()[0].strip(",;.")

    def order(self, *words):
        return subprocess.run([self.referee, "ctl", "--out", "out", *words], cwd=self.folder, capture_output=True, text=True)

    def games(self, tournament):
        store = sqlite3.connect(f"file:{self.folder}/out/referee.db?mode=ro", uri=True)
        try:
            return store.execute("SELECT count(*) FROM games WHERE tournament = ? AND status = 'played'", (tournament,)).fetchone()[0]
        finally:
            store.close()

    def wait_for(self, tournament, games):
        until = time.monotonic() + PATIENCE_S
        while self.games(tournament) < games:
            if self.process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"{tournament} has {self.games(tournament)} games, wanted {games}: {self.order('status').stdout}")
            time.sleep(0.05)

    def end(self):
        self.process.terminate()
        self.process.communicate()


def main(programs, kit, folder):
    os.makedirs(os.path.join(folder, "kit"))
    for name in KIT:
        shutil.copy(os.path.join(kit, name), os.path.join(folder, "kit", name))
    with open(os.path.join(folder, "class.json"), "w") as file:
        json.dump(config(), file, indent=2)
    os.chmod(file.name, 0o600)  # it has a password
    daemon = Daemon(os.path.join(os.path.abspath(programs), "referee"), folder)
    carol = subprocess.Popen([sys.executable, "-B", "kit/walls_random.py"], cwd=folder,
                             env={**os.environ, "REFEREE_ADDRESS": daemon.address, "REFEREE_NAME": DIALS_IN, "REFEREE_TOKEN": TOKEN,
                                  "REFEREE_PASSWORD": PASSWORD})
    daemon.wait_for("ladder", GAMES_OF_LADDER)
    for tournament, games in (("monday", 3), *((game, 1) for game in OTHER_GAMES), ("friday", GAMES_OF_FRIDAY)):
        daemon.order("start", tournament, "--now")
        daemon.wait_for(tournament, games)
    daemon.end()
    carol.kill()
    carol.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""`referee store forget`, killed in the calls by which it changes files: the old store or the new one stands, whole, and who does it
again comes to the end.

Run by CTest, which gives the programs' folder in REFEREE_BIN and the shim in KILL_SHIM. CRASH_KILLS tells how many kills, CRASH_SEED which.
"""
import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crash_run import SEED, kills_wanted  # noqa: E402

BIN = os.environ["REFEREE_BIN"]
SHIM = os.environ["KILL_SHIM"]
REFEREE = os.path.join(BIN, "referee")
KILLS = kills_wanted(40)
LONG = 120
NAME = "wilhelmina"


def referee(*arguments, **more):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=LONG, **more)


def files_with(name, folder):
    found = []
    for root, _, files in os.walk(folder):
        for file in files:
            with open(os.path.join(root, file), "rb") as text:
                if name.encode() in text.read():
                    found.append(os.path.relpath(os.path.join(root, file), folder))
    return found


class ForgetCrashTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="referee-forget-crash-")
        self.addCleanup(shutil.rmtree, self.root, True)
        self.played = os.path.join(self.root, "played")
        self.folder = os.path.join(self.root, "here")
        config = os.path.join(self.root, "c.json")
        bots = [{"name": name, "launch": [os.path.join(BIN, "walls-random")], "reads": [BIN]} for name in (NAME, "bob")]
        with open(config, "w") as file:
            json.dump({"listen": {"port": 0}, "bots": bots, "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}}]}, file)
        done = referee("run", config, "--out", self.played, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        os.makedirs(os.path.join(self.played, "debug", NAME))
        with open(os.path.join(self.played, "debug", NAME, "t_1.1.ndjson"), "w") as file:
            file.write(NAME)

    def forget(self, **environment):
        return referee("store", "forget", NAME, "--out", self.folder, env={**os.environ, **environment})

    def killed_at(self, at, mode, listing=""):
        shutil.rmtree(self.folder, True)
        shutil.copytree(self.played, self.folder)
        return self.forget(LD_PRELOAD=SHIM, CRASH_FOLDERS=self.folder, CRASH_AT=str(at), CRASH_MODE=mode, CRASH_LIST=listing)

    def scores(self):
        with contextlib.closing(sqlite3.connect(f"file:{self.folder}/referee.db?mode=ro", uri=True)) as store:
            return store.execute("SELECT match, number, seat, score, place FROM results ORDER BY 1, 2, 3").fetchall()

    def test_a_kill_leaves_the_old_store_or_the_new_one(self):
        listing = os.path.join(self.root, "calls")
        done = self.killed_at(1_000_000, "before", listing)
        self.assertEqual(done.returncode, 0, done.stderr)
        scores = self.scores()
        with open(listing) as file:
            calls = len(file.readlines())
        self.assertGreater(calls, 20)
        outcomes = set()
        step = max(1, 2 * calls // KILLS) if KILLS else 1
        print(f"{calls} calls, seed {SEED}", flush=True)
        for at in range(1 + (SEED - 1) % step, calls + 1, step):
            for mode in ("before", "half"):
                with self.subTest(at=at, mode=mode):
                    if self.killed_at(at, mode).returncode == 0:
                        continue  # there were fewer calls this time
                    checked = referee("store", "verify", os.path.join(self.folder, "referee.db"))
                    self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
                    again = self.forget()
                    outcomes.add(again.returncode)
                    self.assertIn(again.returncode, (0, 1), again.stderr)
                    if again.returncode == 1:
                        self.assertIn("has no bot", again.stderr)
                    self.assertEqual(files_with(NAME, self.folder), [])
                    self.assertEqual(self.scores(), scores)
                    checked = referee("store", "verify", os.path.join(self.folder, "referee.db"), "--games", os.path.join(self.folder, "games"))
                    self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertIn(0, outcomes)


if __name__ == "__main__":
    unittest.main()

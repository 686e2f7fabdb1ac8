"""Runs that are cut off and then go on: the built program, real processes, real signals.

CTest gives in FAULT_SHIM a library that sets the clock. REFEREE_SANITIZE is not empty where the program has sanitizers.
"""
import json
import os
import shlex
import signal
import sqlite3
import struct
import subprocess
import unittest

from harness import BIN, LONG, REFEREE, ProgramTest, referee, rows, wait_until


class ResumeTest(ProgramTest):
    def greedy_class(self, **tournament):
        return self.write("c.json", self.walls([self.launched(name, "walls-greedy") for name in ("a", "b", "c", "d", "e")],
                                               clock={"kind": "none"}, **tournament))

    def count(self, out, table):
        try:
            return rows(self.path(f"{out}/referee.db"), f"SELECT count(*) FROM {table}")[0][0]
        except sqlite3.Error:
            return 0  # not there yet

    def games_on_record(self, out):
        return self.count(out, "results")

    @unittest.skipIf(os.environ.get("REFEREE_SANITIZE"), "a sanitizer must be loaded first")
    def test_a_time_goes_on_over_a_stop(self):
        """A tournament is stopped soon; when it goes on after its time, by the clock of the day, nothing more is drawn."""
        seconds = 3600
        config = self.write("c.json", self.walls([self.launched(name, "walls-random") for name in ("a", "b", "c", "d", "e")],
                                                 clock={"kind": "none"}, match={"games": 2},
                                                 format={"kind": "adaptive", "question": "order", "margin": 0, "time": f"{seconds}s"}))
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out"), "--quiet"]) as process:
            wait_until(lambda: self.games_on_record("out") >= 2 or process.poll() is not None, "games")
            self.assertIsNone(process.poll(), "it has time left")
            process.kill()
        drawn = self.count("out", "pairings")
        with open(self.path("step"), "wb") as file:
            file.write(struct.pack("=qq", (seconds + 1) * 10**9, 0))
        later = {**os.environ, "LD_PRELOAD": os.environ["FAULT_SHIM"], "FAULT_CLOCK": self.path("step")}
        self.exits(0, "run", config, "--out", self.path("out"), "--quiet", env=later)
        self.assertEqual(self.count("out", "pairings"), drawn, "what was drawn is played, and no more")
        told = self.read("out/standings.txt")
        self.assertIn("Ended early: the question isn't answered, and its time is over", told)
        self.assertEqual(referee("run", config, "--out", self.path("out"), "--quiet", env=later).returncode, 0)
        self.assertEqual(self.read("out/standings.txt"), told, "a run that is over tells the same")

    def test_a_bot_that_is_launched_otherwise_is_told(self):
        def run(**changed):
            bots = [self.launched("a", "walls-greedy"), {**self.launched("b", "walls-greedy"), **changed}]
            done = self.exits(0, "run", self.write("c.json", self.walls(bots)), "--out", self.path("out"), "--quiet")
            return done.stderr

        self.assertNotIn("has changed", run())
        self.assertNotIn("has changed", run())
        told = run(launch=["walls-random"])
        self.assertIn('b: its "launch" has changed: it was ["walls-greedy"], and is ["walls-random"]', told)
        self.assertNotIn("a: its", told)
        self.assertNotIn("has changed", run(launch=["walls-random"]), "once")
        own = self.path("own")
        os.mkdir(own)
        told = run(directory=own, environment={"KEY": "plum-4242", "MORE": "1"})
        for expected in ('"launch" has changed', f'"directory" has changed: it was "{self.folder}', f'and is "{own}', '"environment" has changed: KEY, MORE'):
            self.assertIn(expected, told)
        told = run(directory=own, environment={"KEY": "plum-2424", "MORE": "1"})
        self.assertIn('b: its "environment" has changed: KEY (', told)
        self.assertNotIn("plum", told + self.read("out/launches.json"))
        self.assertEqual(os.stat(self.path("out/launches.json")).st_mode & 0o777, 0o600)

    def test_what_was_cut_off_is_kept_as_interrupted(self):
        config = self.write("c.json", self.walls([self.launched("a", "walls-greedy"), self.launched("b", "walls-minimax")],
                                                 params={"size": 7}, clock={"kind": "none"}))
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out"), "--quiet"]) as process:
            wait_until(lambda: self.count("out", "starts"), "a game to begin")
            process.kill()
        if self.games_on_record("out") >= 2:
            self.skipTest("the games were over before they could be cut off")
        self.exits(0, "run", config, "--out", self.path("out"), "--quiet")
        exported = referee("store", "export", self.path("out/referee.db"))
        games = [json.loads(line) for line in exported.stdout.splitlines() if '"record":"game"' in line]
        cut_off = [game for game in games if game["result"]["status"] == "interrupted"]
        self.assertEqual(len(cut_off), 1)
        self.assertIn("ended abruptly", cut_off[0]["result"]["reason"])
        again = [game for game in games if (game["match"], game["number"]) == (cut_off[0]["match"], cut_off[0]["number"])]
        self.assertEqual([game["attempt"] for game in again], [1, 2])
        self.assertEqual(again[1]["result"]["status"], "played")

    def test_after_ctrl_c_it_says_how_to_go_on(self):
        config = self.greedy_class(match={"games": 200})
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out")], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            wait_until(lambda: self.games_on_record("out") > 5, "games")
            process.send_signal(signal.SIGINT)
            process.stdout.read()
            told = process.stderr.read()
        self.assertEqual(process.returncode, 130)
        command = told.strip().splitlines()[-1].strip()
        self.assertTrue(command.startswith("referee run "), told)
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=LONG,
                              env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("10 of 10 matches", done.stdout)

    def test_another_config_is_refused_with_what_differs(self):
        config = self.greedy_class()
        self.assertEqual(referee("run", config, "--out", self.path("out"), "--quiet").returncode, 0)
        cases = [({"seed": 9}, '"seed" was not there and is 9'), ({"format": {"kind": "swiss"}}, '"format"'),
                 ({"clock": {"kind": "turn", "budget": "1s"}}, '"clock" was {"kind":"none"}'),
                 ({"bots": ["b", "a", "c", "d", "e"]}, "list"), ({"id": "other"}, "another run's folder")]
        for change, expected in cases:
            changed = json.loads(self.read("c.json"))
            changed["tournaments"][0].update(change)
            self.assertIn(expected, self.exits(2, "run", self.write("changed.json", changed), "--out", self.path("out")).stderr)
        swiss = self.greedy_class(format={"kind": "swiss", "rounds": 3})
        self.assertEqual(referee("run", swiss, "--out", self.path("swiss"), "--quiet").returncode, 0)
        changed = json.loads(self.read("c.json"))
        changed["tournaments"][0]["bots"] = ["a", {"name": "b", "first_round": 2}, "c", "d", "e"]
        self.assertIn("other rounds for b", self.exits(2, "run", self.write("changed.json", changed), "--out", self.path("swiss")).stderr)
        changed = json.loads(self.read(self.greedy_class()))
        changed["tournaments"][0].update({"tie_breaks": ["wins"], "no_show_after": "5s"})
        self.exits(0, "run", self.write("changed.json", changed), "--out", self.path("out"))

    def test_files_that_are_gone_are_made_again(self):
        config = self.greedy_class()
        self.assertEqual(referee("run", config, "--out", self.path("out"), "--quiet").returncode, 0)
        kept = {name: self.read("out/games/" + name) for name in os.listdir(self.path("out/games"))}
        pages = {name: self.read("out/page/games/" + name) for name in os.listdir(self.path("out/page/games"))}
        for name in list(kept)[:3]:
            os.remove(self.path("out/games/" + name))
        for name in pages:
            os.remove(self.path("out/page/games/" + name))
        os.remove(self.path("out/standings.json"))
        self.assertEqual(referee("run", config, "--out", self.path("out"), "--quiet").returncode, 0)
        self.assertEqual(kept, {name: self.read("out/games/" + name) for name in os.listdir(self.path("out/games"))})
        self.assertEqual(pages, {name: self.read("out/page/games/" + name) for name in os.listdir(self.path("out/page/games"))})
        self.assertTrue(os.path.exists(self.path("out/standings.json")))

"""A semester goes on after an upgrade: what each earlier version left behind, with the program that was built.

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE. tests/released/README.md tells
what is kept.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from harness import LONG, REFEREE, SOURCE, ProgramTest, referee, rows, wait_until

RELEASED = os.path.join(SOURCE, "tests/released")
sys.path.insert(0, RELEASED)
import keep  # noqa: E402  (where it lies is known only now)

VERSIONS = sorted(name for name in os.listdir(RELEASED) if os.path.isdir(os.path.join(RELEASED, name)) and name[0].isdigit())
RESULTS = "SELECT tournament, match, number, attempt, game, seat, bot, score, place, used_us, turns, ended, seq FROM results ORDER BY seq, seat"


@unittest.skipUnless(os.path.exists(keep.PYTHON), f"needs {keep.PYTHON}, which the bots that were kept are written for")
class UpgradeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.assertTrue(VERSIONS, "no version is kept")

    def each_version(self):
        """A copy of each kept folder, as an instructor's own."""
        for version in VERSIONS:
            self.here = self.path(version)
            shutil.copytree(os.path.join(RELEASED, version), self.here)
            self.store = os.path.join(self.here, "out/referee.db")
            for private in ("class.json", "out/referee.db"):
                os.chmod(os.path.join(self.here, private), 0o600)
            yield

    def good(self, *arguments):
        done = referee(*arguments, cwd=self.here)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def serve(self):
        log = open(os.path.join(self.here, "log"), "w")
        self.addCleanup(log.close)
        daemon = subprocess.Popen([REFEREE, "serve", "class.json", "--out", "out"], cwd=self.here, stdout=log, stderr=log)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.kill)
        wait_until(lambda: daemon.poll() is not None or self.ctl("status").returncode == 0, "the daemon")
        self.assertIsNone(daemon.poll(), self.log())
        return daemon

    def log(self):
        with open(os.path.join(self.here, "log")) as file:
            return file.read()

    def ctl(self, *words):
        return referee("ctl", "--out", "out", *words, cwd=self.here)

    def played(self, tournament):
        return rows(self.store, f"SELECT count(*) FROM games WHERE tournament = '{tournament}' AND status = 'played'")[0][0]

    def test_its_config_is_good(self):
        for _ in self.each_version():
            self.assertNotIn("warning", re.sub(r".*readable by others.*\n", "", self.good("check", "class.json")))

    def test_its_replays_come_to_what_they_came_to(self):
        for _ in self.each_version():
            games = {}
            for path in glob.glob(os.path.join(self.here, "out/**/games/*.ndjson"), recursive=True):
                with open(path) as file:
                    games.setdefault(json.loads(file.readline())["game"], []).append(path)
            self.assertEqual(set(games), {"walls", *keep.OTHER_GAMES})
            self.good("trace", "--replay", *(path for paths in games.values() for path in paths))
            for paths in games.values():
                self.good("explain", paths[0])
            self.good("verify", "out/referee.db", "--no-play")

    def test_it_goes_on(self):
        for _ in self.each_version():
            before = rows(self.store, RESULTS)
            self.assertGreaterEqual(len(before), 20)
            with open(os.path.join(self.here, "kept.ndjson"), "w") as file:
                file.write(self.good("export", "out/referee.db"))
            self.good("import", "kept.ndjson", "again.db")
            ladder, friday = self.played("ladder"), self.played("friday")
            daemon = self.serve()
            port = re.search(r" on 127\.0\.0\.1:(\d+)", self.log()).group(1)
            # The kit of that version, and the name with the token that it was registered with.
            carol = subprocess.Popen([keep.PYTHON, "-B", "kit/walls_random.py"], cwd=self.here,
                                     env={**os.environ, "REFEREE_ADDRESS": f"127.0.0.1:{port}", "REFEREE_NAME": keep.DIALS_IN,
                                          "REFEREE_TOKEN": keep.TOKEN})
            self.addCleanup(carol.wait)
            self.addCleanup(carol.kill)
            by_carol = f"SELECT count(*) FROM results WHERE bot = '{keep.DIALS_IN}'"
            carols = rows(self.store, by_carol)[0][0]
            wait_until(lambda: rows(self.store, by_carol)[0][0] >= carols + 2 and self.played("ladder") > ladder, "the ladder to go on")
            wait_until(lambda: '"finished"' in self.state("friday"), "the tournament that was under way")
            self.assertGreater(self.played("friday"), friday)
            daemon.terminate()
            self.assertEqual(daemon.wait(LONG), 0, self.log())
            self.assertEqual(rows(self.store, RESULTS)[:len(before)], before)
            self.good("verify", "out/referee.db", "--games", "out/ladder/games")

    def state(self, tournament):
        answer = json.loads(self.ctl("status", "--json").stdout)
        return json.dumps([one["state"] for one in answer["tournaments"] if one["id"] == tournament])


if __name__ == "__main__":
    unittest.main()

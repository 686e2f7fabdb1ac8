"""Students' programs of a kind over the network: by the bridge, to a daemon; and what check-bot says of one.

    bridge_test.py octave|racket [unittest's options]

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE. Ends with 77 where the language is
not installed.
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "program"))

from adapter_test import MAP, SKIPPED
from daemon_test import DaemonTest
from harness import LONG, REFEREE, SOURCE, referee, rows, wait_until

KINDS = {
    "octave": {"program": "tests/adapters/e7/unended.m", "game": "e7_planets", "params": {"map": MAP}, "others": 0},
    "racket": {"program": "tests/adapters/cycles/constructor.scm", "game": "light_cycles", "params": {}, "others": 3},
}
INTERPRETERS = {"octave": "octave-cli", "racket": "racket"}
kind = ""


class BridgeTest(DaemonTest):
    def test_a_full_game_by_the_kinds_name(self):
        told = KINDS[kind]
        others = [self.launched(f"other-{i}", "cycles-dumb") for i in range(told["others"])]
        self.serve(self.write("c.json", {"listen": {"port": 0}, "bots": [{"name": "ann"}, *others], "tournaments": [
            {"id": "t", "game": told["game"], "params": told["params"], "clock": {"budget": "20s"},
             "match": {"games": 1},
             "format": {"kind": "round_robin", "seats": 4} if others else {"kind": "leaderboard"}}]}))
        bridge = self.spawn([REFEREE, "connect", "{}:{}".format(*self.address()), "--name", "ann", "--matches", "1",
                             "--keep", self.path("kept"), "--", f"{kind}:{os.path.join(SOURCE, told['program'])}"],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: bridge.poll() is not None or self.tournament("t")["state"] == "finished", "the tournament")
        table, said = bridge.communicate(timeout=LONG)
        self.assertEqual(bridge.returncode, 0, said)
        self.assertIn(told["game"], table)
        games = rows(self.path("out/referee.db"), "SELECT status, faults_total FROM games")
        self.assertEqual([status for status, _ in games], ["played"], said)
        if not others:  # a cycle ends at a wall, which is a fault too
            self.assertEqual(games[0][1], 0, said)

    def test_check_bot(self):
        told = KINDS[kind]
        done = referee("check-bot", "--budget", "20s", "--json", f"{kind}:{os.path.join(SOURCE, told['program'])}")
        report = json.loads(done.stdout)
        self.assertEqual([corner for corner in report["corners"] if corner["verdict"] == "wrong"], [], done.stderr)
        self.assertEqual((report["games"], done.returncode), ([told["game"]], 0))


if __name__ == "__main__":
    kind = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if kind not in KINDS:
        sys.exit("expected octave or racket, such as: bridge_test.py octave")
    if shutil.which(INTERPRETERS[kind]) is None:
        print(f"skipped: {INTERPRETERS[kind]} is missing: scripts/setup --interpreters installs it")
        sys.exit(SKIPPED)
    unittest.main()

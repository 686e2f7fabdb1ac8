"""`referee store forget`, killed in the calls by which it changes files: the old store or the new one stands, whole, and who does it
again comes to the end.

Run by CTest, which gives the programs' folder in REFEREE_BIN and the shim in KILL_SHIM. CRASH_KILLS tells how many kills, CRASH_SEED which.
"""
import os
import shutil
import sys
import unittest

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), name) for name in ("", "../program")]
from crash_run import SEED, kills_wanted  # noqa: E402
from forget_test import NAME, places_with  # noqa: E402
from harness import ProgramTest, referee, rows  # noqa: E402

SHIM = os.environ["KILL_SHIM"]
KILLS = kills_wanted(40)


class ForgetCrashTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.here = self.path("here")
        self.exits(0, "run", self.write("c.json", self.walls([self.launched(name, "walls-random") for name in (NAME, "bob")])),
                   "--out", self.path("played"), "--quiet")
        self.write(f"played/debug/{NAME}/t_1.1.ndjson", NAME)

    def forget(self, **environment):
        return referee("store", "forget", NAME, "--out", self.here, env={**os.environ, **environment})

    def killed_at(self, at, mode, listing=""):
        shutil.rmtree(self.here, True)
        shutil.copytree(self.path("played"), self.here)
        return self.forget(LD_PRELOAD=SHIM, CRASH_FOLDERS=self.here, CRASH_AT=str(at), CRASH_MODE=mode, CRASH_LIST=listing)

    def scores(self):
        return rows(self.path("here/referee.db"), "SELECT match, number, seat, score, place FROM results ORDER BY 1, 2, 3")

    def test_a_kill_leaves_the_old_store_or_the_new_one(self):
        listing = self.path("calls")
        done = self.killed_at(1_000_000, "before", listing)
        self.assertEqual(done.returncode, 0, done.stderr)
        scores = self.scores()
        calls = self.read("calls").count("\n")
        self.assertGreater(calls, 20)
        outcomes = set()
        step = max(1, 2 * calls // KILLS) if KILLS else 1
        print(f"{calls} calls, seed {SEED}", flush=True)
        for at in range(1 + (SEED - 1) % step, calls + 1, step):
            for mode in ("before", "half"):
                with self.subTest(at=at, mode=mode):
                    if self.killed_at(at, mode).returncode == 0:
                        continue  # there were fewer calls this time
                    self.exits(0, "store", "verify", self.path("here/referee.db"))
                    again = self.forget()
                    outcomes.add(again.returncode)
                    self.assertIn(again.returncode, (0, 1), again.stderr)
                    if again.returncode == 1:
                        self.assertIn("has no bot", again.stderr)
                    self.assertEqual(places_with(NAME, self.here), [])
                    self.assertEqual(self.scores(), scores)
                    self.exits(0, "store", "verify", self.path("here/referee.db"), "--games", self.path("here/games"))
        self.assertIn(0, outcomes)


if __name__ == "__main__":
    unittest.main()

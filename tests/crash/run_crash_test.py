"""Whole runs that are killed in the calls by which they change files: `referee run` and `serve` with launched bots.

Run by CTest, which gives the programs' folder in REFEREE_BIN and the shim in KILL_SHIM. More than in a test run:

    CRASH_KILLS=0 CRASH_SEED=2 ctest --test-dir build/release -R crash

CRASH_KILLS is how many times each tournament is played and killed (often twice); 0: once for every call, before it and half
way. CRASH_SEED draws which calls these are, and where the second kills are; left out, it is made of the sample's number.
"""
import json
import os
import random
import re
import sys
import unittest

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), name) for name in ("", "../program")]
from crash_run import SEED, SYNCS, CrashRun, kills_wanted, verdict_on_store  # noqa: E402
from harness import REFEREE, ProgramTest, alive_with, as_if_played_at_once, wait_until  # noqa: E402
from sample import sample_number  # noqa: E402

SHIM = os.environ["KILL_SHIM"]
SERVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "serve_until_over.py")
BOTS = ("ada", "bob", "cleo", "dan", "eve", "fay")
FILES = ("standings.json", "standings.csv", "standings.txt", "pairings.json", "pairings.txt", "crosstable.json", "crosstable.csv",
         "crosstable.txt", "report.trf")
EXIT_TROUBLE = 3


class RunCrashTest(ProgramTest):
    FORMAT = None
    KILLS = kills_wanted(130)
    FIELD = BOTS  # as a tournament's config has it

    def setUp(self):
        super().setUp()
        self.here = self.path("here")
        self.out = self.path("here/out")
        self.config = self.write("config.json", self.walls([self.launched(name, "walls-greedy") for name in BOTS], clock={"kind": "none"},
                                                           format=self.FORMAT, bots=list(self.FIELD), match={"games": 1}))
        self.results = self.out  # where the tournament's files are
        self.command = [REFEREE, "run", self.config, "--out", self.out, "--quiet"]
        self.addCleanup(self.wait_until_all_are_gone)

    def crash_run(self, check):
        return CrashRun(self.command, [self.here], SHIM, check, seed=SEED,
                        after_kill=lambda: verdict_on_store(REFEREE, os.path.join(self.out, "referee.db")))

    def wait_until_all_are_gone(self):
        """What a killed referee launched ends by itself."""
        wait_until(lambda: not alive_with(self.marker), "bots to end after their referee")

    def written(self):
        return {name: as_if_played_at_once(self.read(os.path.join(self.results, name))) for name in FILES}

    def games(self):
        """The names of the games' files, as if each had been played at once; a file that is empty or half made has another."""
        found = set()
        for name in os.listdir(os.path.join(self.results, "games")):
            text = self.read(os.path.join(self.results, "games", name))
            whole = text.endswith("}\n") and '{"result":' in text.splitlines()[-1]
            found.add(re.sub(r"(~\d+)?\.ndjson$", "", name) if whole else name + " is not whole")
        return found

    def exported(self):
        return self.exits(0, "store", "export", os.path.join(self.out, "referee.db")).stdout

    def check_archive(self):
        """An archive of the store is as good as the store."""
        copy, archive = self.path("copy.db"), self.exported()
        self.exits(0, "store", "import", self.write("archive.ndjson", archive), copy)
        self.assertEqual(self.exits(0, "store", "export", copy).stdout, archive)

    def check_store(self):
        """What is wrong with it, or nothing: each play has an end, and each game counts once."""
        records = [json.loads(line) for line in self.exported().splitlines()[1:-1]]

        def key(record):
            return record["match"], record["number"], record["attempt"]

        starts = [key(record) for record in records if record["record"] == "start"]
        ends = {key(record): record["result"]["status"] for record in records if record["record"] == "game"}
        if sorted(starts) != sorted(ends):
            return f"starts {sorted(starts)} and ends {sorted(ends)}"
        for match, number, attempt in starts:
            status = "interrupted" if (match, number, attempt + 1) in ends else "played"
            if ends[match, number, attempt] != status:
                return f"{match}.{number}~{attempt} is {ends[match, number, attempt]}, expected {status}"
        return None

    def compare(self):
        wrong = [name for name, text in self.written().items() if text != self.calm[name]]
        if wrong:
            return f"another {wrong[0]} than that of an undisturbed run"
        if self.games() != self.calm_games:
            return f"games {sorted(self.games() ^ self.calm_games)}"
        return self.check_store()

    def undisturbed(self, run):
        calls = run.calls()
        self.calm, self.calm_games = self.written(), self.games()
        self.assertIsNone(self.check_store())
        return calls


class KilledRunTest(RunCrashTest):
    FORMAT = {"kind": "swiss", "rounds": 3}

    def test_whatever_call_it_dies_in_it_comes_to_the_same(self):
        run = self.crash_run(lambda attempts: self.compare())
        names = {name for name, _ in self.undisturbed(run)}
        self.assertLessEqual({"mkdir", "open", "write", "pwrite", "fdatasync", "rename"}, names)
        kills, failures = run.run(self.KILLS, lambda text: print(text, flush=True))
        print(f"{kills} kills")
        self.assertEqual(failures, [])
        self.assertGreaterEqual(kills, self.KILLS)
        self.check_archive()  # of the last one, which was killed and went on


class SwissRunTest(KilledRunTest):
    FIELD = ("ada", {"name": "bob", "half_point_byes": [2]}, "cleo", {"name": "dan", "last_round": 2}, "eve",
             {"name": "fay", "first_round": 2})


class ServeTest(KilledRunTest):
    """The same of a daemon, which is slower to ask whether it is done."""
    KILLS = kills_wanted(44)

    def setUp(self):
        super().setUp()
        self.results = os.path.join(self.out, "t")
        self.command = [sys.executable, "-B", SERVE, REFEREE, self.config, self.out]


class FailedSyncRunTest(RunCrashTest):
    FORMAT = {"kind": "swiss", "rounds": 3}
    TRIED = 16 if sample_number() is None else 6

    def test_a_failed_sync_ends_the_run_and_the_same_command_goes_on(self):
        run = self.crash_run(lambda attempts: None)
        calls = self.undisturbed(run)
        syncs = [at for at, (name, path) in enumerate(calls, 1) if name in SYNCS and path.startswith(self.out)]
        ended = []
        for at in random.Random(SEED).sample(syncs, len(syncs)):
            if ended.count(EXIT_TROUBLE) == self.TRIED:
                break
            failed, _ = run.failed_sync(at)
            if failed is None:
                continue  # the batches came out otherwise this time
            ended.append(failed.status)
            if failed.status != 0:  # behind the last commit nothing depends on it
                self.assertEqual(failed.status, EXIT_TROUBLE, failed.stderr)
                self.assertRegex(failed.stderr, "can't write down any more: .*disk I/O error; it is not tried again|then start again|"
                                                "Input/output error")
                self.assertEqual(len(re.findall("(disk I/O|Input/output) error", failed.stderr)), 1, failed.stderr)
            again = run.attempt(run.command)
            self.assertEqual(again.status, 0, again.stderr)
            self.assertIsNone(self.compare(), f"call {at}")
        self.assertGreaterEqual(ended.count(EXIT_TROUBLE), 3, (len(syncs), ended))


if __name__ == "__main__":
    unittest.main()

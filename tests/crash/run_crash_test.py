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
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crash_run import SEED, CrashRun, kills_wanted, verdict_on_store  # noqa: E402
from sample import sample_number  # noqa: E402

BIN = os.environ["REFEREE_BIN"]
SHIM = os.environ["KILL_SHIM"]
REFEREE = os.path.join(BIN, "referee")
SERVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "serve_until_over.py")
BOTS = ("ada", "bob", "cleo", "dan", "eve", "fay")
FILES = ("standings.json", "standings.csv", "standings.txt", "pairings.json", "pairings.txt", "crosstable.csv", "crosstable.txt",
         "report.trf")
LONG = 60
SYNCS = ("fsync", "fdatasync")
EXIT_TROUBLE = 3


def alive_with(marker):
    """How many processes carry the marker in their environment."""
    found = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                found += marker.encode() in file.read()
        except OSError:
            continue
    return found


def read(path):
    with open(path, "rb") as file:
        return file.read()


def as_if_played_at_once(text):
    """Files of standings, where the plays that count were the first of their games."""
    return re.sub(rb"(/\d+\.\d+)~\d+", rb"\1", text)


class RunCrashTest(unittest.TestCase):
    FORMAT = None
    KILLS = kills_wanted(130)
    FIELD = BOTS  # as a tournament's config has it

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="referee-crash-")
        self.addCleanup(shutil.rmtree, self.root, True)
        self.folder = os.path.join(self.root, "here")
        self.out = os.path.join(self.folder, "out")
        self.marker = "REFEREE_CRASH_MARK=" + os.path.basename(self.root)
        key, value = self.marker.split("=")
        config = {
            "listen": {"port": 0},
            "bots": [{"name": name, "launch": ["walls-greedy"], "environment": {key: value}} for name in BOTS],
            "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}, "clock": {"kind": "none"}, "format": self.FORMAT,
                             "bots": list(self.FIELD), "match": {"games": 1}}],
        }
        self.config = os.path.join(self.root, "config.json")
        with open(self.config, "w") as file:
            json.dump(config, file)
        self.results = self.out  # where the tournament's files are
        self.command = [REFEREE, "run", self.config, "--out", self.out, "--quiet"]
        self.addCleanup(self.wait_until_all_are_gone)

    def crash_run(self, check):
        return CrashRun(self.command, [self.folder], SHIM, check, seed=SEED,
                        after_kill=lambda: verdict_on_store(REFEREE, os.path.join(self.out, "referee.db")))

    def wait_until_all_are_gone(self):
        """What a killed referee launched ends by itself."""
        deadline = time.monotonic() + LONG  # time: the limit of a wait for a state
        # time: as above
        while alive_with(self.marker) and time.monotonic() < deadline:
            time.sleep(0.05)  # time: between two looks
        self.assertEqual(alive_with(self.marker), 0, "bots outlive their referee")

    def written(self):
        return {name: as_if_played_at_once(read(os.path.join(self.results, name))) for name in FILES}

    def games(self):
        """The names of the games' files, as if each had been played at once; a file that is empty or half made has another."""
        found = set()
        for name in os.listdir(os.path.join(self.results, "games")):
            text = read(os.path.join(self.results, "games", name))
            whole = text.endswith(b"}\n") and b'{"result":' in text.splitlines()[-1]
            found.add(re.sub(r"(~\d+)?\.ndjson$", "", name) if whole else name + " is not whole")
        return found

    def referee(self, *arguments):
        done = subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def check_store(self):
        """What is wrong with it, or nothing: each play has an end, each game counts once, and an archive of it is as good."""
        archive, copy = os.path.join(self.root, "archive.ndjson"), os.path.join(self.root, "copy.db")
        if os.path.exists(copy):
            os.remove(copy)
        exported = self.referee("store", "export", os.path.join(self.out, "referee.db"))
        with open(archive, "w") as file:
            file.write(exported)
        self.referee("store", "import", archive, copy)
        if self.referee("store", "export", copy) != exported:
            return "the archive of the archive is another one"
        records = [json.loads(line) for line in exported.splitlines()[1:-1]]

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

    def killed_anywhere(self):
        run = self.crash_run(lambda attempts: self.compare())
        names = {name for name, _ in self.undisturbed(run)}
        self.assertLessEqual({"mkdir", "open", "write", "pwrite", "fdatasync", "rename"}, names)
        kills, failures = run.run(self.KILLS, lambda text: print(text, flush=True))
        print(f"{kills} kills")
        self.assertEqual(failures, [])
        self.assertGreaterEqual(kills, self.KILLS)


class SwissRunTest(RunCrashTest):
    FORMAT = {"kind": "swiss", "rounds": 3}
    FIELD = ("ada", {"name": "bob", "half_point_byes": [2]}, "cleo", {"name": "dan", "last_round": 2}, "eve",
             {"name": "fay", "first_round": 2})

    def test_whatever_call_it_dies_in_it_comes_to_the_same(self):
        self.killed_anywhere()


class RoundRobinRunTest(RunCrashTest):
    FORMAT = {"kind": "round_robin", "cycles": 1}

    def test_whatever_call_it_dies_in_it_comes_to_the_same(self):
        self.killed_anywhere()


class ServeTest(RunCrashTest):
    """The same of a daemon, which is slower to ask whether it is done."""
    FORMAT = {"kind": "swiss", "rounds": 3}
    KILLS = kills_wanted(44)

    def setUp(self):
        super().setUp()
        self.results = os.path.join(self.out, "t")
        self.command = [sys.executable, "-B", SERVE, REFEREE, self.config, self.out]

    def test_whatever_call_it_dies_in_it_comes_to_the_same(self):
        self.killed_anywhere()


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
            run.empty_folders()
            listing = os.path.join(self.root, "calls")
            failed = run.attempt(run.command, at, "eio", listing)
            made = [line.split(" ", 2)[1] for line in read(listing).decode().splitlines()]
            os.remove(listing)
            if len(made) < at or made[at - 1] not in SYNCS:
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

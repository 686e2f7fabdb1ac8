"""The kill shim, and a store that is killed in each call by which it changes a file.

Run by CTest, which gives the programs' folder in REFEREE_BIN and the shim in KILL_SHIM. CRASH_KILLS and CRASH_SEED as in
run_crash_test.py.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crash_run import SEED, SYNCS, CrashRun, kills_wanted, verdict_on_store  # noqa: E402

BIN = os.environ["REFEREE_BIN"]
SHIM = os.environ["KILL_SHIM"]
ROUNDS = 8
LONG = 60


class CrashTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="referee-crash-")
        self.addCleanup(shutil.rmtree, self.root, True)
        self.folder = os.path.join(self.root, "here")

    def crash_run(self, command, check=lambda attempts: None, **more):
        return CrashRun(command, [self.folder], SHIM, check, seed=SEED, **more)


class ShimTest(CrashTest):
    CALLS = ["mkdir inner", "open inner/file", "write inner/file", "pwrite inner/file", "fsync inner/file", "fdatasync inner/file",
             "ftruncate inner/file", "open stream", "write stream", "rename renamed", "unlink stream"]

    def setUp(self):
        super().setUp()
        self.run = self.crash_run([os.path.join(BIN, "file_steps"), self.folder])

    def found(self):
        """Each file and its content."""
        files = {}
        for root, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(root, name)) as file:
                    files[os.path.relpath(os.path.join(root, name), self.folder)] = file.read()
        return files

    def killed_at(self, at, mode):
        self.run.empty_folders()
        self.assertTrue(self.run.attempt(self.run.command, at, mode).was_killed, f"{at} {mode}")
        return self.found()

    def test_each_call_is_listed_and_no_other(self):
        calls = [f"{name} {os.path.relpath(path, self.folder)}" for name, path in self.run.calls()]
        self.assertEqual(calls, self.CALLS)

    def test_kills_before_and_half_way(self):
        self.run.calls()
        before = [self.killed_at(at + 1, "before") for at in range(len(self.CALLS))]
        half = [self.killed_at(at + 1, "half") for at in range(len(self.CALLS))]
        self.assertEqual(before[:5], [{}, {}, {"inner/file": ""}, {"inner/file": "12345678"}, {"inner/file": "12abcd78"}])
        self.assertEqual(half[:4], [{}, {"inner/file": ""}, {"inner/file": "1234"}, {"inner/file": "12ab5678"}])
        self.assertEqual(half[6], {"inner/file": "12abcd"})
        self.assertEqual(half[8], {"inner/file": "12abcd", "stream": "stre"})
        self.assertEqual(before[9], {"inner/file": "12abcd", "stream": "streamed"})
        self.assertEqual(half[9], {"renamed": "12abcd", "stream": "streamed"})
        self.assertEqual(half[10], {"renamed": "12abcd"})

    def test_a_number_beyond_the_last_kills_nobody(self):
        self.run.empty_folders()
        self.assertEqual(self.run.attempt(self.run.command, len(self.CALLS) + 1).status, 0)

    def test_the_driver_finds_what_a_program_leaves_half_done(self):
        """The steps can't be repeated, so a run after most kills fails, and the driver must say so."""
        kills, failures = self.run.run()
        self.assertGreaterEqual(kills, 2 * len(self.CALLS))
        self.assertTrue(failures)


class StoreTest(CrashTest):
    def export(self):
        done = subprocess.run([os.path.join(BIN, "referee"), "store", "export", os.path.join(self.folder, "crash.store")],
                              capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_whatever_call_it_dies_in_nothing_told_is_lost(self):
        def check(attempts):
            told = 0
            for attempt in attempts:
                found = re.search(r"found (\d+)", attempt.stdout)
                if found and int(found.group(1)) < told:
                    return f"{told} were told, {found.group(1)} are there"
                told = max([told] + [int(number) for number in re.findall(r"committed (\d+)", attempt.stdout)])
            return None if self.export() == undisturbed else "the archive differs from that of an undisturbed run"

        store = os.path.join(self.folder, "crash.store")
        run = self.crash_run([os.path.join(BIN, "store_appender"), store, str(ROUNDS)], check,
                             after_kill=lambda: verdict_on_store(os.path.join(BIN, "referee"), store, "--no-play"))
        names = {name for name, _ in run.calls()}
        self.assertLessEqual({"open", "pwrite", "fdatasync", "ftruncate", "unlink"}, names)
        undisturbed = self.export()
        self.assertEqual(undisturbed.count("\n"), 3 * ROUNDS + 2)
        wanted = kills_wanted(300)
        kills, failures = run.run(wanted, print)
        self.assertEqual(failures, [])
        print(f"{kills} kills")
        self.assertGreaterEqual(kills, wanted * 5 // 6)  # now and then there are fewer calls than the first time

    def test_a_new_store_gets_its_name_when_it_is_whole_and_safe(self):
        run = self.crash_run([os.path.join(BIN, "store_appender"), os.path.join(self.folder, "crash.store"), "0"])
        calls = [(name, os.path.relpath(path, os.path.realpath(self.folder))) for name, path in run.calls()]
        made = calls[:calls.index(("rename", "crash.store.head")) + 2]
        self.assertEqual([call for call in made if call[0] in (*SYNCS, "rename")],
                         [("fsync", "crash.store.new"), ("rename", "crash.store"), ("fsync", "crash.store.head.part"),
                          ("rename", "crash.store.head"), ("fsync", ".")])
        self.assertEqual([name for name, path in made if path == "crash.store"], ["rename"], "made elsewhere")
        self.assertIn(("open", "crash.store-wal"), made, "its name is safe too")

    def test_a_failed_sync_ends_the_writing_for_good(self):
        """EIO from each sync of the store: nothing is written behind it, and what was told is there."""
        run = self.crash_run([os.path.join(BIN, "store_appender"), os.path.join(self.folder, "crash.store"), str(ROUNDS)])

        def is_of_the_store(call):
            return call[1].endswith(("crash.store", "crash.store.new", "-wal"))

        syncs = [at for at, call in enumerate(run.calls(), 1) if call[0] in SYNCS and is_of_the_store(call)]
        ended = set()
        for at in syncs:
            attempt, calls = run.failed_sync(at)
            if attempt is None:
                continue  # the batches came out otherwise this time
            if re.search(r"found (\d+)", attempt.stdout):
                behind = [call for call in calls[at:] if is_of_the_store(call) and call[0] in ("pwrite", *SYNCS)]
                self.assertEqual(behind, [], f"behind call {at}")
            ended.add(attempt.status)
            told = max([0] + [int(number) for number in re.findall(r"committed (\d+)", attempt.stdout)])
            again = run.attempt(run.command)
            self.assertEqual(again.status, 0, again.stderr)
            self.assertGreaterEqual(int(re.search(r"found (\d+)", again.stdout).group(1)), told)
        self.assertLessEqual({1, 3}, ended, "an append and an opening that failed")


if __name__ == "__main__":
    unittest.main()

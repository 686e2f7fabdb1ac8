"""The kill shim, and the order in which a new store is made.

Run by CTest, which gives the programs' folder in REFEREE_BIN and the shim in KILL_SHIM. CRASH_SEED as in run_crash_test.py.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from crash_run import SEED, SYNCS, CrashRun  # noqa: E402

BIN = os.environ["REFEREE_BIN"]
SHIM = os.environ["KILL_SHIM"]
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
    def test_a_new_store_gets_its_name_when_it_is_whole_and_safe(self):
        record = {"seq": 1, "time_ms": 1, "record": "opening", "tournament": "friday", "config": "{}", "version": "0.1.0"}
        archive = os.path.join(self.root, "archive.ndjson")
        with open(archive, "w") as file:
            subprocess.run([os.path.join(BIN, "archive_maker")], input=json.dumps(record) + "\n", stdout=file, text=True, timeout=LONG, check=True)
        run = self.crash_run([os.path.join(BIN, "referee"), "store", "import", archive, os.path.join(self.folder, "crash.store")])
        calls = [(name, os.path.relpath(path, os.path.realpath(self.folder))) for name, path in run.calls()]
        made = calls[:calls.index(("rename", "crash.store.part.head")) + 2]
        self.assertEqual([call for call in made if call[0] in (*SYNCS, "rename")],
                         [("fsync", "crash.store.part.new"), ("rename", "crash.store.part"), ("fsync", "crash.store.part.head.part"),
                          ("rename", "crash.store.part.head"), ("fsync", ".")])
        self.assertEqual([name for name, path in made if path == "crash.store.part"], ["rename"], "made elsewhere")
        self.assertIn(("open", "crash.store.part-wal"), made, "its name is safe too")


if __name__ == "__main__":
    unittest.main()

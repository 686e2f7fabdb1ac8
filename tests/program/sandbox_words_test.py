"""What is said where the sandbox withholds or limits something: to the student in the game's record, to the instructor in the
log and by `check`. CTest runs it in the same way as program_test.py.
"""
import os
import shutil
import subprocess
import sys

from harness import BIN, LONG, REFEREE, ProgramTest, referee
from sandbox_test import needs_namespaces

GREEDY = os.path.join(BIN, "walls-greedy")
# Bots that end at their start, each for another reason, and what is to be said of it. All that is said is told by supply_test.
ENDINGS = {
    "needy": ("bytearray(300 << 20)", {"memory_mb": 100}, "may have 100 MB (\"memory_mb\" in the config gives more)"),
    "frail": ("import no_such_module", {}, "\"reads\" in the config"),
}


class SandboxWordsTest(ProgramTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)

    def bot(self, name, text, **more):
        self.write(f"bots/{name}/bot.py", text)
        return self.launched(name, sys.executable, "bot.py", directory="bots/" + name, **more)

    def run_config(self, config, arguments=(), **options):
        return referee("run", config, "--out", self.path("out"), "--quiet", *arguments, **options)

    @needs_namespaces
    def test_who_meets_a_limit_at_its_start_is_told_which_and_holds_nobody_up(self):
        bots = [self.bot(name, text, **more) for name, (text, more, _) in ENDINGS.items()]
        fine = [self.launched("fine", GREEDY), self.launched("good", GREEDY)]
        # Nobody could wait for an hour: what a bot that is given up is drawn for is forfeited at once.
        done = self.run_config(self.write("c.json", self.walls(fine + bots, match={"games": 1}, no_show_after="1h")))
        self.assertEqual(done.returncode, 0, done.stderr)
        good = self.result_of("fine", "good")
        self.assertEqual((good["status"], good["faults"]), ("played", []))
        for name, (_, _, told) in ENDINGS.items():
            fault = self.result_of("fine", name)["faults"][0]
            self.assertEqual(fault["rule"], "match.no_show")
            self.assertIn("its process ended before it logged in: ", fault["message"])
            self.assertIn(told, fault["message"])
            lines = [line for line in done.stderr.splitlines() if f"{name}: " in line]
            self.assertEqual(sum("GIVEN UP: it is not launched again, because 4 launches" in line for line in lines), 1, done.stderr)
            self.assertEqual(sum(": its process ended before it logged in: " in line and "GIVEN UP" not in line for line in lines), 1, done.stderr)
            self.assertIn(told, done.stderr)
        self.assertEqual(done.stderr.count("No module named 'no_such_module'"), 1, done.stderr)
        standings = self.read("out/standings.json")
        self.assertIn("in a row, the last time for this: its process ended before it logged in: exit status 1", standings)
        game = next(name for name in os.listdir(self.path("out/games"))
                    if "needy" in (text := self.read("out/games/" + name)) and "match.no_show" in text)
        self.assertIn("memory_mb", referee("explain", self.path("out/games/" + game)).stdout)

    # A bot with a door of its own needs no place among those that dial the referee's port.
    def test_who_finds_no_place_for_its_connection_is_told_so(self):
        bots = [self.launched(name, GREEDY, speaks="tcp", start_within="20s") for name in ("ann", "bob")]
        config = self.walls(bots, match={"games": 1}, no_show_after="1s")
        config["connections"] = {"per_address": 1}
        self.write("c.json", config)
        done = self.run_config(self.path("c.json"), ["--unsandboxed"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the referee refused its connection (too_many_connections)", done.stderr)
        self.assertIn("too_many_connections", self.result_of("ann", "bob")["faults"][0]["message"])

    # Runs the referee as a user who owns nothing; as that user itself where the test is not root.
    def as_ordinary_user(self, *arguments):
        words = [REFEREE, *arguments]
        if os.getuid() == 0:
            words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *words]
        return subprocess.run(words, capture_output=True, text=True, timeout=LONG)

    def test_what_lies_in_a_closed_folder_is_told_by_its_path(self):
        if self.as_ordinary_user("--version").returncode != 0:
            self.skipTest("an ordinary user can't start the referee here")
        if os.getuid() != 0:
            self.skipTest("only root can close a folder to the referee")
        shutil.copy(GREEDY, self.path("bot"))
        os.makedirs(self.path("closed/tables"))
        shutil.copy(GREEDY, self.path("closed/bot"))
        os.mkdir(self.path("own"))
        os.chown(self.path("own"), 65534, 65534)
        os.chmod(self.path("closed"), 0o700)
        told = f"the referee's user may not enter '{self.path('closed')}'; chmod +x it"
        fine = self.launched("fine", self.path("bot"), reads=[])
        for name, wrong in (("reads", self.launched("ann", self.path("bot"), reads=["closed/tables"])),
                            ("program", self.launched("ann", "closed/bot", reads=[]))):
            config = self.write("c.json", self.walls([fine, wrong], match={"games": 1}, no_show_after="1s"))
            checked = self.as_ordinary_user("check", config)
            if "without a sandbox" in checked.stderr:
                self.skipTest("this machine gives an ordinary user no sandbox")
            self.assertEqual(checked.returncode, 1, checked.stderr)
            self.assertIn(told, checked.stderr, name)
            done = self.as_ordinary_user("run", config, "--out", self.path("own/" + name), "--quiet")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(told, done.stderr, name)
            self.assertNotIn("user namespaces", done.stderr)
            self.assertNotIn("no such file", done.stderr)

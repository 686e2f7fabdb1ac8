"""What is said where the sandbox withholds or limits something: to the student in the game's record, to the instructor in the
log and by `check`. CTest runs it in the same way as program_test.py.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from harness import BIN, LONG, REFEREE, ProgramTest, left_turning, referee
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
        os.makedirs(self.path("bots/" + name))
        self.write(f"bots/{name}/bot.py", text)
        return self.launched(name, sys.executable, "bot.py", directory="bots/" + name, **more)

    def results(self):
        """The result of each game, by the names of its bots."""
        found = {}
        for name in sorted(os.listdir(self.path("out/games"))):
            lines = self.read("out/games/" + name).splitlines()
            found[tuple(sorted(json.loads(lines[0])["bots"]))] = json.loads(lines[-1])["result"]
        return found

    def run_config(self, config, arguments=(), **options):
        return referee("run", config, "--out", self.path("out"), "--quiet", *arguments, **options)

    @needs_namespaces
    def test_who_meets_a_limit_at_its_start_is_told_which_and_holds_nobody_up(self):
        bots = [self.bot(name, text, **more) for name, (text, more, _) in ENDINGS.items()]
        fine = [self.launched("fine", GREEDY), self.launched("good", GREEDY)]
        # Nobody could wait for an hour: what a bot that is given up is drawn for is forfeited at once.
        done = self.run_config(self.write("c.json", self.walls(fine + bots, match={"games": 1}, no_show_after="1h")))
        self.assertEqual(done.returncode, 0, done.stderr)
        results = self.results()
        self.assertEqual((results["fine", "good"]["status"], results["fine", "good"]["faults"]), ("played", []))
        for name, (_, _, told) in ENDINGS.items():
            fault = results[tuple(sorted(("fine", name)))]["faults"][0]
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

    @needs_namespaces
    def test_a_crash_in_a_game_tells_the_limit_too(self):
        needy = self.bot("needy", left_turning("bytearray(300 << 20)"), memory_mb=100)
        done = self.run_config(self.write("c.json", self.walls([self.launched("fine", GREEDY), needy], match={"games": 1}, no_show_after="1s")))
        self.assertEqual(done.returncode, 0, done.stderr)
        crashes = [fault for fault in self.results()["fine", "needy"]["faults"] if fault["code"] == "crashed"]
        self.assertEqual(len(crashes), 1)
        self.assertIn("needy's process has ended", crashes[0]["message"])
        self.assertIn("may have 100 MB (\"memory_mb\" in the config", crashes[0]["message"])

    @needs_namespaces
    def test_a_late_fault_tells_what_keeps_the_bot_from_answering(self):
        bot = self.bot("bot", left_turning("import signal; os.kill(os.getpid(), signal.SIGSTOP)"))
        done = self.run_config(self.write("c.json", self.walls([self.launched("fine", GREEDY), bot], match={"games": 1})))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("its process is stopped (it stopped itself", "".join(fault["message"] for fault in self.results()["bot", "fine"]["faults"]))

    # A bot with a door of its own needs no place among those that dial the referee's port.
    def test_who_finds_no_place_for_its_connection_is_told_so(self):
        bots = [self.launched(name, GREEDY, speaks="tcp", start_within="20s") for name in ("ann", "bob")]
        config = self.walls(bots, match={"games": 1}, no_show_after="1s")
        config["connections"] = {"per_address": 1}
        self.write("c.json", config)
        done = self.run_config(self.path("c.json"), ["--unsandboxed"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the referee refused its connection (too_many_connections)", done.stderr)
        self.assertIn("too_many_connections", self.results()["ann", "bob"]["faults"][0]["message"])

    # A PATH with a bubblewrap of this shape alone. As root one below /tmp would not be found: bots' files are shown there.
    def with_bubblewrap(self, script, *arguments):
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            os.chmod(folder, 0o755)
            if script:
                program = os.path.join(folder, "bwrap")
                with open(program, "w") as file:
                    file.write("#!/bin/sh\n" + script)
                os.chmod(program, 0o755)
            return referee(*arguments, env={**os.environ, "PATH": folder})

    def test_a_bubblewrap_that_is_of_no_use_is_told_with_what_helps(self):
        config = self.write("c.json", {**self.walls([self.launched("ann", GREEDY), self.launched("bob", GREEDY)], match={"games": 1}),
                                       "sandbox": {"min_tier": "B"}})
        old = "[ \"$1\" = --version ] && { echo 'bubblewrap 0.3.1'; exit 0; }\necho 'bwrap: Unknown option --as-pid-1' >&2; exit 1"
        for command in (["check", config], ["run", config, "--out", self.path("out")]):
            done = self.with_bubblewrap(old, *command)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("bwrap --version' says 'bubblewrap 0.3.1' (install version 0.4 or newer", done.stderr)
            self.assertIn('"sandbox": {"min_tier": "B"} in the config asks for tier B at least', done.stderr)
        self.assertIn("no command launches these bots", self.with_bubblewrap("", "check", config).stderr)

    def test_a_bubblewrap_that_cannot_be_executed_is_told_as_one(self):
        config = self.write("c.json", self.walls([self.launched("ann", GREEDY), self.launched("bob", GREEDY)], match={"games": 1}))
        os.mkdir(self.path("programs"))
        program = self.write("programs/bwrap", "#!/no/such/shell\n")
        os.chmod(program, 0o755)
        done = referee("check", config, env={**os.environ, "PATH": self.path("programs")})
        self.assertIn("bubblewrap (bwrap) could not be executed: No such file or directory", done.stderr)
        self.assertIn("apt install bubblewrap", done.stderr)
        self.assertNotIn("referee-exec-shim", done.stderr)

    def test_check_tells_for_which_command_it_speaks(self):
        config = self.write("c.json", self.walls([self.launched("ann", GREEDY), self.launched("bob", GREEDY)], match={"games": 1}))
        done = self.with_bubblewrap("", "check", config)
        if "without a sandbox" in done.stderr:
            self.skipTest("this machine gives no tier C")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("'referee run' launches these bots, and 'referee serve' does not", done.stderr)
        self.assertIn("referee serve asks for tier B at least", done.stderr)

    def test_limits_that_cannot_hold_are_told_by_check_and_at_the_start(self):
        ann = self.launched("ann", GREEDY, memory_mb=1 << 20, processes=1 << 22)
        config = self.write("c.json", self.walls([ann, self.launched("bob", GREEDY)], match={"games": 1}))
        for command in (["check", config], ["run", config, "--out", self.path("out"), "--quiet"]):
            done = referee(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
            if "without a sandbox" in done.stderr:
                self.skipTest("this machine gives no sandbox")
            self.assertRegex(done.stderr, r'the machine has \d+ MB of memory, and these bots may have as much or more: .*: "ann"\n')
            self.assertRegex(done.stderr, r'the kernel makes at most \d+ processes and threads in all, .*: "ann"\n')

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

"""Runs each command that the README shows, in its order, from the top of the sources.

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE.
"""
import os
import re
import subprocess
import time
import unittest

from harness import BIN, LONG, SOURCE, ProgramTest

PROGRAM = "build/release/bin/"
# These are not run here: scripts/demo, the tests, the package's test and the soak run them.
ELSEWHERE = ("scripts/", "cmake ", "systemctl ", "referee ctl ", "apt ")


def commands(page):
    with open(os.path.join(SOURCE, page)) as file:
        lines = [line[4:] for line in file.read().splitlines() if re.match(r" {4}\S", line)]
    return [re.sub(r"\s+#.*", "", line) for line in lines]


class ReadmeTest(ProgramTest):
    def shell(self, command, **options):
        here = command.replace(PROGRAM, BIN + "/").replace(" out/", f" {self.folder}/out/")
        return subprocess.run(here, shell=True, cwd=SOURCE, capture_output=True, text=True, timeout=LONG, **options)

    def serve(self, command):
        here = command.replace(PROGRAM, BIN + "/").replace(" out/", f" {self.folder}/out/")
        daemon = subprocess.Popen(["sh", "-c", "exec " + here], cwd=SOURCE, stderr=subprocess.DEVNULL)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        deadline = time.monotonic() + LONG
        while not os.path.exists(self.path("out/week/control.sock")) and time.monotonic() < deadline:
            time.sleep(0.05)

    def test_the_commands_work(self):
        self.assertTrue(os.path.isdir(os.path.join(SOURCE, "configs")))
        ran = []
        for command in commands("README.md"):
            if command.startswith(ELSEWHERE):
                continue
            with self.subTest(command=command):
                self.assertTrue(command.startswith(PROGRAM), "a command that no test knows how to run")
                ran.append(command)
                if " serve " in command:
                    self.serve(command)
                    continue
                if "--human" in command:
                    done = self.shell(command, input="R\nquit\n")
                    self.assertIn("turn 1", done.stdout, done.stderr)
                    continue
                done = self.shell(command.replace(" --watch", ""))
                self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(len(ran), 8)


if __name__ == "__main__":
    unittest.main()

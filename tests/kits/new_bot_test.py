"""`referee new-bot`: each bot that it writes is built as its page says, plays a whole game within the rules, and has no wrong corner.

    new_bot_test.py LANG [unittest's options]

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE. Ends with 77 where the language is
not in this sample (tests/sample.py), or not installed.
"""
import json
import os
import subprocess
import sys
import unittest

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path[:0] = [os.path.join(TESTS, "program"), TESTS]

from harness import BIN, ProgramTest
from languages import SAMPLED_OF, chosen
from sample import sample_number

GAMES = sorted(name.removesuffix(".py") for name in os.listdir(os.path.join(TESTS, os.pardir, "sample_bots/templates/python")))
# The system's own programs first: those of a home can't be read in the sandbox.
ENVIRONMENT = {**os.environ, "PATH": os.pathsep.join([BIN, "/usr/bin", "/bin", os.environ["PATH"]])}
# A busy machine starts an interpreter slowly; thinking times are another test's business.
PATIENT = " --budget 20s"

language = ""  # the command line says which


def commands(page):
    """The lines of the page that are commands, by how they begin."""
    return [line[4:] for line in page.splitlines() if line.startswith("    ")]


class NewBotTest(ProgramTest):
    def shell(self, command):
        done = subprocess.run(command, shell=True, cwd=self.path("bot"), env=ENVIRONMENT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")
        return done.stdout

    def write_bot(self, game):
        done = self.exits(0, "new-bot", language, game, self.path("bot"))
        self.assertEqual(done.stdout, self.read("bot/README.md"))
        return commands(done.stdout)

    @staticmethod
    def to_the_letter(game):
        """Whether it is optimised as the page says: one game in a sample. That takes a compiler twice as long, of a library that is the
        same for each."""
        number = sample_number()
        return number is None or GAMES.index(game) == number // SAMPLED_OF % len(GAMES)

    def play_and_check(self, game):
        install, *builds, play, check, connect = self.write_bot(game)
        self.assertTrue(install.startswith("sudo apt install "))
        self.assertTrue(connect.startswith("REFEREE_ADDRESS="))
        for build in builds:
            self.shell(build if self.to_the_letter(game) else build.replace(" -O2 ", " -O0 "))
        self.assertTrue(play.startswith(f"referee play {game} "))
        result = json.loads(self.shell(play + " --json" + PATIENT))["result"]
        self.assertEqual(result["status"], "played")
        self.assertGreater(result["valid_moves"][0], 0)
        # A light cycle without a way out can't be helped.
        own = [fault for fault in result["faults"] if fault["seat"] == 0 and not (game == "light_cycles" and fault["code"] == "illegal")]
        self.assertEqual(own, [])
        self.assertTrue(check.startswith("referee check-bot "))
        report = json.loads(self.shell(check.replace("check-bot", "check-bot --json" + PATIENT)))
        self.assertEqual(report["games"], [game])
        self.assertEqual([one for one in report["corners"] if one["verdict"] == "wrong"], [])


def add_test(game):
    setattr(NewBotTest, "test_" + game, lambda self: self.play_and_check(game))


for each in GAMES:
    add_test(each)


if __name__ == "__main__":
    # Those whose kit is left out, so that each run looks at each language.
    language = chosen("new-bot", 1)
    unittest.main()

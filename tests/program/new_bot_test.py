"""`referee new-bot`: what it refuses, and what it leaves alone. That its bots play is seen by tests/kits/new_bot_test.py."""
import os
import shutil
import subprocess
import unittest

from harness import LONG, REFEREE, SOURCE, ProgramTest, referee


class NewBotMistakesTest(ProgramTest):
    def test_a_bot_is_written_with_its_kit_and_a_page(self):
        done = referee("new-bot", "python", "walls", self.path("deep/bot"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.path("deep/bot"))), ["README.md", "my_bot.py", "referee_bot.py", "referee_games.py"])

    def test_an_empty_folder_is_good(self):
        os.mkdir(self.path("bot"))
        self.assertEqual(referee("new-bot", "c", "superball", self.path("bot")).returncode, 0)

    def test_nothing_of_mine_is_touched(self):
        self.write("mine", "my own")
        for folder, told in ((self.folder, "with something in it"), (self.path("mine"), "which is no folder")):
            done = referee("new-bot", "python", "walls", folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(told, done.stderr)
        self.assertEqual(os.listdir(self.folder), ["mine"])
        self.assertEqual(self.read("mine"), "my own")

    def test_unknown_words(self):
        for words, told in ((["cobol", "walls"], "LANG: expected one of python, cpp, c, java, javascript, octave, racket, found cobol"),
                            (["python", "chess"], "GAME: ")):
            done = referee("new-bot", *words, self.path("bot"))
            self.assertEqual(done.returncode, 2)
            self.assertIn(told, done.stderr)
            self.assertFalse(os.path.exists(self.path("bot")))

    def test_an_installed_program_finds_the_kits_beside_it(self):
        os.makedirs(self.path("usr/bin"))
        installed = shutil.copy(REFEREE, self.path("usr/bin/referee"))

        def write_bot():
            return subprocess.run([installed, "new-bot", "octave", "walls", self.path("bot")], capture_output=True, text=True, timeout=LONG)

        done = write_bot()
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("share/referee/sample_bots", done.stderr)
        self.assertFalse(os.path.exists(self.path("bot")))
        os.makedirs(self.path("usr/share/referee"))
        os.symlink(os.path.join(SOURCE, "sample_bots"), self.path("usr/share/referee/sample_bots"))
        done = write_bot()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.path("bot"))), ["README.md", "my_bot.m", "referee_bot.m"])

    def test_a_folder_that_can_not_be_made(self):
        self.write("mine", "my own")
        done = referee("new-bot", "python", "walls", self.path("mine/bot"))
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("can't be written", done.stderr)


if __name__ == "__main__":
    unittest.main()

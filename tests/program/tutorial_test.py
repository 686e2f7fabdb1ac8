"""A newcomer's first bot: the tutorial of sample_bots/README.md, followed to the letter (each of its commands, in its order, from the
top of the sources; only the port is another, and the folder out/), and `referee new-bot`.
"""
import json
import os
import re
import shutil
import socket
import subprocess

from harness import BIN, LONG, REFEREE, SOURCE, ProgramTest, held_port, wait_until

PROGRAM = "build/release/bin/"
LADDER = "sample_bots/ladder.json"
PORT = "7777"


def section():
    with open(os.path.join(SOURCE, "sample_bots/README.md")) as page:
        return page.read().split("## From nothing to a bot on the ladder\n")[1].split("\n## ")[0]


class TutorialTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.port = str(held_port(self))
        with open(os.path.join(SOURCE, LADDER)) as ladder:
            self.ladder = self.write("ladder.json", ladder.read().replace(PORT, self.port))
        self.environment = {**os.environ, "PATH": os.pathsep.join([BIN, "/usr/bin", "/bin", os.environ["PATH"]])}
        self.served = ""

    def here(self, command):
        return (command.replace(LADDER, self.ladder).replace(PROGRAM, BIN + "/").replace("out/", f"{self.folder}/out/")
                .replace(":" + PORT, ":" + self.port))

    def keep_running(self, command):
        log = open(self.path("log"), "a")
        self.addCleanup(log.close)
        running = self.spawn(["sh", "-c", re.sub(r"^((\w+=('[^']*'|\S+) )*)", r"\1exec ", self.here(command))], cwd=SOURCE, env=self.environment,
                             stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return running

    def run_to_its_end(self, command):
        done = subprocess.run(self.here(command), shell=True, cwd=SOURCE, env=self.environment, capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def by_hand(self, dialog):
        """What the page shows of a netcat, typed into a socket."""
        with socket.create_connection(("127.0.0.1", int(self.port)), timeout=LONG) as link, link.makefile("r", encoding="utf-8") as lines:
            for line in dialog.strip().splitlines():
                if line.startswith("> "):
                    link.sendall(line[2:].encode() + b"\n")
                    continue
                wanted = re.search(r'"type":"(\w+)"', line).group(1)
                said = json.loads(lines.readline())
                while said["type"] == "note":
                    said = json.loads(lines.readline())
                self.assertEqual(said["type"], wanted, said)

    def test_each_command(self):
        text = section()
        dialog = text.split("```netcat\n")[1].split("```")[0]
        commands = re.findall(r"^ {4}(\S.*)$", text, re.M)
        ran = []
        for command in commands:
            with self.subTest(command):
                ran.append(command)
                if " serve " in command:
                    self.keep_running(command)
                    wait_until(lambda: os.path.exists(self.path("out/ladder/control.sock")), "the daemon")
                elif command.startswith("nc "):
                    self.by_hand(dialog)
                elif command.endswith("my_bot.py") and command.startswith("REFEREE_ADDRESS="):
                    self.keep_running(command)
                    wait_until(lambda: "is over: place" in self.read("log"), "a game on the ladder")
                else:
                    said = self.run_to_its_end(command)
                    if command.endswith(" games"):
                        self.assertIn("practice/", said)
                    if command.endswith(" bots"):
                        self.assertIn("ada", said)
                    if " check-bot " in command:
                        self.assertIn("nothing is wrong in", said)
        self.assertGreaterEqual(len(ran), 8)


class NewBotMistakesTest(ProgramTest):
    """`referee new-bot`: what it refuses, and what it leaves alone. That its bots play is seen by tests/kits/new_bot_test.py."""

    def test_unknown_words_are_told_and_nothing_of_mine_is_touched(self):
        self.write("mine", "my own")
        for status, words, told in ((2, ["python", "walls", self.folder], "with something in it"), (2, ["python", "walls", self.path("mine")], "which is no folder"),
                                    (3, ["python", "walls", self.path("mine/bot")], "can't be written"), (2, ["python", "chess", self.path("bot")], "GAME: "),
                                    (2, ["cobol", "walls", self.path("bot")], "LANG: expected one of python, cpp, c, java, javascript, octave, racket, found cobol")):
            self.assertIn(told, self.exits(status, "new-bot", *words).stderr)
        self.assertEqual(os.listdir(self.folder), ["mine"])
        self.assertEqual(self.read("mine"), "my own")

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

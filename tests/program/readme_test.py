"""Runs each command that README.md and OPERATING.md show, in their order, from the top of the sources; and a newcomer's first bot: the
tutorial of sample_bots/README.md, followed to the letter (only the port is another, and the folder out/), and `referee new-bot`.
"""
import json
import os
import re
import shutil
import socket
import subprocess

from harness import BIN, LONG, REFEREE, SOURCE, ProgramTest, held_port, left_turning, wait_until

PROGRAM = "build/release/bin/"
LADDER, PORT = "sample_bots/ladder.json", "7777"
# These are not run here: scripts/demo, the tests, the package's test and the soak run them.
ELSEWHERE = ("scripts/", "cmake ", "systemctl ", "referee ctl ", "apt ")


def commands(page):
    with open(os.path.join(SOURCE, page)) as file:
        lines = [line[4:] for line in file.read().splitlines() if re.match(r" {4}\S", line)]
    return [re.sub(r"\s+#.*", "", line) for line in lines]


class CommandsTest(ProgramTest):
    def here(self, command):
        return command.replace(PROGRAM, BIN + "/").replace(" out/", f" {self.folder}/out/")

    def shell(self, command, **options):
        return subprocess.run(self.here(command), shell=True, cwd=SOURCE, capture_output=True, text=True, timeout=LONG, **options)

    def serve(self, command):
        daemon = self.spawn(["sh", "-c", "exec " + self.here(command)], cwd=SOURCE, stderr=subprocess.DEVNULL)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)  # so that it leaves no jobs behind
        folder = re.search(r" --out (\S+)", command)[1]
        wait_until(lambda: os.path.exists(self.path(folder + "/control.sock")), "the daemon")

    def works(self, command, **options):
        done = self.shell(command, **options)
        self.assertEqual(done.returncode, 0, done.stderr)


class ReadmeTest(CommandsTest):
    def test_the_commands_work(self):
        ran = []
        for command in commands("README.md") + commands("OPERATING.md"):
            if command.startswith(ELSEWHERE) or " review " in command:
                continue
            with self.subTest(command=command):
                self.assertTrue(command.startswith(PROGRAM), "a command that no test knows how to run")
                ran.append(command)
                if " serve " in command:
                    self.serve(command)
                elif " start friday" in command:  # nobody has registered yet, and house bots take nobody's place
                    self.assertIn("friday can't begin: the field is empty", self.shell(command).stderr)
                elif "--human" in command:
                    self.assertIn("turn 1", self.shell(command, input="R\nquit\n").stdout)
                else:
                    self.works(command.replace(" --watch", ""))
        self.assertGreaterEqual(len(ran), 8)

    def test_a_class_in_ten_minutes_works_when_it_is_pasted(self):
        page = self.read(os.path.join(SOURCE, "configs/README.md")).split("## A class in ten minutes")[1].split("\n## ")[0]
        blocks = [re.sub("(?m)^ {7}", "", block) for block in re.findall(r"(?m)(?:^ {7}.*\n)+", page)]
        self.write("friday.json", blocks[0])
        for folder in ("bots/bob", "bots/cleo", "build/release"):
            os.makedirs(self.path(folder))
        shutil.copy(os.path.join(BIN, "walls-random"), self.path("bots/cleo/cleo"))
        self.write("bots/bob/bob.py", left_turning())
        (found,) = [line for line in blocks[1].splitlines() if line.startswith("PATH=")]
        os.symlink(BIN, self.path("build/release/bin"))
        orders = [line for block in blocks[1:4] for line in block.splitlines() if line.startswith("referee ")]
        self.assertEqual(len(orders), 4)
        for order in orders:
            with self.subTest(order=order):
                pasted = f"{found}\n{order.replace(' --open', '')}"
                done = subprocess.run(pasted, shell=True, cwd=self.folder, capture_output=True, text=True, timeout=LONG)
                self.assertEqual(done.returncode, 0, done.stderr)


class TutorialTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.port = str(held_port(self))
        self.ladder = self.write("ladder.json", self.read(SOURCE, LADDER).replace(PORT, self.port))
        self.environment = {**os.environ, "PATH": os.pathsep.join([BIN, "/usr/bin", "/bin", os.environ["PATH"]])}

    def here(self, command):
        return (command.replace(LADDER, self.ladder).replace(PROGRAM, BIN + "/").replace("out/", f"{self.folder}/out/")
                .replace(":" + PORT, ":" + self.port))

    def keep_running(self, command):
        log = self.enterContext(open(self.path("log"), "a"))
        self.spawn(["sh", "-c", re.sub(r"^((\w+=('[^']*'|\S+) )*)", r"\1exec ", self.here(command))], cwd=SOURCE, env=self.environment,
                   stdin=subprocess.DEVNULL, stdout=log, stderr=log)

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
        text = self.read(os.path.join(SOURCE, "sample_bots/README.md")).split("## From nothing to a bot on the ladder\n")[1].split("\n## ")[0]
        dialog = text.split("```netcat\n")[1].split("```")[0]
        commands = re.findall(r"^ {4}(\S.*)$", text, re.M)
        self.assertGreaterEqual(len(commands), 8)
        for command in commands:
            with self.subTest(command):
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


class NewBotMistakesTest(ProgramTest):
    """`referee new-bot`: what it refuses, and what it leaves alone. That its bots play is seen by tests/kits/new_bot_test.py."""

    def test_unknown_words_are_told_and_nothing_of_mine_is_touched(self):
        self.write("mine", "my own")
        for status, words, told in ((2, ["python", "walls", self.folder], "with something in it"),
                                    (3, ["python", "walls", self.path("mine/bot")], "can't be written"),
                                    (2, ["python", "chess", self.path("bot")], "GAME: "),
                                    (2, ["cobol", "walls", self.path("bot")], "LANG: expected one of python, ")):
            self.exits(status, "new-bot", *words, told=told)
        self.assertEqual((os.listdir(self.folder), self.read("mine")), (["mine"], "my own"))

    def test_an_installed_program_finds_the_kits_beside_it(self):
        os.makedirs(self.path("usr/bin"))
        os.makedirs(self.path("usr/share/referee"))
        words = [shutil.copy(REFEREE, self.path("usr/bin/referee")), "new-bot", "octave", "walls", self.path("bot")]
        done = subprocess.run(words, capture_output=True, text=True, timeout=LONG)
        self.assertEqual((done.returncode, "share/referee/sample_bots" in done.stderr), (3, True), done.stderr)
        os.symlink(os.path.join(SOURCE, "sample_bots"), self.path("usr/share/referee/sample_bots"))
        subprocess.run(words, check=True, capture_output=True, timeout=LONG)
        self.assertEqual(sorted(os.listdir(self.path("bot"))), ["README.md", "my_bot.m", "referee_bot.m"])


# Needs the machine for itself: a review gives way to whatever else it does.
class CalmReadmeTest(CommandsTest):
    def test_a_review_works(self):
        (review,) = [command for command in commands("README.md") if " review " in command]
        game = review.split()[2]
        (played,) = [command for command in commands("README.md") if f" --replay {game}" in command and " review " not in command]
        self.works(played)
        # In a session of its own, because it gives way to whatever its session does.
        self.works(review, start_new_session=True)

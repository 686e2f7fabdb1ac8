"""Runs each command that README.md and OPERATING.md show, in their order, from the top of the sources."""
import os
import re
import shutil
import subprocess

from harness import BIN, LONG, SOURCE, ProgramTest, left_turning, wait_until

PROGRAM = "build/release/bin/"
# These are not run here: scripts/demo, the tests, the package's test and the soak run them.
ELSEWHERE = ("scripts/", "cmake ", "systemctl ", "referee ctl ", "apt ")


def commands(page):
    with open(os.path.join(SOURCE, page)) as file:
        lines = [line[4:] for line in file.read().splitlines() if re.match(r" {4}\S", line)]
    return [re.sub(r"\s+#.*", "", line) for line in lines]


class CommandsTest(ProgramTest):
    def shell(self, command, **options):
        here = command.replace(PROGRAM, BIN + "/").replace(" out/", f" {self.folder}/out/")
        return subprocess.run(here, shell=True, cwd=SOURCE, capture_output=True, text=True, timeout=LONG, **options)

    def serve(self, command):
        here = command.replace(PROGRAM, BIN + "/").replace(" out/", f" {self.folder}/out/")
        daemon = self.spawn(["sh", "-c", "exec " + here], cwd=SOURCE, stderr=subprocess.DEVNULL)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)  # so that it leaves no jobs behind
        folder = re.search(r" --out (\S+)", command)[1]
        wait_until(lambda: os.path.exists(self.path(folder + "/control.sock")), "the daemon")

    def works(self, command, **options):
        done = self.shell(command, **options)
        self.assertEqual(done.returncode, 0, done.stderr)


class ReadmeTest(CommandsTest):
    def test_the_commands_work(self):
        self.assertTrue(os.path.isdir(os.path.join(SOURCE, "configs")))
        ran = []
        for command in commands("README.md") + commands("OPERATING.md"):
            if command.startswith(ELSEWHERE) or " review " in command:
                continue
            with self.subTest(command=command):
                self.assertTrue(command.startswith(PROGRAM), "a command that no test knows how to run")
                ran.append(command)
                if " serve " in command:
                    self.serve(command)
                    continue
                if " start friday" in command:
                    # Nobody has registered yet, and house bots take nobody's place.
                    self.assertIn("friday can't begin: the field is empty", self.shell(command).stderr)
                    continue
                if "--human" in command:
                    done = self.shell(command, input="R\nquit\n")
                    self.assertIn("turn 1", done.stdout, done.stderr)
                    continue
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


# Needs the machine for itself: a review gives way to whatever else it does.
class CalmReadmeTest(CommandsTest):
    def test_a_review_works(self):
        (review,) = [command for command in commands("README.md") if " review " in command]
        game = review.split()[2]
        (played,) = [command for command in commands("README.md") if f" --replay {game}" in command and " review " not in command]
        self.works(played)
        # In a session of its own, because it gives way to whatever its session does.
        self.works(review, start_new_session=True)

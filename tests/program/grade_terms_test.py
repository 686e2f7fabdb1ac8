"""On which terms `referee grade` works: its time, what the machine lacks, what a student may read, where it writes."""
import fcntl
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

from grade_test import GradingTest, rubric
from harness import BIN, READS, left_turner, thinks
from sandbox_test import needs_namespaces


class GradeTermsTest(GradingTest):
    def test_what_the_machine_lacks_is_nobodys_zero(self):
        self.submission("ann", command=["octave", "bot.m"])
        self.submission("bob", command=["./bot.py"])
        self.script("bob", "#!/usr/bin/env racket")
        self.submission("cat", command=["./bot.py"])
        self.script("cat", "#!/usr/bin/env no-such-language")
        self.submission("dan", command=["./none"])
        self.submission("eve", command=["walls-greedy"])
        # The machine has nothing but what lies beside the referee, and what makes the sandbox.
        # A user of its own makes the sandbox, and finds none of its programs below /tmp.
        programs = tempfile.mkdtemp(dir="/var/tmp")
        self.addCleanup(shutil.rmtree, programs)
        os.chmod(programs, 0o755)
        for program in filter(shutil.which, ("bwrap", "setpriv", "env")):
            os.symlink(shutil.which(program), os.path.join(programs, program))
        self.grade(more=["--all", self.path("class")], env={**os.environ, "PATH": programs}, status=3, told="apt-get install octave")
        final = {name: self.json("out", name, "grade.json")["final"] for name in ("ann", "bob", "cat", "dan", "eve")}
        self.assertEqual(final, {"ann": False, "bob": False, "cat": False, "dan": True, "eve": True})
        self.assertIn("apt-get install racket", json.dumps(self.json("out", "bob", "grade.json")))
        self.assertIn("this machine has no 'no-such-language'", json.dumps(self.json("out", "cat", "grade.json")))
        self.assertEqual(self.json("out", "dan", "grade.json")["points"], 0)
        self.assertGreaterEqual(self.json("out", "eve", "grade.json")["points"], 10)

    def test_what_the_machine_lacks_for_the_only_submission_is_no_mistake_of_the_rubric(self):
        self.submission("ann", command=["/usr/bin/no-such-octave", "bot.m"])
        self.grade(more=["--all", self.path("class")], status=3, told="this machine has no '/usr/bin/no-such-octave'")
        self.assertFalse(self.json("out", "ann", "grade.json")["final"])

    # Interpreters of version managers.

    def installed(self, prefix, name):
        """A program that needs what lies in the folder that it was installed in."""
        for folder in ("bin", "lib"):
            os.makedirs(self.path(f"{prefix}/{folder}"))
        shutil.copy(os.path.join(BIN, "walls-greedy"), self.path(f"{prefix}/lib/greedy"))
        os.chmod(self.write(f"{prefix}/bin/{name}", f"#!/bin/sh\nexec {self.path(prefix)}/lib/greedy\n"), 0o755)
        return self.path(f"{prefix}/bin")

    @needs_namespaces
    def test_what_starts_outside_of_the_sandbox_alone_is_nobodys_zero(self):
        os.chmod(self.folder, 0o755)
        own = self.installed("own", "python-of-ann")
        self.submission("ann", command=["python-of-ann", "bot.py"])
        self.submission("bob", command=["./bot.py"])
        self.script("bob", "#!/bin/sh\nexit 127")
        env = {**os.environ, "PATH": own + ":" + os.environ["PATH"]}
        self.grade(more=["--all", self.path("class")], env=env, status=3)
        told = f"give it \"reads\": [\"{self.path('own')}\"]"
        self.assertIn(told, json.dumps(self.json("out", "ann", "grade.json")["troubles"]).replace('\\"', '"'))
        self.assertIsNone(self.json("out", "ann", "grade.json")["points"])
        self.assertEqual(self.json("out", "bob", "grade.json")["points"], None, "what its script starts may be missing")
        done = self.exits(3, "play", "walls", "--bot", "python-of-ann", "--bot", "random", env=env)
        self.assertIn(told, done.stdout + done.stderr)

    # What is lost after it was collected, and what a script doesn't find.

    def test_what_was_built_and_is_lost_since_is_nobodys_zero(self):
        os.chmod(self.folder, 0o755)
        for name in ("ann", "bob", "cay"):
            self.submission(name, command=["./player"], directory="build", build={"result": "built"})
            os.makedirs(self.path(f"class/{name}/build"))
            shutil.copy(os.path.join(BIN, "walls-greedy"), self.path(f"class/{name}/build/player"))
        self.submission("dan", command=[sys.executable, "main.py"], made_from="all of it")
        os.chmod(self.path("class/ann/build/player"), 0o644)
        os.remove(self.path("class/bob/build/player"))
        os.rename(self.path("class/cay/build"), self.path("class/cay/away"))
        self.grade(more=["--all", self.path("class")], status=3)
        for name, why in (("ann", "may not be executed"), ("bob", "no such file"), ("cay", "build"), ("dan", "main.py' is not there any more")):
            grade = self.json("out", name, "grade.json")
            self.assertEqual((grade["final"], grade["points"]), (False, None), name)
            self.assertIn(why, grade["troubles"][0])
        os.chmod(self.path("class/ann/build/player"), 0o755)
        shutil.copy(self.path("class/ann/build/player"), self.path("class/bob/build/player"))
        os.rename(self.path("class/cay/away"), self.path("class/cay/build"))
        os.rename(self.path("class/dan/bot.py"), self.path("class/dan/main.py"))
        self.grade(more=["--all", self.path("class")], status=0)
        self.assertGreaterEqual(min(self.json("out", name, "grade.json")["points"] for name in ("ann", "bob", "cay", "dan")), 10)

    def test_what_a_script_does_not_find_is_nobodys_zero_and_is_tried_again(self):
        os.chmod(self.folder, 0o755)
        self.script("ann", "#!/bin/sh\nexec ./player")
        directory = ["--directory", self.path("class/ann")]
        done = self.grade("./bot.py", more=directory, status=1)
        self.assertIn("The program was started by \"./bot.py\", and ended before its first move with exit status 126 or 127", done.stdout)
        grade = self.json("out", "grade.json")
        self.assertEqual((grade["final"], grade["points"]), (False, None))
        shutil.copy(os.path.join(BIN, "walls-greedy"), self.path("class/ann/player"))
        self.grade("./bot.py", more=directory, status=0)

    # The time of a submission.

    def test_a_program_that_thinks_beyond_the_time_fails_what_was_not_played(self):
        slow = " ".join(map(shlex.quote, left_turner(thinks(0.4))))
        games = []
        for _ in range(2):
            self.grade(slow, rubric(time_max="1s"), status=1)
            games.append(self.games())
        self.assertEqual(*games)
        grade = self.json("out", "grade.json")
        self.assertTrue(grade["final"])
        self.assertIn("longer than the 1 s that the rubric allows", grade["steps"][0]["reason"])

    def test_time_that_others_took_is_nobodys_zero_and_goes_on(self):
        bots = [{"name": "random", "launch": left_turner(thinks(0.2)), "reads": READS},
                {"name": "greedy", "launch": ["walls-greedy"]}]
        text = rubric(time_max="1s", bots=bots)
        self.grade("walls-greedy", text, status=3)  # it hardly thinks, also where the build is a slow one
        self.assertIn("2 s of games were over", self.json("out", "grade.json")["steps"][0]["reason"])
        text["time_max"] = "1h"
        self.grade("walls-greedy", text, status=0)

    def test_on_a_full_disk_it_ends_and_goes_on_when_there_is_room(self):
        self.small_disk(2)
        text = rubric()
        text["series"][0]["match"]["games"] = 600
        self.grade("walls-greedy", text, status=3, told="No space left on device")
        subprocess.run(["mount", "-o", "remount,size=64m", self.path("out")], check=True)
        self.grade("walls-greedy", text, status=0)

    def test_a_test_ends_when_it_is_known_or_its_program_is_withdrawn(self):
        text = rubric(**{"pass": 10})
        text["series"] = [{"id": "test", "opponents": ["greedy"], "match": {"games": 2}, "clock": {"budget": "100ms"}, "as_good_as": {}}]
        text["steps"] = [{"id": "good", "title": "Good", "points": 10, "series": ["test"], "rule": {"kind": "is_as_good"}}]
        no_move = shlex.join(left_turner("m.update(turn=-1)"))
        for again in (False, True):
            self.grade(no_move, text, status=1)
            self.assertEqual(self.games(), 2 * 2)
            reason = self.json("out", "grade.json")["steps"][0]["reason"]
            self.assertEqual(reason, "it gave no valid move in 2 matches in a row, so the rest was not played", again)
            self.assertRegex(self.json("out", "grade.json")["steps"][0]["advice"][0], r"/1\.1.* and 3 more times \(1\.2, 2\.1 to 2\.2\): ")
        text["series"][0].update(opponents=["random"], clock={"budget": "10s"})
        self.grade("walls-greedy", text, out="good", status=0)
        self.assertLess(self.games("good"), 2 * 300, "it ends when it is known")

    def test_the_time_is_told_beforehand(self):
        told = self.grade("walls-greedy", rubric(time_max="20m")).stdout
        self.assertIn("1 submission, 2 series, 6 games\n", told)
        self.assertRegex(told, r"takes at worst .* \(a likely time isn't known before such games were played\); the rubric allows a program 20 min of thinking, and its games "
                               r"run for 40 min at most\n")

    # What a student may read.

    def hiding(self):
        text = rubric()
        text["series"][1] = {**text["series"][1], "id": "top-secret", "hidden": True}
        text["bots"][1]["name"] = "mole"
        text["series"][1]["opponents"] = ["mole"]
        text["steps"] = [{**text["steps"][1]}, {"id": "masked", "title": "More games", "points": 15, "hidden": True, "series": ["top-secret"],
                                                "rule": {"kind": "faultless"}}]
        return text

    def test_the_screen_tells_of_a_hidden_step_only_its_title_and_points(self):
        crasher = shlex.join(left_turner("print('::error::' + line, file=sys.stderr); sys.exit(4)"))
        done = self.grade(crasher, self.hiding())
        shown = done.stdout + done.stderr
        self.assertIn("More games: ", shown)
        self.assertNotRegex(shown, "top-secret|mole|setup")
        self.assertNotRegex(shown, "(?m)^ *::", "GitHub would obey it")
        self.assertIn("top-secret", self.grade(crasher, self.hiding(), more=["--instructor"]).stdout)
        self.assertIn("exit status 4", self.read("out", "grading.log"))
        text = self.hiding()
        text["bots"][1]["launch"] = ["/no/such/mole"]
        done = self.grade("walls-greedy", text, status=3)
        self.assertNotIn("mole", done.stdout + done.stderr)
        self.assertIn("/no/such/mole", self.read("out", "grading.log"))

    # A dry run.

    def test_a_dry_run_grades_the_rubrics_own_bots_or_those_of_the_game(self):
        rubric_file = self.write("rubric.json", rubric())
        self.exits(3, "grade", "--rubric", rubric_file, "--dry-run", env={**os.environ, "TMPDIR": self.path("gone")},
                   told="no folder for the games of the dry run can be made in $TMPDIR: ")
        done = self.exits(0, "grade", "--rubric", rubric_file, "--dry-run")
        table = [line.split() for line in done.stdout.splitlines()]
        self.assertIn(["bot", "points", "legal", "beats", "level", "time"], table)
        for bot in ("random", "greedy"):
            row = next(line for line in table if line[:1] == [bot])
            self.assertEqual(row[2:5], ["of", "20", "10"], "it plays without a fault")
        text = {"title": "Snake", "game": "snake_labyrinth", "series": [{"id": "any", "match": {"games": 1}}],
                "steps": [{"id": "legal", "title": "Plays", "points": 10, "series": ["any"], "rule": {"kind": "faultless"}}]}
        done = self.exits(0, "grade", "--rubric", self.write("rubric.json", text), "--dry-run", "--out", self.path("dry"))
        self.assertIn("snake-best", done.stdout)

    # Bad input.

    def test_grades_may_lie_in_nobodys_folder(self):
        self.submission("ann")
        os.makedirs(self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), self.path("link"))
        os.symlink(self.path("class"), self.path("way"))
        for out in ("link", "class/ann", "way/ann/grades"):
            with self.subTest(out):
                self.grade(out=out, more=["--all", self.path("class")], status=2, told="--out")
                self.assertEqual(os.listdir(self.path("elsewhere")), [])
                self.assertEqual(sorted(os.listdir(self.path("class/ann"))), ["bot.py", "submission.json"])
        self.grade(more=["--all", self.path("class"), "--gradescope", self.path("results.json")], status=2, told="expected it with --bot")
        os.symlink("/usr", self.path("class/ann/link"))
        for directory in ("../..", "link", "/usr"):
            with self.subTest(directory):
                self.submission("ann", directory=directory)
                self.grade(more=["--all", self.path("class")], status=2, told="directory: expected a folder of the submission")

    def test_a_folder_in_which_somebody_grades_is_left_alone(self):
        self.grade("walls-greedy")
        before = self.json("out", "grade.json")
        with open(self.path("out/grading.lock"), "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.grade("walls-random", more=["--junit", self.path("junit.xml")], status=3, told="out is in use by process ")
        self.assertEqual((self.json("out", "grade.json"), os.path.exists(self.path("junit.xml"))), (before, False))

    def test_what_an_earlier_grading_left_is_not_taken_for_this_ones(self):
        for bot in ("walls-greedy", ""):
            junit, results = self.write("junit.xml", "old"), self.write("results.json", "old")
            self.exits(2, "grade", "--out", self.path("out"), "--junit", junit, "--gradescope", results, "--rubric", self.write("bad.json", "{}"), "--bot", bot)
            self.assertEqual((os.path.exists(junit), os.path.exists(results)), (False, False))

"""On which terms `referee grade` works: its time, what the machine lacks, what a student may read, where it writes."""
import fcntl
import hashlib
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
    def built(self, name, **more):
        """A submission as `collect` leaves it."""
        self.submission(name, command=["./player"], directory="build", build={"result": "built", **more})
        os.makedirs(self.path(f"class/{name}/build"))
        shutil.copy(os.path.join(BIN, "walls-greedy"), self.path(f"class/{name}/build/player"))
        return self.path(f"class/{name}/build")

    def test_what_the_machine_lacks_or_lost_is_nobodys_zero(self):
        os.chmod(self.folder, 0o755)
        self.submission("ann", command=["octave", "bot.m"])
        os.chmod(self.built("bob") + "/player", 0o644)
        os.remove(self.built("cay") + "/player")
        self.submission("dan", command=[sys.executable, "main.py"], made_from="all of it")
        # Its name, that it may run, and what it holds.
        with open(os.path.join(BIN, "walls-greedy"), "rb") as program:
            hashed = hashlib.sha256(b"6:player*" + hashlib.sha256(program.read()).digest()).hexdigest()
        os.truncate(self.built("eve", hash=hashed) + "/player", 1000)
        self.submission("fay", command=["./none"])
        self.submission("gus", command=["walls-greedy"])
        # The machine has nothing but what lies beside the referee, and what makes the sandbox.
        # A user of its own makes the sandbox, and finds none of its programs below /tmp.
        programs = tempfile.mkdtemp(dir="/var/tmp")
        self.addCleanup(shutil.rmtree, programs)
        os.chmod(programs, 0o755)
        for program in filter(shutil.which, ("bwrap", "setpriv", "env")):
            os.symlink(shutil.which(program), os.path.join(programs, program))
        self.grade(more=["--all", self.path("class")], env={**os.environ, "PATH": programs}, status=3, told="apt-get install octave")
        for name, why in (("ann", "octave"), ("bob", "may not be executed"), ("cay", "no such file"), ("dan", "main.py' is not there any more"),
                          ("eve", "build' is not as it was built: collect the submissions again")):
            grade = self.json("out", name, "grade.json")
            self.assertEqual((grade["final"], grade["points"]), (False, None), name)
            self.assertIn(why, grade["troubles"][0])
        self.assertEqual(self.json("out", "fay", "grade.json")["points"], 0)
        self.assertGreaterEqual(self.json("out", "gus", "grade.json")["points"], 10)
        self.submission("ann")
        for name in ("bob", "cay", "eve"):
            shutil.copy(os.path.join(BIN, "walls-greedy"), self.path(f"class/{name}/build/player"))
        os.rename(self.path("class/dan/bot.py"), self.path("class/dan/main.py"))
        self.grade(more=["--all", self.path("class")], status=0)
        self.assertGreaterEqual(min(self.json("out", name, "grade.json")["points"] for name in ("ann", "bob", "cay", "dan", "eve")), 10)

    @needs_namespaces
    def test_what_starts_outside_of_the_sandbox_alone_is_nobodys_zero(self):
        # An interpreter that needs what lies in the folder that it was installed in.
        os.chmod(self.folder, 0o755)
        os.makedirs(self.path("own/lib"))
        shutil.copy(os.path.join(BIN, "walls-greedy"), self.path("own/lib/greedy"))
        os.chmod(self.write("own/bin/python-of-ann", f"#!/bin/sh\nexec {self.path('own')}/lib/greedy\n"), 0o755)
        self.submission("ann", command=["python-of-ann", "bot.py"])
        self.grade(more=["--all", self.path("class")], env={**os.environ, "PATH": self.path("own/bin") + ":" + os.environ["PATH"]}, status=3)
        grade = self.json("out", "ann", "grade.json")
        self.assertIn(f"give it \"reads\": [\"{self.path('own')}\"]", grade["troubles"][0])
        self.assertIsNone(grade["points"])

    def test_where_places_are_missing_it_asks_for_standings(self):
        text = rubric()
        text["steps"].append({"id": "place", "title": "Place", "rule": {"kind": "place", "points": [5]}})
        outputs = ["--junit", self.path("a file.xml"), "--summary", self.path("summary"), "--quiet"]
        told = self.grade("walls-greedy", text, more=outputs, status=3).stderr
        self.assertIn("give it with --standings. To go on:\n  referee grade", told)
        self.assertEqual(set(outputs) - set(shlex.split(told.splitlines()[-1])), set())
        self.assertNotIn("the same command", told)

    def test_a_program_that_thinks_beyond_the_time_fails_what_was_not_played(self):
        slow = " ".join(map(shlex.quote, left_turner(thinks(0.4))))
        self.grade(slow, rubric(time_max="1s"), status=1)
        games = self.games()
        self.grade(slow, rubric(time_max="1s"), status=1)
        self.assertEqual(self.games(), games)
        grade = self.json("out", "grade.json")
        self.assertTrue(grade["final"])
        self.assertIn("longer than the 1 s that the rubric allows", grade["steps"][0]["reason"])

    def test_time_that_others_took_is_nobodys_zero_and_goes_on(self):
        text = rubric(time_max="1s")
        text["bots"][0] = {"name": "random", "launch": left_turner(thinks(0.2)), "reads": READS}
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
        self.grade(shlex.join(left_turner("m.update(turn=-1)")), text, status=1)
        self.assertEqual(self.games(), 2 * 2)
        step = self.json("out", "grade.json")["steps"][0]
        self.assertEqual(step["reason"], "it gave no valid move in 2 matches in a row, so the rest was not played")
        self.assertRegex(step["advice"][0], r"/1\.1.* and 3 more times \(1\.2, 2\.1 to 2\.2\): ")
        text["series"][0].update(opponents=["random"], clock={"budget": "10s"})
        self.grade("walls-greedy", text, out="good", status=0)
        self.assertLess(self.games("good"), 2 * 300, "it ends when it is known")

    def test_a_program_that_hangs_in_three_games_in_a_row_plays_no_other(self):
        params = {"width": 8, "height": 8, "teams": 2, "cycles_per_team": 1, "starts": [[0, 3], [7, 4]]}
        text = rubric(game="light_cycles", bots=[{"name": "dumb", "launch": ["cycles-dumb"]}], **{"pass": 10})
        text["series"] = [{"id": "s", "opponents": ["dumb"], "params": params, "match": {"games": 5}}]
        text["steps"] = [{**text["steps"][0], "series": ["s"]}]
        # It gives its login and says that it is ready.
        hangs = f"{BIN}/cycles-dumb | (sed -u 2q; exec tail -f /dev/null)"
        self.grade(shlex.join(["sh", "-c", hangs]), text, status=1)
        self.assertEqual(self.games(), 3)
        self.assertEqual(self.json("out", "grade.json")["steps"][0]["reason"],
                         "3 games in a row ended without an answer in time, so the rest was not played")

    def test_the_screen_tells_of_a_hidden_step_only_its_title_and_points(self):
        text = rubric()
        text["series"][1].update(id="top-secret", hidden=True, opponents=["mole"])
        text["bots"][1]["name"] = "mole"
        text["steps"][0]["series"] = ["random"]
        text["steps"][2].update(title="More games", hidden=True, series=["top-secret"])
        crasher = shlex.join(left_turner("print('::error::' + line, file=sys.stderr); sys.exit(4)"))
        done = self.grade(crasher, text)
        shown = done.stdout + done.stderr
        self.assertIn("More games: ", shown)
        self.assertNotRegex(shown, "top-secret|mole|setup")
        self.assertNotRegex(shown, "(?m)^ *::", "GitHub would obey it")
        self.assertIn("top-secret", self.grade(crasher, text, more=["--instructor"]).stdout)
        self.assertIn("exit status 4", self.read("out", "grading.log"))
        text["bots"][1]["launch"] = ["/no/such/mole"]
        done = self.grade("walls-greedy", text, status=3)
        self.assertNotIn("mole", done.stdout + done.stderr)
        self.assertIn("/no/such/mole", self.read("out", "grading.log"))

    def test_a_dry_run_grades_the_rubrics_own_bots_or_those_of_the_game(self):
        rubric_file = self.write("rubric.json", rubric())
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

    def test_grades_may_lie_in_nobodys_folder(self):
        self.submission("ann")
        os.makedirs(self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), self.path("link"))
        os.symlink(self.path("class"), self.path("way"))
        for out in ("link", "way/ann/grades"):
            self.grade(out=out, more=["--all", self.path("class")], status=2, told="--out")
            self.assertEqual(os.listdir(self.path("elsewhere")), [])
            self.assertEqual(sorted(os.listdir(self.path("class/ann"))), ["bot.py", "submission.json"])
        os.symlink("/usr", self.path("class/ann/link"))
        for directory in ("../..", "link"):
            self.submission("ann", directory=directory)
            self.grade(more=["--all", self.path("class")], status=2, told="directory: expected a folder of the submission")

    def test_a_folder_in_which_somebody_grades_is_left_alone(self):
        self.grade("walls-greedy")
        before = self.json("out", "grade.json")
        with open(self.path("out/grading.lock"), "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.grade("walls-random", more=["--junit", self.path("junit.xml")], status=3, told="out is in use by process ")
        self.assertEqual((self.json("out", "grade.json"), os.path.exists(self.path("junit.xml"))), (before, False))
        junit, results = self.write("junit.xml", "old"), self.write("results.json", "old")
        self.grade("walls-greedy", {"title": "no rubric"}, more=["--junit", junit, "--gradescope", results], status=2)
        self.assertEqual((os.path.exists(junit), os.path.exists(results)), (False, False), "they are not taken for this one's")

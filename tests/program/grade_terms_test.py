"""On which terms `referee grade` works: its time, what the machine lacks, what a student may read, where it writes."""
import fcntl
import json
import os
import shlex
import shutil
import sys
import tempfile

from gradings import GradingTest, rubric
from harness import BIN, READS, left_turner, referee, thinks
from sandbox_test import needs_namespaces


# Of Light Cycles: from the corner it winds itself up, from the other side it goes straight on.
WALKER = """
import json, os, sys
def say(**message):
    print(json.dumps(message), flush=True)
wound = [[1, 0], [2, 0], [2, 1], [2, 2], [1, 2], [0, 2], [0, 1], [1, 1], [1, 0]]
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="login", name=os.environ["REFEREE_NAME"], token=os.environ["REFEREE_TOKEN"], games=["light_cycles"])
    elif m["type"] == "start":
        winds = m["state"]["cycles"][m["seat"]] == [0, 0]
        say(type="ready", game_id=m["game_id"])
    elif m["type"] == "turn":
        at = wound[m["turn"] - 1] if winds else [19 - m["turn"], 2]
        say(type="move", game_id=m["game_id"], turn=m["turn"], move=[at])
"""


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
        done = self.grade(more=["--all", self.path("class")], env={**os.environ, "PATH": programs})
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("apt-get install octave", done.stderr)
        final = {name: self.read("out", name, "grade.json")["final"] for name in ("ann", "bob", "cat", "dan", "eve")}
        self.assertEqual(final, {"ann": False, "bob": False, "cat": True, "dan": True, "eve": True})
        self.assertIn("apt-get install racket", json.dumps(self.read("out", "bob", "grade.json")))
        self.assertEqual(self.read("out", "cat", "grade.json")["points"], 0)
        self.assertEqual(self.read("out", "dan", "grade.json")["points"], 0)
        self.assertGreaterEqual(self.read("out", "eve", "grade.json")["points"], 10)

    def test_what_the_machine_lacks_for_the_only_submission_is_no_mistake_of_the_rubric(self):
        self.submission("ann", command=["/usr/bin/no-such-octave", "bot.m"])
        done = self.grade(more=["--all", self.path("class")])
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("this machine has no '/usr/bin/no-such-octave'", done.stderr)
        self.assertFalse(self.read("out", "ann", "grade.json")["final"])

    # Interpreters of version managers.

    def installed(self, prefix, name):
        """A program that needs what lies in the folder that it was installed in."""
        for folder in ("bin", "lib"):
            os.makedirs(self.path(f"{prefix}/{folder}"))
        shutil.copy(os.path.join(BIN, "walls-greedy"), self.path(f"{prefix}/lib/greedy"))
        self.script_at(f"{prefix}/bin/{name}", f"#!/bin/sh\nexec {self.path(prefix)}/lib/greedy")
        return self.path(f"{prefix}/bin")

    def script_at(self, path, text):
        os.chmod(self.file(path, text + "\n"), 0o755)

    @needs_namespaces
    def test_an_interpreter_of_a_version_manager_is_shown_to_the_sandboxed_bot(self):
        os.chmod(self.folder, 0o755)
        self.installed("pyenv/versions/3.1", "python-of-ann")
        self.file("pyenv/version", "3.1\n")
        self.script_at("pyenv/shims/python-of-ann", f"#!/bin/sh\nexec {self.path('pyenv/libexec/pyenv')} exec python-of-ann")
        self.submission("ann", command=["python-of-ann", "bot.py"])
        self.submission("bob", command=["./bot.py"])
        self.script("bob", "#!/usr/bin/env python-of-ann")
        env = {**os.environ, "PATH": self.path("pyenv/shims") + ":" + os.environ["PATH"]}
        env.pop("PYENV_VERSION", None)  # where the test's own Python is one of pyenv's
        done = self.grade(more=["--all", self.path("class")], env=env)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("ann", "bob"):
            self.assertGreaterEqual(self.read("out", name, "grade.json")["points"], 10)
        played = referee("play", "walls", "--bot", "python-of-ann", "--bot", "random", env=env)
        self.assertEqual(played.returncode, 0, played.stdout + played.stderr)

    @needs_namespaces
    def test_what_starts_outside_of_the_sandbox_alone_is_nobodys_zero(self):
        os.chmod(self.folder, 0o755)
        own = self.installed("own", "python-of-ann")
        self.submission("ann", command=["python-of-ann", "bot.py"])
        self.submission("bob", command=["./bot.py"])
        self.script("bob", "#!/bin/sh\nexit 127")
        env = {**os.environ, "PATH": own + ":" + os.environ["PATH"]}
        done = self.grade(more=["--all", self.path("class")], env=env)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        told = f"give it \"reads\": [\"{self.path('own')}\"]"
        self.assertIn(told, json.dumps(self.read("out", "ann", "grade.json")["troubles"]).replace('\\"', '"'))
        self.assertIsNone(self.read("out", "ann", "grade.json")["points"])
        self.assertEqual(self.read("out", "bob", "grade.json")["points"], 0)
        bot = {"name": "ann", "launch": ["python-of-ann"]}
        config = self.write("c.json", self.walls([bot, self.launched("fine", "walls-greedy")], match={"games": 1}))
        for command in (["play", "walls", "--bot", "python-of-ann", "--bot", "random"], ["check-bot", "python-of-ann"],
                        ["run", config, "--out", self.path("run"), "--quiet"]):
            with self.subTest(command[0]):
                done = referee(*command, env=env)
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                self.assertIn(told, done.stdout + done.stderr)

    def test_extra_points_by_place_where_some_share_one(self):
        text = rubric()
        text["steps"].append({"id": "place", "title": "A place", "extra": True, "rule": {"kind": "place", "points": [20, 10, 5]}})
        ranks = {"ann": 1, "bob": 2, "cat": 2, "dan": 4}
        for name in ranks:
            self.submission(name, command=["walls-greedy"])
        standings = self.file("standings.json", {"bots": [{"name": name, "rank": rank} for name, rank in ranks.items()]})
        done = self.grade(text=text, more=["--all", self.path("class"), "--standings", standings])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        points = {name: self.read("out", name, "grade.json")["steps"][-1]["points"] for name in ranks}
        self.assertEqual(points, {"ann": 20, "bob": 10, "cat": 10, "dan": 0})

    # The time of a submission.

    def test_a_program_that_thinks_beyond_the_time_fails_what_was_not_played(self):
        slow = " ".join(map(shlex.quote, left_turner(thinks(0.4))))
        done = self.grade(slow, rubric(time_max="1s"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        grade = self.read("out", "grade.json")
        self.assertTrue(grade["final"])
        self.assertIn("longer than the 1 s that the rubric allows", grade["steps"][0]["reason"])
        before = self.games()
        again = self.grade(slow, rubric(time_max="1s"))
        self.assertEqual((again.returncode, self.games()), (1, before), again.stdout + again.stderr)

    def test_time_that_others_took_is_nobodys_zero_and_goes_on(self):
        bots = [{"name": "random", "launch": left_turner(thinks(0.4)), "reads": READS},
                {"name": "greedy", "launch": ["walls-greedy"]}]
        text = rubric(time_max="1s", bots=bots)
        done = self.grade("walls-greedy", text)  # it hardly thinks, also where the build is a slow one
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("2 s of games were over", self.read("out", "grade.json")["steps"][0]["reason"])
        text["time_max"] = "1h"
        done = self.grade("walls-greedy", text)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_after_three_time_outs_in_a_row_the_rest_of_a_series_is_not_played(self):
        text = rubric()
        text["series"][0].update(clock={"kind": "game", "budget": "1s"}, ready="1s")
        text["steps"][0]["series"] = ["greedy"]
        stands_still = left_turner("'-random-' in m['game_id'] and threading.Event().wait()")
        for again in (False, True):
            done = self.grade(shlex.join(stands_still), text)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertEqual(self.games(), 3 + 2)
            steps = {step["id"]: step for step in self.read("out", "grade.json")["steps"]}
            self.assertEqual(steps["legal"]["points"], 10, "the other series is played by a new process")
            self.assertEqual((steps["beats"]["verdict"], steps["beats"]["points"]), ("failed", 0), again)
            self.assertEqual(steps["beats"]["reason"], "3 games in a row ended without an answer in time, so the rest was not played")
            self.assertRegex(steps["beats"]["advice"][0], "^game .*used up its time of 1 s")
        text["series"][0]["match"]["games"] = 3
        self.grade(shlex.join(stands_still), text, out="without_rest")
        beats = self.read("without_rest", "grade.json")["steps"][1]
        self.assertEqual((beats["id"], beats["reason"]), ("beats", "won 0 of 3 games, and 3 are needed"))

    def test_a_test_ends_when_its_program_is_withdrawn(self):
        text = rubric(**{"pass": 10})
        text["series"] = [{"id": "test", "opponents": ["greedy"], "match": {"games": 2}, "as_good_as": {}}]
        text["steps"] = [{"id": "good", "title": "Good", "points": 10, "series": ["test"], "rule": {"kind": "is_as_good"}}]
        no_move = shlex.join(left_turner("m.update(turn=-1)"))
        for again in (False, True):
            done = self.grade(no_move, text)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertEqual(self.games(), 2 * 2)
            reason = self.read("out", "grade.json")["steps"][0]["reason"]
            self.assertEqual(reason, "it gave no valid move in 2 matches in a row, so the rest was not played", again)

    def test_whom_the_game_left_no_way_has_done_nothing_wrong(self):
        bot = shlex.join([sys.executable, self.file("bot.py", WALKER)])
        text = {"title": "Cycles", "game": "light_cycles", "bots": [{"name": "other", "launch": shlex.split(bot), "reads": READS}],
                "series": [{"id": "s", "opponents": ["other"], "match": {"games": 2}, "clock": {"kind": "none", "hard_limit": "10s"},
                            "params": {"width": 20, "height": 3, "teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [19, 2]],
                                       "mean_budget_us": 9000000}}],
                "steps": [{"id": "wins", "title": "wins", "points": 1, "series": ["s"], "rule": {"kind": "wins", "at_least": 2}},
                          {"id": "legal", "title": "legal", "points": 1, "series": ["s"], "rule": {"kind": "faultless"}}]}
        done = self.grade(bot, text)
        wins, legal = self.read("out", "grade.json")["steps"]
        self.assertEqual((wins["reason"], legal["verdict"]), ("won 1 of 2 games, and 2 are needed", "passed"), done.stdout + done.stderr)
        self.assertRegex(wins["advice"][0], r"; turn 9: Its cycle \(cycle [01]\) is terminated: every cell beside \[1, 1\], where it stood, was")
        self.assertEqual(len(wins["advice"]), 1)

    def test_the_time_is_told_beforehand(self):
        told = self.grade("walls-minimax", rubric(time_max="20m")).stdout
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
        for bot in (crasher, "walls-minimax"):
            with self.subTest(bot):
                done = self.grade(bot, self.hiding())
                shown = done.stdout + done.stderr
                self.assertIn("More games: ", shown)
                self.assertNotRegex(shown, "top-secret|mole|setup")
                self.assertNotRegex(shown, "(?m)^ *::", "GitHub would obey it")
        done = self.grade(crasher, self.hiding(), more=["--instructor"])
        self.assertIn("top-secret", done.stdout)
        with open(self.path("out/grading.log")) as file:
            self.assertIn("exit status 4", file.read())

    def test_a_hidden_opponent_that_is_not_there_is_told_in_the_log_alone(self):
        text = self.hiding()
        text["bots"][1]["launch"] = ["/no/such/mole"]
        done = self.grade("walls-minimax", text)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertNotIn("mole", done.stdout + done.stderr)
        with open(self.path("out/grading.log")) as file:
            self.assertIn("/no/such/mole", file.read())

    # A dry run.

    def test_a_dry_run_grades_the_rubrics_own_bots(self):
        done = referee("grade", "--rubric", self.file("rubric.json", rubric()), "--dry-run")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        table = [line.split() for line in done.stdout.splitlines()]
        self.assertIn(["bot", "points", "legal", "beats", "level", "time"], table)
        for bot in ("random", "greedy"):
            row = next(line for line in table if line[:1] == [bot])
            self.assertEqual(row[2:5], ["of", "20", "10"], "it plays without a fault")

    def test_a_dry_run_of_a_rubric_without_bots_grades_those_of_the_game(self):
        text = {"title": "Snake", "game": "snake_labyrinth", "series": [{"id": "any", "match": {"games": 1}}],
                "steps": [{"id": "legal", "title": "Plays", "points": 10, "series": ["any"], "rule": {"kind": "faultless"}}]}
        done = referee("grade", "--rubric", self.file("rubric.json", text), "--dry-run", "--out", self.path("dry"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("snake-best", done.stdout)

    def test_a_dry_run_takes_no_submission(self):
        done = self.grade("walls-greedy", more=["--dry-run"])
        self.assertEqual((done.returncode, "neither --bot, --source nor --all" in done.stderr), (2, True))

    # Bad input.

    def test_grades_may_lie_in_nobodys_folder(self):
        self.submission("ann")
        os.makedirs(self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), self.path("link"))
        os.symlink(self.path("class"), self.path("way"))
        for out in ("link", "class/ann", "way/ann/grades"):
            with self.subTest(out):
                done = self.grade(out=out, more=["--all", self.path("class")])
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn("--out", done.stderr)
                self.assertEqual(os.listdir(self.path("elsewhere")), [])
                self.assertEqual(sorted(os.listdir(self.path("class/ann"))), ["bot.py", "submission.json"])

    def test_a_folder_in_which_somebody_grades_is_left_alone(self):
        self.grade("walls-minimax")
        before = self.read("out", "grade.json")
        with open(self.path("out/grading.lock"), "r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = self.grade("walls-random", more=["--junit", self.path("junit.xml")])
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertRegex(done.stderr, "out is in use by process [0-9]+")
        self.assertEqual((self.read("out", "grade.json"), os.path.exists(self.path("junit.xml"))), (before, False))

    def test_what_an_earlier_grading_left_is_not_taken_for_this_ones(self):
        for more in (["--bot", "walls-greedy", "--rubric", self.file("bad.json", "{}")], ["--bot", "", "--rubric", self.file("bad.json", "{}")]):
            junit, results = self.file("junit.xml", "old"), self.file("results.json", "old")
            done = referee("grade", "--out", self.path("out"), "--junit", junit, "--gradescope", results, *more)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertEqual((os.path.exists(junit), os.path.exists(results)), (False, False))

    def test_results_for_gradescope_are_of_one_submission(self):
        self.submission("ann")
        done = self.grade(more=["--all", self.path("class"), "--gradescope", self.path("results.json")])
        self.assertEqual((done.returncode, "expected it with --bot" in done.stderr), (2, True))

    def test_a_submissions_directory_stays_in_it(self):
        os.makedirs(self.path("class/ann"))
        os.symlink("/usr", self.path("class/ann/link"))
        for directory in ("../..", "link", "/usr"):
            with self.subTest(directory):
                self.submission("ann", directory=directory)
                done = self.grade(more=["--all", self.path("class")])
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn("directory: expected a folder of the submission", done.stderr)

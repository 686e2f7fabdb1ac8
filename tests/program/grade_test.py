"""`referee grade`: points for what was played, nobody's zero for the referee's trouble, nothing played twice."""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

from gradings import GradingTest, rubric
from harness import LONG, READS, REFEREE, left_turner, referee, rows, wait_until


class GradeTest(GradingTest):
    # One submission.

    def test_points_are_what_the_games_say(self):
        self.grade("walls-minimax", status=0)
        grade = self.json("out", "grade.json")
        self.assertEqual((grade["points"], grade["of"], grade["passed"]), (grade["points"], 20, True))
        wins = {step["id"]: step for step in grade["steps"]}
        self.assertEqual((wins["legal"]["points"], wins["beats"]["points"]), (10, 5))
        store = os.path.join(self.folder, "out", "games", "referee.db")
        self.assertEqual(rows(store, "SELECT DISTINCT program FROM game_seats WHERE bot = 'submission'"), [(grade["program"],)])
        won = rows(store, "SELECT count(*) FROM games g JOIN game_seats s ON s.seq = g.seq WHERE s.bot = 'submission' AND s.place = 1 "
                          "AND g.tournament LIKE 'submission-greedy-%' AND NOT EXISTS (SELECT 1 FROM game_seats o WHERE o.seq = g.seq "
                          "AND o.bot <> 'submission' AND o.place = 1)")[0][0]
        self.assertEqual(wins["level"]["points"], 5 * won / 2)
        self.assertEqual(grade["points"], 15 + 5 * won / 2)

    def test_a_program_that_does_not_start_gets_nothing_and_its_student_is_told_why(self):
        text = rubric()
        text["series"][1]["hidden"] = True
        done = self.grade(f"{sys.executable} {self.write('bot.py', 'def play(:')}", text, status=1)
        self.assertEqual(self.json("out", "grade.json")["points"], 0)
        kind = '"build": {"kind": "walls-lines"}; or --bot walls-lines:FILE, or collect --kind walls-lines'
        self.assertRegex(done.stdout, "warning: submission never logged in: .*" + re.escape(kind))
        for page in ("feedback.md", "feedback.html", "grade.json"):
            shown = self.read("out", page)
            self.assertIn("SyntaxError", shown, page)
            self.assertNotIn(self.folder, shown, "where its file lies here tells a student nothing")
            self.assertNotIn("walls-lines", shown, "students can't say it")

    def test_the_zero_of_a_program_that_ends_without_a_word_is_not_final(self):
        done = self.grade("true")
        self.assertIn("not final, 0 of", done.stdout)
        self.assertIn("show this page to your course", done.stdout)
        self.assertIn(": the program ended by itself, without an error, before its first move\n", done.stdout)
        self.assertNotRegex(done.stdout, "\\[failed\\]|fault in|faults in|logged in: exit")
        grade = self.json("out", "grade.json")
        self.assertEqual((grade["final"], grade["points"], {step["verdict"] for step in grade["steps"]}), (False, None, {"trouble"}))
        self.write("students.csv", "name\nsubmission\n")
        book = referee("gradebook", "--grades", self.folder, "--roster", self.path("students.csv"), "--format", "csv")
        self.assertIn("isn't final: the program ended by itself, without an error", book.stderr)
        self.submission("ann", command=["true"])
        self.assertIn("1 not final", self.grade(out="all", more=["--all", self.path("class")], status=1).stdout)

    def test_an_opponent_that_fails_is_nobodys_zero_and_is_tried_again(self):
        marker = os.path.join(self.folder, "mended")
        os.makedirs(marker)
        # It ends in the middle of its games until a file says that it is mended.
        turn = f"\n        if not os.path.exists({os.path.join(marker, 'now')!r}): sys.exit(3)"
        bots = [{"name": "random", "launch": left_turner(turn), "reads": [*READS, marker]}, {"name": "greedy", "launch": ["walls-greedy"]}]
        done = self.grade("walls-minimax", rubric(bots=bots), more=["--quiet"], status=3)
        self.assertRegex(done.stdout, "submission: not final, .* points so far( \\(|\n)")
        grade = self.json("out", "grade.json")
        self.assertIn("the opponent random failed", str(grade))
        self.assertEqual((grade["final"], grade["points"], grade["passed"]), (False, None, False))
        self.assertIn("the same command", done.stderr)
        self.assertIn("referee grade --rubric", done.stderr)
        self.write("mended/now", "")
        self.grade("walls-minimax", rubric(bots=bots), status=0)


class AgainTest(GradingTest):
    def test_a_changed_rubric_plays_only_what_it_touches(self):
        self.grade("walls-random")
        changed = rubric()
        changed["steps"][1]["points"] = 7
        self.grade("walls-random", changed)
        self.assertEqual(self.games(), 6, "points alone need no games")
        changed["series"][1]["match"]["games"] = 4
        self.grade("walls-random", changed)
        self.assertEqual(self.games(), 6 + 4, "one of the series has other games now")
        self.grade("walls-greedy", changed)
        self.assertEqual(self.games(), 10 + 8, "another program is another matter")

    # A class.

    def test_a_class_is_graded_with_all_that_is_broken_in_it(self):
        """Names of the rubric's bots are free for submissions, and others may be long."""
        long = "greedy@2, die Mannschaft mit dem l\u00e4ngsten 'Namen' von allen"
        self.submission("ann", command=["walls-minimax"])
        self.submission("bob smith", command=["walls-greedy"])
        self.submission("cat", command=["./none"])
        self.submission("dan", command=["walls-random"], late=True, deadlines=[{"at": "2026-05-01T00:00:00Z", "late_s": 7200}])
        self.submission("eve", build={"result": "failed", "reason": "gcc: error", "output": "build.txt"}, command=[])
        self.write("class/eve/build.txt", "main.c:3: error: expected ';'\n")
        self.submission("random", command=["walls-minimax"])
        self.submission(long, command=["walls-greedy"])
        text = rubric(late={"zero": True, "grace": "1h"})
        text["series"][0]["id"] = "a-series-with-an-id-of-32-letter"
        for step in text["steps"]:
            step["series"] = [text["series"][0]["id"] if one == "random" else one for one in step["series"]]
        self.grade(text=text, more=["--all", self.path("class"), "--junit", self.path("junit.xml")], status=0)
        self.assertEqual(self.json("out", "grades.json")["graded"], ["ann", "bob smith", "cat", "dan", "eve", long, "random"])
        folder = next(one for one in os.listdir(self.path("out")) if one.startswith("greedy"))
        for name, of in (("ann", "ann"), ("bob smith", "bob%32smith"), ("random", "random"), (long, folder)):
            grade = self.json("out", of, "grade.json")
            self.assertEqual((grade["name"], grade["steps"][0]["points"], bool(grade["program"])), (name, 10, True), "bots can say the ids of its games")
            self.assertTrue(grade["passed"] or name not in ("ann", "random"), name)
        for page in ("feedback.md", "feedback.html", "report.txt", "grade.json"):
            self.assertIn("main.c:3: error: expected ", self.read("out", "eve", page), page)
        for name, told in (("cat", "none"), ("dan", "late"), ("eve", "gcc: error")):
            grade = self.json("out", name, "grade.json")
            self.assertEqual(grade["points"], 0, name)
            self.assertIn(told, json.dumps(grade), name)
        self.assertEqual(self.read("out", "grades.csv").count("\n"), 8)
        suites = xml.etree.ElementTree.parse(self.path("junit.xml")).getroot()
        self.assertEqual(len(suites.findall("testsuite")), 7)
        done = self.grade("walls-greedy", out="single", more=["--name", "greedy"])
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        self.assertEqual(self.json("single", "grade.json")["name"], "greedy")
        self.write("class/other/submission.json", {"name": "random", "command": ["walls-greedy"]})
        done = self.grade(text=text, more=["--all", self.path("class")], status=2)
        self.assertIn('another submission has the name "random" too', done.stderr)

    def test_whoever_is_done_has_a_grade_while_others_play(self):
        self.submission("ann", command=["walls-greedy"])
        self.submission("zoe")
        self.write("class/zoe/bot.py", left_turner(beside="while not os.path.exists('go'):\n    threading.Event().wait(0.05)")[2])
        rubric_file = self.write("rubric.json", rubric(limits={"start_within": "2m"}))
        running = subprocess.Popen([REFEREE, "grade", "--rubric", rubric_file, "--out", self.path("out"), "--all", self.path("class")],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(running.kill)
        wait_until(lambda: os.path.exists(self.path("out/ann/feedback.html")) or running.poll() is not None, "ann's page")
        early = self.json("out", "ann", "grade.json")
        self.assertFalse(os.path.exists(self.path("out/grades.csv")))
        self.write("class/zoe/go", "")
        told, _ = running.communicate(timeout=LONG)
        self.assertEqual(running.returncode, 0, told)
        self.assertEqual(self.json("out", "ann", "grade.json"), early)
        self.assertTrue(os.path.exists(self.path("out/zoe/feedback.html")))

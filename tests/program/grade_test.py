"""`referee grade`: points for what was played, nobody's zero for the referee's trouble, nothing played twice, what was handed in built."""
import json
import os
import re
import subprocess
import shutil
import sys
import unittest
import xml.etree.ElementTree

from collect_test import zipped
from harness import BIN, LONG, READ, READS, REFEREE, SOURCE, ProgramTest, left_turner, referee, rows, wait_until

KIT = os.path.join(SOURCE, "sample_bots", "c")
BUILD = {"command": "gcc -O1 -std=c99 *.c -o player", "in": "walls", "run": ["./player"], "within": "60s", "memory_mb": 512}
# Who moves first on the board of size 3 wins if it plays well.
SIZE_3 = {"size": 3}


def rubric(**more):
    return {"title": "Walls", "game": "walls", "pass": 15,
            "bots": [{"name": "random", "launch": ["walls-random"]}, {"name": "greedy", "launch": ["walls-greedy"]}],
            "series": [{"id": "random", "opponents": ["random"], "params": SIZE_3, "match": {"games": 4}},
                       {"id": "greedy", "opponents": ["greedy"], "params": SIZE_3, "match": {"games": 2}}],
            "steps": [{"id": "legal", "title": "Plays without a fault", "points": 10, "series": ["random", "greedy"],
                       "rule": {"kind": "faultless"}},
                      {"id": "beats", "title": "Beats random", "points": 5, "series": ["random"], "rule": {"kind": "wins", "at_least": 3}},
                      {"id": "level", "title": "Wins against greedy", "points": 5, "series": ["greedy"], "rule": {"kind": "each_win"}}],
            **more}


class GradingTest(ProgramTest):
    def grade(self, bot=None, text=None, out="out", more=(), status=None, **options):
        """A grading; its exit status is looked at where one is expected."""
        arguments = ["grade", "--rubric", self.write("rubric.json", text or rubric()), "--out", self.path(out), *more]
        if bot is not None:
            arguments += ["--bot", bot, *READ]
        return referee(*arguments, **options) if status is None else self.exits(status, *arguments, **options)

    def json(self, *path):
        return json.loads(self.read(*path))

    def games(self, out="out"):
        return rows(self.path(out, "games", "referee.db"), "SELECT count(*) FROM games")[0][0]

    def submission(self, name, **more):
        folder = os.path.join("class", name.replace(" ", "_"))
        self.write(os.path.join(folder, "bot.py"), left_turner()[2])
        text = {"name": name, "students": [name + "@example.org"], "command": [sys.executable, "bot.py"], "late": False, "deadlines": [],
                "build": {"result": "not_needed"}, **more}
        self.write(os.path.join(folder, "submission.json"), text)


class GradeTest(GradingTest):
    def test_points_are_what_the_games_say_and_nothing_is_played_twice(self):
        text = rubric(time_max="20m")
        told = self.grade("walls-minimax", text, status=0).stdout
        self.assertIn("1 submission, 2 series, 6 games\n", told)
        self.assertRegex(told, "takes at worst .*; the rubric allows a program 20 min of thinking, and its games run for 40 min at most\n")
        grade = self.json("out", "grade.json")
        self.assertEqual((grade["of"], grade["passed"]), (20, True))
        points = {step["id"]: step["points"] for step in grade["steps"]}
        store = os.path.join(self.folder, "out", "games", "referee.db")
        self.assertEqual(rows(store, "SELECT DISTINCT program FROM game_seats WHERE bot = 'submission'"), [(grade["program"],)])
        won = rows(store, "SELECT count(*) FROM games g JOIN game_seats s ON s.seq = g.seq WHERE s.bot = 'submission' AND s.place = 1 "
                          "AND g.tournament LIKE 'submission-greedy-%' AND NOT EXISTS (SELECT 1 FROM game_seats o WHERE o.seq = g.seq "
                          "AND o.bot <> 'submission' AND o.place = 1)")[0][0]
        self.assertEqual(points, {"legal": 10, "beats": 5, "level": 5 * won / 2})
        self.assertEqual(grade["points"], sum(points.values()))

        text["steps"][1]["points"] = 7
        self.grade("walls-minimax", text, status=0)
        self.assertEqual(self.games(), 6, "points alone need no games")
        text["series"][1]["match"]["games"] = 4
        self.grade("walls-minimax", text, status=0)
        self.assertEqual(self.games(), 6 + 4, "one of the series has other games now")
        self.grade("walls-greedy", text)
        self.assertEqual(self.games(), 10 + 8, "another program is another matter")

    def test_a_program_that_does_not_start_gets_nothing_and_its_student_is_told_why(self):
        done = self.grade(f"{sys.executable} {self.write('bot.py', 'def play(:')}", status=1)
        self.assertEqual(self.json("out", "grade.json")["points"], 0)
        kind = '"build": {"kind": "walls-lines"}; or --bot walls-lines:FILE, or collect --kind walls-lines'
        self.assertRegex(done.stdout, "warning: submission never logged in: .*" + re.escape(kind))
        for page in ("feedback.md", "feedback.html", "grade.json"):
            shown = self.read("out", page)
            self.assertIn("SyntaxError", shown, page)
            self.assertNotIn(self.folder, shown, "where its file lies here tells a student nothing")
            self.assertNotIn("walls-lines", shown, "students can't say it")

    def test_the_zero_of_a_program_that_ends_without_a_word_is_not_final(self):
        os.chmod(self.write("class/ann/bot.py", "#!/bin/sh\nexec ./player\n"), 0o755)
        for out, bot, told in (("silent", "true", "the program ended by itself, without an error, before its first move\n"),
                               ("missing", "./bot.py", 'The program was started by "./bot.py", and ended before its first move with exit status 126 or 127')):
            done = self.grade(bot, more=["--directory", self.path("class/ann")], out=out, status=1)
            self.tells(done.stdout, "not final, 0 of", "show this page to your course", told)
            self.assertNotRegex(done.stdout, "\\[failed\\]|fault in|faults in|logged in: exit")
            grade = self.json(out, "grade.json")
            self.assertEqual((grade["final"], grade["points"], {step["verdict"] for step in grade["steps"]}), (False, None, {"trouble"}))
        shutil.copy(os.path.join(BIN, "walls-greedy"), self.path("class/ann/player"))
        self.grade("./bot.py", more=["--directory", self.path("class/ann")], out="missing", status=0)

    def test_an_opponent_that_fails_is_nobodys_zero_and_is_tried_again(self):
        os.makedirs(marker := self.path("mended"))
        # It ends in the middle of its games until a file says that it is mended.
        turn = f"\n        if not os.path.exists({os.path.join(marker, 'now')!r}): sys.exit(3)"
        bots = [{"name": "random", "launch": left_turner(turn), "reads": [*READS, marker]}, {"name": "greedy", "launch": ["walls-greedy"]}]
        done = self.grade("walls-minimax", rubric(bots=bots), more=["--quiet"], status=3, told=("the same command", "referee grade --rubric"))
        self.assertRegex(done.stdout, "submission: not final, .* points so far( \\(|\n)")
        grade = self.json("out", "grade.json")
        self.assertIn("the opponent random failed", str(grade))
        self.assertEqual((grade["final"], grade["points"], grade["passed"]), (False, None, False))
        self.write("mended/now", "")
        self.grade("walls-minimax", rubric(bots=bots), status=0)

    def test_a_class_is_graded_with_all_that_is_broken_in_it(self):
        """Names of the rubric's bots are free for submissions, and others may be long."""
        long = "greedy@2, die Mannschaft mit dem l\u00e4ngsten 'Namen' von allen"
        self.submission("bob smith", command=["walls-greedy"])
        self.submission("cat", command=["./none"])
        self.submission("dan", command=["walls-random"], late=True, deadlines=[{"at": "2026-05-01T00:00:00Z", "late_s": 7200}])
        self.submission("eve", build={"result": "failed", "reason": "gcc: error", "output": "build.txt"}, command=[])
        self.write("class/eve/build.txt", "main.c:3: error: expected ';'\n")
        self.submission("fay", command=["true"])
        self.submission("random", command=["walls-minimax"])
        self.submission(long, command=["walls-greedy"])
        text = rubric(late={"zero": True, "grace": "1h"})
        text["series"][0]["id"] = "a-series-with-an-id-of-32-letter"
        for step in text["steps"]:
            step["series"] = [text["series"][0]["id"] if one == "random" else one for one in step["series"]]
        done = self.grade(text=text, more=["--all", self.path("class"), "--junit", self.path("junit.xml")], status=1)
        self.assertIn("1 not final", done.stdout)
        self.assertEqual(self.json("out", "grades.json")["graded"], ["bob smith", "cat", "dan", "eve", "fay", long, "random"])
        folder = next(one for one in os.listdir(self.path("out")) if one.startswith("greedy"))
        for name, of in (("bob smith", "bob%32smith"), ("random", "random"), (long, folder)):
            grade = self.json("out", of, "grade.json")
            self.assertEqual((grade["name"], grade["steps"][0]["points"], bool(grade["program"])), (name, 10, True), "bots can say the ids of its games")
            self.assertTrue(grade["passed"] or name != "random", name)
        for name, told in (("cat", "none"), ("dan", "late"), ("eve", "gcc: error")):
            grade = self.json("out", name, "grade.json")
            self.assertEqual(grade["points"], 0, name)
            self.assertIn(told, json.dumps(grade), name)
        self.assertIn("main.c:3: error: expected ", self.read("out", "eve", "feedback.html"))
        self.assertEqual(self.read("out", "grades.csv").count("\n"), 8)
        suites = xml.etree.ElementTree.parse(self.path("junit.xml")).getroot()
        self.assertEqual(len(suites.findall("testsuite")), 7)
        self.write("class/other/submission.json", {"name": "random", "command": ["walls-greedy"]})
        self.grade(text=text, more=["--all", self.path("class")], status=2, told='another submission has the name "random" too')

    def test_whoever_is_done_has_a_grade_while_others_play(self):
        self.submission("ann", command=["walls-greedy"])
        self.submission("zoe")
        self.write("class/zoe/bot.py", left_turner(beside="while not os.path.exists('go'):\n    threading.Event().wait(0.05)")[2])
        rubric_file = self.write("rubric.json", rubric(limits={"start_within": "2m"}))
        running = self.spawn([REFEREE, "grade", "--rubric", rubric_file, "--out", self.path("out"), "--all", self.path("class")],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wait_until(lambda: os.path.exists(self.path("out/ann/feedback.html")) or running.poll() is not None, "ann's page")
        early = self.json("out", "ann", "grade.json")
        self.assertFalse(os.path.exists(self.path("out/grades.csv")))
        self.write("class/zoe/go", "")
        told, _ = running.communicate(timeout=LONG)
        self.assertEqual(running.returncode, 0, told)
        self.assertEqual(self.json("out", "ann", "grade.json"), early)
        self.assertTrue(os.path.exists(self.path("out/zoe/feedback.html")))


@unittest.skipUnless(shutil.which("gcc"), "there is no gcc")
class GradeSourceTest(GradingTest):
    def handed_in(self, **changed):
        files = ("walls_greedy.c", "referee_bot.c", "referee_bot.h", "referee_json.c", "referee_json.h")
        with open(self.path("walls.zip"), "wb") as archive:
            archive.write(zipped({"walls/" + file: changed.get(file, self.read(os.path.join(KIT, file))) for file in files}))
        return self.path("walls.zip")

    def test_an_archive_is_built_as_the_rubric_says_and_nothing_is_played_twice(self):
        made = []
        for _ in range(2):
            self.grade(text=rubric(build=BUILD), more=["--source", self.handed_in(), "--name", "ann"], status=0)
            made.append((self.json("out", "grade.json"), self.games()))
        grade = made[0][0]
        self.assertEqual((grade["name"], grade["final"], grade["steps"][0]["verdict"]), ("ann", True, "passed"))
        self.assertEqual(*made)
        broken = self.handed_in(**{"walls_greedy.c": "int main(void) { return unknown_word; }\n"})
        self.grade(text=rubric(build=BUILD), more=["--source", broken], status=1)
        grade = self.json("out", "grade.json")
        self.assertEqual((grade["points"], grade["final"]), (0, True))
        self.tells(self.read("out", "feedback.md"), "it was not built: exit status 1", "unknown_word")

    def test_what_is_wrong_is_told_before_anything_is_built(self):
        source = self.write("bot.py", "print('R')\n")
        for more, told in (([], "expected one of --bot COMMAND, --source FILE and --all FOLDER"),
                           (["--source", source, "--directory", self.folder], "expected neither --directory nor --reads"),
                           (["--source", source, "--dry-run"], "expected neither --bot, --source nor --all"),
                           (["--source", self.path("none.zip")], "expected an archive, a file or a folder, found nothing there")):
            self.grade(text=rubric(build=BUILD), more=more, status=2, told=told)
        self.assertFalse(os.path.exists(self.path("out/games")))
        text = {"title": "E7", "game": "e7_planets", "build": {"kind": "octave-function"},
                "series": [{"id": "maps", "setups": [{"map": "one_scrap"}]}],
                "steps": [{"id": "win", "title": "wins", "points": 1, "series": ["maps"], "rule": {"kind": "each_win"}}]}
        self.grade(text=text, more=["--source", source])
        self.assertIn("it was not built: expected a program of the kind octave-function, which octave-cli runs, found one that runs as ",
                      self.json("out", "grade.json")["steps"][0]["reason"])

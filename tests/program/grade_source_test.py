"""`referee grade --source`: what was handed in is built as the rubric says, and graded."""
import os
import shutil
import unittest

from collect_test import zipped
from gradings import GradingTest, rubric
from harness import SOURCE, referee

KIT = os.path.join(SOURCE, "sample_bots", "c")
BUILD = {"command": "gcc -O1 -std=c99 *.c -o player", "in": "walls", "run": ["./player"], "within": "60s", "memory_mb": 512}


@unittest.skipUnless(shutil.which("gcc"), "there is no gcc")
class GradeSourceTest(GradingTest):
    def handed_in(self, name="walls.zip", **changed):
        files = ("walls_greedy.c", "referee_bot.c", "referee_bot.h", "referee_json.c", "referee_json.h")
        with open(self.path(name), "wb") as archive:
            archive.write(zipped({"walls/" + file: changed.get(file, self.read(os.path.join(KIT, file))) for file in files}))
        return self.path(name)

    def test_an_archive_is_built_as_the_rubric_says_and_nothing_is_played_twice(self):
        self.grade(text=rubric(build=BUILD), more=["--source", self.handed_in(), "--name", "ann"], status=0)
        grade = self.json("out", "grade.json")
        self.assertEqual((grade["name"], grade["final"], grade["steps"][0]["verdict"]), ("ann", True, "passed"))
        before = self.games()
        again = self.grade(text=rubric(build=BUILD), more=["--source", self.handed_in(), "--name", "ann"])
        self.assertEqual((again.returncode, self.games()), (0, before), again.stdout + again.stderr)
        self.assertEqual(self.json("out", "grade.json"), grade)

    def test_a_build_that_fails_gives_nothing_and_shows_what_it_printed(self):
        broken = self.handed_in(**{"walls_greedy.c": "int main(void) { return unknown_word; }\n"})
        self.grade(text=rubric(build=BUILD), more=["--source", broken], status=1)
        grade = self.json("out", "grade.json")
        self.assertEqual((grade["points"], grade["final"]), (0, True))
        page = self.read("out", "feedback.md")
        self.assertIn("it was not built: exit status 1", page)
        self.assertIn("unknown_word", page)

    def test_a_program_that_the_interpreter_of_its_kind_does_not_run_is_told(self):
        text = {"title": "E7", "game": "e7_planets", "build": {"kind": "octave-function"},
                "series": [{"id": "maps", "setups": [{"map": "one_scrap"}]}],
                "steps": [{"id": "win", "title": "wins", "points": 1, "series": ["maps"], "rule": {"kind": "each_win"}}]}
        self.grade(text=text, more=["--source", self.write("bot.py", "print('R')\n")])
        self.assertIn("it was not built: expected a program of the kind octave-function, which octave-cli runs, found one that runs as ",
                      self.json("out", "grade.json")["steps"][0]["reason"])

    def test_what_is_wrong_is_told_before_anything_is_built(self):
        source = self.handed_in()
        for more, told in ((["--source", source, "--bot", "walls-greedy"], "expected one of --bot COMMAND, --source FILE and --all FOLDER"),
                           ([], "expected one of --bot COMMAND, --source FILE and --all FOLDER"),
                           (["--source", source, "--directory", self.folder], "expected neither --directory nor --reads"),
                           (["--source", source, "--dry-run"], "expected neither --bot, --source nor --all"),
                           (["--source", self.path("none.zip")], "expected an archive, a file or a folder, found nothing there")):
            done = self.grade(text=rubric(build=BUILD), more=more, status=2)
            self.assertIn(told, done.stderr)
        wrong = rubric(build={"kind": "cobol"})
        done = self.grade(text=wrong, more=["--source", source])
        self.assertEqual((done.returncode, 'build.kind: found "cobol"; expected one of these' in done.stderr), (2, True), done.stderr)
        done = referee("rubric", self.path("rubric.json"))
        self.assertEqual((done.returncode, 'build.kind: found "cobol"' in done.stderr), (2, True), done.stderr)
        self.assertFalse(os.path.exists(self.path("out/games")))

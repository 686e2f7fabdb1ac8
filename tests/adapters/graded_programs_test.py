"""Grades of students' programs that speak no protocol: what their adapters say reaches them, and what counts is what they did.

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE.
"""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "program"))

from grade_test import GradingTest

INSIDE = ["#####", "o   _", "#####"]  # "EE" stops in the middle


def step(id, kind, **rule):
    return {"id": id, "title": "the step " + id, "points": 10, "series": ["s"], "rule": {"kind": kind, **rule}}


class GradedProgramsTest(GradingTest):
    def graded(self, kind, text, game, steps, **series):
        """The steps of a shell script's grade, by id."""
        path = self.write("class/ann/student", "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        self.write("class/ann/submission.json", {"name": "ann", "students": ["ann"], "late": False, "deadlines": [],
                                                "program": {"kind": kind, "file": "student"}, "build": {"result": "not_needed"}})
        bots = [{"name": name, "launch": [f"{game}-{name}"]} for name in series.get("opponents", [])]
        rubric = {"title": "t", "game": game, "bots": bots, "series": [{"id": "s", **series}], "steps": steps}
        done = self.grade(text=rubric, more=["--all", self.path("class")])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return {one["id"]: one for one in self.json("out", "ann", "grade.json")["steps"]}

    def test_the_adapters_words_stand_in_each_file_of_the_grade(self):
        steps = self.graded("superball-moves", "exit 3\n", "superball",
                            [step("legal", "faultless"), step("average", "average_score", at_least=1)], match={"games": 1})
        words = "the program ended with status 3; the program printed nothing"
        self.assertIn(f", turn 1: {words}", steps["legal"]["advice"][0], "the cause, and then what the game says of it")
        self.assertIn("; so: no valid move came", steps["legal"]["advice"][0])
        self.assertEqual(steps["average"]["advice"], ['in 1 game the same happened as in "the step legal": ' + steps["legal"]["games"][0]])
        for page in ("report.txt", "feedback.html", "feedback.md"):
            self.assertIn(words, self.read("out/ann", page), page)

    def test_a_hidden_step_says_what_kept_a_program_from_every_move(self):
        self.graded("snake-challenge", "exit 3\n", "snake_labyrinth", [step("out", "always", member="finished")],
                    generated={"type": "challenge1", "count": 2}, hidden=True)
        told = "hidden: the program gave no valid move in any of the 2 games of this grade: the program ended with status 3; "
        self.assertRegex(self.read("out/ann/feedback.md"), told)

    def test_a_program_that_is_silent_is_one_item(self):
        """Whatever is seen of it in a turn: nothing, or that the adapter has given up on a turn before."""
        steps = self.graded("walls-lines", "cat > /dev/null\n", "walls", [step("legal", "faultless")], opponents=["random"],
                            params={"size": 3}, match={"games": 2}, clock={"budget": "0.1s"})
        self.assertEqual(len(steps["legal"]["advice"]), 1, steps["legal"]["advice"])
        self.assertRegex(steps["legal"]["advice"][0], "the program gave no answer in time: it printed no line; does it flush its output")

    def test_of_snake_what_was_answered_counts(self):
        legal = [step("legal", "faultless"), step("out", "always", member="finished")]
        for on_illegal in ("stay", "void"):
            for text, told in (("echo EE\n", "no fault in 1 game"), ("echo EN\n", "1 fault in 1 game"), (":\n", "1 fault in 1 game")):
                with self.subTest(text, on_illegal=on_illegal):
                    steps = self.graded("snake-challenge", text, "snake_labyrinth", legal, match={"games": 1},
                                        params={"board": INSIDE, "on_illegal": on_illegal})
                    self.assertTrue(steps["legal"]["reason"].startswith(told), steps["legal"]["reason"])
                    self.assertEqual(steps["legal"]["points"], 10 if told.startswith("no fault") else 0)
                    self.assertEqual(steps["out"]["points"], 0)
                    if text == "echo EE\n":
                        self.assertRegex(steps["out"]["advice"][0], "still inside the maze .*, which scores 0; its answer had 2 letters, "
                                                                    "and the program is asked only once; the head stood at row 1, column 2$")


if __name__ == "__main__":
    unittest.main()

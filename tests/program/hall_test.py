"""The Hall of Fame, from grades of real games to a table across semesters."""
import json
import os

from harness import ProgramTest, referee

FALL = ("--semester", "Fall 2026")
RUBRIC = {"title": "Superball", "game": "superball", "series": [{"id": "two", "match": {"games": 2, "seeds": [7, 8]}}],
          "steps": [{"id": "average", "title": "an average", "points": 1, "series": ["two"], "rule": {"kind": "average_score", "at_least": 1}},
                    {"id": "place", "title": "a place among the first three", "extra": True, "rule": {"kind": "place", "points": [20, 10, 5]}}]}


class HallTest(ProgramTest):
    def hall(self, *words):
        return referee("hall-of-fame", *words)

    def add(self, *names, bar="650", semester=FALL):
        return self.hall("add", *(self.path(f"{name}.json") for name in names), "--bar", bar, *semester, "--table", self.path("hall.json"))

    def grade(self, name, score, final=True):
        self.write(f"{name}.json", json.dumps(
            {"name": name, "final": final, "program": "p", "version": "1", "rubric": {"game": "superball", "title": "t", "hash": "h"},
             "steps": [{"id": "average", "average": {"score": score, "games": 100, "seeds": "1-100"}}]}))

    def table(self, *words):
        shown = self.hall(self.path("hall.json"), "--json", *words)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return [(row["rank"], row["name"], row["average"]) for row in json.loads(shown.stdout)["bots"]]

    def test_a_grade_of_real_games_enters_and_its_place_gives_extra_points(self):
        rubric = self.write("rubric.json", json.dumps(RUBRIC))
        grading = ("grade", "--rubric", rubric, "--bot", "superball-random", "--out", self.path("out"))
        self.exits(0, *grading)
        grade = json.loads(self.read("out/grade.json"))
        average = next(step["average"] for step in grade["steps"] if step["id"] == "average")
        self.assertEqual((average["games"], average["seeds"]), (2, "7-8"))
        self.assertEqual(grade["rubric"]["game"], "superball")
        added = self.hall("add", self.path("out/grade.json"), "--bar", "0", *FALL, "--table", self.path("hall.json"))
        self.assertEqual(added.returncode, 0, added.stdout + added.stderr)
        self.assertEqual(self.table(), [(1, grade["name"], average["score"])])
        self.write("standings.json", self.hall(self.path("hall.json"), "--json", *FALL).stdout)
        self.exits(0, *grading, "--standings", self.path("standings.json"))
        points = {step["id"]: step["points"] for step in json.loads(self.read("out/grade.json"))["steps"]}
        self.assertEqual(points["place"], 20)
        table = ("--table", self.path("hall.json"))
        self.assertEqual(self.hall("forget", grade["name"], *table).stdout, f"{grade['name']} becomes forgotten-1\n")
        self.assertEqual(self.hall("remove", "forgotten-1", *FALL, *table).returncode, 0)
        self.assertEqual(self.table(), [])

    def test_bad_input_changes_nothing(self):
        self.grade("ann", 700)
        self.write("bob.json", "{}")
        refused = self.add("ann", "bob")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("bob.json", refused.stderr)
        self.assertIn("nobody was entered", refused.stderr)
        self.assertFalse(os.path.exists(self.path("hall.json")))
        self.assertEqual(self.add("ann", semester=("--semester", "two\nlines")).returncode, 2)
        self.assertEqual(self.add("ann", bar="much").returncode, 2)
        self.assertEqual(self.add("nobody").returncode, 2)
        for words in ((self.path("hall.json"),), ("remove", "ann", *FALL, "--table", self.path("hall.json"))):
            missing = self.hall(*words)
            self.assertEqual((missing.returncode, "hall.json" in missing.stderr), (2, True), missing.stderr)
        self.assertEqual(self.hall(self.path("hall.json"), "--json", "--csv").returncode, 2)

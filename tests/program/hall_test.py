"""The Hall of Fame, from grades of real games to a table across semesters."""
import json
import os

from harness import ProgramTest

FALL = ("--semester", "Fall 2026")
RUBRIC = {"title": "Superball", "game": "superball", "series": [{"id": "two", "match": {"games": 2, "seeds": [7, 8]}}],
          "steps": [{"id": "average", "title": "an average", "points": 1, "series": ["two"], "rule": {"kind": "average_score", "at_least": 1}},
                    {"id": "place", "title": "a place among the first three", "extra": True, "rule": {"kind": "place", "points": [20, 10, 5]}}]}


class HallTest(ProgramTest):
    def hall(self, *words, status=0):
        return self.exits(status, "hall-of-fame", *words)

    def test_a_grade_of_real_games_enters_and_its_place_gives_extra_points(self):
        grading = ("grade", "--rubric", self.write("rubric.json", RUBRIC), "--bot", "superball-random", "--out", self.path("out"))
        self.exits(0, *grading)
        grade, hall = json.loads(self.read("out/grade.json")), self.path("hall.json")
        average = next(step["average"] for step in grade["steps"] if step["id"] == "average")
        self.assertEqual((average["games"], average["seeds"]), (2, "7-8"))
        self.assertEqual(grade["rubric"]["game"], "superball")
        # Bad input changes nothing.
        entry, table = ("add", self.path("out/grade.json")), ("--table", hall)
        refused = self.hall(*entry, self.write("bob.json", "{}"), "--bar", "0", *FALL, *table, status=2).stderr
        self.assertIn("bob.json", refused)
        self.assertIn("nobody was entered", refused)
        for words in ((*entry, "--bar", "much", *FALL, *table), (*entry, "--bar", "0", "--semester", "two\nlines", *table), ("add", self.path("nobody"), "--bar", "0", *FALL, *table)):
            self.hall(*words, status=2)
        for words in ((hall,), ("remove", "ann", *FALL, *table)):
            self.assertIn("hall.json", self.hall(*words, status=2).stderr)
        self.assertFalse(os.path.exists(hall))

        def rows():
            return [(row["rank"], row["name"], row["average"]) for row in json.loads(self.hall(hall, "--json").stdout)["bots"]]
        self.hall(*entry, "--bar", "0", *FALL, *table)
        self.assertEqual(rows(), [(1, grade["name"], average["score"])])
        self.hall(hall, "--json", "--csv", status=2)
        self.write("standings.json", self.hall(hall, "--json", *FALL).stdout)
        self.exits(0, *grading, "--standings", self.path("standings.json"))
        points = {step["id"]: step["points"] for step in json.loads(self.read("out/grade.json"))["steps"]}
        self.assertEqual(points["place"], 20)
        self.assertEqual(self.hall("forget", grade["name"], *table).stdout, f"{grade['name']} becomes forgotten-1\n")
        self.hall("remove", "forgotten-1", *FALL, *table)
        self.assertEqual(rows(), [])

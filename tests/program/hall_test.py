"""The Hall of Fame, from grades of real games to a table across semesters."""
import json
import os
import signal
import subprocess

from harness import LONG, REFEREE, ProgramTest, referee

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
        graded = referee(*grading)
        self.assertEqual(graded.returncode, 0, graded.stdout + graded.stderr)
        grade = json.loads(self.read("out/grade.json"))
        average = next(step["average"] for step in grade["steps"] if step["id"] == "average")
        self.assertEqual((average["games"], average["seeds"]), (2, "7-8"))
        self.assertEqual(grade["rubric"]["game"], "superball")
        added = self.hall("add", self.path("out/grade.json"), "--bar", "0", *FALL, "--table", self.path("hall.json"))
        self.assertEqual(added.returncode, 0, added.stdout + added.stderr)
        self.assertEqual(self.table(), [(1, grade["name"], average["score"])])
        with open(self.path("standings.json"), "w") as file:
            file.write(self.hall(self.path("hall.json"), "--json", *FALL).stdout)
        again = referee(*grading, "--standings", self.path("standings.json"))
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        points = {step["id"]: step["points"] for step in json.loads(self.read("out/grade.json"))["steps"]}
        self.assertEqual(points["place"], 20)

    def test_who_enters_who_does_not_and_why(self):
        self.grade("ann", 712.34)
        self.grade("bob", 649.99)
        self.grade("eve", 900, final=False)
        added = self.add("ann", "bob", "eve")
        self.assertEqual(added.returncode, 1)
        self.assertEqual(added.stdout.splitlines(), ["ann enters with 712.34", "bob does not enter: 649.99 is below the bar of 650",
                                                     "eve does not enter: the grade isn't final; grade again"])
        self.assertEqual(self.table(), [(1, "ann", 712.34)])
        self.assertEqual(self.add("ann").returncode, 0)
        self.assertEqual(self.add("ann", semester=("--semester", "Spring 2027")).returncode, 0)
        self.assertEqual(self.table(), [(1, "ann", 712.34)] * 2, "the same average shares the rank")
        shown = self.hall(self.path("hall.json"))
        self.assertRegex(shown.stdout, r"rank +average +name +semester +entered +games +seeds +rubric +program +game\n"
                                       r" +1 +712.34 +ann +Fall 2026 +\d{4}-\d\d-\d\d +100 +1-100 +h +p +superball\n")
        self.assertIn("| 1 | 712.34 | ann | Fall 2026 |", self.hall(self.path("hall.json"), "--markdown").stdout.replace("\\", ""))
        self.assertEqual(self.hall(self.path("hall.json"), "--csv", *FALL).stdout.count("\n"), 2)

    def test_a_name_is_removed_and_forgotten(self):
        self.grade("wilhelmina", 700)
        self.grade("bob", 800)
        self.add("wilhelmina", "bob")
        where = ("--table", self.path("hall.json"))
        self.assertEqual(self.hall("remove", "bob", *FALL, *where).returncode, 0)
        again = self.hall("remove", "bob", *FALL, *where)
        self.assertEqual((again.returncode, again.stderr), (1, f"bob stands nowhere in {self.path('hall.json')}: nothing was changed\n"))
        self.assertEqual(self.hall("forget", "wilhelmina", *where).stdout, "wilhelmina becomes forgotten-1\n")
        self.assertEqual(self.table(), [(1, "forgotten-1", 700)])
        with open(self.path("hall.json"), "rb") as file:
            self.assertNotIn(b"wilhelmina", file.read())

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

    def test_killed_at_any_moment_all_of_an_order_is_there_or_nothing(self):
        names = [f"bot{number}" for number in range(40)]
        for number, name in enumerate(names):
            self.grade(name, 700 + number)
        self.grade("first", 699)
        self.add("first")
        words = [REFEREE, "hall-of-fame", "add", *(self.path(f"{name}.json") for name in names), "--bar", "650", *FALL, "--table",
                 self.path("hall.json")]
        # From "before it begins" to "after its end", whatever the machine's pace is.
        for step in range(12):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
            try:
                process.wait(timeout=step * 0.01)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
            process.wait(timeout=LONG)
            self.assertIn(len(self.table()), (1, 41), step)
        self.assertEqual(self.add(*names).returncode, 0)
        self.assertEqual(len(self.table()), 41)

"""`referee gradebook`: the files that Canvas, Moodle and spreadsheets take, read back. And the Hall of Fame, a table across semesters."""
import csv
import io
import json
import os

from harness import ProgramTest

ROSTER = """name,student_id,email,team,full_name,login,canvas_id,section
ann,1001,ann@example.edu,red,"Lee, Ann",annlee,501,S1
bob,1002,bob@example.edu,red,"Ray, Bob",bobray,502,S1
cay,1003,cay@example.edu,,"=Day, Cay",cayday,503,S2
dan,1004,dan@example.edu,,"Low, Dan",danlow,504,S2
"""
FALL = ("--semester", "Fall 2026")
RUBRIC = {"title": "Superball", "game": "superball", "series": [{"id": "two", "match": {"games": 2, "seeds": [7, 8]}}],
          "steps": [{"id": "average", "title": "an average", "points": 1, "series": ["two"], "rule": {"kind": "average_score", "at_least": 1}},
                    {"id": "place", "title": "a place among the first three", "extra": True, "rule": {"kind": "place", "points": [20, 10, 5]}}]}


class GradebookTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("students.csv", ROSTER)
        self.grade("red", points=62.5, of=60, feedback="good, but slow\nsecond line")
        self.grade("cay", points=-0.5, of=70, students=["cay"], feedback="=1+1")

    def grade(self, bot, **members):
        self.write(f"grades/{bot}/grade.json", {"name": bot, **members})

    def book(self, *words, status=0, source=None, told=()):
        source = source or ("--grades", self.path("grades"))
        self.done = self.exits(status, "gradebook", *source, "--roster", self.path("students.csv"), *words, told=told)
        return list(csv.reader(io.StringIO(self.done.stdout), strict=True))

    def test_canvas(self):
        rows = self.book("--format", "canvas", "--assignment", "Bots (12345)", told="dan (Low, Dan): no grade")
        self.assertEqual(rows[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Bots (12345)"])
        self.assertEqual((rows[1][0].strip(), rows[1][5]), ("Points Possible", "70"))
        self.assertEqual(rows[2], ["Lee, Ann", "501", "1001", "annlee", "S1", "62.5"])
        self.assertEqual(rows[3][5], "62.5", "a team's grade is each member's")
        self.assertEqual((rows[4][0], rows[4][5]), ("'=Day, Cay", "-0.5"))
        self.assertEqual(len(rows), 5)

    def test_a_canvas_export_is_filled_in_and_what_it_holds_beside_stays(self):
        export = ("Student,ID,SIS User ID,SIS Login ID,Section,Essay (1),Bots (late) (77),Bots (12345),Final Score\r\n"
                  ",,,,,,,Manual Posting,\r\n"
                  "    Points Possible,,,,,10,5,70,(read only)\r\n"
                  '"Lee, Ann",501,1001,annlee,S1,9,,,80\r\n'
                  '"Ray, Bob",502,,bobray,S1,8,,1,70\r\n'
                  '"Low, Dan",504,1004,danlow,S2,,,3,\r\n'
                  '"Test, Student",999,,x,S1,,,,\r\n')
        self.write("export.csv", export)
        words = ("--format", "canvas", "--assignment", "Bots", "--template", self.path("export.csv"))
        rows = self.book(*words, told=("Test, Student of the template is nobody of the roster", "cay (=Day, Cay) is not in the template",
                                       "Low, Dan of the template has no grade"))
        self.assertEqual([row[7] for row in rows], ["Bots (12345)", "Manual Posting", "70", "62.5", "62.5", "3", ""])
        as_it_was = list(csv.reader(io.StringIO(export)))
        self.assertEqual([row[:7] + row[8:] for row in rows], [row[:7] + row[8:] for row in as_it_was])
        self.assertNotRegex(self.done.stderr, "  of the template|points possible")
        self.assertEqual([row[-1] for row in self.book(*words[:3], "Quiz", *words[4:])], ["Quiz", "", "70", "62.5", "62.5", "", ""])
        self.write("export.csv", export.replace(",70,(read only)", ",99,(read only)"))
        self.assertEqual(self.book(*words, told="the template has 99 points possible, and the grades are of 70: expected the same")[2][7], "99")
        self.write("export.csv", export.replace("Bots (late) (77)", "Bots (77)"))
        self.book(*words, status=2, told='several columns for the assignment: "Bots (77)" and "Bots (12345)"')

    def test_moodle_and_plain(self):
        rows = self.book("--format", "moodle", "--assignment", "Bots")
        self.assertEqual(rows[0], ["Email address", "ID number", "Bots", "Bots (feedback)"])
        self.assertEqual(rows[1][:3], ["ann@example.edu", "1001", "62.5"])
        self.assertEqual(rows[3], ["cay@example.edu", "1003", "-0.5", "'=1+1"])
        rows = self.book("--format", "csv")
        self.assertEqual(rows[0], ["name", "student", "student_id", "email", "team", "points", "of", "feedback"])
        self.assertEqual(rows[2][:7], ["bob", "Ray, Bob", "1002", "bob@example.edu", "red", "62.5", "70"])
        self.book("--format", "csv", "-o", self.path("book.csv"))
        self.assertEqual(self.read("book.csv").count("\n"), 4)

    def test_a_tournament(self):
        bots = [self.launched("ann", "walls-greedy"), self.launched("bob", "walls-random"), self.launched("host", "walls-random", house=True)]
        self.exits(0, "run", self.write("config.json", self.walls(bots)), "--out", self.path("out"), "--quiet")
        standings = json.loads(self.read("out/standings.json"))
        rows = self.book("--format", "csv", source=("--tournament", self.path("out/standings.json")))
        measure = standings["tie_breaks"][0]
        self.assertEqual({row[0]: (float(row[5]), row[6]) for row in rows[1:]},
                         {bot["name"]: (float(bot[measure]), "2") for bot in standings["bots"] if bot["name"] != "host"})
        self.assertIn("rank 1", self.done.stdout)
        self.assertNotIn("host", self.done.stderr, "the house's bot is nobody's")
        open_ones = self.write("open.json", {**standings, "finished": False})
        rows = self.book("--format", "csv", "--strict", status=1, source=("--tournament", open_ones),
                         told="no grade yet, because it isn't final: the tournament is not over")
        self.assertEqual(len(rows), 1)

    def test_who_has_no_grade_is_told_and_why(self):
        self.grade("zed", points=1)
        self.grade("ann", points=3)
        self.grade("dan", points=0, of=70, final=False, troubles=["wins: could not be judged: the opponent crashed", "more"])
        told = ("zed: no bot and no team of the roster",
                "ann has several grades: 3 of ann, 62.5 of red; none of them is taken",
                "dan (Low, Dan): no grade yet, because it isn't final: wins: could not be judged: the opponent crashed")
        for options in ((), ("--strict",)):
            rows = self.book("--format", "csv", *options, status=1, told=told)
            self.assertEqual([row[0] for row in rows[1:]], ["bob", "cay"], "a zero would be nobody's fault and dan's loss")
        self.grade("ann", points=0, final=False, troubles=["wins: could not be judged"])
        self.book("--format", "csv", status=1, told="ann has several grades: none yet of ann, 62.5 of red; none of them is taken")
        self.write("grades/grades.json", {"graded": ["red", "dan"]})
        self.grade("dan", points=5, of=70, final=True, troubles=[])
        rows = self.book("--format", "csv", "--strict", status=1, told="cay is not among those who were graded last")
        self.assertEqual([(row[0], row[5]) for row in rows[1:]], [("ann", "62.5"), ("bob", "62.5"), ("dan", "5")])
        self.write("grades/grades.json", {"graded": "red"})
        self.book("--format", "csv", status=2, told="grade the class again")

    def test_a_grade_that_can_not_be_read_makes_no_gradebook(self):
        self.grade("bad", points="many")
        self.grade("deep", points=1, more=json.loads("[" * 32 + "]" * 32))
        self.assertEqual(self.book("--format", "csv", status=2, told=("bad/grade.json: points: expected", "deep/grade.json: expected JSON such as")), [])

    def test_a_grade_by_another_rubric_than_the_newest_is_told_as_missing(self):
        for order, (bot, points, of, rubric) in enumerate((("cay", 90, 100, "old"), ("dan", 5, 10, "new"), ("red", 6, 10, "new"))):
            self.grade(bot, points=points, of=of, rubric={"hash": rubric})
            os.utime(self.path(f"grades/{bot}/grade.json"), (order + 1, order + 1))
        rows = self.book("--format", "canvas", told="no grade yet, because it isn't final: it was graded by another rubric than red, whose grade is newer")
        self.assertEqual([row[5] for row in rows[1:]], ["10", "6", "6", "5"])
        os.utime(self.path("grades/cay/grade.json"), (9, 9))
        self.assertEqual([row[5] for row in self.book("--format", "canvas")[1:]], ["100", "90"])

    def test_an_id_of_the_school_is_not_canvas_own(self):
        self.write("students.csv", ROSTER.replace("canvas_id", "sis_user_id"))
        self.assertEqual((self.book("--format", "canvas")[2][1:3], self.book("--format", "moodle")[1][1]), (["", "501"], "501"))

    def test_bad_input(self):
        for words, told in ((["--format", "excel"], "--format: expected canvas, moodle or csv, found excel"),
                            (["--format", "csv", "--template", "x.csv"], "--template: expected with --format canvas alone"),
                            (["--format", "canvas", "--template", self.path("students.csv")], "with a column Student, found none"),
                            (["--format", "csv", "--tournament", "x.json"], "expected --grades DIR or --tournament FILE, found both")):
            self.book(*words, status=2, told=told)
        self.book("--format", "csv", status=2, source=("--grades", self.path("grades/red")),
                  told="expected a folder with NAME/grade.json, as `referee grade --all --out")


class HallTest(ProgramTest):
    def hall(self, *words, status=0, told=()):
        return self.exits(status, "hall-of-fame", *words, told=told).stdout

    def test_a_grade_of_real_games_enters_and_its_place_gives_extra_points(self):
        grading = ("grade", "--rubric", self.write("rubric.json", RUBRIC), "--bot", "superball-random", "--out", self.path("out"))
        self.exits(0, *grading)
        grade, hall = json.loads(self.read("out/grade.json")), self.path("hall.json")
        average = next(step["average"] for step in grade["steps"] if step["id"] == "average")
        self.assertEqual((average["games"], average["seeds"]), (2, "7-8"))
        self.assertEqual(grade["rubric"]["game"], "superball")
        entry, table = ("add", self.path("out/grade.json")), ("--table", hall)
        self.hall(*entry, self.write("bob.json", "{}"), "--bar", "0", *FALL, *table, status=2, told=("bob.json", "nobody was entered"))
        self.hall(*entry, "--bar", "much", *FALL, *table, status=2)
        self.assertFalse(os.path.exists(hall))

        def rows():
            return [(row["rank"], row["name"], row["average"]) for row in json.loads(self.hall(hall, "--json"))["bots"]]
        self.hall(*entry, "--bar", "0", *FALL, *table)
        self.assertEqual(rows(), [(1, grade["name"], average["score"])])
        self.hall(hall, "--json", "--csv", status=2)
        self.write("standings.json", self.hall(hall, "--json", *FALL))
        self.exits(0, *grading, "--standings", self.path("standings.json"))
        points = {step["id"]: step["points"] for step in json.loads(self.read("out/grade.json"))["steps"]}
        self.assertEqual(points["place"], 20)
        self.assertEqual(self.hall("forget", grade["name"], *table), f"{grade['name']} becomes forgotten-1\n")
        self.hall("remove", "forgotten-1", *FALL, *table)
        self.assertEqual(rows(), [])

"""A class of ten: its grades are those written down by hand here, beside loops that want every core, and where the grading was killed in
the middle. A program of Superball that thinks for parts of a second a move scores as one that doesn't."""
# calm: programs burn processor time, and the grading goes on beside three busy loops.
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys

from collect_test import CollectTest, moodle, zipped
from grade_test import GradingTest
from harness import REFEREE, SOURCE, ended, rows, wait_until

BUSY_LOOPS = 3
# It ends with the test, however that ends.
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1000000): pass\n"

NAMES = ("Ann Lee", "Bob Ray", "Cay Day", "Hal Ivy", "Ivo Kay", "Kim Noe", "Lea Orr", "Nia Quo", "Rex Uhl", "Sue Vox")
STUDENTS = {name.split()[0].lower(): name for name in NAMES}
IDS = {student: str(701000 + 1237 * place) for place, student in enumerate(STUDENTS)}
IN_TIME, A_DAY_LATE = (2026, 5, 1, 12, 0, 0), (2026, 5, 2, 12, 0, 0)
COLLECT = ("--deadline", "final=2026-05-02T00:00+00:00", "--build-in", ".", "--build")
GCC = "gcc -O2 -std=c99 --pedantic *.c -o iap"

# Goes straight on to the exit, which lies behind the last column. What it does before is each student's own.
SNAKE = """// %s
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int columns, rows;
    if (scanf("%%d %%d", &columns, &rows) != 2) return 1;
    %s
    while (--columns > 0) putchar('E');
    return puts("") < 0;
}
"""
DETOUR, STOPS_INSIDE = 'printf("EO");', "--columns;"
SILENT, CRASHES, BROKEN = "return 0;", "abort();", "return unknown;"

BURNS = "#include <ctime>\n[[gnu::constructor]] static void burn() { while (std::clock() < 0.3 * CLOCKS_PER_SEC) {} }\n"


def step(id, points, kind, **more):
    of_step = {name: more.pop(name) for name in ("needs",) if name in more}
    return {"id": id, "title": "the step " + id, "points": points, "series": ["s"], "rule": {"kind": kind, **more}, **of_step}


def rubric(game, steps, bots=(), **series):
    return {"title": "A class", "game": game, "late": {"points_per_day": 5}, "bots": list(bots), "series": [{"id": "s", **series}],
            "steps": steps}


@contextlib.contextmanager
def busy_machine():
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(BUSY_LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            ended(loop, signal.SIGKILL)


class CalmClassTest(CollectTest, GradingTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        lines = [f"{student},{IDS[student]},{student}@example.edu,{name}" for student, name in STUDENTS.items()]
        self.write("students.csv", "\n".join(["name,student_id,email,full_name", *lines, ""]))

    def key(self, student):
        return f"{STUDENTS[student]}_{list(STUDENTS).index(student)}"

    def file_of(self, student, name, at=IN_TIME):
        return moodle(*self.key(student).split("_"), name), at

    def kill_in_its_games(self, out, text, *more):
        """Begins a grading and kills it when a game of it is over; gives those that are kept."""
        words = ["grade", "--rubric", self.write("rubric.json", text), "--all", self.path("out/submissions"), "--out", self.path(out), *more]
        grading = self.spawn([REFEREE, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def games():
            with contextlib.suppress(sqlite3.OperationalError):  # the store is not made yet
                return self.games(out)
        wait_until(games, "the end of a game")
        ended(grading, signal.SIGKILL)
        return self.ended(out)

    def ended(self, out):
        """The ends of its games, with when they were."""
        return set(rows(self.path(f"{out}/games/referee.db"), "SELECT tournament, match, number, attempt, time_ms FROM games "
                                                              "WHERE status IN ('played', 'forfeited')"))

    def check_busy(self, text, points, reasons, late=(), more=()):
        """Beside busy loops, the grades are those of `points`, and say the reasons, which are patterns. A grade's points are final."""
        with busy_machine():
            self.grade(text=text, more=["--all", self.path("out/submissions"), *more], out="busy", status=0)
        grades = {name: self.json("busy", name, "grade.json") for name in self.json("busy", "grades.json")["graded"]}
        self.assertEqual({name: (grade["points"], grade["final"], grade["late"]) for name, grade in grades.items()},
                         {name: (given, True, name in late) for name, given in points.items()})
        for name, reason in reasons.items():
            told = [text for one in grades[name]["steps"] for text in (one["reason"], *one["advice"])]
            self.assertRegex("\n".join(told), reason, name)
        return grades

    def test_snake(self):
        def program(student, does, ids=None):
            return SNAKE % (ids or IDS[student], does)
        files = {self.file_of("ann", "best.zip"): zipped({"main.c": program("ann", "", IDS["ann"] + " " + IDS["bob"])}),
                 self.file_of("cay", "main.c"): program("cay", DETOUR),
                 self.file_of("hal", "main.c", A_DAY_LATE): program("hal", SILENT),
                 self.file_of("ivo", "main.c"): program("ivo", BROKEN),
                 self.file_of("kim", "main.c"): program("kim", CRASHES),
                 self.file_of("lea", "main.c"): program("lea", STOPS_INSIDE),
                 self.file_of("nia", "main.c", A_DAY_LATE): program("nia", "")}
        self.collect(files, "--groups", "first-line", *COLLECT, GCC, "--kind", "snake-challenge", status=1)
        self.assertEqual(self.tournament()["tournaments"][0]["format"], {"kind": "leaderboard"})

        text = rubric("snake_labyrinth", [step("legal", 4, "faultless"), step("out", 6, "always", member="finished", needs=["legal"]),
                                          step("score", 10, "score_of", reference="best", needs=["out"])],
                      bots=[{"name": "best", "launch": ["snake-best"]}], references=["best"], match={"games": 2},
                      params={"on_illegal": "void"},
                      setups=[{"board": ["#####", "o $ _", "#####"]}, {"board": ["########", "o  $   _", "########"]}])
        text["steps"].append({"id": "place", "title": "a place", "extra": True, "rule": {"kind": "place", "points": [3, 2, 1]}})
        standings = self.write("standings.json", {"bots": [{"name": "best", "rank": 1}, {"name": "nia", "rank": 2}, {"name": "cay", "rank": 2}]})
        kept = self.kill_in_its_games("busy", text, "--standings", standings)
        grades = self.check_busy(
            text, {"best": 20 + 3, "cay": 4 + 6 + 2, "hal": 0, "ivo": 0, "kim": 0, "lea": 4, "nia": 20 + 2 - 5},
            {"cay": "place 2 of the tournament, which 2 share", "hal": "printed no line of letters", "ivo": "it was not built",
             "kim": r"ended by signal 6 \(Aborted\)", "lea": 'the way out is found in 0 of 2 games'},
            late=("hal", "nia"), more=["--standings", standings])
        ended = self.ended("busy")
        self.assertLess(kept, ended, "what was played stays, and the grading was not killed too late to see that")
        self.assertEqual(len({game[:3] for game in ended}), len(ended), "none is played twice")
        self.assertIn("It did not play: ", grades["ivo"]["feedback"])
        self.assertIn(", late. ", grades["hal"]["feedback"])

    def test_superball(self):
        with open(os.path.join(SOURCE, "tests/adapters/programs/sb_student.cpp")) as file:
            program = file.read()
        files = {self.file_of("rex", "main.cpp"): program, self.file_of("sue", "main.cpp"): program + BURNS}
        self.collect(files, *COLLECT, "g++ -O2 *.cpp -o iap", "--kind", "superball-moves")
        text = rubric("superball", [step("legal", 5, "faultless"), step("average", 10, "average_score", at_least=1)],
                      params={"rows": 5, "cols": 2, "min_score_size": 3, "colors": "pby"}, match={"games": 3, "seeds": [1, 2, 3]})
        grades = self.check_busy(text, {"rex": 15, "sue": 15}, {})
        self.assertEqual(*(grades[name]["steps"][1]["average"] for name in ("rex", "sue")))

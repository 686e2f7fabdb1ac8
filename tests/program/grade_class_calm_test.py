"""A class of twenty: its grades are those written down by hand here, beside loops that want every core, and where the grading was killed in
the middle. Programs of Superball that think for parts of a second a move score as the ones that don't."""
# calm: programs burn processor time, and the grading goes on beside three busy loops.
import contextlib
import glob
import os
import re
import signal
import sqlite3
import subprocess
import sys
import unittest

from collect_test import CollectTest, moodle, zipped
from grade_test import GradingTest
from harness import REFEREE, ended, rows, wait_until

BUSY_LOOPS = 3
# It ends with the test, however that ends.
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1000000): pass\n"

NAMES = ("Ann Lee", "Bob Ray", "Cay Day", "Dan Low", "Eve Fox", "Fay Gil", "Gus Hay", "Hal Ivy", "Ivo Kay", "Jim May", "Kim Noe",
         "Lea Orr", "Max Poe", "Nia Quo", "Ola Roe", "Pia Sax", "Quy Tan", "Rex Uhl", "Sue Vox", "Tom Way")
STUDENTS = {name.split()[0].lower(): name for name in NAMES}
IDS = {student: str(701000 + 1237 * place) for place, student in enumerate(STUDENTS)}
IN_TIME, A_DAY_LATE = (2026, 5, 1, 12, 0, 0), (2026, 5, 2, 12, 0, 0)
COLLECT = ("--deadline", "final=2026-05-02T00:00+00:00", "--build-in", ".", "--build")
GCC = "gcc -O2 -std=c99 --pedantic *.c -o iap"

# Goes straight on to the exit, which lies behind the last column. What it does before is each student's own.
SNAKE = """%s
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
DETOUR, STOPS_INSIDE, NO_LETTER = 'printf("EO");', "--columns;", "putchar('W');"
SILENT, CRASHES, BROKEN = "return 0;", "abort();", "return unknown;"

# Steers one cycle to a cell that is free.
CYCLE = """
import json, os, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="login", name=os.environ["REFEREE_NAME"], token=os.environ["REFEREE_TOKEN"], games=["light_cycles"])
    elif m["type"] == "start":
        seat, taken = m["seat"], set()
        say(type="ready", game_id=m["game_id"])
    elif m["type"] == "turn":
        {thinks}
        cycles = m["state"]["cycles"]
        taken.update(map(tuple, cycles))
        x, y = cycles[seat]
        free = [(a, b) for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if 0 <= a < 8 and 0 <= b < 8 and (a, b) not in taken]
        say(type="move", game_id=m["game_id"], turn=m["turn"], move=(free or [(x, y)])[:1])
"""
CYCLES = {"width": 8, "height": 8, "teams": 2, "cycles_per_team": 1, "starts": [[0, 3], [7, 4]]}
TWICE_THE_LIMIT = "end = time.process_time() + 0.1\n        while time.process_time() < end: pass"
NEVER_IN_TIME = "time.sleep(1.5)"  # a turn may take 1 s by the wall

# Swaps its first two pieces while a cell is empty, and takes off all when none is.
SUPERBALL = """#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv) {
    int rows = argc == 5 ? atoi(argv[1]) : 0, place[1000], pieces = 0, full = 1;
    char row[101];
    while (clock() < %g * CLOCKS_PER_SEC) {}
    for (int r = 0; r < rows && scanf("%%100s", row) == 1; r++)
        for (int c = 0; row[c] != 0; c++)
            if (isalpha((unsigned char)row[c])) place[pieces++] = 100 * r + c;
            else full = 0;
    if (full) printf("SCORE 2 0\\n");
    else printf("SWAP %%d %%d %%d %%d\\n", place[0] / 100, place[0] %% 100, place[1] / 100, place[1] %% 100);
    return 0;
}
"""
# Ten cells and one colour: 5 pieces, a swap, 10, which score 2 each; 3 pieces, a swap, 8, a swap, and the third of the next has no cell.
TEN_CELLS = {"rows": 5, "cols": 2, "min_score_size": 5, "colors": "p"}


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
        def program(student, does, first=None):
            return SNAKE % ("// " + IDS[student] if first is None else first, does)
        eves = str(int(IDS["eve"]) + 1)
        files = {self.file_of("ann", "best.zip"): zipped({"main.c": program("ann", "", f"// {IDS['ann']} {IDS['bob']}")}),
                 self.file_of("cay", "main.c"): program("dan", DETOUR),
                 self.file_of("dan", "main.c"): program("dan", ""),
                 self.file_of("eve", "main.c"): program("eve", "", "// " + eves),
                 self.file_of("fay", "main.c"): program("fay", "", "/* my snake */"),
                 self.file_of("gus", "snake.c"): program("gus", ""),
                 self.file_of("hal", "main.c", A_DAY_LATE): program("hal", SILENT),
                 self.file_of("ivo", "main.c"): program("ivo", BROKEN),
                 self.file_of("jim", "main.c"): program("jim", SILENT),
                 self.file_of("kim", "main.c"): program("kim", CRASHES),
                 self.file_of("lea", "main.c"): program("lea", STOPS_INSIDE),
                 self.file_of("max", "main.c"): program("max", NO_LETTER),
                 self.file_of("nia", "main.c", A_DAY_LATE): program("nia", "")}
        self.collect(files, "--groups", "first-line", *COLLECT, GCC, "--kind", "snake-challenge", status=1)
        self.assertEqual({name: one["submission"]["students"] for name, one in self.by_name.items()},
                         {"best": ["ann", "bob"], **{name: [name] for name in list(STUDENTS)[2:14]}})
        self.assertEqual(self.tournament()["tournaments"][0]["format"], {"kind": "leaderboard"})

        text = rubric("snake_labyrinth", [step("legal", 4, "faultless"), step("out", 6, "always", member="finished", needs=["legal"]),
                                          step("score", 10, "score_of", reference="best", needs=["out"])],
                      bots=[{"name": "best", "launch": ["snake-best"]}], references=["best"], match={"games": 2},
                      params={"on_illegal": "void"},
                      setups=[{"board": ["#####", "o $ _", "#####"]}, {"board": ["########", "o  $   _", "########"]}])
        text["steps"].append({"id": "place", "title": "a place", "extra": True, "rule": {"kind": "place", "points": [3, 2, 1]}})
        ranks = {"best": 1, "dan": 2, "eve": 2, "fay": 4}
        standings = self.write("standings.json", {"bots": [{"name": name, "rank": rank} for name, rank in ranks.items()]})
        kept = self.kill_in_its_games("busy", text, "--standings", standings)
        grades = self.check_busy(
            text, {"best": 20 + 3, "cay": 4 + 6, "dan": 20 + 2, "eve": 20 + 2, "fay": 20, "gus": 20, "hal": 0, "ivo": 0, "jim": 0, "kim": 0,
                   "lea": 4, "max": 0, "nia": 20 - 5},
            {"eve": "place 2 of the tournament, which 2 share", "hal": "printed no line of letters", "ivo": "it was not built",
             "jim": "printed no line of letters", "kim": r"ended by signal 6 \(Aborted\)", "lea": 'the way out is found in 0 of 2 games',
             "max": "found 'W'"},
            late=("hal", "nia"), more=["--standings", standings])
        ended = self.ended("busy")
        self.assertLess(kept, ended, "what was played stays, and the grading was not killed too late to see that")
        self.assertEqual(len({game[:3] for game in ended}), len(ended), "none is played twice")
        self.assertIn("It did not play: ", grades["ivo"]["feedback"])
        self.assertIn(", late. ", grades["hal"]["feedback"])

    @unittest.skipUnless(os.path.exists("/usr/bin/python3"), "the system has no Python")
    def test_light_cycles(self):
        thinks = {"ola": "pass", "pia": TWICE_THE_LIMIT, "quy": NEVER_IN_TIME}
        files = {self.file_of(student, "bot.py"): CYCLE.format(thinks=does) for student, does in thinks.items()}
        self.collect(files, "--game", "light_cycles")
        text = rubric("light_cycles", [step("legal", 21, "faultless")], bots=[{"name": "dumb", "launch": ["cycles-dumb"]}],
                      opponents=["dumb"], match={"games": 4}, params=CYCLES)
        over = r"It used \d+\.\d+ ms in turn 1, and the mean of its turns may be no more than 50(\.000)? ms"
        late = "3 games in a row ended without an answer in time, so the rest was not played"
        self.check_busy(text, {"ola": 21, "pia": 0, "quy": 0}, {"pia": over, "quy": late})
        told = self.exits(0, "explain", *glob.glob(self.path("busy/games/pia-*/games/*.ndjson"))).stdout
        self.assertEqual(len(re.findall(over, told)), 4, told)

    def test_superball(self):
        silent = "int main(void) { return 0; }\n"
        programs = {"rex": SUPERBALL % 0, "sue": SUPERBALL % 0.3, "tom": silent}
        files = {self.file_of(student, "main.c"): program for student, program in programs.items()}
        self.collect(files, *COLLECT, GCC, "--kind", "superball-moves")
        text = rubric("superball", [step("legal", 5, "faultless"), step("average", 10, "average_score", at_least=20),
                                    step("more", 5, "average_score", at_least=20.01)],
                      params=TEN_CELLS, match={"games": 3, "seeds": [1, 2, 3]})
        grades = self.check_busy(text, {"rex": 15, "sue": 15, "tom": 0}, {"tom": "the program printed nothing"})
        for name in ("rex", "sue"):
            self.assertEqual(grades[name]["steps"][1]["average"]["score"], 20, name)

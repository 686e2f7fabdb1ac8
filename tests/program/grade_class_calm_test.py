"""A class of twenty, graded twice: the grades are those written down by hand here, also beside loops that want every core, and where the
grading was killed in the middle. And programs of Superball that think for parts of a second a move score as the ones that don't. CTest
runs it in the same way as program_test.py."""
# calm: programs burn processor time, and the second grading goes on beside three busy loops.
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, name) for name in ("", "models")]

from collect_test import CollectTest, moodle, zipped
from grade_test import GradingTest
from harness import LONG, REFEREE, ended, rows, wait_until
from sample import sampled
from superball import Superball

BUSY_LOOPS = 3
# It ends with the test, however that ends.
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(1000000): pass\n"
QUARTER = 25  # of the hundred seeds
PARTS = 13  # of a quarter, of which a run takes one: an odd number beside four quarters, so that each seed is in some sample
WHOLE_S = 280  # after which a quarter counts as hung

NAMES = ("Ann Lee", "Bob Ray", "Cay Day", "Dan Low", "Eve Fox", "Fay Gil", "Gus Hay", "Hal Ivy", "Ivo Kay", "Jim May", "Kim Noe",
         "Lea Orr", "Max Poe", "Nia Quo", "Ola Roe", "Pia Sax", "Quy Tan", "Rex Uhl", "Sue Vox", "Tom Way", "Uma Yip")
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
BURNS = "#include <ctime>\n[[gnu::constructor]] static void burn() { while (std::clock() < %g * CLOCKS_PER_SEC) {} }\n"


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

    def graded(self, out, text, more, **options):
        """Of each submission: points, whether they are final, whether it came late; and all of its grade."""
        self.grade(text=text, out=out, more=["--all", self.path("out/submissions"), *more], **options, status=0)
        grades = {name: json.loads(self.read(f"{out}/{name}/grade.json")) for name in json.loads(self.read(f"{out}/grades.json"))["graded"]}
        return {name: (grade["points"], grade["final"], grade["late"]) for name, grade in grades.items()}, grades

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

    def check_twice(self, text, points, reasons, late=(), more=(), **options):
        """The grades of both gradings are those of `points`, and say the reasons, which are patterns."""
        by_hand = {name: (given, True, name in late) for name, given in points.items()}
        quiet, grades = self.graded("quiet", text, more, **options)
        self.assertEqual(quiet, by_hand)
        with busy_machine():
            busy, grades_then = self.graded("busy", text, more, **options)
        self.assertEqual(busy, by_hand)
        for all_grades in (grades, grades_then):
            for name, reason in reasons.items():
                told = [text for one in all_grades[name]["steps"] for text in (one["reason"], *one["advice"])]
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
        collected = self.collect(files, "--groups", "first-line", *COLLECT, GCC, "--kind", "snake-challenge", status=1)
        self.assertEqual({name: one["submission"]["students"] for name, one in self.by_name.items()},
                         {"best": ["ann", "bob"], **{name: [name] for name in list(STUDENTS)[2:14]}})
        odd = {one["line"]: " ".join(one["why"]) for one in collected["to_look_at"]}
        told = {"cay": "first line dan", "dan": "names dan .* too", "fay": "has no id",
                "eve": f"nobody of the roster has the id {eves}: is it {IDS['eve']} of eve"}
        self.assertEqual(set(odd), {f"{self.key(student)} = {IDS[student]}" for student in told})
        for student, why in told.items():
            self.assertRegex(odd[f"{self.key(student)} = {IDS[student]}"], why)
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
        grades = self.check_twice(
            text, {"best": 20 + 3, "cay": 4 + 6, "dan": 20 + 2, "eve": 20 + 2, "fay": 20, "gus": 20, "hal": 0, "ivo": 0, "jim": 0, "kim": 0,
                   "lea": 4, "max": 0, "nia": 20 - 5},
            {"eve": "place 2 of the tournament, which 2 share", "hal": "printed no line of letters", "ivo": "it was not built",
             "jim": "printed no line of letters", "kim": r"ended by signal 6 \(Aborted\)", "lea": 'the way out is found in 0 of 2 games',
             "max": "found 'W'"},
            late=("hal", "nia"), more=["--standings", standings, "--junit", self.path("junit.xml")])
        ended = self.ended("busy")
        self.assertLess(kept, ended, "what was played stays, and the grading was not killed too late to see that")
        self.assertEqual(len({game[:3] for game in ended}), len(ended), "none is played twice")
        self.assertIn("It did not play: ", grades["ivo"]["feedback"])
        self.assertIn(", late. ", grades["hal"]["feedback"])
        suites = xml.etree.ElementTree.parse(self.path("junit.xml")).getroot()
        failures = suites.findall("testsuite[@name='ivo']/testcase/failure")
        self.assertEqual(len(failures), len(grades["ivo"]["steps"]))
        for failure in failures:
            self.assertRegex(failure.text, r"main\.c:\d+:\d+: error: .*unknown")

    def version_manager(self):
        """An environment in which the Python is one of pyenv's, which needs a file beside it."""
        prefix = "pyenv/versions/3.1/"
        self.write("pyenv/version", "3.1\n")
        self.write(prefix + "lib/here", "")
        for path, text in ((prefix + "bin/python3", f". {self.path(prefix)}lib/here\nexec /usr/bin/python3 \"$@\"\n"),
                           ("pyenv/shims/python3", f"exec {self.path('pyenv/libexec/pyenv')} exec python3 \"$@\"\n")):
            os.chmod(self.write(path, "#!/bin/sh\n" + text), 0o755)
        return {**os.environ, "PATH": self.path("pyenv/shims") + ":" + os.environ["PATH"]}

    @unittest.skipUnless(os.path.exists("/usr/bin/python3"), "the system has no Python")
    def test_light_cycles(self):
        thinks = {"ola": "pass", "pia": TWICE_THE_LIMIT, "quy": NEVER_IN_TIME}
        files = {self.file_of(student, "bot.py"): CYCLE.format(thinks=does) for student, does in thinks.items()}
        self.collect(files, "--game", "light_cycles")
        text = rubric("light_cycles", [step("legal", 21, "faultless")], bots=[{"name": "dumb", "launch": ["cycles-dumb"]}],
                      opponents=["dumb"], match={"games": 4}, params=CYCLES)
        over = r"It used \d+\.\d+ ms in turn 1, and the mean of its turns may be no more than 50(\.000)? ms"
        late = "3 games in a row ended without an answer in time, so the rest was not played"
        self.check_twice(text, {"ola": 21, "pia": 0, "quy": 0}, {"pia": over, "quy": late}, env=self.version_manager())
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
        grades = self.check_twice(text, {"rex": 15, "sue": 15, "tom": 0}, {"tom": "the program printed nothing"})
        for name in ("rex", "sue"):
            self.assertEqual(grades[name]["steps"][1]["average"]["score"], 20, name)

    @unittest.skipIf(shutil.which("octave-cli") is None, "octave-cli is missing: scripts/setup --interpreters installs it")
    def test_e7_planets(self):
        own = "function dir = e7planets_player(my_map)\ndir = 'R';\nend\n"
        self.collect({self.file_of("uma", "e7planets_player.m"): own}, "--kind", "octave-function")
        text = rubric("e7_planets", [step("legal", 5, "faultless"), step("wins", 5, "each_win")], generated={"type": "beta", "count": 1})
        self.check_twice(text, {"uma": 0}, {"uma": "the header is not the handout's, so the ship never moves"})


class CalmBurnsTest(GradingTest):
    """Programs in the handout's style that burn 0, 0.15, 0.3 and 1 s of processor time a move have the scores of the rules page."""
    PARAMS = {"rows": 5, "cols": 2, "min_score_size": 3, "colors": "pby", "pace_us": 0}
    BURN_S = {"burns-0": 0, "burns-150": 0.15, "burns-300": 0.3, "burns-1000": 1}

    def compiled(self, *words):
        subprocess.run(["c++", "-O2", *words], check=True, timeout=LONG, cwd=self.folder)

    def score_by_the_rules(self, seed):
        game = Superball(self.PARAMS, seed)
        while not game.over():
            words = [self.path("class/burns-0/student"), *(str(self.PARAMS[name]) for name in ("rows", "cols", "min_score_size", "colors"))]
            board = "\n".join(game.state()["board"]) + "\n"
            told = subprocess.run(words, input=board, capture_output=True, text=True, timeout=LONG).stdout
            game.apply([told.split("\n")[0]], [0])
        return game.score

    def check(self, seeds):
        self.compiled("-c", os.path.join(HERE, os.pardir, "adapters/programs/sb_student.cpp"), "-o", "student.o")
        for name, seconds in self.BURN_S.items():
            self.write(f"class/{name}/submission.json", {"name": name, "students": [name], "late": False, "deadlines": [],
                                                        "program": {"kind": "superball-moves", "file": "student"},
                                                        "build": {"result": "not_needed"}})
            self.compiled(self.write("burn.cpp", BURNS % seconds), "student.o", "-o", f"class/{name}/student")
        text = rubric("superball", [step("average", 10, "average_score", at_least=0)], params=self.PARAMS,
                      match={"games": len(seeds), "seeds": seeds})
        words = [REFEREE, "grade", "--rubric", self.write("rubric.json", text), "--all", self.path("class"), "--out", self.path("out")]
        done = subprocess.run(words, capture_output=True, text=True, timeout=WHOLE_S)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        scores = {name: {} for name in self.BURN_S}
        played = "SELECT s.bot, g.seed, s.score FROM games g JOIN game_seats s ON s.seq = g.seq"
        for name, seed, score in rows(self.path("out/games/referee.db"), played):
            scores[name][int(seed)] = score
        by_the_rules = {seed: self.score_by_the_rules(seed) for seed in seeds}
        print(f"seeds and scores: {by_the_rules}")
        self.assertEqual(scores, {name: by_the_rules for name in self.BURN_S})


for first in (1, 26, 51, 76):
    setattr(CalmBurnsTest, f"test_seeds_from_{first}", lambda self, first=first: self.check(sampled(range(first, first + QUARTER), PARTS)))

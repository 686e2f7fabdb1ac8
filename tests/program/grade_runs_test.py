"""`referee grade` of a submission's other programs: Superball's sb-read and sb-analyze against ours."""
import json
import os
import shutil
import signal
import subprocess

from grade_test import GradingTest
from harness import BIN, REFEREE, SOURCE, ended, wait_until

BOARDS = os.path.join(SOURCE, "configs", "rubrics", "superball-boards")
SETTING = ["8", "10", "5", "pbyrg"]
# A board whose sets have several goal cells.
CHOSEN = ["03.txt", "07.txt", "11.txt"]
READS_RIGHT, ANALYZES_RIGHT = 'exec ours/sb-read "$@"', 'exec ours/sb-analyze "$@"'


class RunsTest(GradingTest):
    def setUp(self):
        super().setUp()
        for board in CHOSEN:
            os.makedirs(self.path("boards"), exist_ok=True)
            shutil.copy(os.path.join(BOARDS, board), self.path("boards"))

    def rubric(self, time="10s", **more):
        runs = {"inputs": "boards", "time": time}
        return {"title": "Tools", "game": "superball", "pass": 6,
                "series": [{"id": "read", "runs": {**runs, "command": ["./sb-read", *SETTING], "reference": ["sb-read", *SETTING]}},
                           {"id": "analyze", "runs": {**runs, "command": ["./sb-analyze", *SETTING], "reference": ["sb-analyze", *SETTING],
                                                      "check": ["sb-check-sets", *SETTING]}}],
                "steps": [{"id": "read", "title": "reads", "points": 3, "series": ["read"], "rule": {"kind": "each_right"}},
                          {"id": "analyze", "title": "analyzes", "points": 3, "series": ["analyze"], "rule": {"kind": "right"}}], **more}

    def tool(self, name, body, student="ann"):
        """A program of the submission, which may call ours."""
        os.chmod(self.write(f"class/{student}/{name}", f"#!/bin/sh\n{body}\n"), 0o755)

    def student(self, student="ann", read=READS_RIGHT, analyze=ANALYZES_RIGHT):
        """Has tools, and no player."""
        os.makedirs(self.path(f"class/{student}/ours"))
        for program in ("sb-read", "sb-analyze"):
            shutil.copy(os.path.join(BIN, program), self.path(f"class/{student}/ours"))
        self.tool("sb-read", read, student)
        self.tool("sb-analyze", analyze, student)
        self.write(f"class/{student}/submission.json", {"name": student, "students": [], "late": False, "deadlines": [],
                                                       "build": {"result": "not_needed"}})

    def run_class(self, text=None, more=(), status=0, told=()):
        return self.exits(status, "grade", "--rubric", self.write("rubric.json", text or self.rubric()), "--all", self.path("class"),
                          "--out", self.path("out"), *more, told=told)

    def steps(self, student="ann"):
        return {step["id"]: step for step in self.json("out", student, "grade.json")["steps"]}

    def records(self, student="ann"):
        return list(map(json.loads, self.read("out", student, "runs.ndjson").splitlines()))


class GradeRunsTest(RunsTest):
    def test_ours_are_right_and_what_is_wrong_is_told(self):
        # In the order of their runs: what one printed is not the next one's.
        ways = {"babbles": ("yes | head -c 20000000", "it printed more than 16 MB"),
                "closes": ("exec >&-", 'line 1: expected "Empty cells:'),
                "crashes": ("kill -SEGV $$", "killed by signal 11"),
                "fails": ("printf 'no such board \\033' >&2; exit 1", r"exit status 1: no such board \x1b"),
                "missing": ("", "./sb-read can't be started: there is no such file"),
                "names_none": ("", "expected one after `chmod +x`, and of a script a first line such as #!/usr/bin/env python3")}
        for name, (body, _) in ways.items():
            self.student(name, read=body)
        os.remove(self.path("class/missing/sb-read"))
        self.write("class/names_none/sb-read", "print(1)\n")
        self.student()
        self.student("cay", read='ours/sb-read "$@" | sed "s/\\(Empty cells: *\\)10/\\111/"',
                     analyze='text=$(ours/sb-analyze "$@"); echo "$text"; echo "$text" | tail -1')
        done = self.run_class()
        self.assertIn("48 runs of other programs, at worst ", done.stdout)
        grade = self.json("out", "ann", "grade.json")
        self.assertEqual((grade["points"], grade["of"], grade["passed"]), (6, 6, True), grade)
        self.assertRegex(grade["program"], "^sha256:")
        self.assertEqual(len(self.records()), 6)
        for name, (_, reason) in ways.items():
            with self.subTest(name):
                step = self.steps(name)["read"]
                self.assertEqual((step["points"], len(step["wrong_inputs"])), (0, 3))
                self.assertIn(reason, step["advice"][0])
                self.assertEqual(self.steps(name)["analyze"]["points"], 3, "the other program is as it was")
        self.assertIn("no such board", self.json("out", "fails", "grade.json")["standard_error"])

        steps = self.steps("cay")
        self.assertEqual((steps["read"]["points"], steps["read"]["wrong_inputs"]), (2, ["read/07.txt"]))
        self.assertEqual(steps["read"]["advice"],
                         ['input read/07.txt: line 1: expected "Empty cells:                    10", found "Empty cells:                    11"'])
        self.assertEqual(steps["analyze"]["verdict"], "failed")
        self.assertRegex(steps["analyze"]["advice"][0], r"input analyze/03.txt: the set of 11 '.' at the goal cell .* is named twice")
        self.tells(self.read("out/cay/feedback.html"), "named twice", "./sb-read 8 10 5 pbyrg &lt; 07.txt: that run",
                   "The input 07.txt</h2>\n<pre>" + self.read(BOARDS, "07.txt").rstrip())

    def test_a_program_that_hangs_takes_its_time_and_no_more(self):
        text = self.rubric()
        text["series"][0]["runs"].update(command=["./sb-hang"], time="500ms")
        self.student()
        # It hardly works, however slow a busy machine makes the start of a program.
        self.tool("sb-hang", "exec tail -f /dev/null")
        self.run_class(text)
        self.assertEqual(self.steps()["read"]["advice"][0], "input read/03.txt and 2 more (07.txt, 11.txt): it did not end within 2.5 s")

    def test_a_reference_or_a_checker_that_fails_is_nobodys_zero(self):
        self.student()
        # A script that meets a mistake of its own ends with 1, and says nothing of what is wrong.
        check = self.write("check.sh", "#!/bin/sh\nexit 1\n")
        os.chmod(check, 0o755)
        for member, command, told in (("reference", ["sb-read", "8"], "the reference "), ("check", [check], "the checker ")):
            text = self.rubric()
            text["series"][1]["runs"][member] = command
            self.run_class(text, status=3, told=told)
            self.assertEqual((self.steps()["analyze"]["verdict"], self.steps()["read"]["points"]), ("trouble", 3))
        self.run_class()
        self.assertEqual(self.json("out", "ann", "grade.json")["points"], 6)
        # As many an archive and many a copy leaves it.
        os.chmod(self.path("class/ann/sb-read"), 0o644)
        shutil.rmtree(self.path("out"))
        self.run_class(status=3)
        self.assertEqual((self.steps()["read"]["verdict"], self.steps()["analyze"]["points"]), ("trouble", 3))

    def test_nothing_is_run_twice_but_what_has_changed(self):
        self.student()
        text = self.rubric()
        self.run_class(text)
        before = self.records()
        # Another rule, another input, another check of one series, another program: how many runs there are then.
        text["steps"][0]["rule"] = {"kind": "right", "at_least": 2}
        self.run_class(text)
        self.assertEqual(self.records(), before)
        shutil.copy(os.path.join(BOARDS, "12.txt"), self.path("boards"))
        text["series"][0]["runs"]["check"] = "any_order"
        self.run_class(text)
        self.assertEqual([record["input"] for record in self.records()[6:]], [*CHOSEN, "12.txt", "12.txt"])
        self.tool("sb-read", "echo nothing")
        self.run_class(text)
        self.assertEqual(self.steps()["read"]["points"], 0)
        self.assertEqual(len(self.records()), 6 + 5 + 8, "the folder is the program")

    def test_a_grading_that_is_killed_goes_on(self):
        self.student()
        # A reference that waits to be let through, which no sandbox hides: the last runs come after the kill.
        waits = "until [ -e $0.open ]; do sleep 0.1; done"  # time: between two looks
        gate = self.write("ours/sb-analyze", f'#!/bin/sh\n{waits}\nexec "$0.right" "$@"\n')
        os.chmod(gate, 0o755)
        shutil.copy(os.path.join(BIN, "sb-analyze"), gate + ".right")
        text = self.rubric(time="100s")
        text["series"][1]["runs"]["reference"] = [gate, *SETTING]
        command = [REFEREE, "grade", "--rubric", self.write("rubric.json", text), "--all", self.path("class"), "--out", self.path("out"),
                   "--unsandboxed"]
        records = self.path("out/ann/runs.ndjson")
        running = self.spawn(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: os.path.getsize(records) > 0, "a run that is kept")
        ended(running, signal.SIGKILL)
        kept = self.read(records).splitlines()
        self.assertLess(len(kept), 6)
        with open(records, "a") as file:
            file.write('{"key": "cut o')
        self.write("ours/sb-analyze.open", "")
        self.run_class(text, more=["--unsandboxed"])
        lines = self.read(records).splitlines()
        self.assertEqual((lines[:len(kept)], len(lines)), (kept, 7))
        self.assertEqual(self.json("out", "ann", "grade.json")["points"], 6)

    def test_a_program_sees_neither_what_is_expected_nor_others(self):
        look = f"echo others $(find {self.folder} -type f 2>/dev/null | grep -v ^{self.path('class/ann')}/)"
        self.student(read=look, analyze=look)
        self.student("bob")
        self.run_class()
        if self.json("out", "ann", "grade.json")["sandbox"] != "A":
            self.skipTest("this machine has no sandbox of tier A")
        for step in ("read", "analyze"):
            self.assertIn('"others"', self.steps()[step]["advice"][0])
        shutil.rmtree(self.path("out"))
        self.run_class(more=["--unsandboxed"])
        self.assertIn('"others /', self.steps()["read"]["advice"][0], "so the program does look")

    def test_the_shipped_rubric_passes_its_own_references(self):
        rubric = os.path.join(SOURCE, "configs", "rubrics", "superball-tools.json")
        done = self.exits(0, "grade", "--rubric", rubric, "--dry-run")
        self.assertRegex(done.stdout, r"reference +2 of 2 +1 +1 ")
        self.assertIn("40 runs of other programs", done.stdout)

    def test_one_submission_with_games_and_runs(self):
        text = self.rubric(**{"pass": 7})
        text["series"].append({"id": "games", "match": {"games": 2}})
        text["steps"].append({"id": "legal", "title": "plays", "points": 1, "series": ["games"], "rule": {"kind": "faultless"}})
        self.student()
        self.grade("superball-random", text, more=["--directory", self.path("class/ann")], status=0)
        self.assertEqual(self.json("out", "grade.json")["points"], 7)
        self.assertTrue(os.path.exists(self.path("out/runs.ndjson")))

    def test_mistakes_of_runs_are_told_before_anything_is_run(self):
        self.student()
        for change, *told in (({"inputs": "nowhere"}, "series read: runs.inputs: ", "nowhere can't be read"),
                              ({"command": ["../../sb-read"]}, 'leads out of its folder; expected a program of the submission, such as "./sb-read"'),
                              ({"reference": ["./none.sh"]}, "series read: runs.reference: there is no program ./none.sh in ")):
            text = self.rubric()
            text["series"][0]["runs"].update(change)
            self.run_class(text, status=2, told=told)
        text = self.rubric()
        text["steps"][1]["rule"]["at_least"] = 4
        self.run_class(text, status=2, told="step analyze: rule.at_least: asks for 4 of 3 inputs")


# Needs the machine for itself: its program works without a pause, and one that is given less than a tenth of a core can't be told
# from one that waits.
class CalmRunsTest(RunsTest):
    def test_a_program_that_works_too_long_is_ended_by_its_processor_time(self):
        text = self.rubric()
        text["series"][0]["runs"].update(command=["./sb-loop"], time="500ms")
        self.student()
        self.tool("sb-loop", "while :; do :; done")
        self.run_class(text)
        self.assertEqual(self.steps()["read"]["advice"][0], "input read/03.txt and 2 more (07.txt, 11.txt): it needed more than 0.5 s of processor time")

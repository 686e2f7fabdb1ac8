"""`referee collect`: a class with its groups, builds that fail in all ways, a run that is killed."""
import io
import json
import os
import shutil
import signal
import subprocess
import zipfile
from unittest import mock

from harness import LONG, REFEREE, ProgramTest, ended, fits, read_json, referee, wait_until

ROSTER = """name,student_id,email,team,full_name,login
ann,1001,ann@example.edu,red,Ann Lee,annlee
bob,1002,bob@example.edu,red,Bob Ray,bobray
cay,1003,cay@example.edu,blue,Cay Day,cayday
dan,1004,dan@example.edu,blue,Dan Low,danlow
eve,1005,eve@example.edu,,\u00c8ve Fox,evefox
fay,1006,fay@example.edu,,Fay Gil,faygil
gus,1007,gus@example.edu,,Gus Hay,gushay
hal,1008,hal@example.edu,,Hal Ivy,halivy
"""
C = "#include <stdio.h>\nint main(void) { puts(\"L\"); return 0; }\n"
CPP = "#include <iostream>\nint main() { std::cout << \"L\\n\"; }\n"
PYTHON = "print('L')\n"
# A program in C that is not finished.
BROKEN_C = "int main(void) { return unknown; }\n"


def zipped(files):
    """A zip's bytes. Names with a time behind them: (name, (2026, 5, 1, 12, 0, 0))."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            name, moment = name if isinstance(name, tuple) else (name, (2026, 5, 1, 12, 0, 0))
            info = zipfile.ZipInfo(name, moment)
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
    return buffer.getvalue()


def moodle(student, number, name):
    return f"{student}_{number}_assignsubmission_file_/{name}"


class CollectTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("students.csv", ROSTER)

    def archive(self, files, name="export.zip"):
        with open(self.path(name), "wb") as file:
            file.write(zipped(files))
        return self.path(name)

    def words(self, archive, *more, out="out"):
        return ["collect", archive, "--roster", self.path("students.csv"), "--out", self.path(out), *more]

    def collect(self, files, *more, status=0, out="out", told=""):
        """What was collected, after a check of the exit status and of what is told."""
        archive = files if isinstance(files, str) else self.archive(files)
        self.done = referee(*self.words(archive, *more, out=out), env={**os.environ, "TZ": "UTC"})
        if "expected a sandbox of tier A or B" in self.done.stderr:
            self.done = referee(*self.words(archive, *more, "--unsandboxed", out=out), env={**os.environ, "TZ": "UTC"})
        self.assertEqual(self.done.returncode, status, self.done.stderr + self.done.stdout)
        self.tells(self.done.stderr, told)
        if status in (0, 1):
            collected = fits(json.loads(self.read(f"{out}/collected.json")), "schemas/collected.json")
            self.by_name = {one["name"]: one for one in collected["submissions"]}
            return collected
        return None

    def tournament(self):
        return read_json(self.path("out/tournament.json"))

    def result(self, name):
        return self.by_name[name]["submission"]["build"]["result"]


class BuildsTest(CollectTest):
    def test_a_class_of_which_a_third_is_broken(self):
        files = {
            moodle("Ann Lee", 1, "bot.zip"): zipped({"bot/main.c": C}),
            moodle("Ann Lee", 1, "report.pdf"): "%PDF",
            moodle("Bob Ray", 2, "x.zip"): zipped({"p/Makefile": "bot: bot.c\n\t$(CC) -o bot bot.c\n", "p/bot.c": C}),
            moodle("Cay Day", 3, "x.zip"): zipped({
                "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(p CXX)\nadd_executable(bot bot.cpp)\n", "bot.cpp": CPP}),
            moodle("Dan Low", 4, "bot.py"): PYTHON,
            "Dan Low_4_assignsubmission_onlinetext_/onlinetext.html": "<p>done</p>",
            moodle("Eve Fox", 5, "main.c"): BROKEN_C,
            moodle("Fay Gil", 6, "x.zip"): b"this is no zip",
            moodle("Gus Hay", 7, "x.zip"): zipped({"../../evil.c": C}),
        }
        collected = self.collect(files, "--game", "walls", status=1)
        results = {name: self.result(name) for name in self.by_name}
        self.assertEqual(results, {"ann": "built", "bob": "built", "cay": "built", "dan": "not_needed", "eve": "failed",
                                   "fay": "refused", "gus": "refused"})
        self.assertEqual((collected["shape"], collected["missing"], len(collected["left_over"])), ("moodle", ["hal"], 1))
        self.tells(self.read("out/collected.txt"), "eve failed: exit status 1", "unknown", "fay refused: x.zip is no archive that can be read",
                   "gus refused: ../../evil.c leads out of its folder", "report.pdf was handed in beside bot.zip and is left out")
        self.assertIn("unknown", self.read("out/submissions/eve/build.txt"))
        self.assertFalse(os.path.exists(self.path("out/submissions/eve/build")))
        for name in results:
            self.assertTrue(os.path.exists(self.path(f"out/submissions/{name}/submission.json")), name)
        ann = json.loads(self.read("out/submissions/ann/submission.json"))
        self.assertEqual((ann["students"], ann["directory"]), (["ann"], "build/bot"))
        program = self.path("out/submissions/ann", ann["directory"], ann["command"][0])
        self.assertEqual(subprocess.run([program], capture_output=True, text=True, timeout=LONG).stdout, "L\n")
        self.assertEqual([bot["name"] for bot in self.tournament()["bots"]], ["ann", "bob", "cay", "dan"])
        self.exits(0, "check", self.path("out/tournament.json"))

    def test_a_build_keeps_to_itself_and_within_its_time(self):
        loop = "all:\n\tsleep 600\n"  # time: a build that does not end
        nosy = f"all:\n\techo hello; cat {self.path('students.csv')} > stolen; touch {self.path('touched')}; false\n"
        odd = "all:\n\tcp main.txt bot; mkdir -m 0 closed\n"
        garbage = "all:\n\tfor p in /proc/[0-9]*; do echo garbage > $$p/fd/1; done; true\n"
        prints = "all:\n\t@yes 'a line of 40 letters or about so many' | head -c 9000000; printf '\\033[2J'; false\n"
        self.collect({moodle("Ann Lee", 1, "Makefile"): loop, moodle("Bob Ray", 2, "Makefile"): nosy,
                      moodle("Dan Low", 4, "Makefile"): odd, moodle("Dan Low", 4, "main.txt"): "no program",
                      moodle("Eve Fox", 5, "Makefile"): garbage, moodle("Fay Gil", 6, "Makefile"): prints},
                     "--build-time", "4s", status=1)
        reasons = {name: self.by_name[name]["submission"]["build"]["reason"] for name in self.by_name}
        self.assertEqual(reasons["ann"], "took longer than 4 s")
        self.assertIn("exit status", reasons["bob"])
        self.assertIn("hello", self.read("out/submissions/bob/build.txt"))
        self.assertEqual(reasons["dan"], "the build made no program", "what it left can be read again")
        self.assertEqual(self.result("eve"), "failed", "who writes into the archive of what is built spoils nobody else's")
        if "without a sandbox" not in self.done.stderr:
            self.assertFalse(os.path.exists(self.path("touched")))
        printed = self.read("out/submissions/fay/build.txt")
        self.assertLess(len(printed), 40_000)
        self.assertTrue(printed.endswith("... and more"), printed[-80:])
        self.assertEqual(set(printed.splitlines()[:-1]), {"a line of 40 letters or about so many"}, "it is cut at whole lines")

    def test_a_compiler_that_is_missing_or_builds_nothing_is_the_machines_trouble(self):
        files = {moodle("Ann Lee", 1, "main.c"): C, moodle("Bob Ray", 2, "bot.py"): PYTHON}
        self.collect(files, "--build", "no-such-compiler main.c", status=3, told="expected the program no-such-compiler to build submissions with")
        self.write("tools/gcc", "#!/bin/sh\necho no stdio.h; exit 1\n")
        os.chmod(self.path("tools/gcc"), 0o755)
        with mock.patch.dict(os.environ, PATH=self.path("tools") + ":" + os.environ["PATH"]):
            self.collect(files, "--unsandboxed", status=3,
                         told="trouble of this machine while ann was built: gcc builds no program of two lines either: exit status 1\nno stdio.h")
        self.assertEqual(os.listdir(self.path("out/submissions")), ["bob"])
        self.collect(files, "--unsandboxed")
        self.assertEqual(self.result("ann"), "built", "the same command builds it once the compiler works")


class AgainTest(CollectTest):
    def test_only_what_is_new_is_built(self):
        files = {moodle("Ann Lee", 1, "main.c"): C, moodle("Bob Ray", 2, "main.c"): BROKEN_C}

        def kept(**options):
            self.collect(files, **options)
            return [self.by_name[name]["kept"] for name in ("ann", "bob")]

        self.assertEqual([kept(status=1), kept(status=1)], [[False, False], [True, True]])
        self.assertIn("unknown", self.read("out/collected.txt"), "the output of the failed build is still told")
        os.truncate(self.path("out/submissions/ann/build/program"), 100)
        self.assertEqual(kept(status=1), [False, True], "what is not as it was is built anew")
        files[moodle("Bob Ray", 2, "main.c")] = C
        self.assertEqual(kept(), [True, False])
        self.assertEqual(self.result("bob"), "built")
        self.collect(files, "--build", "gcc -o other main.c")
        self.assertFalse(any(one["kept"] for one in self.by_name.values()), "another command builds anew")

    def test_killed_in_the_middle_nothing_is_half_built(self):
        slow = "all:\n\tsleep 2\n\t$(CC) -o bot bot.c\n"  # time: a build that takes long
        students = ("Ann Lee", "Bob Ray", "Cay Day", "Dan Low", "Eve Fox", "Fay Gil")
        files = {moodle(student, i, name): text for i, student in enumerate(students) for name, text in (("Makefile", slow), ("bot.c", C))}
        words = self.words(self.archive(files), "--unsandboxed", out="killed")
        process = self.spawn([REFEREE, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        done = self.path("killed/submissions")
        wait_until(lambda: os.path.isdir(done) and os.listdir(done), "the first submission")
        ended(process, signal.SIGKILL)
        kept = set(os.listdir(done))
        self.assertLess(len(kept), len(students), "it was killed too late to see anything")
        for name in kept:
            for whole in ("submission.json", "build/bot"):
                self.assertTrue(os.path.exists(os.path.join(done, name, whole)))
        self.collect(files, out="killed")
        self.assertEqual({name for name, one in self.by_name.items() if one["kept"]}, kept)
        self.assertEqual({self.result(name) for name in self.by_name}, {"built"})
        self.assertFalse(os.path.exists(self.path("killed/.work")))


class GroupsTest(CollectTest):
    def test_teams_and_first_lines(self):
        members = "// 1001 1003\n" + C
        self.collect({moodle("Ann Lee", 11, "wolves.zip"): zipped({"iap/main.c": members, "iap/README": "x"})},
                     "--groups", "first-line", "--build", "gcc -O2 -std=c99 --pedantic *.c -o iap", "--build-in", "iap",
                     "--kind", "snake-challenge")
        submission = self.by_name["wolves"]["submission"]
        self.assertEqual([submission[member] for member in ("students", "program", "directory")],
                         [["ann", "cay"], {"kind": "snake-challenge", "file": "iap"}, "build/iap"])
        self.collect({(moodle("Ann Lee", 11, "bot.py"), (2026, 5, 2, 1, 0, 0)): PYTHON, moodle("Bob Ray", 12, "bot.py"): "broken(\n",
                      moodle("Cay Day", 13, "bot.py"): "broken(\n", moodle("Dan Low", 14, "bot.py"): PYTHON},
                     "--groups", "team", out="teams")
        for team in ("red", "blue"):
            self.assertEqual(len(self.by_name[team]["versions"]), 2)
            self.assertEqual(self.read(f"teams/submissions/{team}/files/bot.py"), PYTHON, "the newest of the team counts, the last of one time")

    def test_a_first_line_that_names_another_replaces_nobody(self):
        files = {moodle("Ann Lee", 11, "main.c"): "// 1002\n" + C, moodle("Bob Ray", 12, "main.c"): "// 1002\n" + C}
        collected = self.collect(files, "--groups", "first-line", status=1)
        self.assertEqual({name: one["key"] for name, one in self.by_name.items()}, {"ann": "Ann Lee_11", "bob": "Bob Ray_12"})
        self.assertEqual([one["line"] for one in collected["to_look_at"]], ["Ann Lee_11 = 1001", "Bob Ray_12 = 1002"])
        self.tells(self.read("out/collected.txt"), "look at these", "      so far it is ann (Ann Lee)'s\n")
        self.write("out/groups.txt", "# by word of mouth\nAnn Lee_11 = 1001 1003\n")
        self.assertEqual(self.collect(files, "--groups", "first-line")["to_look_at"], [])
        self.assertEqual(self.by_name["ann"]["submission"]["students"], ["ann", "cay"])
        self.write("out/groups.txt", "Ann Lee_11\n")
        self.collect(files, "--groups", "first-line", status=2, told="groups.txt:1: expected a submission and the ids")

    def test_what_an_earlier_collection_left_is_told(self):
        both = {moodle("Ann Lee", 11, "bot.py"): PYTHON, moodle("Bob Ray", 12, "bot.py"): PYTHON}
        self.collect(both)
        both.pop(moodle("Bob Ray", 12, "bot.py"))
        self.assertEqual(self.collect(both, status=1)["earlier"], ["submissions/bob"])
        self.assertIn("1 of an earlier collection", self.done.stdout)
        self.assertIn("remove those that are not to be graded\n  submissions/bob\n", self.read("out/collected.txt"))
        shutil.rmtree(self.path("out/submissions/bob"))
        self.assertEqual(self.collect(both)["earlier"], [])


class BadInputTest(CollectTest):
    def test_each_is_told(self):
        good = self.archive({moodle("Ann Lee", 1, "bot.py"): PYTHON})
        for words, told in ((["--shape", "blackboard"], "--shape: expected one of moodle, canvas"),
                            (["--deadline", "tomorrow"], "--deadline: expected a moment with its zone"),
                            (["--grace", "long"], "--grace: expected a time such as 2h"),
                            (["--groups", "random"], "--groups: expected none, team or first-line"),
                            (["--kind", "cobol"], "--kind: found cobol"),
                            (["--game", "chess"], "--game: ")):
            self.collect(good, *words, status=2, told=told)
        self.collect(self.path("missing.zip"), status=2)
        self.write("students.csv", "name,student_id\nann,1001\nbob,1002\n")
        collected = self.collect(good, status=1)
        self.assertEqual(len(collected["unknown"]), 1)
        self.assertIn("no column full_name", " ".join(collected["remarks"]))
        self.write("students.csv", "name,student_id\nann,1\nann,2\n")
        self.collect(good, status=2, told="students.csv:3")

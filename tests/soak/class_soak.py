"""A class from its archive to its gradebook, a third of it broken, and the grading killed in the middle.

    class_soak.py [--students 40] [--kills 3] [--seed 1] [--out FOLDER]

An export as Gradescope writes it goes through `referee collect`, `referee grade --all` and `referee gradebook`. The grading is done
twice: undisturbed, and with SIGKILL at moments drawn from the seed. Ends with 1 if anything was lost or counted twice, if a broken
submission lacks its one line, if a good one got other points than undisturbed, or if the machine's trouble became a zero. The minutes
are only printed.
"""
# calm: submissions burn, bomb and flood, and good ones beside them must not lose a point.
import argparse
import csv
import io
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
os.environ.setdefault("REFEREE_SOURCE", SOURCE)
sys.path.insert(0, os.path.join(SOURCE, "tests/program"))

from harness import REFEREE, left_turning  # noqa: E402 the folder is on the path only now

READS = [] if sys.base_prefix == "/usr" else [sys.base_prefix]
GAMES = 2
DEADLINE = "2026-05-01T12:00Z"
POLL_S = 0.02
CALLS_MAX = 5

def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def linked():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        link = tarfile.TarInfo("passwd")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return buffer.getvalue()


# What is handed in, and a part of the one line that tells what is wrong with it.
BROKEN = {
    "no build": ({"main.c": "int main(void) { return unknown; }\n"}, "was not built"),
    "never ready": ({"bot.py": left_turning(start="continue")}, "ready"),
    "crash at once": ({"bot.py": "raise SystemExit('it went wrong')\n"}, "exit status 1"),
    "crash in a game": ({"bot.py": left_turning("if m['turn'] > 2: sys.exit(7)")}, "exit status 7"),
    "endless loop": ({"bot.py": left_turning("while True: pass")}, "longer than the 2 s"),
    "fork bomb": ({"bot.py": left_turning("while True: os.fork()")}, ""),
    "flood": ({"bot.py": left_turning("while True: print('x' * 4096)")}, ""),
    "a gigabyte": ({"bot.py": left_turning("open('/tmp/big', 'wb').write(bytes(1 << 20) * 1024)")}, ""),
    "eight gigabytes": ({"bot.py": left_turning("huge = [bytearray(1 << 28) for _ in range(32)]")}, ""),
    "wrong interpreter": ({"Makefile": "all:\n\tcp source bot\n\tchmod +x bot\n", "source": "#!/usr/bin/env pyhton3\n" + left_turning()}, "pyhton3"),
    "empty": ({"notes.txt": "I forgot\n"}, "was not built"),
    "a link": ({"all.tar.gz": linked()}, "symbolic link"),
    "huge": ({"all.zip": zipped({"zeros": bytes(270 << 20)})}, "more than"),
}
GOOD = {
    "plain": {"bot.py": left_turning()},
    "odd names": {"mein \"Bot\" für's Spiel \u4e16.txt": "x", "bot.py": left_turning()},
    "two members": {"bot.py": left_turning()},
    "late": {"bot.py": left_turning()},
}
RUBRIC = {
    "title": "Walls", "game": "walls", "pass": 10, "time_max": "2s", "late": {"points_per_day": 2}, "limits": {"memory_mb": 512, "processes": 64, "disk_mb": 64},
    "bots": [{"name": "greedy", "launch": ["walls-greedy"]}],
    "series": [{"id": "greedy", "opponents": ["greedy"], "params": {"size": 3}, "match": {"games": GAMES}, "ready": "1s",
                "clock": {"budget": "500ms"}}],
    "steps": [{"id": "legal", "title": "no faults", "points": 15, "series": ["greedy"], "rule": {"kind": "faultless"}},
              {"id": "wins", "title": "wins", "points": 10, "series": ["greedy"], "rule": {"kind": "each_win"}}]}


class Soak:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.draw = random.Random(options.seed)
        self.wrong = []
        self.kinds = {}  # by the student's name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def check(self, holds, what):
        if not holds:
            print("WRONG:", what)
            self.wrong.append(what)

    def run(self, *words, statuses=(0,)):
        started = time.monotonic()
        done = subprocess.run([REFEREE, *words], capture_output=True, text=True)
        print(f"{words[0]}: {(time.monotonic() - started) / 60:.1f} min, status {done.returncode}", flush=True)
        self.check(done.returncode in statuses, f"{words[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done

    def make_export(self):
        kinds = [*BROKEN, *list(GOOD)[1:]][:self.options.students - 1]
        kinds += ["plain"] * (self.options.students - len(kinds))
        self.draw.shuffle(kinds)
        roster, metadata = ["name,student_id,email,full_name,canvas_id"], ["---"]
        with zipfile.ZipFile(self.path("export.zip"), "w", zipfile.ZIP_DEFLATED) as export:
            for number, kind in enumerate(kinds, 1):
                student = f"s{number:02}"
                self.kinds[student] = kind
                members = [student] + ([student + "b"] if kind == "two members" else [])
                metadata += [f"submission_{number}:", "  :submitters:"]
                for member in members:
                    roster.append(f"{member},id-{member},{member}@example.edu,Student {member.upper()},c{number}{member[-1]}")
                    metadata += [f"  - :name: Student {member.upper()}", f"    :email: {member}@example.edu"]
                metadata.append(f"  :created_at: 2026-05-01 {'14' if kind == 'late' else '10'}:00:00.000000000 Z")
                files = BROKEN[kind][0] if kind in BROKEN else GOOD[kind]
                for name, content in files.items():
                    export.writestr(f"assignment_1_export/submission_{number}/{name}", content)
            export.writestr("assignment_1_export/submission_metadata.yml", "\n".join(metadata) + "\n")
        with open(self.path("students.csv"), "w") as file:
            file.write("\n".join(roster) + "\n")
        with open(self.path("rubric.json"), "w") as file:
            json.dump(RUBRIC, file)

    def collect(self):
        done = self.run("collect", self.path("export.zip"), "--roster", self.path("students.csv"), "--out", self.path("in"), "--game", "walls",
                        "--deadline", DEADLINE, statuses=(1,))
        with open(self.path("in", "collected.json")) as file:
            found = {one["name"] for one in json.load(file)["submissions"]}
        self.check(found == set(self.kinds), f"collected are {sorted(found)}: {done.stdout[-2000:]}")
        # A Python that was not installed with the system has its libraries beside it.
        if READS:
            for student in found:
                path = self.path("in", "submissions", student, "submission.json")
                with open(path) as file:
                    submission = json.load(file)
                if submission.get("command", [""])[0] == "python3":
                    submission["command"][0] = "/usr/bin/python3"
                    with open(path, "w") as file:
                        json.dump(submission, file)

    def words(self, out):
        return ["grade", "--rubric", self.path("rubric.json"), "--all", self.path("in", "submissions"), "--out", self.path(out), "--quiet"]

    def games(self, out):
        try:
            with sqlite3.connect(f"file:{self.path(out, 'games', 'referee.db')}?mode=ro", uri=True) as store:
                return store.execute("SELECT count(*) FROM games").fetchone()[0]
        except sqlite3.Error:  # the store is being made
            return 0

    # A machine that other work keeps busy is trouble: then the same command goes on.
    def grade_to_the_end(self, out):
        for _ in range(CALLS_MAX):
            if self.run(*self.words(out), statuses=(0, 3)).returncode == 0:
                return
        self.check(False, f"{CALLS_MAX} calls have not graded all of {out}")

    # As many kills as asked, each after a number of games that is drawn.
    def grade_with_kills(self, games_in_all):
        moments = sorted(self.draw.sample(range(1, max(games_in_all, self.options.kills + 1)), self.options.kills))
        for moment in moments:
            running = subprocess.Popen([REFEREE, *self.words("killed")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while running.poll() is None and self.games("killed") < moment:
                time.sleep(POLL_S)
            time.sleep(self.draw.random())
            running.send_signal(signal.SIGKILL)
            running.wait()
            print(f"killed with {self.games('killed')} games played", flush=True)
        self.grade_to_the_end("killed")

    def grade_of(self, out, student):
        try:
            with open(self.path(out, student, "grade.json")) as file:
                return json.load(file)
        except OSError as error:
            self.check(False, f"{student}: {error}")
            return {"points": None, "final": False, "steps": []}

    def judge(self):
        for student, kind in self.kinds.items():
            first, second = self.grade_of("calm", student), self.grade_of("killed", student)
            self.check(first["final"] and second["final"], f"{student} ({kind}) isn't final: {first.get('troubles')} {second.get('troubles')}")
            if kind in BROKEN:
                reason = second["steps"][0]["reason"] + " ".join(second["steps"][0]["advice"]) if second["steps"] else ""
                print(f"  {kind}: {reason[:300]}")
                self.check(second["steps"] and second["steps"][0]["points"] == 0, f"{student} ({kind}) has points for playing without a fault")
                self.check(BROKEN[kind][1] in json.dumps(second) and reason, f"{student} ({kind}) lacks its line: {reason}")
            else:
                self.check(first["points"] == second["points"], f"{student} ({kind}): {first['points']} undisturbed, {second['points']} killed")
                self.check(second["steps"][0]["points"] == 15, f"{student} ({kind}) lost points: {second['steps'][0]}")
        with sqlite3.connect(f"file:{self.path('killed', 'games', 'referee.db')}?mode=ro", uri=True) as store:
            twice = store.execute("SELECT tournament, match, number, count(*) FROM games WHERE status IN ('played', 'forfeited') "
                                  "GROUP BY tournament, match, number HAVING count(*) > 1").fetchall()
        self.check(not twice, f"games that count twice: {twice}")

    def gradebooks(self):
        students = len(self.kinds) + sum(kind == "two members" for kind in self.kinds.values())
        for form, heads in (("canvas", 2), ("moodle", 1), ("csv", 1)):
            done = self.run("gradebook", "--grades", self.path("killed"), "--roster", self.path("students.csv"), "--format", form,
                            "--assignment", "Bots")
            lines = list(csv.reader(io.StringIO(done.stdout), strict=True))
            self.check(len(lines) == students + heads, f"{form} has {len(lines)} lines for {students} students: {done.stderr[-1000:]}")

    def play(self):
        began = time.monotonic()
        self.make_export()
        self.collect()
        self.grade_to_the_end("calm")
        self.grade_with_kills(self.games("calm"))
        self.judge()
        self.gradebooks()
        print(f"{len(self.kinds)} submissions, {sum(kind in BROKEN for kind in self.kinds.values())} of them broken, {self.options.kills} kills: "
              f"{(time.monotonic() - began) / 60:.1f} min; {len(self.wrong)} wrong")
        return 1 if self.wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=40)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="keeps what was made there; expected to be new")
    options = parser.parse_args()
    folder = options.out or tempfile.mkdtemp(prefix="referee-class-")
    os.makedirs(folder, exist_ok=True)
    try:
        return Soak(options, os.path.abspath(folder)).play()
    finally:
        if not options.out:
            shutil.rmtree(folder, True)


if __name__ == "__main__":
    sys.exit(main())

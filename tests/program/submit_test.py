"""Programs that are handed in to a daemon: the built program, real sockets, real builds, real processes."""
import base64
import contextlib
import hashlib
import json
import os
import signal

from daemon_test import DaemonTest
from harness import LADDER, alive_with, ended, held_port, left_turning, referee, wait_until

TOKEN = "ada's own secret"
GOOD = left_turning()
BEGINS_PYTHON = '#include <unistd.h>\nint main(void) { execlp("python3", "python3", "bot.py", (char*)0); return 1; }\n'
BROKEN_C = "int main(void) { return nothing; }\n"


def line(**message):
    return (json.dumps(message) + "\n").encode()


class SubmitTest(DaemonTest):
    def begin(self, submissions=None):
        config = {
            "listen": {"port": 0}, "registration": {"password": "open sesame"},
            "bots": [self.launched("house", "walls-greedy"), {"name": "open"}, {"name": "bea", "token": "bea's secret"}],
            "tournaments": [{**LADDER, "clock": {"budget": "2s"}, "ready": "2s"}],
            "submissions": submissions or {}}
        self.write("c.json", config)
        self.again()

    def again(self):
        """The daemon begins, at another port each time."""
        self.daemon = self.serve(self.path("c.json"))

    def program(self, name, **files):
        for file, text in files.items():
            self.write(os.path.join(name, file.replace("_dot_", ".")), text)
        return self.path(name)

    def submit(self, *arguments):
        return referee("submit", *arguments, "--to", "%s:%d" % self.address(), "--name", "Ada", "--token", TOKEN, "--password", "open sesame")

    def hand_in(self, source, status=0, said=(), shown=()):
        """Ends with that status, says this on standard error and shows that."""
        done = self.submit(source)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.tells(done.stderr, *said)
        self.tells(done.stdout, *shown)
        return done

    def versions(self):
        told = wait_until(lambda: "too_many_questions" not in (it := self.submit("--status", "--json")).stderr and it, "an answer")
        self.assertEqual(told.returncode, 0, told.stderr)
        return json.loads(told.stdout)

    def statuses(self):
        return {one["version"]: one["status"] for one in self.versions()["versions"]}

    def matches(self):
        with contextlib.suppress(FileNotFoundError):
            return next((one["played"] for one in json.loads(self.read("out/practice/standings.json"))["bots"] if one["name"] == "Ada"), 0)
        return 0

    def played(self, more_than=0):
        wait_until(lambda: self.matches() > more_than, "matches of Ada")

    def desk(self, name="Ada", token=TOKEN):
        return self.come_in(name, token, password="open sesame", purpose="submit")

    def say(self, desk, **message):
        desk.send(**message)
        return desk.heard()

    def announce(self, desk, data, **more):
        return self.say(desk, **{"type": "submit", "file": "bot.py", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), **more})

    def piece(self, desk, data):
        return self.say(desk, type="piece", data=base64.b64encode(data).decode())

    def processes_of(self, name):
        """Those that descend from this daemon: other tests have bots of that name."""
        def parent(pid):
            with open(f"/proc/{pid}/stat") as stat:
                return int(stat.read().rsplit(")", 1)[1].split()[1])

        def is_ours(pid):
            with contextlib.suppress(OSError):  # it has ended meanwhile
                while pid > 1 and pid != self.daemon.pid:
                    pid = parent(pid)
                return pid > 1
        return list(filter(is_ours, alive_with(f"REFEREE_NAME={name}")))


class PlaysTest(SubmitTest):
    def test_a_program_plays_while_its_owner_is_away(self):
        self.begin()
        done = self.hand_in(self.program("bot", bot_dot_py=GOOD), said=["handed in as version 1"])
        self.assertRegex(done.stdout, r"version 1  plays  bot\.zip, \d+ bytes, \d+ (s|min) ago\nversion 1 plays: the referee launches it for its matches\n")
        self.played()
        self.assertIn("version 1 of Ada is built", self.read("log"))
        # A version that does not build shows why, and changes nothing.
        self.hand_in(self.program("broken", bot_dot_c=BROKEN_C), 1, shown=["nothing", "| bot.c:1:", "version 1 plays"])
        self.assertEqual(self.statuses(), {1: "plays", 2: "failed"})
        self.assertIn("Ada: version 1 plays; version 2 failed\n", self.order("bots"))
        self.assertEqual(self.bots()["Ada"]["program"], {"plays": 1, "newest": 2, "text": "version 1 plays; version 2 failed"})
        self.played(more_than=self.matches())
        # A new one takes its place; the one before stays.
        single = self.write("second.py", GOOD + "# another\n")
        self.hand_in(single)
        self.assertEqual(self.statuses(), {1: "built", 2: "failed", 3: "plays"})
        self.played(more_than=self.matches() + 1)
        self.assertEqual(self.log_in("Ada", token=TOKEN)["code"], "program_plays")
        # Withdrawn, nothing of it runs; and nothing is left of a name that is forgotten.
        self.assertIn("it was withdrawn", self.submit("--withdraw").stdout)
        wait_until(lambda: not self.processes_of("Ada"), "the end of its process")
        self.assertEqual(self.statuses(), {1: "built", 2: "failed", 3: "built"})
        ended(self.daemon)
        self.exits(0, "store", "forget", "Ada", "--out", self.path("out"))
        self.assertEqual(os.listdir(self.path("out/handed-in")), [])

    def test_what_was_handed_in_outlives_the_daemon(self):
        self.begin()
        self.hand_in(self.program("bot", bot_dot_py=GOOD))
        # The next one takes long to build; the daemon is killed in the middle of it, and begins anew.
        # time: a build that takes long
        slow = self.program("slow", bot_dot_py=GOOD, begin_dot_c=BEGINS_PYTHON, Makefile="all:\n\tsleep 3\n\tcc begin.c -o bot\n")
        self.assertEqual(self.submit(slow, "--no-wait").returncode, 0)
        wait_until(lambda: self.statuses()[2] == "building", "the build", every=0.2)
        ended(self.daemon, signal.SIGKILL)
        wait_until(lambda: not alive_with(self.marker), "the end of its bots")
        self.again()
        self.assertIn("version 1 plays", self.versions()["plays"], "it plays on while the next one is built")
        wait_until(lambda: self.statuses() == {1: "built", 2: "plays"}, "the second one", every=1)
        self.played(more_than=self.matches())
        # What was withdrawn stays so.
        self.submit("--withdraw")
        ended(self.daemon)
        self.again()
        self.assertEqual(self.statuses(), {1: "built", 2: "built"})
        self.assertIn("it was withdrawn", self.versions()["plays"])


    def test_a_good_version_plays_whatever_became_of_those_before(self):
        self.begin()
        self.hand_in(self.program("bad", bot_dot_py="raise SystemExit('no luck today')\n"), 1, said=["it is being started"], shown=["version 1  failed"])
        told = self.versions()
        (version,) = told["versions"]
        self.assertEqual((version["status"], told["plays"]), ("failed", "nothing plays: no version is built and starts"))
        self.tells(version["output"], "no luck today", "its standard error:\n")
        # The last match of one that never begins its game is dropped, and one that crashes is withdrawn.
        self.submit(self.program("mute", bot_dot_py=left_turning(start="continue")))
        wait_until(lambda: self.tournament("practice")["running"] == 1, "its match")
        self.submit(self.program("crash", bot_dot_py=left_turning("raise SystemExit(1)")))
        wait_until(lambda: "Ada is withdrawn" in self.read("log"), "its end on the ladder")
        played = self.matches()
        self.hand_in(self.program("good", bot_dot_py=GOOD))
        self.played(more_than=played + 2)
        # It plays on where the next one doesn't start.
        self.hand_in(self.write("alone.py", "import referee_bot\n"), 1, shown=["hand in a folder or an archive that holds the missing file too"])
        self.assertEqual(self.statuses()[4], "plays")

    def test_the_referees_own_trouble_is_told_as_such(self):
        self.begin(submissions={"build": "no-such-compiler bot.c"})
        self.hand_in(self.program("bot", bot_dot_c=BROKEN_C), 3, shown=["it could not be built, by the referee's own trouble"])


class RefusedTest(SubmitTest):
    def refused(self, answer, code, *words):
        self.assertEqual((answer["type"], answer.get("code")), ("error", code), answer)
        self.tells(answer["message"], *words)

    def test_files_that_are_none(self):
        self.begin(submissions={"archive_mb": 1})
        desk, data = self.desk(), GOOD.encode()
        self.refused(self.piece(desk, b"x"), "submission_refused", "`submit`")
        self.refused(self.announce(desk, data, bytes=(1 << 20) + 1), "submission_refused", "at most 1 MB")
        self.refused(self.announce(desk, data, file=".."), "submission_refused")
        for text, words in (("no base64", "base64"), (base64.b64encode(data + b"x").decode(), "more bytes"), ("", "")):
            self.assertEqual(self.announce(desk, data), {"type": "received", "bytes": 0, "of": len(data)})
            self.refused(self.say(desk, type="piece", data=text), "submission_refused", words)
        self.announce(desk, data, sha256="0" * 64)
        self.refused(self.piece(desk, data), "submission_refused", "SHA-256")
        # One that leaves in the middle leaves nothing behind.
        self.announce(desk, data)
        self.assertEqual(self.piece(desk, data[:10]), {"type": "received", "bytes": 10, "of": len(data)})
        desk.close()
        self.assertEqual(self.versions()["versions"], [])
        self.assertFalse(os.path.exists(self.path("out/handed-in")))
        # Those that stay halfway keep nobody out.
        halfway = [self.desk(name=f"idle {number}", token="x" * 8) for number in range(16)]
        for desk in halfway:
            self.announce(desk, b"x" * 10_000)
        self.hand_in(self.program("bot", bot_dot_py=GOOD))
        self.refused(self.piece(halfway[0], b"x"), "submission_refused", "have needed its place")

    def test_how_often(self):
        self.begin(submissions={"per_hour": 2, "versions": 1})
        for number in (1, 2):
            self.hand_in(self.write("bot.py", GOOD + f"# {number}\n"))
        self.hand_in(self.write("bot.py", GOOD), 2, said=["too_many_submissions: 2 versions"])
        self.assertEqual(self.statuses(), {2: "plays"}, "one version is kept")
        desk = self.desk()
        desk.socket.sendall(12 * line(type="submissions"))  # at once: as time goes by more are allowed
        answers = [desk.heard() for _ in range(12)]
        self.assertEqual({answer.get("code", answer["type"]) for answer in answers}, {"submission_list", "too_many_questions"})
        # It is counted before anything is written.
        desk, data = self.desk("bea", "bea's secret"), GOOD.encode()
        one = line(type="submit", file="bot.py", bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
        desk.socket.sendall(4 * (one + line(type="piece", data=base64.b64encode(data).decode())))
        answers = [desk.heard() for _ in range(8)]
        self.assertEqual(sorted(answer.get("code", answer["type"]) for answer in answers),
                         2 * ["received"] + 2 * ["submission_list"] + 2 * ["submission_refused"] + 2 * ["too_many_submissions"])

    def test_a_command_line_that_is_wrong(self):
        to = ("--to", "localhost:1", "--name", "a")
        self.refuses(([*to], "such as referee submit"), (["--status", "--withdraw", *to], "such as referee submit"), ([self.path("none"), *to], "none"),
                     before=["submit"])
        self.exits(3, "submit", "--status", "--to", f"127.0.0.1:{held_port(self)}", "--name", "a", told="no daemon answers")

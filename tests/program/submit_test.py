"""Programs that are handed in to a daemon: the built program, real sockets, real builds, real processes."""
import base64
import contextlib
import hashlib
import json
import os
import signal

from daemon_test import DaemonTest
from harness import LADDER, alive_with, ended, held_port, left_turning, referee, wait_until
from wire import line

TOKEN = "ada's own secret"
GOOD = left_turning()
BEGINS_PYTHON = '#include <unistd.h>\nint main(void) { execlp("python3", "python3", "bot.py", (char*)0); return 1; }\n'
BROKEN_C = "int main(void) { return nothing; }\n"


class SubmitTest(DaemonTest):
    def begin(self, submissions=None):
        config = {
            "listen": {"port": 0}, "registration": {"password": "open sesame"},
            "bots": [self.launched("house", "walls-greedy"), {"name": "open"}, {"name": "bea", "token": "bea's secret"}],
            "tournaments": [{**LADDER, "clock": {"budget": "2s"}}],
            "submissions": submissions or {}}
        self.config = self.write("c.json", config)
        self.daemon = self.serve(self.config)

    def again(self):
        """The daemon begins anew, at another port."""
        self.daemon = self.serve(self.config)

    def program(self, name, **files):
        for file, text in files.items():
            self.write(os.path.join(name, file.replace("_dot_", ".")), text)
        return self.path(name)

    def submit(self, *arguments, name="Ada", token=TOKEN):
        return referee("submit", *arguments, "--to", "%s:%d" % self.address(), "--name", name, "--token", token, "--password", "open sesame")

    def versions(self, name="Ada", token=TOKEN):
        told = wait_until(lambda: "too_many_questions" not in (it := self.submit("--status", "--json", name=name, token=token)).stderr and it, "an answer")
        self.assertEqual(told.returncode, 0, told.stderr)
        return json.loads(told.stdout)

    def statuses(self, **who):
        return {one["version"]: one["status"] for one in self.versions(**who)["versions"]}

    def matches_of(self, name):
        standings = self.path("out/practice/standings.json")
        if not os.path.exists(standings):
            return 0
        return next((one["played"] for one in json.loads(self.read(standings))["bots"] if one["name"] == name), 0)

    def played(self, name="Ada", more_than=0):
        return wait_until(lambda: (found := self.matches_of(name)) > more_than and found, f"matches of {name}")

    def desk(self, name="Ada", token=TOKEN):
        return self.call(name, token=token, password="open sesame", purpose="submit")

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
        done = self.submit(self.program("bot", bot_dot_py=GOOD))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("handed in as version 1", done.stderr)
        self.assertRegex(done.stdout, r"version 1  plays  bot\.zip, \d+ bytes, \d+ (s|min) ago\nversion 1 plays: the referee launches it for its matches\n")
        self.played()
        log = self.read("log")
        self.assertIn("version 1 of Ada is built", log)
        # A version that does not build shows why, and changes nothing.
        broken = self.submit(self.program("broken", bot_dot_c=BROKEN_C))
        self.assertEqual(broken.returncode, 1, broken.stdout + broken.stderr)
        self.assertIn("nothing", broken.stdout)
        self.assertIn("| bot.c:1:", broken.stdout)
        self.assertIn("version 1 plays", broken.stdout)
        self.assertEqual(self.statuses(), {1: "plays", 2: "failed"})
        self.assertIn("Ada: version 1 plays; version 2 failed\n", self.order("bots"))
        ada = next(bot for bot in json.loads(self.order("bots", "--json"))["bots"] if bot["name"] == "Ada")
        self.assertEqual(ada["program"], {"plays": 1, "newest": 2, "text": "version 1 plays; version 2 failed"})
        self.played(more_than=self.matches_of("Ada"))
        # A new one takes its place; the one before stays.
        single = self.write("second.py", GOOD + "# another\n")
        self.assertEqual(self.submit(single).returncode, 0)
        self.assertEqual(self.statuses(), {1: "built", 2: "failed", 3: "plays"})
        self.played(more_than=self.matches_of("Ada") + 1)
        self.assertEqual(self.log_in("Ada", token=TOKEN)["code"], "program_plays")
        # Withdrawn, nothing of it runs.
        self.assertIn("it was withdrawn", self.submit("--withdraw").stdout)
        wait_until(lambda: not self.processes_of("Ada"), "the end of its process")
        self.assertEqual(self.statuses(), {1: "built", 2: "failed", 3: "built"})
        self.assertEqual(self.submit(single).returncode, 0)
        self.assertEqual(self.statuses()[4], "plays")
        # Nothing is left of a name that is forgotten.
        self.submit("--withdraw")
        wait_until(lambda: not self.processes_of("Ada"), "the end of its process")
        ended(self.daemon)
        self.exits(0, "store", "forget", "Ada", "--out", self.path("out"))
        self.assertEqual(os.listdir(self.path("out/handed-in")), [])

    def test_what_was_handed_in_outlives_the_daemon(self):
        self.begin()
        self.assertEqual(self.submit(self.program("bot", bot_dot_py=GOOD)).returncode, 0)
        # The next one takes long to build; the daemon is killed in the middle of it, and begins anew.
        # time: a build that takes long
        slow = self.program("slow", bot_dot_py=GOOD, begin_dot_c=BEGINS_PYTHON, Makefile="all:\n\tsleep 3\n\tcc begin.c -o bot\n")
        done = self.submit(slow, "--no-wait")
        self.assertEqual(done.returncode, 0, done.stderr)
        wait_until(lambda: self.statuses()[2] == "building", "the build", every=0.2)
        ended(self.daemon, signal.SIGKILL)
        wait_until(lambda: not alive_with(self.marker), "the end of its bots")
        self.again()
        self.assertIn("version 1 plays", self.versions()["plays"], "it plays on while the next one is built")
        wait_until(lambda: self.statuses() == {1: "built", 2: "plays"}, "the second one", every=1)
        self.played(more_than=self.matches_of("Ada"))
        # What was withdrawn stays so.
        self.submit("--withdraw")
        ended(self.daemon)
        self.again()
        self.assertEqual(self.statuses(), {1: "built", 2: "built"})
        self.assertIn("it was withdrawn", self.versions()["plays"])


class NextVersionTest(SubmitTest):
    def test_a_program_that_never_starts_is_told(self):
        self.begin()
        bad = self.program("bad", bot_dot_py="raise SystemExit('no luck today')\n")
        done = self.submit(bad)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("it is being started", done.stderr)
        self.assertIn("version 1  failed", done.stdout)
        self.assertEqual(self.statuses(), {1: "failed"})
        told = self.versions()
        self.assertEqual(told["plays"], "nothing plays: no version is built and starts")
        self.assertIn("it is built, and does not start: its process ended before it logged in", told["versions"][0]["reason"])
        self.assertIn("no luck today", told["versions"][0]["output"])
        self.assertIn("its standard error:", told["versions"][0]["output"].splitlines())
        # A better one is launched at once, and plays on where the next one doesn't start.
        self.assertEqual(self.submit(self.program("good", bot_dot_py=GOOD)).returncode, 0)
        self.played()
        alone = self.submit(self.write("alone.py", "import referee_bot\n"))
        self.assertEqual(alone.returncode, 1, alone.stdout + alone.stderr)
        self.assertIn("hand in a folder or an archive that holds the missing file too", alone.stdout)
        self.assertEqual(self.statuses(), {1: "failed", 2: "plays", 3: "failed"})
        self.played(more_than=self.matches_of("Ada"))

    def test_the_referees_own_trouble_is_told_as_such(self):
        self.begin(submissions={"build": "no-such-compiler bot.c"})
        done = self.submit(self.program("bot", bot_dot_c=BROKEN_C))
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("it could not be built, by the referee's own trouble", done.stdout)
        self.assertIn("Ada: nothing plays; version 1 could not be built, by the referee's own trouble\n", self.order("bots"))

    def test_a_program_that_was_withdrawn_for_its_faults_is_back_with_its_next_version(self):
        self.begin()
        crash = GOOD.replace('elif m["type"] == "turn":', 'elif m["type"] == "turn":\n        raise SystemExit(1)')
        self.submit(self.program("crash", bot_dot_py=crash))
        wait_until(lambda: "Ada is withdrawn" in self.read("log"), "its end on the ladder")
        played = self.matches_of("Ada")
        self.assertEqual(self.submit(self.program("good", bot_dot_py=GOOD)).returncode, 0)
        self.played(more_than=played + 2)

    def test_the_new_version_plays_also_where_the_last_match_of_the_old_one_is_dropped(self):
        self.begin()
        mute = GOOD.replace('say(type="ready"', '(lambda **more: None)(type="ready"')
        self.submit(self.program("mute", bot_dot_py=mute))
        wait_until(lambda: self.tournament("practice")["running"] == 1, "its match")
        self.assertEqual(self.submit(self.program("good", bot_dot_py=GOOD)).returncode, 0)
        self.played()


class RefusedTest(SubmitTest):
    def refused(self, answer, code, *words):
        self.assertEqual((answer["type"], answer.get("code")), ("error", code), answer)
        for word in words:
            self.assertIn(word, answer["message"])

    def test_files_that_are_none(self):
        self.begin(submissions={"archive_mb": 1})
        desk = self.desk()
        desk.read("welcome")
        data = GOOD.encode()
        self.refused(self.piece(desk, b"x"), "submission_refused", "`submit`")
        self.refused(self.announce(desk, data, bytes=(1 << 20) + 1), "submission_refused", "at most 1 MB")
        self.refused(self.announce(desk, data, file=".."), "submission_refused")
        self.refused(self.announce(desk, data, file="a/b"), "invalid_value")
        self.assertEqual(self.announce(desk, data), {"type": "received", "bytes": 0, "of": len(data)})
        self.refused(self.say(desk, type="piece", data="no base64"), "submission_refused", "base64")
        self.refused(self.piece(desk, data), "submission_refused", "`submit`")
        self.announce(desk, data)
        self.assertEqual(self.piece(desk, data[:10]), {"type": "received", "bytes": 10, "of": len(data)})
        self.refused(self.piece(desk, data), "submission_refused", "more bytes")
        self.announce(desk, data, sha256="0" * 64)
        self.refused(self.piece(desk, data), "submission_refused", "SHA-256")
        self.announce(desk, data)
        self.refused(self.piece(desk, b""), "submission_refused")
        # One that leaves in the middle leaves nothing behind.
        self.announce(desk, data)
        self.piece(desk, data[:10])
        desk.close()
        self.assertEqual(self.versions()["versions"], [])
        self.assertFalse(os.path.exists(self.path("out/handed-in")))
        # Those that stay halfway keep nobody out.
        halfway = [self.desk(name=f"idle {number}", token="x" * 8) for number in range(16)]
        for desk in halfway:
            desk.read("welcome")
            self.announce(desk, b"x" * 10_000)
        self.assertEqual(self.submit(self.program("bot", bot_dot_py=GOOD)).returncode, 0)
        self.refused(self.piece(halfway[0], b"x"), "submission_refused", "have needed its place")

    def test_how_often(self):
        self.begin(submissions={"per_hour": 2, "versions": 1})
        for number in (1, 2):
            self.assertEqual(self.submit(self.write("bot.py", GOOD + f"# {number}\n")).returncode, 0)
        third = self.submit(self.write("bot.py", GOOD))
        self.assertEqual(third.returncode, 2)
        self.assertIn("too_many_submissions: 2 versions", third.stderr)
        self.assertEqual(self.statuses(), {2: "plays"}, "one version is kept")
        desk = self.desk()
        desk.read("welcome")
        for question, code, words in (("submissions", "too_many_questions", ""), ("withdraw", "too_many_submissions", "expected the next one in")):
            desk.socket.sendall(12 * line(type=question))  # at once: as time goes by more are allowed
            answers = [desk.heard() for _ in range(12)]
            self.assertIn("submission_list", {answer["type"] for answer in answers})
            self.refused([answer for answer in answers if answer["type"] == "error"][-1], code, words)

        # It is counted before anything is written.
        desk = self.desk("bea", "bea's secret")
        desk.read("welcome")
        data = GOOD.encode()
        one = line(type="submit", file="bot.py", bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
        desk.socket.sendall(4 * (one + line(type="piece", data=base64.b64encode(data).decode())))
        answers = [desk.heard() for _ in range(8)]
        self.assertEqual(sorted(answer.get("code", answer["type"]) for answer in answers),
                         2 * ["received"] + 2 * ["submission_list"] + 2 * ["submission_refused"] + 2 * ["too_many_submissions"])

    def test_a_command_line_that_is_wrong(self):
        for arguments in ([], ["--status", "--withdraw"], [self.folder, "--status"]):
            self.assertIn("such as referee submit", self.exits(2, "submit", *arguments, "--to", "localhost:1", "--name", "a").stderr)
        self.exits(2, "submit", self.path("none"), "--to", "localhost:1", "--name", "a")
        nobody = f"127.0.0.1:{held_port(self)}"
        self.assertIn("no daemon answers", self.exits(3, "submit", "--status", "--to", nobody, "--name", "a").stderr)

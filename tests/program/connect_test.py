"""The bridge `referee connect`: a program on standard input and output that plays over the network. The built program, real sockets."""
import os
import re
import signal
import subprocess
import sys

from daemon_test import DaemonTest
from harness import BIN, LONG, REFEREE, alive_with, held_port, left_turner, wait_until

GREEDY = os.path.join(BIN, "walls-greedy")
# time: what a program leaves behind
CHILD = "import subprocess, sys; subprocess.Popen(['/bin/sleep', '1000'], start_new_session=True)"


class ConnectTest(DaemonTest):
    def begin(self, games=2, listen=("web",), **more):
        config = self.walls([{"name": name, "token": f"{name}'s token"} for name in ("ann", "bob")], match={"games": games}, **more)
        config["listen"].update((door, {"port": 0}) for door in listen)
        self.serve(self.write("c.json", config))

    def where(self):
        return "%s:%d" % self.address()

    def environment(self, name="ann", **more):
        mark, value = self.marker.split("=")
        return {**os.environ, mark: value, "REFEREE_TOKEN": f"{name}'s token", **more}

    def bridge(self, *options, name="ann", command=None, where=None, **environment):
        """Begins a bridge; `finish` waits for its end."""
        words = [REFEREE, "connect", where or self.where(), "--name", name, "--keep", self.path("kept-" + name), *options, "--",
                 *(command or left_turner())]
        return self.spawn(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                          env=self.environment(name, **environment))

    def finish(self, process, status, *said):
        """It ends with that status, and has said this."""
        process.out, process.err = process.communicate(timeout=LONG)
        self.assertEqual(process.returncode, status, process.err)
        self.tells(process.err, *said)
        return process

    def nobody_is_left(self):
        wait_until(lambda: not alive_with(self.marker), "the end of all processes")

    def both(self, *options, **more):
        """Bridges of ann and bob, until one match is over."""
        found = self.bridge("--matches", "1", *options, **more), self.bridge("--matches", "1", name="bob", command=[GREEDY])
        for process in found:
            self.finish(process, 0)
        self.nobody_is_left()
        return found


class PlayingTest(ConnectTest):
    def test_what_passes_is_shown_and_kept(self):
        """A program that calls itself otherwise plays under the name and token of the command line."""
        self.begin()
        self.write("token", "ann's token\n")
        beside = "print('warming up \\x1b[31m', file=sys.stderr)"
        thinking = left_turner(beside=beside, turn="debug = 'thought of %d' % m['turn']")[2]
        program = [sys.executable, "-c", "import os; os.environ['REFEREE_NAME'] = 'eve'; os.environ['REFEREE_TOKEN'] = 'wrong'\n" + thinking]
        ann, _ = self.both("--trace", "--token-file", self.path("token"), "--version", "2.1", command=program, REFEREE_TOKEN="also wrong")
        self.assertIn(("ann", "said: 2.1"), self.rows("SELECT bot, program FROM game_seats"))
        self.assertRegex(ann.err, r"connected to .* as ann\n[0-9:]+ your games: http://127\.0\.0\.1:\d+/enter\?ticket=\w+\n")
        self.assertIn("bot | warming up \\x1b[31m", ann.err)
        self.assertEqual(self.read("kept-ann/printed.log"), "warming up \x1b[31m\n")
        self.assertRegex(ann.err, r'(?m)^< {"type":"turn"')
        self.assertRegex(ann.err, r'(?m)^> {"type": "move"')
        self.assertIn('> {"type":"login","name":"ann","token":"..."', ann.err)
        self.assertNotIn("ann's token", ann.err)
        story = self.read("kept-ann/games", max(os.listdir(self.path("kept-ann/games"))))
        self.tells(story, "game t/1.2, walls", "(you)", "2000 ms a turn", 'your move "L", charged', "debug: thought of ", "you lost after")
        self.assertIn("game t/1.2 (walls against bob): you lost after", ann.err)


class LostLinkTest(ConnectTest):
    def test_it_gives_up_where_it_is_told_to(self):
        nobody = f"127.0.0.1:{held_port(self)}"
        ann = self.finish(self.bridge("--give-up-after", "700ms", where=nobody), 3, f"no connection to {nobody}: Connection refused", "gives up")
        self.assertEqual(ann.err.count("Connection refused"), 1, "the same again is told once")
        self.assertIn("no game was played", ann.out)
        self.nobody_is_left()

    def test_what_is_refused_ends_it_soon(self):
        self.begin(games=1)
        process = self.finish(self.bridge(REFEREE_TOKEN="wrong"), 2)
        self.assertEqual((process.err.count("(wrong_token)"), process.out), (1, ""), process.err)
        self.assertNotRegex(process.err, r"bot \| .*(token|name)", "the bridge has said it, once")
        wrong = 'say(type="login", name="ann", games=["walls"], version="2" * 70)'
        self.finish(self.bridge(command=left_turner(hello=wrong + "; continue")), 2,
                    "your program's login was refused, and it brought no other one: invalid_value: ")


class BadProgramTest(ConnectTest):
    def ends(self, status, *said, options=(), command):
        process = self.finish(self.bridge(*options, command=command), status, *said)
        self.nobody_is_left()
        return process

    def test_one_that_cannot_be_started_or_does_not_play(self):
        self.begin()
        self.ends(2, "write them apart", command=["python3 bot.py"])
        self.ends(1, "your program ended: exit status 1", "No module named 'nothing_of_this_name'", "no valid move",
                  command=[sys.executable, "-c", "import nothing_of_this_name"])
        self.ends(1, "has not logged in within 1.0 s", '{"type":"login"', options=("--login-within", "1s"), command=["/bin/tail", "-f", "/dev/null"])
        # time: a program that says nothing
        self.ends(1, "closed its standard output and ran on", command=[sys.executable, "-c", "import os, time; os.close(1); time.sleep(1000)"])
        self.ends(1, "exit status 3", "left processes behind", command=[sys.executable, "-c", f"{CHILD}; sys.exit(3)"])

    def test_one_that_dies_in_a_game_is_begun_again(self):
        self.begin(games=1, clock={"budget": "20s"})
        marks = self.path("marks")
        dies = f"os.path.exists({marks!r}) or m['turn'] < 5 or (open({marks!r}, 'w'), os._exit(7))"
        bob = self.bridge("--matches", "1", name="bob", command=[GREEDY])
        process = self.ends(0, "your program ended: exit status 7", "begun again in 0.5 s", options=("--matches", "1"),
                            command=left_turner(turn=dies))
        self.finish(bob, 0)
        self.assertEqual(process.err.count("connected to"), 2)
        head, row = (re.split("  +", line) for line in process.out.splitlines()[:2])
        self.assertEqual((head[0], row[2]), ("game", "1"), process.out)


class EndTest(ConnectTest):
    def test_signals_end_it_and_all_that_it_started(self):
        self.begin()
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143), (signal.SIGKILL, -signal.SIGKILL)):
            process = self.bridge(command=left_turner(beside=f"{CHILD}; import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"))
            wait_until(lambda: any(bot["connected"] for bot in self.bots().values()), "ann")
            process.send_signal(number)
            self.finish(process, status)
            self.assertEqual("no game was played" in process.out, number != signal.SIGKILL)
            self.nobody_is_left()

    def test_bad_input(self):
        self.write("empty", "\n")
        name = ["--name", "ann"]
        cases = (
            (["localhost"], "COMMAND"),
            (["localhost", "--", "x"], "--name Ada"),
            (["localhost:x", *name, "--", "x"], "expected an address such as localhost:7777"),
            (["localhost", *name, "--token-file", "empty", "--", "x"], "first line of empty"),
            (["localhost", *name, "--token", "a\nb", "--", "x"], "one line of printable text"),
            (["localhost", *name, "--matches", "0", "--", "x"], "--matches"),
            (["localhost", *name, "--login-within", "soon", "--", "x"], "--login-within: expected a time"),
            (["localhost", *name, "--keep", "empty/x", "--", "x"], "name another folder by --keep"),
        )
        environment = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
        self.refuses(*cases, before=["connect"], cwd=self.folder, env=environment)


class TlsTest(ConnectTest):
    def test_the_certificate_must_be_the_one_that_the_address_names(self):
        self.begin(games=1, listen=("tls",))
        address = self.status()["listening_tls"]
        where, fingerprint = address.split("#sha256=")
        for wrong, *said in ((where + "#sha256=" + "0" * 64, fingerprint, "no token was sent"), (where, "needs its fingerprint"),
                             (where.removeprefix("tls://"), "tls_expected")):
            self.finish(self.bridge(where=wrong), 2, *said)
        self.both(where=address)

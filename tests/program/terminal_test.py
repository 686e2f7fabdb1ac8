"""`referee view` and `referee run` on a real pseudo-terminal: keys, size, a table that is drawn in its place, and what is left behind."""
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import termios

from harness import READS, REFEREE, ProgramTest, left_turner, referee, wait_until

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
KEYS = {"right": "\x1b[C", "home": "\x1b[H", "end": "\x1b[F", "escape": "\x1b", "control c": "\x03"}


class Terminal:
    """A command at one of its own. `said` is what the command wrote so far; after `end` it is whole."""

    def __init__(self, command, environment, lines, columns):
        self.said = ""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.execve(command[0], command, environment)
        self.resize(lines, columns)

    def resize(self, lines, columns):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self, seconds):
        if not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self.file, 65536)
        except OSError:  # Linux says so where the other end is closed
            return False
        self.said += more.decode("utf-8", "replace")
        return bool(more)

    def wait_for(self, condition, what):
        def read_and_look():
            self.read(0.1)
            return condition()
        try:
            wait_until(read_and_look, what)
        except AssertionError as error:
            raise AssertionError(f"{error} in {self.said[-2000:]!r}") from None

    def end(self):
        """The exit status."""
        def reaped():
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if not pid:
                self.read(0.1)
            return (status,) if pid else None
        try:
            (status,) = wait_until(reaped, "its end")
        except AssertionError:
            os.kill(self.pid, signal.SIGKILL)
            raise
        while self.read(0):
            pass
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)


class Viewer(Terminal):
    """`referee view` at a terminal of its own."""

    def __init__(self, files):
        inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM", "TERM")}
        super().__init__([REFEREE, "view", *files], {**inherited, "TERM": "xterm-256color"}, 30, 100)

    def wait(self, *patterns):
        """Until the screen that was drawn last has each of the patterns."""
        for pattern in patterns:
            self.wait_for(lambda: re.search(pattern, self.screen()), repr(pattern))

    def screen(self):
        """What was drawn last, without its escapes."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", self.said.rpartition("\x1b[H")[2])

    def press(self, key, *then):
        """Then the screen has each of the patterns."""
        os.write(self.file, KEYS.get(key, key).encode())
        self.wait(*then)


class ViewTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.files = [self.path(f"games/{game}.ndjson") for game in ("walls", "superball")]
        for game, file in zip(("walls", "superball"), self.files):
            referee("play", game, "--seed", "3", "--replay", file)
        self.turns = self.read(self.files[0]).count('"moves":[')

    def viewer(self):
        viewer = Viewer(self.files)
        viewer.wait("turn 0 of")
        return viewer

    def close(self, viewer, key="q", status=0):
        viewer.press(key)
        self.assertEqual(viewer.end(), status)
        self.assertIn(LEAVE, viewer.said)

    def test_keys_help_and_sizes(self):
        """Each key, what it does and how lines break is seen by tests/referee/watch/terminal."""
        self.write("debug/random/walls.ndjson", '{"turn": 1, "debug": "deep thought"}\n')
        viewer, last = self.viewer(), self.turns
        for key, *shown in (("right", rf"turn 1 of {last}\b", "random says: deep thought"), ("end", rf"turn {last} of {last}\b"), ("home", rf"turn 0 of {last}\b"),
                            ("h", "page up  first frame"), ("escape", r"Walls .*\(game 1 of 2\)"), ("2", r"Superball .*\(game 2 of 2\)", "h help")):
            viewer.press(key, *shown)
        for lines, columns in ((8, 30), (3, 10)):
            viewer.resize(lines, columns)
            viewer.wait(rf"(?s)\A(?:[^\n]{{0,{columns}}}\n){{0,{lines - 1}}}[^\n]{{0,{columns}}}\Z")
        self.assertIn(ENTER, viewer.said)
        self.close(viewer, "escape")

    def test_the_screen_comes_back_however_it_ends(self):
        for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 143)):
            with self.subTest(number):
                viewer = self.viewer()
                before = termios.tcgetattr(viewer.file)
                self.assertFalse(before[3] & termios.ECHO)
                os.kill(viewer.pid, number)
                self.assertEqual(viewer.end(), status)
                self.assertTrue(viewer.said.rstrip().endswith(LEAVE))
        self.close(self.viewer(), "control c", 130)


class LiveTableTest(ProgramTest):
    def start(self, *options, cycles=2000, term="xterm"):
        config = self.walls([{"name": name, "launch": left_turner(), "reads": READS} for name in "ab"], id="friday",
                            format={"kind": "round_robin", "cycles": cycles}, clock={"kind": "turn", "budget": "5s"})
        words = [REFEREE, "run", self.write("config.json", config), "--out", self.path("out"), *options]
        self.terminal = Terminal(words, {**os.environ, "TERM": term}, 20, 60)

    def drawn_last(self):
        """The last table that is whole."""
        _, begun, drawn = self.terminal.said.rpartition("\x1b[?7h")[0].rpartition("\x1b[?7l")
        return drawn if begun else ""

    def test_the_table_follows_the_size_and_goes_when_the_run_is_stopped(self):
        self.start()
        self.terminal.wait_for(lambda: re.search(r"(?s)of 2000 matches.*Standings of friday.*rank +name", self.drawn_last()), "a whole table")
        self.terminal.said = ""
        self.terminal.resize(6, 30)
        # The line of progress is cut at the edge, after a digit or more of how many there are.
        self.terminal.wait_for(lambda: re.search(r"\] \d+ of 2", self.drawn_last()) and self.drawn_last().count("\n") <= 5, "a table of at most five lines")
        drawn = self.drawn_last()
        self.terminal.wait_for(lambda: self.drawn_last() != drawn, "the next table")
        self.assertLessEqual(self.drawn_last().count("\n"), 5)
        self.assertEqual(termios.tcgetattr(self.terminal.file)[3] & (termios.ECHO | termios.ICANON),
                         termios.ECHO | termios.ICANON, "no setting of the terminal is changed")
        os.write(self.terminal.file, b"\x03")
        self.assertEqual(self.terminal.end(), 130)
        self.tells(self.terminal.said, "stopping because of SIGINT", "nothing that was played is lost")
        self.assertGreater(self.terminal.said.rfind("\x1b[?7h"), self.terminal.said.rfind("\x1b[?7l"), "lines wrap again")

    def test_a_stopped_terminal_stops_no_game(self):
        self.start(cycles=20)
        self.terminal.wait_for(lambda: "Standings of friday" in self.terminal.said, "a table")
        os.write(self.terminal.file, b"\x13")  # Ctrl-S
        wait_until(lambda: json.loads(self.read("out/standings.json"))["finished"], "the end of the run")
        os.write(self.terminal.file, b"\x11")  # Ctrl-Q
        self.assertEqual(self.terminal.end(), 0)
        self.assertIn("20 of 20 matches", self.terminal.said)

    def test_where_no_cursor_can_be_moved_there_are_lines_and_quiet_draws_nothing(self):
        for options, term, lines in (((), "dumb", True), (("--quiet",), "xterm", False)):
            self.start(*options, cycles=2, term=term)
            self.assertEqual(self.terminal.end(), 0)
            self.assertNotIn("\x1b", self.terminal.said)
            self.assertEqual("2 of 2 matches" in self.terminal.said, lines)
            self.assertEqual("matches" in self.terminal.said, lines)
            shutil.rmtree(self.path("out"))

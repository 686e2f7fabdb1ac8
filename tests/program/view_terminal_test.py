"""`referee view` on a real pseudo-terminal: its keys, its size, and what it leaves behind."""

import os
import re
import signal
import termios

from harness import REFEREE, ProgramTest, referee
from terminal import Terminal

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
KEYS = {"right": "\x1b[C", "home": "\x1b[H", "end": "\x1b[F", "enter": "\r", "escape": "\x1b", "control c": "\x03"}


class Viewer(Terminal):
    """`referee view` at a terminal of its own."""

    def __init__(self, files):
        inherited = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM", "TERM")}
        super().__init__([REFEREE, "view", *files], {**inherited, "TERM": "xterm-256color"}, 30, 100)

    def wait(self, pattern):
        """Until the screen that was drawn last has the pattern."""
        self.wait_for(lambda: re.search(pattern, self.screen()), repr(pattern))

    def screen(self):
        """What was drawn last, without its escapes."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", self.said.rpartition("\x1b[H")[2])

    def press(self, key):
        os.write(self.file, KEYS.get(key, key).encode())


class TerminalTest(ProgramTest):
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

    def test_keys_help_and_several_games(self):
        viewer = self.viewer()
        last = self.turns
        for key, turn in (("right", 1), ("end", last), ("home", 0)):
            viewer.press(key)
            viewer.wait(rf"turn {turn} of {last}\b")
        self.assertIn(ENTER, viewer.said)
        for key, shown in (("f", r"4\.0 frames a second"), ("enter", rf"turn {last} of"), ("h", "page up  first frame"),
                           ("escape", r"Walls .*\(game 1 of 2\)"), ("2", r"Superball .*\(game 2 of 2\)")):
            viewer.press(key)
            viewer.wait(shown)
        viewer.wait("h help")  # the whole of it is drawn
        viewer.press("1")
        viewer.wait("Walls")
        self.close(viewer, "escape")

    def test_faults_and_words(self):
        fault = ('"faults":[{"seat":0,"turn":5,"code":"late","consequence":"lost_turn","message":"It came \\u001b[2Jlate.",'
                 '"rule":"r","rule_text":"t","evidence":{}}],"faults_total":1')
        self.write(self.files[0], self.read(self.files[0]).replace('"faults":[],"faults_total":0', fault))
        self.write("debug/random/walls.ndjson", '{"turn": 5, "debug": "deep thought"}\n')
        viewer = self.viewer()
        viewer.press("]")
        viewer.wait("turn 5 of")
        viewer.wait(r"fault of random: late \(lost_turn\)  It came \\x1b\[2Jlate")
        viewer.wait("random says: deep thought")
        viewer.resize(30, 50)
        viewer.wait(r"fault of random: late \(lost_turn\)  It came\n  \\x1b\[2Jlate\.")
        viewer.press("end")
        viewer.wait(f"turn {self.turns} of")
        viewer.press("[")
        viewer.wait("turn 5 of")
        self.close(viewer)

    def test_it_fits_a_terminal_that_changes(self):
        viewer = self.viewer()
        viewer.resize(8, 30)
        viewer.wait(r"(?s)\A(?:[^\n]{0,30}\n){0,7}[^\n]{0,30}\Z")
        viewer.resize(3, 10)
        viewer.wait(r"(?s)\A(?:[^\n]{0,10}\n){0,2}[^\n]{0,10}\Z")
        self.close(viewer)

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

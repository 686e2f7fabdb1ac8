"""`referee view` on a real pseudo-terminal: its keys, its size, and what it leaves behind."""

import os
import re
import signal
import subprocess
import tempfile
import termios
import unittest

from harness import REFEREE
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


class TerminalTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.files = [os.path.join(cls.folder.name, f"{game}.ndjson") for game in ("walls", "superball")]
        for game, file in zip(("walls", "superball"), cls.files):
            subprocess.run([REFEREE, "play", game, "--seed", "3", "--replay", file], capture_output=True, check=True)
        with open(cls.files[0]) as replay:
            cls.text = replay.read()
        cls.turns = cls.text.count('"moves":[')

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def viewer(self, files=None):
        viewer = Viewer(files or self.files[:1])
        viewer.wait("turn 0 of")
        return viewer

    def close(self, viewer, key="q", status=0):
        viewer.press(key)
        self.assertEqual(viewer.end(), status)
        self.assertIn(LEAVE, viewer.said)

    def test_keys_that_step_and_run(self):
        viewer = self.viewer()
        last = self.turns
        for key, turn in (("right", 1), ("end", last), ("home", 0)):
            viewer.press(key)
            viewer.wait(rf"turn {turn} of {last}\b")
        self.assertIn(ENTER, viewer.said)
        for key, shown in (("f", r"4\.0 frames a second"), ("enter", rf"turn {last} of")):
            viewer.press(key)
            viewer.wait(shown)
        self.close(viewer, "escape")

    def test_help_and_several_games(self):
        viewer = self.viewer(self.files)
        viewer.press("h")
        viewer.wait("page up  first frame")
        viewer.press("escape")
        viewer.wait(r"Walls .*\(game 1 of 2\)")
        viewer.press("2")
        viewer.wait(r"Superball .*\(game 2 of 2\)")
        viewer.wait("h help")  # the whole of it is drawn
        viewer.press("1")
        viewer.wait("Walls")
        self.close(viewer)

    def test_faults_and_words(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        os.makedirs(os.path.join(room.name, "games"))
        os.makedirs(os.path.join(room.name, "debug/random"))
        file = os.path.join(room.name, "games/walls.ndjson")
        fault = ('"faults":[{"seat":0,"turn":5,"code":"late","consequence":"lost_turn","message":"It came \\u001b[2Jlate.",'
                 '"rule":"r","rule_text":"t","evidence":{}}],"faults_total":1')
        with open(file, "w") as replay:
            replay.write(self.text.replace('"faults":[],"faults_total":0', fault))
        with open(os.path.join(room.name, "debug/random/walls.ndjson"), "w") as said:
            said.write('{"turn": 5, "debug": "deep thought"}\n')
        viewer = self.viewer([file])
        viewer.press("]")
        viewer.wait("turn 5 of")
        viewer.wait(r"fault of random: late \(lost_turn\)  It came \\x1b\[2Jlate")
        viewer.wait("random says: deep thought")
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

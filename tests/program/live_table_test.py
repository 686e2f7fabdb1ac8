"""`referee run` on a real pseudo-terminal: a table that is drawn in its place, bounded by the screen; lines elsewhere."""
import json
import os
import re
import shutil
import termios

from harness import READS, REFEREE, ProgramTest, left_turner, wait_until
from terminal import Terminal

SNAKES = "\U0001F40D" * 16


class LiveTableTest(ProgramTest):
    def start(self, *options, cycles=2000, columns=60, lines=20, term="xterm"):
        config = self.walls([{"name": name, "launch": left_turner(), "reads": READS} for name in (SNAKES, "other")], id="friday",
                            format={"kind": "round_robin", "cycles": cycles}, clock={"kind": "turn", "budget": "5s"})
        words = [REFEREE, "run", self.write("config.json", config), "--out", self.path("out"), *options]
        self.terminal = Terminal(words, {**os.environ, "TERM": term}, lines, columns)

    def drawn_last(self):
        """The last table that is whole."""
        _, begun, drawn = self.terminal.said.rpartition("\x1b[?7h")[0].rpartition("\x1b[?7l")
        return drawn if begun else ""

    def test_the_table_follows_the_size_and_goes_when_the_run_is_stopped(self):
        self.start()
        self.terminal.wait_for(lambda: re.search(r"(?s)Standings of friday.*rank +name", self.drawn_last()), "a whole table")
        drawn = self.drawn_last()
        self.assertIn("of 2000 matches", drawn)
        lines = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in drawn.split("\r\n")]
        for line in lines:
            wide = sum(2 if ord(c) > 0xFFFF else 1 for c in line.strip("\r"))
            self.assertLessEqual(wide, 60, line)
        self.terminal.said = ""
        self.terminal.resize(6, 30)
        # The line of progress is cut at the edge, after a digit or more of how many there are.
        progress = r"\] \d+ of 2"
        self.terminal.wait_for(lambda: re.search(progress, self.drawn_last()) and self.drawn_last().count("\n") <= 5, "a table of at most five lines")
        for _ in range(3):
            drawn = self.drawn_last()
            self.terminal.wait_for(lambda: self.drawn_last() != drawn, "the next table")
            self.assertRegex(self.drawn_last(), progress)
            self.assertLessEqual(self.drawn_last().count("\n"), 5)
        self.assertEqual(termios.tcgetattr(self.terminal.file)[3] & (termios.ECHO | termios.ICANON),
                         termios.ECHO | termios.ICANON, "no setting of the terminal is changed")
        os.write(self.terminal.file, b"\x03")
        self.assertEqual(self.terminal.end(), 130)
        self.assertIn("stopping because of SIGINT", self.terminal.said)
        self.assertGreater(self.terminal.said.rfind("\x1b[?7h"), self.terminal.said.rfind("\x1b[?7l"), "lines wrap again")
        self.assertIn("nothing that was played is lost", self.terminal.said)

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

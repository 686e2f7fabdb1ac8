"""`referee run` on a real pseudo-terminal: a table that is drawn in its place, bounded by the screen; lines elsewhere."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import unittest

from harness import LONG, READS, REFEREE, ProgramTest, left_turner, wait_until

SNAKES = "\U0001F40D" * 16


def config(cycles):
    bots = [{"name": name, "launch": left_turner(), "reads": READS} for name in (SNAKES, "other")]
    return {"listen": {"port": 0}, "bots": bots,
            "tournaments": [{"id": "friday", "game": "walls", "params": {"size": 3}, "format": {"kind": "round_robin",
                             "cycles": cycles}, "clock": {"kind": "turn", "budget": "5s"}}]}


class LiveTableTest(ProgramTest):
    def write(self, cycles):
        path = os.path.join(self.folder, "config.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config(cycles), file)
        return path

    def start(self, *options, cycles=2000, columns=60, lines=20, term="xterm"):
        path = self.write(cycles)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execve(REFEREE, [REFEREE, "run", path, "--out", os.path.join(self.folder, "out"), *options],
                      {**os.environ, "TERM": term})
        self.said = ""
        self.resize(lines, columns)

    def resize(self, lines, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self, seconds):
        if not select.select([self.terminal], [], [], seconds)[0]:
            return
        try:
            self.said += os.read(self.terminal, 65536).decode("utf-8", "replace")
        except OSError:
            pass

    def wait_for(self, condition, what):
        def read_and_look():
            self.read(0.1)
            return condition()
        try:
            wait_until(read_and_look, what)
        except AssertionError as error:
            raise AssertionError(f"{error} in {self.said[-2000:]!r}") from None

    def read_until(self, pattern):
        self.wait_for(lambda: re.search(pattern, self.said), repr(pattern))

    def drawn_last(self):
        """The last table that is whole."""
        _, begun, drawn = self.said.rpartition("\x1b[?7h")[0].rpartition("\x1b[?7l")
        return drawn if begun else ""

    def ended(self):
        def reaped():
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            return (status,) if pid else None
        try:
            (status,) = wait_until(reaped, "its end")
        except AssertionError:
            os.kill(self.pid, signal.SIGKILL)
            raise
        for _ in range(5):
            self.read(0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)

    def test_the_table_follows_the_size_and_goes_when_the_run_is_stopped(self):
        self.start()
        self.read_until("Standings of friday")
        self.read_until(r"rank +name")
        drawn = next(text for text in self.said.split("\x1b[?7l") if "Standings" in text).split("\x1b[?7h")[0]
        self.assertIn("of 2000 matches", drawn)
        lines = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", line) for line in drawn.split("\r\n")]
        for line in lines:
            wide = sum(2 if ord(c) > 0xFFFF else 1 for c in line.strip("\r"))
            self.assertLessEqual(wide, 60, line)
        self.said = ""
        self.resize(6, 30)
        # The line of progress is cut at the edge, after a digit or more of how many there are.
        progress = r"\] \d+ of 2"
        self.wait_for(lambda: re.search(progress, self.drawn_last()) and self.drawn_last().count("\n") <= 5, "a table of at most five lines")
        for _ in range(3):
            drawn = self.drawn_last()
            self.wait_for(lambda: self.drawn_last() != drawn, "the next table")
            self.assertRegex(self.drawn_last(), progress)
            self.assertLessEqual(self.drawn_last().count("\n"), 5)
        self.assertEqual(termios.tcgetattr(self.terminal)[3] & (termios.ECHO | termios.ICANON),
                         termios.ECHO | termios.ICANON, "no setting of the terminal is changed")
        os.write(self.terminal, b"\x03")
        self.assertEqual(self.ended(), 130)
        self.assertIn("stopping because of SIGINT", self.said)
        self.assertGreater(self.said.rfind("\x1b[?7h"), self.said.rfind("\x1b[?7l"), "lines wrap again")
        self.assertIn("nothing that was played is lost", self.said)

    def test_a_stopped_terminal_stops_no_game(self):
        self.start(cycles=20)
        self.read_until("Standings of friday")
        os.write(self.terminal, b"\x13")  # Ctrl-S
        out = os.path.join(self.folder, "out", "standings.json")

        def finished():
            try:
                with open(out, encoding="utf-8") as file:
                    return json.load(file)["finished"]
            except (OSError, ValueError):
                return False
        wait_until(finished, "the end of the run")
        os.write(self.terminal, b"\x11")  # Ctrl-Q
        self.assertEqual(self.ended(), 0)
        self.assertIn("20 of 20 matches", self.said)

    def test_where_no_cursor_can_be_moved_there_are_lines(self):
        self.start(cycles=2, term="dumb")
        self.assertEqual(self.ended(), 0)
        self.assertNotIn("\x1b", self.said)
        self.assertIn("2 of 2 matches", self.said)

    def test_quiet_draws_nothing(self):
        self.start("--quiet", cycles=2)
        self.assertEqual(self.ended(), 0)
        self.assertNotIn("\x1b", self.said)
        self.assertNotIn("matches", self.said)

    def test_a_file_has_lines_without_escapes(self):
        path = self.write(4)
        done = subprocess.run([REFEREE, "run", path, "--out", os.path.join(self.folder, "out")], capture_output=True,
                              text=True, timeout=LONG, check=True)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertIn("4 of 4 matches, 8 games, 0 running", done.stdout)


if __name__ == "__main__":
    unittest.main()

"""What the tests of the built program share: the program, a folder for each test, a bot played by hand.

CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE, runs a file's tests, or those of a class, by

    harness.py -v daemon_test.ServeTest
"""
import contextlib
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

BIN = os.environ["REFEREE_BIN"]
SOURCE = os.environ["REFEREE_SOURCE"]
REFEREE = os.path.join(BIN, "referee")
# The files that are compared where two runs should have the same results.
STANDINGS = ("standings.json", "standings.csv", "standings.txt", "pairings.json", "crosstable.csv")
LONG = 120  # seconds after which a command counts as hung
# What a bot that is started by a command line of a shell, or by this Python, needs to see in the sandbox beside the system's
# programs. A Python that was not installed with the system has its libraries beside it.
READS = [BIN] + ([] if sys.base_prefix == "/usr" else [sys.base_prefix])


# A bot of Walls that always turns left. Tests fill in what it does beside, in its turns and at the end of a game.
LEFT_TURNER = """
import json, os, sys, threading, time
def say(**message):
    print(json.dumps(message), flush=True)
{beside}
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="login", name=os.environ["REFEREE_NAME"], token=os.environ["REFEREE_TOKEN"], games=["walls"])
    elif m["type"] == "start":
        say(type="ready", game_id=m["game_id"])
    elif m["type"] == "turn":
        debug = ""
        {turn}
        say(type="move", game_id=m["game_id"], turn=m["turn"], move="L", debug=debug)
    elif m["type"] == "end":
        {end}
"""


def left_turner(turn="pass", beside="", end="pass"):
    """Its command."""
    return [sys.executable, "-c", LEFT_TURNER.format(turn=turn, beside=beside, end=end)]


def as_if_played_at_once(text):
    """A file of standings, where the plays that count were the first of their games."""
    return re.sub(r"(/\d+\.\d+)~\d+", r"\1", text)


def referee(*arguments, **options):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=LONG, **options)


def alive_with(marker):
    """The processes that carry the marker in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if marker.encode() in file.read():
                    with open(f"/proc/{pid}/stat") as stat:
                        if stat.read().rsplit(")", 1)[1].split()[0] != "Z":
                            found.append(int(pid))
        except OSError:
            continue
    return found


def wait_until(condition, what, seconds=LONG, every=0.02):
    """The first true answer of the condition. A file that isn't there at the moment of a look counts as not yet.

    `every`: seconds between two looks; more where a look costs as much as what is waited for.
    """
    deadline = time.monotonic() + seconds  # time: the one place where tests wait for a state
    while time.monotonic() < deadline:  # time: as above
        with contextlib.suppress(FileNotFoundError):
            found = condition()
            if found:
                return found
        time.sleep(every)  # time: between two looks
    raise AssertionError(f"waited {seconds} s for {what}")


def thinks(seconds):
    """Of a bot's code: it is slow by design."""
    return f"time.sleep({seconds})"  # time: what the bot does, and no test waits for


def rows(store, query):
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        return connection.execute(query).fetchall()


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="referee-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.marker = "REFEREE_TEST_MARK=" + os.path.basename(self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))
        return self.path(name)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def exits(self, status, *arguments, **options):
        """The referee, run with these words, which ends with that status."""
        done = referee(*arguments, **options)
        self.assertEqual(done.returncode, status, (arguments, done.stdout, done.stderr))
        return done

    def launched(self, name, *command, **more):
        key, value = self.marker.split("=")
        return {"name": name, "launch": list(command), "environment": {key: value}, "reads": READS, **more}

    def walls(self, bots, **tournament):
        return {
            "listen": {"port": 0},
            "bots": bots,
            "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}, "clock": {"budget": "2s"}, **tournament}],
        }


def held_port(test):
    """A port of this machine that nobody else is given while the test lasts, and a daemon may listen on: the kernel lets two sockets
    that may share an address have it until one of them listens."""
    holder = socket.socket()
    test.addCleanup(holder.close)
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    return holder.getsockname()[1]


class Connection:
    """A bot written from PROTOCOL.md alone: a socket and JSON."""

    def __init__(self, address):
        self.socket = socket.create_connection(address, timeout=LONG)
        self.lines = self.socket.makefile("r", encoding="utf-8")

    def read(self, wanted):
        while True:
            message = json.loads(self.lines.readline())
            if message["type"] == wanted:
                return message

    def send(self, **message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def close(self):
        self.lines.close()
        self.socket.close()


if __name__ == "__main__":
    unittest.main(module=None)

"""What the tests of the built program share: the program, a folder for each test, a bot played by hand.

CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE, runs a file's tests, or those of a class, by

    harness.py -v daemon_test.ServeTest
"""
import contextlib
import json
import os
import re
import select
import shutil
import signal
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
LONG = 120  # seconds after which a command counts as hung
LADDER = {"id": "practice", "game": "walls", "params": {"size": 3}, "format": {"kind": "ladder"}, "rest": "100ms"}
# What a bot that is started by a command line of a shell, or by this Python, needs to see in the sandbox beside the system's
# programs. A Python that was not installed with the system has its libraries beside it.
READS = [BIN] + ([] if sys.base_prefix == "/usr" else [sys.base_prefix])
READ = [word for path in READS for word in ("--reads", path)]  # the same on a command line


# A bot of Walls that always turns left, on pipes or where it is told to dial in. Tests fill in what it does at its beginning, with each
# message, before its login, at a start, in a turn and at the end of a game.
LEFT_TURNER = """
import json, os, socket, sys, threading, time
if "REFEREE_ADDRESS" in os.environ:
    host, port = os.environ["REFEREE_ADDRESS"].rsplit(":", 1)
    link = socket.create_connection((host, int(port)))
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    lines, out = link.makefile("r", encoding="utf-8"), link.makefile("w", encoding="utf-8")
else:
    lines, out = sys.stdin, sys.stdout
def say(**message):
    print(json.dumps(message), file=out, flush=True)
{beside}
for line in lines:
    m = json.loads(line)
    {each}
    if m["type"] == "hello":
        {hello}
        say(type="login", name=os.environ["REFEREE_NAME"], token=os.environ["REFEREE_TOKEN"], games=["walls"])
    elif m["type"] == "start":
        {start}
        say(type="ready", game_id=m["game_id"])
    elif m["type"] == "turn":
        debug = ""
        {turn}
        say(type="move", game_id=m["game_id"], turn=m["turn"], move="L", debug=debug)
    elif m["type"] == "end":
        {end}
"""


def left_turning(turn="pass", beside="", each="pass", hello="pass", start="pass", end="pass"):
    """Its text."""
    return LEFT_TURNER.format(beside=beside, each=each, hello=hello, start=start, turn=turn, end=end)


def left_turner(*turn, **filled):
    """Its command."""
    return [sys.executable, "-c", left_turning(*turn, **filled)]


def as_if_played_at_once(text):
    """A file of standings, where the plays that count were the first of their games."""
    return re.sub(r"(/\d+\.\d+)~\d+", r"\1", text)


def read_json(path):
    """A file's value, whose text may have comments, as configs have them."""
    with open(path) as file:
        text = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda found: found.group(1) or "", file.read(), flags=re.DOTALL)
    return json.loads(text)


def fits(value, schema, part=None):
    """The value, which is as a schema of configs/ says, or a part of that."""
    try:
        import jsonschema  # which takes as long to load as all else, and few tests look at schemas
    except ImportError:  # Debian has it as python3-jsonschema; what is looked at by it is then taken as it is
        return value
    told = read_json(os.path.join(SOURCE, "configs", schema))
    jsonschema.validate(value, {**told, "$ref": f"#/$defs/{part}"} if part else told)
    return value


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


def reading(store):
    """A store that is read, and closed at once: a store with a reader is not made anew."""
    return contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True))


def rows(store, query):
    with reading(store) as connection:
        return connection.execute(query).fetchall()


def asked(out, command):
    """What the daemon of that folder answers to an order at its socket; None where no daemon answers. For who looks again and again: the
    start of a `ctl` for each look takes more of the machine than what is waited for."""
    with socket.socket(socket.AF_UNIX) as link, contextlib.suppress(OSError):
        link.settimeout(LONG)
        link.connect(os.path.join(out, "control.sock"))
        link.sendall(json.dumps({"command": command}).encode() + b"\n")
        with link.makefile() as lines:
            line = lines.readline()
        return json.loads(line) if line.endswith("\n") else None


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="referee-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.marker = "REFEREE_TEST_MARK=" + os.path.basename(self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        """A file, with the folders that it lies in."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))
        return self.path(name)

    def read(self, *names):
        with open(self.path(*names)) as file:
            return file.read()

    def tells(self, text, *words):
        """Each of the words stands in the text."""
        self.assertEqual([one for one in words if one not in text], [], "is missing in " + text)

    def exits(self, status, *arguments, told=(), **options):
        """The referee, run with these words, which ends with that status and tells this, a text or several, on its standard error."""
        done = referee(*arguments, **options)
        self.assertEqual(done.returncode, status, (arguments, done.stdout, done.stderr))
        self.tells(done.stderr, *([told] if isinstance(told, str) else told))
        return done

    def refuses(self, *cases, before=(), **options):
        """Command lines, behind words that begin them all, that are bad input: nothing is printed, and each tells this."""
        for words, told in cases:
            with self.subTest(words):
                self.assertEqual(self.exits(2, *before, *words, told=told, **options).stdout, "")

    def spawn(self, command, **options):
        """A process that ends with the test at the latest."""
        process = subprocess.Popen(command, **options)

        def end():
            process.kill()
            process.wait()
            for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
                with contextlib.suppress(OSError):
                    stream.close()
        self.addCleanup(end)
        return process

    def launched(self, name, *command, **more):
        key, value = self.marker.split("=")
        return {"name": name, "launch": list(command), "environment": {key: value}, "reads": READS, **more}

    def small_disk(self, megabytes):
        """Mounts one as `out`."""
        os.mkdir(self.path("out"))
        words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", self.path("out")]
        if subprocess.run(words, capture_output=True).returncode != 0:
            self.skipTest("needs the right to mount a small disk")
        self.addCleanup(subprocess.run, ["umount", "-l", self.path("out")])

    def result_in(self, *names):
        """That a replay's file tells."""
        return json.loads(self.read(*names).splitlines()[-1])["result"]

    def result_of(self, *bots):
        """What came of their only game, by its file."""
        (name,) = [name for name in os.listdir(self.path("out/games"))
                   if sorted(json.loads(self.read("out/games", name).splitlines()[0])["bots"]) == sorted(bots)]
        return self.result_in("out/games", name)

    def walls(self, bots, /, **tournament):
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
        self.rest = b""  # what came after the last line that was read

    def read(self, wanted):
        """The next message of that type."""
        while message := self.heard():
            if message["type"] == wanted:
                return message
        raise AssertionError(f"the connection ended before {wanted}")

    def heard(self):
        """The next message; None at the end."""
        line = self.line()
        return json.loads(line) if line else None

    def line(self):
        """The next line; empty where the connection has ended, perhaps within a line."""
        while b"\n" not in self.rest:
            if not self.receive():
                return ""
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode()

    def receive(self):
        """Adds what comes next to the rest; false where the connection has ended."""
        came = b""
        with contextlib.suppress(ConnectionResetError):
            came = self.socket.recv(1 << 20)
        self.rest += came
        return came != b""

    def send(self, **message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def log_in(self, name, **more):
        """What is heard then tells whether it was let in."""
        self.read("hello")
        self.send(type="login", name=name, games=["walls"], **more)
        return self

    def close(self):
        self.socket.close()


def ended(process, how=signal.SIGTERM):
    """Its exit status after that signal."""
    process.send_signal(how)
    return process.wait(LONG)


def heard_by(bots):
    """The bot to which a message comes next, and that."""
    while not (whole := [bot for bot in bots if b"\n" in bot.rest]):
        ready = select.select([bot.socket for bot in bots], [], [], LONG)[0]
        if not ready or not all(bot.receive() for bot in bots if bot.socket in ready):
            raise AssertionError("nothing came, or the connection of a bot is closed")
    return whole[0], whole[0].heard()


if __name__ == "__main__":
    unittest.main(module=None)

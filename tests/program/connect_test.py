"""The bridge `referee connect`: a program on standard input and output that plays over the network. The built program, real sockets,
real processes.

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE.
"""
import json
import os
import signal
import stat
import subprocess
import sys
import unittest

from daemon_test import DaemonTest
from harness import BIN, LONG, REFEREE, SOURCE, alive_with, left_turner, referee, wait_until

sys.path.insert(0, os.path.join(SOURCE, "tests/kits"))
from relay import Relay  # noqa: E402

GREEDY = os.path.join(BIN, "walls-greedy")


class ConnectTest(DaemonTest):
    def begin(self, games=2, names=("ann", "bob"), **more):
        config = self.walls([{"name": name, "token": f"{name}'s token"} for name in names], format={"kind": "round_robin"},
                            match={"games": games}, **more)
        self.daemon = self.serve(self.write("c.json", config))

    def where(self):
        return "%s:%d" % self.address()

    def environment(self, name="ann", **more):
        mark, value = self.marker.split("=")
        return {**os.environ, mark: value, "REFEREE_TOKEN": f"{name}'s token", **more}

    def bridge(self, *options, name="ann", command=None, where=None, **environment):
        """Begins a bridge; `finish` waits for its end."""
        words = [REFEREE, "connect", where or self.where(), "--name", name, "--keep", self.path("kept-" + name), *options, "--",
                 *(command or left_turner())]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                   env=self.environment(name, **environment))
        for stream in (process.stdout, process.stderr):
            self.addCleanup(stream.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def finish(self, process):
        process.out, process.err = process.communicate(timeout=LONG)
        return process.returncode

    def kept(self, name="ann"):
        folder = self.path(f"kept-{name}/games")
        return [open(os.path.join(folder, one)).read() for one in sorted(os.listdir(folder))]

    def nobody_is_left(self):
        wait_until(lambda: not alive_with(self.marker), "the end of all processes")

    def table(self, process):
        """Of each row the cells."""
        lines = process.out.splitlines()
        self.assertTrue(lines and lines[0].startswith("game "), process.out + process.err)
        return [[cell for cell in line.split("  ") if cell] for line in lines[1:]]

    def standings(self):
        with open(self.path("out/t/standings.json")) as file:
            return {one["name"]: one for one in json.load(file)["standings"]}


class PlayingTest(ConnectTest):
    def test_two_bridges_play_and_their_tables_are_the_standings(self):
        self.begin(games=4)
        ann, bob = self.bridge("--trace"), self.bridge(name="bob", command=[GREEDY])
        for process in (ann, bob):
            self.assertEqual(self.finish(process), 0, process.err)
        print(ann.out, ann.err[-3000:], bob.out)
        self.nobody_is_left()


if __name__ == "__main__":
    unittest.main()

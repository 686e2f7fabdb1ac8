"""Tournaments whose matches are jobs of a real Slurm, while jobs, nodes, the controller and the referee itself are killed.

    machines_soak.py [--kills 500] [--seed 1] [--bots 8] [--daemons-live]

One tournament after the other, of each some twenty, until so many were killed. Each must end well, with every game counted once and with the files that the
same tournament has when it is played here alone. Prints a line for each tournament; ends with 1 where something is wrong, and with
77 where Slurm isn't installed.
"""
# calm: daemons of a real Slurm share the machine, and all that takes part is killed at random moments.
import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
os.environ.setdefault("REFEREE_SOURCE", SOURCE)
sys.path.insert(0, os.path.join(SOURCE, "tests/program"))

from harness import REFEREE, as_if_played_at_once, left_turner, referee  # noqa: E402 the folder is on the path only now
from job_test import games_in  # noqa: E402
from slurm_cluster import SlurmCluster, missing  # noqa: E402

SKIPPED = 77
GAMES_A_MATCH = 2
PAUSE_S = 0.05        # of a bot's turn: so a match lasts a second
BETWEEN_S = (0.3, 3)  # two kills
# Of one tournament. A coordinator waits some seconds before it gives up a job that is in no list, and one that begins anew waits anew:
# killed for ever, it would never get on.
KILLS_OF_TOURNAMENT = 20
# Within which a tournament has to end once nobody is killed any more. A job that a killed node lost, and the controller believes to be played,
# is given up when it has shown no life for some six minutes, and that may happen again.
STAND_STILL_S = 900
SAME_FILES = ("pairings.json", "crosstable.csv")
# What is killed, and how often of a hundred: the last two are daemons of Slurm.
ODDS = {"a job": 40, "a job by scancel": 20, "the referee": 25, "a node's daemon": 8, "the controller": 7}
DAEMONS = 2


class Soak:
    def __init__(self, folder, cluster, options):
        self.folder = folder
        self.cluster = cluster
        self.random = random.Random(options.seed)
        self.bots = options.bots
        self.kinds = list(ODDS)[:-DAEMONS] if options.daemons_live else list(ODDS)
        self.killed = collections.Counter()
        os.environ["SLURM_CONF"] = cluster.environment["SLURM_CONF"]
        open(self.path("log"), "w", encoding="utf-8").close()

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def config(self, name, **more):
        reads = [] if sys.base_prefix == "/usr" else [sys.base_prefix]
        bots = [{"name": f"b{i}", "launch": left_turner(turn=f"time.sleep({PAUSE_S})"), "reads": reads} for i in range(self.bots)]
        config = {"listen": {"port": 0}, "bots": bots, "tournaments": [
            {"id": "t", "game": "walls", "params": {"size": 3}, "clock": {"budget": "60s"}, "seed": 1, "match": {"games": GAMES_A_MATCH}}], **more}
        with open(self.path(f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(config, file)

    def play(self, name):
        done = referee("run", self.path(f"{name}.json"), "--out", self.path(name), "--quiet")
        if done.returncode != 0:
            self.fail(f"a run ended with status {done.returncode}: {done.stderr}")

    def begin(self):
        self.run = subprocess.Popen([REFEREE, "run", self.path("there.json"), "--out", self.path("there")],
                                    stdout=subprocess.DEVNULL, stderr=open(self.path("log"), "a", encoding="utf-8"))

    def kill(self):
        """One of the kinds, where there is something of it."""
        kind = self.random.choices(self.kinds, [ODDS[kind] for kind in self.kinds])[0]
        if kind == "a job":
            try:
                os.kill(self.random.choice(self.cluster.players()), signal.SIGKILL)
            except (IndexError, ProcessLookupError):
                return
        elif kind == "a job by scancel":
            queue = self.cluster.queue()
            if not queue:
                return
            self.cluster.answers("scancel", self.random.choice(queue).split()[0])
        elif kind == "the referee":
            self.run.kill()
            self.run.wait()
            time.sleep(self.random.random())
            self.begin()
        elif kind == "a node's daemon":
            self.cluster.restart(self.random.choice(self.cluster.nodes))
        else:
            self.cluster.kill("slurmctld")
            time.sleep(self.random.random())
            self.cluster.start_controller()
        self.killed[kind] += 1

    def mend_nodes(self):
        """As somebody who looks after a cluster does: a controller that was killed drains nodes that know more than it does."""
        for node in self.cluster.nodes:
            if "drain" in self.cluster.state(node):
                self.cluster.resume(node)

    def tournament(self, kills):
        """Kills at most so many of it, and plays it to its end."""
        for name in ("there", "shared"):
            shutil.rmtree(self.path(name), True)
        os.truncate(self.path("log"), 0)
        before = self.killed.total()
        began = time.monotonic()
        quiet_since = None
        self.begin()
        while self.run.poll() is None:
            time.sleep(self.random.uniform(*BETWEEN_S))
            self.mend_nodes()
            if self.killed.total() - before < kills:
                if self.run.poll() is None:
                    self.kill()
            elif quiet_since is None:
                quiet_since = time.monotonic()
            elif time.monotonic() - quiet_since > STAND_STILL_S:
                self.fail(f"stands still for {STAND_STILL_S} s")
        self.check()
        print(f"{self.killed.total() - before} killed in {time.monotonic() - began:.0f} s; all: {dict(self.killed)}", flush=True)

    def left(self):
        """The files of jobs that are still there."""
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.path("shared/jobs")) for name in names]

    def fail(self, what):
        raise SystemExit(f"FAILED: {what}\n{self.read('log')[-5000:]}\n{self.cluster.logs()}\n"
                         f"the queue: {self.cluster.queue()}; the jobs' files: {self.left()}")

    def check(self):
        if self.run.returncode != 0:
            self.fail(f"the run ended with status {self.run.returncode}")
        games = games_in(self.path("there/referee.db"))
        counted = [(game["match"], game["number"]) for game in games if game["result"]["status"] in ("played", "forfeited")]
        matches = self.bots * (self.bots - 1) // 2
        if counted != [(match, number) for match in range(1, matches + 1) for number in range(1, GAMES_A_MATCH + 1)]:
            self.fail(f"not each game counts once: {counted}")
        for name in SAME_FILES:
            # A game that was lost counts by a later play, and names it.
            if self.read("here/" + name) != as_if_played_at_once(self.read("there/" + name)):
                self.fail(f"{name} is not what it is when all is played here")
        verified = referee("store", "verify", self.path("there/referee.db"), "--games", self.path("there/games"))
        if verified.returncode != 0:
            self.fail(f"`referee store verify` ended with status {verified.returncode}: {verified.stdout}{verified.stderr}")
        # Who ends while the controller can't be reached leaves jobs to the next referee of the store, and says so.
        if "are left in" in self.read("log"):
            self.play("there")
        if self.left():
            self.fail("jobs are left in the folder")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="of who is killed when (1)")
    parser.add_argument("--bots", type=int, default=8, help="each against each (8: 28 matches)")
    parser.add_argument("--daemons-live", action="store_true", help="kill no daemon of Slurm: a job that one loses is given up only after minutes")
    options = parser.parse_args()
    if missing():
        print(f"Slurm's {missing()} isn't installed; expected: scripts/setup --machines")
        raise SystemExit(SKIPPED)
    with SlurmCluster(nodes=2, cores=2) as cluster, tempfile.TemporaryDirectory(prefix="soak-") as folder:
        soak = Soak(folder, cluster, options)
        soak.config("here")
        soak.config("there", machines={"kind": "slurm", "partition": "main", "folder": soak.path("shared"), "jobs_at_once": 4})
        soak.play("here")
        while soak.killed.total() < options.kills:
            soak.tournament(min(KILLS_OF_TOURNAMENT, options.kills - soak.killed.total()))
    print(f"{soak.killed.total()} killed ({', '.join(f'{count} times {kind}' for kind, count in soak.killed.items())}): "
          "each game counts once, and all files are those of a run here")


if __name__ == "__main__":
    main()

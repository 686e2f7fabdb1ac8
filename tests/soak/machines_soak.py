"""Tournaments whose matches are jobs of a real Slurm, while jobs, nodes, the controller and the referee itself are killed.

    machines_soak.py [--kills 500] [--seed 1] [--bots 8] [--daemons-live]

One tournament after the other, of each some twenty, until so many were killed. Each must end well, with every game counted once and with the files that the
same tournament has when it is played here alone. Prints a line for each tournament; ends with 1 where something is wrong, and with
77 where Slurm isn't installed.
"""
# calm: daemons of a real Slurm share the machine, and all that takes part is killed at random moments.
import argparse
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
os.environ.setdefault("REFEREE_SOURCE", SOURCE)
sys.path.insert(0, os.path.join(SOURCE, "tests/program"))

from harness import REFEREE, as_if_played_at_once, thinks  # noqa: E402 the folder is on the path only now
from machines_test import Machines  # noqa: E402
from slurm_cluster import SlurmCluster, missing  # noqa: E402

SKIPPED = 77
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


class Soak(Machines):
    def __init__(self, cluster, options):
        super().__init__()
        self.setUp()
        self.cluster = cluster
        self.random = random.Random(options.seed)
        self.kinds = list(ODDS)[:-DAEMONS] if options.daemons_live else list(ODDS)
        self.killed = collections.Counter()
        self.bots = options.bots
        os.environ["SLURM_CONF"] = cluster.environment["SLURM_CONF"]
        self.write("log", "")

    def config(self, **machines):
        return self.of_bots(self.bots, thinks(PAUSE_S), {"budget": "60s"}, machines=machines)

    def play(self, kills):
        """One tournament after the other, until so many are killed."""
        self.run_there(self.config(kind="local"), "here")
        self.config(kind="slurm", partition="main", folder=self.path("shared"), jobs_at_once=4)
        while self.killed.total() < kills:
            self.tournament(min(KILLS_OF_TOURNAMENT, kills - self.killed.total()))

    def begin_there(self):
        self.there = subprocess.Popen([REFEREE, "run", self.path("c.json"), "--out", self.path("there")],
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
            self.there.kill()
            self.there.wait()
            time.sleep(self.random.random())
            self.begin_there()
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
        self.begin_there()
        while self.there.poll() is None:
            time.sleep(self.random.uniform(*BETWEEN_S))
            self.mend_nodes()
            if self.killed.total() - before < kills:
                if self.there.poll() is None:
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

    def check(self):
        self.assertEqual(self.there.returncode, 0)
        self.check_whole("there", self.bots * (self.bots - 1) // 2)
        for name in SAME_FILES:
            # A game that was lost counts by a later play, and names it.
            self.assertEqual(as_if_played_at_once(self.read("there", name)), self.read("here", name), name)
        self.exits(0, "store", "verify", self.path("there/referee.db"), "--games", self.path("there/games"))
        # Who ends while the controller can't be reached leaves jobs to the next referee of the store, and says so.
        if "are left in" in self.read("log"):
            self.run_there(self.path("c.json"), "there")
        self.assertEqual(self.left(), [])


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
    with SlurmCluster(nodes=2, cores=2) as cluster:
        soak = Soak(cluster, options)
        try:
            soak.play(options.kills)
        except AssertionError as error:
            raise SystemExit(f"FAILED: {error}\n{soak.read('log')[-5000:]}\n{cluster.logs()}\n"
                             f"the queue: {cluster.queue()}; the jobs' files: {soak.left()}") from None
        finally:
            soak.doCleanups()
    print(f"{soak.killed.total()} killed ({', '.join(f'{count} times {kind}' for kind, count in soak.killed.items())}): "
          "each game counts once, and all files are those of a run here")


if __name__ == "__main__":
    main()

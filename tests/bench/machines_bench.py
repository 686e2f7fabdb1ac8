"""What it costs to give matches to other machines: matches a second through job slots beside playing them here, and how
long a slot stands still between two jobs. All on this machine, through a real Slurm that it starts.

    machines_bench.py BIN SOURCE [--slots 1,2,8,64] [--bots N] [--json FILE]

BIN is the folder of built programs, SOURCE that of the sources. More slots than cores show what the jobs cost, not what
they gain. Nothing else should run meanwhile.
"""
import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

GAMES_A_MATCH = 2
LOOK_S = 0.005      # between two looks for results of jobs
PAUSED_BOTS = 9     # 36 matches
PAUSE_S = 0.02      # of a bot whose matches are to last as long as a job needs to be worth looking at


def cluster_of(slots):
    """A Slurm with so many slots, of one core each, on as many nodes as it takes: a node tells no more cores than there are."""
    from slurm_cluster import SlurmCluster, missing  # beside the tests of Slurm: `main` has told where
    if missing():
        raise SystemExit(f"Slurm's {missing()} isn't installed; expected: scripts/setup --machines")
    cores = min(slots, len(os.sched_getaffinity(0)))
    return SlurmCluster(nodes=-(-slots // cores), cores=cores)


class Run:
    """`referee run` of a config, in a folder of its own."""

    def __init__(self, referee, config, environment=None, options=()):
        with tempfile.TemporaryDirectory(prefix="machines-") as folder:
            self.folder = folder
            if "machines" in config:
                config["machines"]["folder"] = os.path.join(folder, "shared")
            path = os.path.join(folder, "config.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(config, file)
            self.results = []  # when each was seen
            self.over = threading.Event()
            watch = threading.Thread(target=self.watch)
            watch.start()
            try:
                began = time.monotonic()
                done = subprocess.run([referee, "run", path, "--out", os.path.join(folder, "out"), "--quiet", *options], env=environment,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
                self.seconds = time.monotonic() - began
            finally:
                self.over.set()
                watch.join()
            if done.returncode != 0:
                raise SystemExit(f"{referee} run ended with status {done.returncode}: {done.stderr}")
            with sqlite3.connect(os.path.join(folder, "out/referee.db")) as store:
                counts = dict(store.execute("SELECT status, count(*) FROM games GROUP BY status"))
            self.games = counts.get("played", 0)
            self.lost = counts.get("interrupted", 0)

    def watch(self):
        jobs = os.path.join(self.folder, "shared/jobs")
        seen = set()
        while not self.over.wait(LOOK_S):
            try:
                there = {job for job in os.listdir(jobs) if os.path.exists(os.path.join(jobs, job, "result.ndjson"))}
            except OSError:
                continue
            self.results += [time.time()] * len(there - seen)
            seen |= there


class Bench:
    def __init__(self, binaries, source, bots):
        self.binaries = os.path.abspath(binaries)
        self.source = os.path.abspath(source)
        self.referee = os.path.join(self.binaries, "referee")
        self.bots = bots

    def instant(self):
        names = [{"name": f"b{i}", "launch": [os.path.join(self.binaries, "walls-random")]} for i in range(self.bots)]
        return {"listen": {"port": 0}, "bots": names, "tournaments": [
            {"id": "t", "game": "walls", "format": {"kind": "round_robin"}, "match": {"games": GAMES_A_MATCH}}]}

    def rate(self, run):
        matches = self.bots * (self.bots - 1) // 2
        if run.games != matches * GAMES_A_MATCH:
            raise SystemExit(f"expected {matches * GAMES_A_MATCH} games, found {run.games}")
        return {"matches": matches, "seconds": run.seconds, "matches_a_second": matches / run.seconds, "jobs": len(run.results), "lost_games": run.lost}

    def here(self):
        return self.rate(Run(self.referee, self.instant()))

    def through_slots(self, slots):
        with cluster_of(slots) as cluster:
            config = self.instant()
            config["machines"] = {"kind": "slurm", "partition": "main", "jobs_at_once": slots}
            return self.rate(Run(self.referee, config, cluster.environment))

    def noting(self, notes):
        """The command of a bot that pauses at each turn, and notes when it was first asked in each game."""
        os.environ.update(REFEREE_BIN=self.binaries, REFEREE_SOURCE=self.source)  # which the harness asks for
        from harness import left_turner
        note = f"""if m["turn"] == 1:
            with open({notes!r}, "a") as notes:
                notes.write("%f\\n" % time.time())
        time.sleep({PAUSE_S})"""
        return left_turner(note)

    def still(self, jobs_at_once):
        """Seconds from the end of a job to the first turn of the next one, in one slot. Without a sandbox, whose start takes
        some 10 ms: the bots write down when they are first asked."""
        with cluster_of(1) as cluster, tempfile.TemporaryDirectory(prefix="notes-") as folder:
            notes = os.path.join(folder, "notes")
            bots = [{"name": f"b{i}", "launch": self.noting(notes)} for i in range(PAUSED_BOTS)]
            run = Run(self.referee, {
                "listen": {"port": 0}, "bots": bots,
                "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}, "clock": {"budget": "2s"}, "match": {"games": 1}}],
                "machines": {"kind": "slurm", "partition": "main", "jobs_at_once": jobs_at_once}}, cluster.environment, ["--unsandboxed"])
            with open(notes, encoding="utf-8") as file:
                turns = sorted(float(line) for line in file)
        gaps = []
        for end in run.results[:-1]:
            after = [turn for turn in turns if turn > end]
            if after:
                gaps.append(after[0] - end)
        return {"gaps": len(gaps), "middle_s": statistics.median(gaps) if gaps else None, "most_s": max(gaps, default=None)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("source")
    parser.add_argument("--slots", default="1,2,8,64")
    parser.add_argument("--bots", type=int, default=24, help="instant bots, each against each (24: 276 matches)")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    sys.path.insert(0, os.path.join(os.path.abspath(options.source), "tests/program"))
    bench = Bench(options.bin, options.source, options.bots)
    rows = [{"what": "here", **bench.here()}]
    for slots in map(int, options.slots.split(",")):
        rows.append({"what": f"{slots} slot{'s' if slots > 1 else ''} of Slurm", **bench.through_slots(slots)})
    print(f"| {rows[0]['matches']} matches of {GAMES_A_MATCH} games, launched instant bots | seconds | matches a second | jobs |")
    print("| --- | --- | --- | --- |")
    for row in rows:
        lost = f" ({row['lost_games']} games of jobs that ended early were played anew)" if row["lost_games"] else ""
        print(f"| {row['what']} | {row['seconds']:.1f} | {row['matches_a_second']:.1f} | {row['jobs'] or ''}{lost} |")
    still = {"the next job waits in Slurm": bench.still(2), "the next job is made when one is over": bench.still(1)}
    for what, found in still.items():
        print(f"from a job's end to the next one's first turn, one slot, {what}: {found['middle_s']:.2f} s (most {found['most_s']:.2f} s, {found['gaps']} times)")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"cores": os.cpu_count(), "throughput": rows, "still": still}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()

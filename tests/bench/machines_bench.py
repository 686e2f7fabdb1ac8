"""What it costs to give matches to other machines: matches a second through job slots beside playing them here, and how
long a slot stands still between two jobs. All on this machine, through a real Slurm that it starts.

    machines_bench.py BIN SOURCE [--slots 1,2,8,64] [--bots N] [--json FILE]

BIN is the folder of built programs, SOURCE that of the sources. More slots than cores show what the jobs cost, not what
they gain. Nothing else should run meanwhile.
"""
import argparse
import bisect
import glob
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
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


class Bench:
    def __init__(self, binaries, source, bots):
        self.binaries = os.path.abspath(binaries)
        self.referee = os.path.join(self.binaries, "referee")
        self.bots = bots
        os.environ.update(REFEREE_BIN=self.binaries, REFEREE_SOURCE=os.path.abspath(source))  # which the harness asks for

    def run(self, bots, tournament, machines=None, environment=None, options=()):
        """How many games were played and lost, in how many seconds, and when each job's result was seen."""
        with tempfile.TemporaryDirectory(prefix="machines-") as folder:
            config = {"listen": {"port": 0}, "bots": bots, "tournaments": [{"id": "t", "game": "walls", **tournament}]}
            if machines:
                config["machines"] = {"kind": "slurm", "partition": "main", "folder": os.path.join(folder, "shared"), **machines}
            path = os.path.join(folder, "config.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(config, file)
            began = time.monotonic()
            run = subprocess.Popen([self.referee, "run", path, "--out", os.path.join(folder, "out"), "--quiet", *options], env=environment,
                                   stdout=subprocess.DEVNULL)
            seen = {}
            while run.poll() is None:
                time.sleep(LOOK_S)
                for result in glob.glob(os.path.join(folder, "shared/jobs/*/result.ndjson")):
                    seen.setdefault(result, time.time())
            seconds = time.monotonic() - began
            if run.returncode != 0:
                raise SystemExit(f"{self.referee} run ended with status {run.returncode}")
            with sqlite3.connect(os.path.join(folder, "out/referee.db")) as store:
                counts = dict(store.execute("SELECT status, count(*) FROM games GROUP BY status"))
        return counts.get("played", 0), counts.get("interrupted", 0), seconds, sorted(seen.values())

    def rate(self, what, *machines):
        bots = [{"name": f"b{i}", "launch": [os.path.join(self.binaries, "walls-random")]} for i in range(self.bots)]
        games, lost, seconds, results = self.run(bots, {"match": {"games": GAMES_A_MATCH}}, *machines)
        matches = self.bots * (self.bots - 1) // 2
        if games != matches * GAMES_A_MATCH:
            raise SystemExit(f"expected {matches * GAMES_A_MATCH} games, found {games}")
        return {"what": what, "matches": matches, "seconds": seconds, "matches_a_second": matches / seconds, "jobs": len(results), "lost_games": lost}

    def through_slots(self, slots):
        with cluster_of(slots) as cluster:
            return self.rate(f"{slots} slot{'s' if slots > 1 else ''} of Slurm", {"jobs_at_once": slots}, cluster.environment)

    def still(self, jobs_at_once):
        """Seconds from the end of a job to the first turn of the next one, in one slot. Without a sandbox, whose start takes
        some 10 ms: the bots write down when they are first asked in each game."""
        from harness import left_turner
        with cluster_of(1) as cluster, tempfile.NamedTemporaryFile("r", encoding="utf-8") as notes:
            note = f"""if m["turn"] == 1:
            with open({notes.name!r}, "a") as notes:
                notes.write("%f\\n" % time.time())
        time.sleep({PAUSE_S})"""
            bots = [{"name": f"b{i}", "launch": left_turner(note)} for i in range(PAUSED_BOTS)]
            tournament = {"params": {"size": 3}, "clock": {"budget": "2s"}, "match": {"games": 1}}
            *_, results = self.run(bots, tournament, {"jobs_at_once": jobs_at_once}, cluster.environment, ["--unsandboxed"])
            turns = sorted(float(line) for line in notes)
        after = [bisect.bisect(turns, end) for end in results[:-1]]
        gaps = [turns[i] - end for i, end in zip(after, results) if i < len(turns)]
        return {"gaps": len(gaps), "middle_s": statistics.median(gaps), "most_s": max(gaps)}


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
    rows = [bench.rate("here")] + [bench.through_slots(int(slots)) for slots in options.slots.split(",")]
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

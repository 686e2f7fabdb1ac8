"""A large tournament of jobs on paper: how long, how many file operations, and what breaks first.

    jobs_on_paper.py BIN [--bots 1000] [--cores 2000] [--game-time 30s] [--measured-bots 16]

BIN is the folder of built programs. What a match and a job cost is measured on this machine, by a small round robin of Walls that the
sample configs/machines/here plays: once under strace, for the operations on the shared folder, and once without it, for processor time and bytes.
How long the large one takes is what `referee check` estimates. The table tells where each figure comes from.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOOKS_A_SECOND = 5        # JobPace::look_least of referee/cluster/machines/coordinator.h: so often at most while results come
# Calls that name the folder and ask no file system for anything, or only the PATH's.
BESIDE = ("execve", "dup", "dup2", "fcntl", "ioctl", "fadvise64")
JOB_SECONDS = 180         # job_time_aimed of referee/cluster/machines/job_size.h
SAMPLE_EVERY_S = 0.02
CALL = re.compile(r"^(\d+) +(\w+)\((.*?)(?: = (.*))?$")


def round_robin(bin_folder, bots, folder, jobs_at_once, cores=1):
    here = os.path.join(SOURCE, "configs/machines/here")
    player = os.path.join(bin_folder, "walls-greedy")
    return {"listen": {"port": 0}, "bots": [{"name": f"bot{i}", "launch": [player], "reads": [bin_folder]} for i in range(bots)],
            "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}}],
            "machines": {"kind": "command", "folder": folder, "jobs_at_once": jobs_at_once, "cores": cores,
                         **{name: os.path.join(here, name) for name in ("submit", "list", "cancel")}}}


def play(referee, config, out, before=()):
    """The processor time of the run itself, without its jobs, in seconds."""
    process = subprocess.Popen([*before, referee, "run", config, "--out", out, "--quiet"])
    spent = 0
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            spent = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            pass
        time.sleep(SAMPLE_EVERY_S)
    if process.returncode != 0:
        sys.exit(f"jobs_on_paper.py: the measured run ended with status {process.returncode}")
    return spent


class Operations:
    """Calls that name something in the shared folder, by who made them and of which job."""

    def __init__(self, trace, shared):
        self.by_role = collections.Counter()   # (role, call)
        self.of_job = collections.Counter()    # number
        self.matches = {}
        self.looks = 0
        roles = {}
        with open(trace, errors="replace") as file:
            for line in file:
                found = CALL.match(line)
                if not found:
                    continue
                process, call, arguments, result = found.groups()
                if call in ("clone", "clone3", "fork", "vfork") and (result or "").split(" ")[0].isdigit():
                    roles[result.split(" ")[0]] = roles.get(process, "coordinator")
                if call == "execve":
                    roles[process] = self.role(arguments, roles.get(process, "coordinator"))
                if shared not in arguments or call in BESIDE:
                    continue
                self.count(roles.get(process, "coordinator"), call, arguments, result or "")

    @staticmethod
    def role(arguments, before):
        if '"job",' in arguments and "referee" in arguments:
            return "job"
        return "commands" if before == "coordinator" and '"run"' not in arguments else before

    def count(self, role, call, arguments, result):
        if "result.ndjson" in arguments and "ENOENT" in result and role == "coordinator":
            self.looks += 1
            return
        self.by_role[role, call] += 1
        job = re.search(r"/jobs/(\d+)", arguments)
        if job:
            self.of_job[job[1]] += 1

    def a_job_and_a_match(self, matches):
        """Least squares of operations over matches: (of each job, of each match)."""
        numbers = sorted(set(self.of_job) & set(matches))
        n = len(numbers)
        x, y = [matches[number] for number in numbers], [self.of_job[number] for number in numbers]
        mean_x, mean_y = sum(x) / n, sum(y) / n
        spread = sum((one - mean_x) ** 2 for one in x)
        slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / spread if spread else 0
        return mean_y - slope * mean_x, slope


def matches_of_jobs(trace, shared):
    """How many matches each job had, by what was written to its job.json."""
    found = {}
    with open(trace, errors="replace") as file:
        for line in file:
            text = re.search(re.escape(shared) + r"/jobs/(\d+)/[^>]*>, \"(\{\\\"job\\\".*)\", \d+\)", line)
            if text:
                found[text[1]] = text[2].count('\\"one_goes_on\\"')
    return found


def measure(bin_folder, bots):
    referee = os.path.join(bin_folder, "referee")
    with tempfile.TemporaryDirectory(prefix="referee-paper-") as folder:
        shared = os.path.join(folder, "shared")
        config = os.path.join(folder, "c.json")
        with open(config, "w") as file:
            json.dump(round_robin(bin_folder, bots, shared, 2), file)
        spent = play(referee, config, os.path.join(folder, "plain"))
        trace = os.path.join(folder, "trace")
        play(referee, config, os.path.join(folder, "traced"), ("strace", "-f", "-y", "-s", "1000000", "-e", "trace=%file,%desc,%process", "-o", trace))
        operations = Operations(trace, shared)
        sizes = matches_of_jobs(trace, shared)
        of_job, of_match = operations.a_job_and_a_match(sizes)
        store = os.path.getsize(os.path.join(folder, "plain/referee.db"))
        games = sum(entry.stat().st_size for entry in os.scandir(os.path.join(folder, "plain/games")))
        files = len(os.listdir(os.path.join(folder, "plain/games")))
    matches = bots * (bots - 1) // 2
    return {"matches": matches, "jobs": len(sizes), "of_job": of_job, "of_match": of_match, "by_role": operations.by_role,
            "cpu_ms_a_match": 1000 * spent / matches, "store_bytes_a_match": store / matches, "games_bytes_a_match": games / matches,
            "games_files_a_match": files / matches}


def estimated(bin_folder, bots, cores, game_time):
    with tempfile.TemporaryDirectory(prefix="referee-paper-") as folder:
        config = os.path.join(folder, "c.json")
        with open(config, "w") as file:
            json.dump(round_robin(bin_folder, bots, os.path.join(folder, "shared"), cores), file)
        done = subprocess.run([os.path.join(bin_folder, "referee"), "check", config, "--json", "--game-time", game_time], capture_output=True, text=True)
        return json.loads(done.stdout)["tournaments"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--cores", type=int, default=2000)
    parser.add_argument("--game-time", default="30s")
    parser.add_argument("--measured-bots", type=int, default=16)
    options = parser.parse_args()
    bin_folder = os.path.abspath(options.bin)
    here = measure(bin_folder, options.measured_bots)
    told = estimated(bin_folder, options.bots, options.cores, options.game_time)
    seconds = told["likely_ms"] / 1000
    matches = told["matches"]["most"]
    match_seconds = seconds * options.cores / matches
    jobs = matches / max(1, JOB_SECONDS // match_seconds)
    operations = jobs * here["of_job"] + matches * here["of_match"]
    looks = seconds * LOOKS_A_SECOND * options.cores
    rows = [
        ("measured: matches, jobs", f"{here['matches']}, {here['jobs']}", "a run on this machine"),
        ("operations on the shared folder, of a job", f"{here['of_job']:.0f}", "strace"),
        ("and of each of its matches", f"{here['of_match']:.1f}", "strace"),
        ("the coordinator's processor time a match", f"{here['cpu_ms_a_match']:.2f} ms", "/proc"),
        ("the store, a match", f"{here['store_bytes_a_match'] / 1000:.1f} KB", "its file"),
        ("files of games, a match", f"{here['games_files_a_match']:.1f}, {here['games_bytes_a_match'] / 1000:.1f} KB", "the folder"),
        ("on paper: matches", f"{matches:,}", "check"),
        ("time", f"{seconds / 3600:.1f} h", f"check, games of {options.game_time}"),
        ("jobs", f"{jobs:,.0f}, {jobs / seconds:.1f} a second", "matches of three minutes each"),
        ("operations of jobs and matches", f"{operations:,.0f}, {operations / seconds:,.0f} a second", "computed"),
        ("looks for results", f"{looks:,.0f}, {looks / seconds:,.0f} a second", f"computed: each job, {LOOKS_A_SECOND} times a second at most"),
        ("programs that jobs read, to know what plays", f"{4 * jobs / seconds:,.0f} a second at least", "computed: two bots, when a job begins and ends"),
        ("the coordinator's core", f"{here['cpu_ms_a_match'] * matches / 10 / seconds:.0f}% busy", "computed"),
        ("the store", f"{here['store_bytes_a_match'] * matches / 1e9:.1f} GB", "computed"),
        ("files of games", f"{here['games_files_a_match'] * matches:,.0f}, {here['games_bytes_a_match'] * matches / 1e9:.1f} GB", "computed"),
    ]
    print("| what | figure | from |\n| --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print("\noperations of the measured run:")
    for (role, call), count in sorted(here["by_role"].items(), key=lambda one: -one[1]):
        print(f"  {role}: {call} {count}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs the fuzzers that scripts/fuzz has built, some at a time, and sums up what they did.

Each begins with the inputs that are kept (tests/fuzz/corpus/TARGET, tests/fuzz/finds/TARGET), and with what earlier runs
on this machine came to (build/fuzz/corpus/TARGET). An input that breaks a promise is a find: it is written to
build/fuzz/finds/TARGET, and told with the command that repeats it. Ends with 1 where there is one.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests/fuzz"
BUILD = ROOT / "build/fuzz"
INPUT_SECONDS_MAX = 25  # an input that takes longer is a find
MEMORY_MB_MAX = 2048  # and one that takes more
INPUT_BYTES_MAX = {"archive": 8192, "control": 40000, "trace": 8192, "replay": 8192}
INPUT_BYTES_MAX_ELSE = 4096
# What else a target begins with, as kept_inputs_test.cpp has it.
KEPT_ELSEWHERE = {"archive": ["tests/fuzz/corpus/records/*"], "config": ["configs/*.json"], "replay": ["tests/golden/explain/*.ndjson"],
                  "trf": ["tests/referee/contest/pairing/data/*.trf"]}
# Of targets that have not only their own.
DICTIONARIES = {"archive": ("json", "games", "records", "archive"), "config": ("json", "config"), "protocol": ("json", "games", "protocol"),
                "records": ("json", "games", "records"), "replay": ("json", "games", "trace"), "trace": ("json", "games", "trace")}
# Of what a fuzzer with a find said.
TOLD = re.compile(r"broken promise|ERROR: |runtime error|SUMMARY: |Base64: ")
TOLD_LINES_MAX = 12
TOLD_BYTES_MAX = 400
# More than a fuzzer is asked to run: the last input, and reading the corpus.
GRACE_SECONDS = 300
STATISTICS = ("number_of_executed_units", "average_exec_per_sec", "peak_rss_mb")


def targets():
    text = (KEPT / "CMakeLists.txt").read_text()
    return re.search(r"set\(FUZZ_TARGETS ([^)]*)\)", text).group(1).split()


def options():
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="*", help="one or more of: " + ", ".join(targets()) + "; none: all")
    parser.add_argument("--minutes", type=float, default=None, metavar="N", help="how long each runs (1)")
    parser.add_argument("--seconds", type=int, default=None, metavar="N", help="the same in seconds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many run at once (as many as there are cores)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the fuzzers' lots (0: another one each time)")
    parser.add_argument("--only-check", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    unknown = sorted(set(given.target) - set(targets()))
    if unknown:
        parser.error(f"there is no target {', '.join(unknown)}; expected some of {', '.join(targets())}")
    if given.minutes is not None and given.seconds is not None:
        parser.error("expected --minutes or --seconds, found both")
    given.time_s = given.seconds if given.seconds is not None else round(60 * (given.minutes or 1))
    if given.time_s < 1 or given.jobs < 1:
        parser.error("expected a time of at least a second, and at least one job")
    return given


def finds_in(folder):
    return {path for path in folder.iterdir() if path.is_file()}


def told(text):
    lines = [line[:TOLD_BYTES_MAX] for line in text.splitlines() if TOLD.search(line)]
    return lines[:TOLD_LINES_MAX] or text.splitlines()[-TOLD_LINES_MAX:]


def run(target, given):
    """What one fuzzer did: a dictionary of figures, its finds, and what it said of them."""
    grown, finds = BUILD / "corpus" / target, BUILD / "finds" / target
    for folder in (grown, finds):
        folder.mkdir(parents=True, exist_ok=True)
    for pattern in KEPT_ELSEWHERE.get(target, ()):
        for file in ROOT.glob(pattern):
            shutil.copy(file, grown)
    if target == "trace":  # a setup in a line of its own, and the moves
        for setup in (ROOT / "tests/golden").glob("*/*.setup.json"):
            moves = setup.with_name(setup.name.replace(".setup.json", ".moves.ndjson"))
            (grown / f"{setup.parent.name}_{moves.stem}").write_text(setup.read_text().replace("\n", "") + "\n" + moves.read_text())
    before = finds_in(finds)
    command = [BUILD / "bin" / f"fuzz_{target}", f"-max_total_time={given.time_s}", f"-timeout={INPUT_SECONDS_MAX}", f"-report_slow_units={INPUT_SECONDS_MAX}",
               f"-rss_limit_mb={MEMORY_MB_MAX}", f"-max_len={INPUT_BYTES_MAX.get(target, INPUT_BYTES_MAX_ELSE)}",
               f"-seed={given.seed}", f"-artifact_prefix={finds}/", "-print_final_stats=1"]
    dictionaries = [KEPT / "dictionaries" / f"{name}.dict" for name in DICTIONARIES.get(target, (target,))]
    words = "".join(file.read_text() for file in dictionaries if file.exists())
    command += [grown] + [KEPT / kind / target for kind in ("corpus", "finds") if (KEPT / kind / target).exists()]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        environment = dict(os.environ, TMPDIR=folder)
        if words:
            dictionary = pathlib.Path(folder) / "words.dict"
            dictionary.write_text(words)
            command.insert(1, f"-dict={dictionary}")
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, text=True,
                              errors="replace", timeout=given.time_s + GRACE_SECONDS, check=False)
    figures = dict(re.findall(r"^stat::(\w+):\s+(\d+)", done.stderr, re.MULTILINE))
    edges = re.findall(r"cov: (\d+)", done.stderr)
    figures["edges"] = edges[-1] if edges else "0"
    return target, done.returncode, figures, sorted(finds_in(finds) - before), told(done.stderr)


def main():
    given = options()
    if given.only_check:
        return 0
    chosen = given.target or targets()
    print(f"fuzz: {', '.join(chosen)}; {given.time_s} s each, {given.jobs} at a time", flush=True)
    print(f"{'target':10} {'executions':>11} {'a second':>9} {'edges':>7} {'MiB':>6}  finds", flush=True)
    bad = False
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for target, status, figures, finds, words in pool.map(lambda each: run(each, given), chosen):
            count, speed, memory = (figures.get(name, "?") for name in STATISTICS)
            print(f"{target:10} {count:>11} {speed:>9} {figures['edges']:>7} {memory:>6}  {len(finds)}", flush=True)
            if status == 0 and not finds:
                continue
            bad = True
            print("\n".join("  | " + line for line in words))
            for find in finds:
                print(f"  {find}\n  repeat it: build/fuzz/bin/fuzz_{target} {find.relative_to(ROOT)}\n"
                      f"  once it is mended, keep it: cp {find.relative_to(ROOT)} tests/fuzz/finds/{target}/NAME", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

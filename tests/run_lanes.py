#!/usr/bin/env python3
"""Runs CTest's entries in lanes: first all that may run beside others, then the calm ones, one at a time.

    run_lanes.py --build build/release --sample NUMBER|whole -- [ctest options]

A calm test whose name stands in tests/retried.txt is run a second time where it failed once, and is told as FLAKY; no other test
is. Under sanitizers there is no calm lane, because they change times. At the end stand how many cases of C++ ran, and which were
skipped. Ends with 1 where a test failed.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

RETRIED = pathlib.Path(__file__).parent / "retried.txt"
SLOTS_A_CORE = 2  # a computing test takes both of them: scripts/cmake/Building.cmake
FAILED_ONCE = re.compile(r"^\s*Test\s+#\d+: (\S+) .*\*\*\*", re.MULTILINE)
NO_TESTS = 8  # what CTest ends with where a test failed, too


def retried_names():
    lines = (line.split("#")[0].strip() for line in RETRIED.read_text().splitlines())
    return [line for line in lines if line]


def ctest(build, environment, *arguments):
    """CTest's status, and all that it printed, which is shown as it comes."""
    command = ["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=ignore", *arguments]
    # GCC's ThreadSanitizer finds its memory only where addresses are fixed.
    if pathlib.Path(build).name == "tsan":
        command = ["setarch", "-R", *command]
    shown = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", env=environment) as process:
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            shown.append(line)
    return process.returncode, "".join(shown)


def tell_cases(results):
    """How many cases the programs of C++ ran, and each that was skipped with its reason."""
    ran, skipped = 0, []
    for path in sorted(results.glob("*.json")):
        for suite in json.loads(path.read_text()).get("testsuites", []):
            for case in suite["testsuite"]:
                if case.get("result") == "SKIPPED":
                    reasons = [each.get("message", "").splitlines() for each in case.get("skipped", [])]
                    reason = " ".join(line for lines in reasons for line in lines[1:2]) or "no reason given"
                    skipped.append(f"{path.stem}: {suite['name']}.{case['name']}: {reason}")
                elif case.get("status") == "RUN":
                    ran += 1
    print(f"cases of C++: {ran} ran, {len(skipped)} skipped")
    for line in skipped:
        print(f"  skipped: {line}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--sample", required=True)
    parser.add_argument("ctest", nargs="*")
    given = parser.parse_args()
    environment = dict(os.environ, REFEREE_SAMPLE=given.sample)
    results = pathlib.Path(given.build, "test_results")
    results.mkdir(exist_ok=True)
    for path in results.glob("*.json"):
        path.unlink()

    slots = str(SLOTS_A_CORE * len(os.sched_getaffinity(0)))
    statuses = [ctest(given.build, environment, "-LE", "^calm$", "-j", slots, *given.ctest)[0]]
    if pathlib.Path(given.build).name in ("asan", "tsan"):
        tell_cases(results)
        return 1 if any(statuses) else 0
    retried = retried_names()
    listed = "^(" + "|".join(map(re.escape, retried)) + ")$"
    if retried:
        status, text = ctest(given.build, environment, "-L", "^calm$", "-R", listed, "-j", "1", "--repeat", "until-pass:2", *given.ctest)
        statuses.append(status)
        for name in sorted(set(FAILED_ONCE.findall(text))):
            print(f"FLAKY {name}", flush=True)
    tell_cases(results)
    others = ["-E", listed] if retried else []
    statuses.append(ctest(given.build, environment, "-L", "^calm$", *others, "-j", "1", *given.ctest)[0])
    return 1 if any(statuses) else 0


if __name__ == "__main__":
    sys.exit(main())

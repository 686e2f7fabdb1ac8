#!/usr/bin/env python3
"""Runs CTest's entries in lanes: first all that may run beside others, then the calm ones, one at a time.

    run_lanes.py --build build/release --sample NUMBER|whole -- [ctest options]

Under sanitizers there is no calm lane, because they change times. At the end stand how many cases of C++ ran, and which were
skipped. Ends with 1 where a test failed.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

SLOTS_A_CORE = 2  # a computing test takes both of them: scripts/cmake/Building.cmake
FAILED = re.compile(r"^\t\s*\d+ - (\S+) \((?!Skipped|Disabled)[^)]*\)", re.MULTILINE)


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
    for path in sorted(results.glob("*.xml")):
        try:
            cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
        except xml.etree.ElementTree.ParseError:
            print(f"{path.stem} was ended while it wrote its results")
            continue
        for case in cases:
            if case.get("result") == "skipped":
                # The first line tells where.
                reason = " ".join(each.get("message", "").partition("\n")[2] for each in case.iter("skipped"))
                skipped.append(f"{path.stem}: {case.get('classname')}.{case.get('name')}: {reason}")
            elif case.get("status") == "run":
                ran += 1
    print(f"cases of C++: {ran} ran, {len(skipped)} skipped")
    for line in skipped:
        print(f"  skipped: {line}")
    sys.stdout.flush()


def verdict(runs):
    """1 where a test failed, or where none was run at all. Says again which failed, whatever lane they are of."""
    failed = [line for _, text in runs for line in FAILED.findall(text)]
    if failed:
        print("failed: " + ", ".join(failed), flush=True)
    if not any("tests passed, " in text for _, text in runs):
        print("run_lanes.py: no test was run; expected a pattern that fits some, such as -R walls", file=sys.stderr)
        return 1
    return 1 if any(status for status, _ in runs) else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--sample", required=True)
    parser.add_argument("ctest", nargs="*")
    given = parser.parse_args()
    environment = dict(os.environ, REFEREE_SAMPLE=given.sample)
    results = pathlib.Path(given.build, "test_results")
    results.mkdir(exist_ok=True)
    for path in results.glob("*.xml"):
        path.unlink()

    slots = str(SLOTS_A_CORE * len(os.sched_getaffinity(0)))
    runs = [ctest(given.build, environment, "-LE", "^calm$", "-j", slots, *given.ctest)]
    if pathlib.Path(given.build).name in ("asan", "tsan"):
        tell_cases(results)
        return verdict(runs)
    runs.append(ctest(given.build, environment, "-L", "^calm$", "-j", "1", *given.ctest))
    tell_cases(results)
    return verdict(runs)


if __name__ == "__main__":
    sys.exit(main())

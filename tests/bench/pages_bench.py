#!/usr/bin/env python3
"""How fast the pages are in Chromium: frames a second while scrubbing through a game of E7 Planets of 1,000 turns on a map of 35x35,
on the viewer's canvas; bytes of each game's page; how long standings of 1,000 bots take. Prints only.

    pages_bench.py

REFEREE_BIN, REFEREE_SOURCE and REFEREE_BUILD name the built programs, the sources and the build folder.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["REFEREE_SOURCE"], "tests/pages"))
import games  # noqa: E402
import pages_test  # noqa: E402


def main():
    with tempfile.TemporaryDirectory() as folder:
        environment = pages_test.environment_of_node(folder)
        games.make(folder, [*games.PLAYED, "long"])
        for name in list(games.PLAYED) + ["long"]:
            page = pathlib.Path(folder) / "page.html"
            games.run(games.REFEREE, "view", f"{folder}/{name}.ndjson", "--html", page)
            turns = sum(1 for _ in open(f"{folder}/{name}.ndjson")) - 2
            print(f"{name}: a page of {page.stat().st_size:,} bytes for {turns} turns", flush=True)
        sys.exit(subprocess.run(["node", str(pathlib.Path(__file__).with_name("pages_bench.js"))], env=environment).returncode)


if __name__ == "__main__":
    main()

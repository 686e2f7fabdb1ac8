#!/usr/bin/env python3
"""One part of the pages' tests: makes games with the built program, installs the browser's driver, and runs PART_test.js.

    pages_test.py PART

REFEREE_BIN, REFEREE_SOURCE and REFEREE_BUILD name the built programs, the sources and the build folder. Ends with 77, and says
what is missing, where there is no Node.js, npm, registry of npm, or Chromium.
"""
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import games

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["REFEREE_BUILD"])
SKIPPED = 77
NODE_MIN = 18
INSTALL_SECONDS = 120
TROUBLE_LETTERS = 200  # of what npm said
WITHOUT_BROWSER = ("boards",)  # parts that only Node.js is needed for
EACH_GAME = ["faults", *(name for name, (game, _) in games.PLAYED.items() if name == game)]
# What the parts look at, as games.make() names it.
PARTS = {
    "boards": [*EACH_GAME, "wide_superball", "long_way"],
    "daemon": [],
    "hostile": ["faults"],
    "instructor": [],
    "look": [*EACH_GAME, "games.html"],
    "review": ["walls", "walls.review", "superball.review", "altered.review"],
    "served": ["walls"],
    "standings": ["walls", "real"],
    "viewer": ["walls", "faults", "e7_planets", "long", "games.html"],
}


def skip(missing):
    print(f"skipped: {missing}; scripts/setup --browser installs what the tests of pages need")
    sys.exit(SKIPPED)


def node_version():
    if not shutil.which("node"):
        return 0
    told = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    return int(told.lstrip("v").split(".")[0] or 0)


def installed_modules():
    """The folder with npm's packages; they are installed once for each package-lock.json."""
    place = BUILD / "pages_node"
    wanted = (HERE / "package-lock.json").read_bytes()
    done = place / "installed.lock"
    with open(BUILD / "pages_node.turn", "w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)  # two tests may want them at once
        if not done.exists() or done.read_bytes() != wanted:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name, place)
            try:
                npm = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=place, capture_output=True, text=True, timeout=INSTALL_SECONDS)
                trouble = npm.stderr if npm.returncode != 0 else ""
            except subprocess.TimeoutExpired:
                trouble = "it took too long"
            if trouble:
                skip("npm can't install playwright-core and axe-core (" + " ".join(trouble.split())[:TROUBLE_LETTERS] + ")")
            done.write_bytes(wanted)
    return place / "node_modules"


def browser():
    for name in ("chromium-headless-shell", "chromium"):  # without windows it takes half the time
        if shutil.which(name):
            return shutil.which(name)
    skip("no chromium")


def environment_of_node(games_folder, with_browser=True):
    """What the scripts of this folder are told; skips where something is missing."""
    if node_version() < NODE_MIN:
        skip(f"no Node.js of version {NODE_MIN} or newer")
    if not with_browser:
        return dict(os.environ, PAGES_GAMES=str(games_folder))
    if not shutil.which("npm"):
        skip("no npm")
    return dict(os.environ, NODE_PATH=str(installed_modules()), PAGES_BROWSER=browser(), PAGES_GAMES=str(games_folder))


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in PARTS:
        sys.exit("expected a part, one of {}, such as: pages_test.py viewer".format(", ".join(PARTS)))
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_of_node(folder, sys.argv[1] not in WITHOUT_BROWSER)
        games.make(folder, PARTS[sys.argv[1]])
        sys.exit(subprocess.run(["node", str(HERE / f"{sys.argv[1]}_test.js")], env=environment).returncode)


if __name__ == "__main__":
    main()

"""The kits that kit_test.py plays with: how to build and run bots of each language, and what its kit offers.

name      of the language, for people
probe     tells by its exit status whether the language is installed
build     commands that are run in the test's folder, where the files of sample_bots/LANG and tests/kits/LANG are copied before, one
          after the other; "@sources" stands for the files whose names end with `compiled`
run       the command of a bot: {folder} is the test's folder, {bot} one of `bots`
first     the file for the first bot of the kit's page
bots      by their part in the test:
          walls    plays Walls
          second   plays another game, SECOND_GAME
          chatty   plays Walls and prints "thinking about turn" to standard output in each turn
          thrower  plays Walls, and throws (or gives no move) with the words "no idea" in its third answer of a game
offers    "tls": dials tls:// addresses itself; "memory": a bot's variables outlive a lost connection; "goodbye": a program that ends by
          itself says how; "place": what a bot is told of its failure names the file and the line
"""
import os
import shutil
import subprocess
import sys

from harness import BIN, SOURCE
from sample import skip_unless_in_sample

SKIPPED = 77
SAMPLED_OF = 2  # in a run whose sample has the kit of a language, what new-bot writes in it is left out, and the other way round

# (game, params) of the bot `second`
SECOND_GAME = ("snake_labyrinth", {"board": ["#######", "o $   _", "# # # #", "#  $  #", "#######"], "level": "final"})

BOTS = {"walls": "walls_greedy", "second": "snake_coins", "chatty": "chatty", "thrower": "thrower"}

LANGUAGES = {
    "python": {"name": "Python", "probe": ["/usr/bin/python3", "--version"], "build": [],
               "run": ["/usr/bin/python3", "{folder}/{bot}.py"], "first": "my_bot.py", "bots": BOTS, "offers": {"tls", "memory", "goodbye", "place"}},
    "cpp": {
        "name": "C++",
        "probe": ["sh", "-c", "g++ --version && test -e /usr/include/nlohmann/json.hpp"],
        "build": [*(["g++", "-std=c++17", "-O0", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", bot, source + ".cpp"]
                    for bot, source in (("walls_greedy", "walls_greedy"), ("snake_coins", "snake_coins"), ("chatty", "chatty_or_thrower"))),
                  ["cp", "chatty", "thrower"]],
        "run": ["{folder}/{bot}"],
        "first": "my_bot.cpp",
        "bots": BOTS,
        "offers": {"memory"},
    },
    "javascript": {"name": "JavaScript", "probe": ["node", "--version"], "build": [],
                   "run": ["node", "{folder}/{bot}.js"], "first": "my_bot.js", "bots": BOTS, "offers": {"tls", "memory", "place"}},
    "java": {
        "name": "Java",
        "probe": ["javac", "-version"],
        "compiled": ".java",
        "build": [["javac", "--release", "11", "-Xlint:all", "-Werror", "-d", "{folder}", "@sources"]],
        "run": ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", "{folder}", "{bot}"],
        "first": "MyBot.java",
        "bots": {"walls": "WallsGreedy", "second": "SnakeCoins", "chatty": "Chatty", "thrower": "Thrower"},
        "offers": {"tls", "memory", "place"},
    },
    "c": {
        "name": "C",
        "probe": ["cc", "--version"],
        "build": [["cc", "-std=c99", "-O0", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", bot, bot + ".c", "referee_bot.c",
                   "referee_json.c"] for bot in BOTS.values()],
        "run": ["{folder}/{bot}"],
        "first": "my_bot.c",
        "bots": BOTS,
        "offers": {"memory"},
    },
    "octave": {"name": "GNU Octave", "probe": ["octave-cli", "--version"], "build": [],
               "run": ["octave-cli", "--no-gui", "--no-history", "--quiet", "{folder}/{bot}.m"], "first": "my_bot.m", "bots": BOTS,
               "offers": {"place"}},
    "racket": {
        "name": "Racket",
        "probe": ["raco", "make", "--help"],
        "compiled": ".rkt",
        "build": [["raco", "make", "@sources"]],
        "run": ["racket", "{folder}/{bot}.rkt"],
        "first": "my_bot.rkt",
        "bots": BOTS,
        "offers": {"tls", "memory", "place"},
    },
}


def walls_state(facing="W", board=("...", "...", "..."), other_facing="E"):
    return {"size": 3, "board": list(board), "to_move": 0, "players": [
        {"at": at, "facing": looks, "idle": 0, "stalled": False, "bricks": 0} for at, looks in (([1, 0], facing), ([1, 2], other_facing))]}


def build(language_id, built):
    """The bots of the kit and of its tests, in a folder."""
    language = LANGUAGES[language_id]
    sources = []
    for folder in (f"sample_bots/{language_id}", f"tests/kits/{language_id}"):
        for name in sorted(os.listdir(os.path.join(SOURCE, folder))):
            if os.path.isdir(os.path.join(SOURCE, folder, name)):
                continue
            shutil.copy(os.path.join(SOURCE, folder, name), built)
            sources.append(name)
    for command in language["build"]:
        files = [name for name in sources if name.endswith(language.get("compiled", " "))]
        words = [word.format(folder=built) for word in command]
        done = subprocess.run([file for word in words for file in (files if word == "@sources" else [word])], cwd=built,
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.stdout}{done.stderr}")


def environment(**more):
    """That of a person who has the program at hand."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
    return {**known, "PATH": BIN + os.pathsep + os.environ["PATH"], **more}


def chosen(what, index):
    """The language that the command line names; ends the program where it is not in this sample, by a number beside its own, or not there."""
    if len(sys.argv) < 2 or sys.argv[1] not in LANGUAGES:
        sys.exit(f"expected a language, one of {', '.join(LANGUAGES)}, such as: {os.path.basename(sys.argv[0])} javascript")
    language_id = sys.argv.pop(1)
    skip_unless_in_sample(f"{what} {language_id}", sorted(LANGUAGES).index(language_id) + index, SAMPLED_OF)
    probe = LANGUAGES[language_id]["probe"]
    try:
        there = subprocess.run(probe, capture_output=True).returncode == 0
    except FileNotFoundError:
        there = False
    if not there:
        print(f"skipped: {LANGUAGES[language_id]['name']} is not installed ({probe}): scripts/setup --interpreters installs it")
        sys.exit(SKIPPED)
    return language_id

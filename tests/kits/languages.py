"""The kits that kit_test.py plays with: how to build and run bots of each language, and what its kit offers.

probe        tells by its exit status whether the language is installed
sources      folders whose files are copied into the test's folder before the build
build        commands that are run there, one after the other, none where nothing is built; "@sources" stands for the files whose names
             end with `compiled`
run          the command of a bot: {folder} is the test's folder, {bot} one of `bots`
first        the file for the first bot of the kit's page, which stands in the first of `sources`
bots         by their part in the test:
             walls    plays Walls
             second   plays another game, `second_game`
             chatty   plays Walls and prints "thinking about turn" to standard output in each turn
             thrower  plays Walls, and throws (or gives no move) with the words "no idea" in its third answer of a game
second_game  (game, params) of the bot `second`
offers       "tls": dials tls:// addresses itself; "memory": a bot's variables outlive a lost connection
reads        folders that a bot needs in the sandbox beside the system's and its own
"""

SNAKE = ("snake_labyrinth", {"board": ["#######", "o $   _", "# # # #", "#  $  #", "#######"], "level": "final"})

LANGUAGES = {
    "python": {
        "name": "Python",
        "probe": ["/usr/bin/python3", "--version"],
        "sources": ["sample_bots/python", "tests/kits/python"],
        "build": [],
        "run": ["/usr/bin/python3", "{folder}/{bot}.py"],
        "first": "my_bot.py",
        "bots": {"walls": "walls_greedy", "second": "snake_coins", "chatty": "chatty", "thrower": "thrower"},
        "second_game": SNAKE,
        "offers": {"tls", "memory"},
        "reads": [],
    },
    "cpp": {
        "name": "C++",
        "probe": ["g++", "--version"],
        "sources": ["sample_bots/cpp", "tests/kits/cpp"],
        "build": [*(["g++", "-std=c++17", "-O0", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", bot, source + ".cpp"]
                    for bot, source in (("walls_greedy", "walls_greedy"), ("snake_coins", "snake_coins"), ("chatty", "chatty_or_thrower"))),
                  ["cp", "chatty", "thrower"]],
        "run": ["{folder}/{bot}"],
        "first": "my_bot.cpp",
        "bots": {"walls": "walls_greedy", "second": "snake_coins", "chatty": "chatty", "thrower": "thrower"},
        "second_game": SNAKE,
        "offers": {"memory"},
        "reads": [],
    },
    "javascript": {
        "name": "JavaScript",
        "probe": ["node", "--version"],
        "sources": ["sample_bots/javascript", "tests/kits/javascript"],
        "build": [],
        "run": ["node", "{folder}/{bot}.js"],
        "first": "my_bot.js",
        "bots": {"walls": "walls_greedy", "second": "snake_coins", "chatty": "chatty", "thrower": "thrower"},
        "second_game": SNAKE,
        "offers": {"tls", "memory"},
        "reads": [],
    },
    "java": {
        "name": "Java",
        "probe": ["javac", "-version"],
        "sources": ["sample_bots/java", "tests/kits/java"],
        "compiled": ".java",
        "build": [["javac", "--release", "11", "-Xlint:all", "-Werror", "-d", "{folder}", "@sources"]],
        "run": ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", "{folder}", "{bot}"],
        "first": "MyBot.java",
        "bots": {"walls": "WallsGreedy", "second": "SnakeCoins", "chatty": "Chatty", "thrower": "Thrower"},
        "second_game": SNAKE,
        "offers": {"tls", "memory"},
        "reads": [],
    },
    "c": {
        "name": "C",
        "probe": ["cc", "--version"],
        "sources": ["sample_bots/c", "tests/kits/c"],
        "build": [["cc", "-std=c99", "-O0", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", bot, bot + ".c", "referee_bot.c",
                   "referee_json.c"] for bot in ("walls_greedy", "snake_coins", "chatty", "thrower")],
        "run": ["{folder}/{bot}"],
        "first": "my_bot.c",
        "bots": {"walls": "walls_greedy", "second": "snake_coins", "chatty": "chatty", "thrower": "thrower"},
        "second_game": SNAKE,
        "offers": {"memory"},
        "reads": [],
    },
    "octave": {
        "name": "GNU Octave",
        "probe": ["octave-cli", "--version"],
        "sources": ["sample_bots/octave", "tests/kits/octave"],
        "build": [],
        "run": ["octave-cli", "--no-gui", "--no-history", "--quiet", "{folder}/{bot}.m"],
        "first": "my_bot.m",
        "bots": {"walls": "walls_greedy", "second": "snake_coins", "chatty": "chatty", "thrower": "thrower"},
        "second_game": SNAKE,
        "offers": set(),
        "reads": [],
    },
    "racket": {
        "name": "Racket",
        "probe": ["racket", "--version"],
        "sources": ["sample_bots/racket", "tests/kits/racket"],
        "build": [],
        "run": ["racket", "{folder}/{bot}.rkt"],
        "first": "my_bot.rkt",
        "bots": {"walls": "walls_greedy", "second": "snake_coins", "chatty": "chatty", "thrower": "thrower"},
        "second_game": SNAKE,
        "offers": {"tls", "memory"},
        "reads": [],
    },
}

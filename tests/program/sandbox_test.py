"""Launched bots in the sandbox, as the program's users meet it: what a bot sees and writes; what is said of the sandbox, of a weak
one, and of what it withholds or limits.

A machine that gives no namespaces skips what needs them, by name.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from daemon_test import DaemonTest
from harness import BIN, LONG, REFEREE, SOURCE, ProgramTest, left_turning, referee, wait_until

# In its first turn it looks around, and says what it found.
LOOKS = left_turning("debug = look() if m['turn'] <= 2 else ''", """
import beside
def tried(act):
    try:
        return act() or "done"
    except OSError as error:
        return type(error).__name__
def write(path):
    with open(path, "w") as file:
        file.write("x")
def look():
    found = {path: tried(lambda: "seen" if os.stat(path) else "") for path in os.environ["LOOKS_AT"].split(":")}
    found.update({"write " + path: tried(lambda: write(path)) for path in os.environ["WRITES"].split(":")})
    return json.dumps({**found, "uid": os.getuid(), "beside": beside.WORD, "home": os.environ["HOME"]})
""")
PYTHON = "/usr/bin/python3"


def tier():
    """What this machine gives to whoever runs the test."""
    done = referee("check", os.path.join(SOURCE, "configs", "walls-gauntlet.json"))
    found = re.search(r"bots run in the sandbox, tier ([ABC])", done.stdout + done.stderr)
    return found.group(1) if found else "none"


TIER = tier()
needs_namespaces = unittest.skipUnless(TIER in "AB", "this machine gives no sandbox with namespaces")


class SandboxTest(DaemonTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        for name in ("ann", "bob"):
            self.write(f"bots/{name}/bot.py", LOOKS)
            self.write(f"bots/{name}/beside.py", f"WORD = 'the word of {name}'")
        self.write("tables/book", "x")

    def looking(self, name, looks=(), writes=("/tmp/note",), **more):
        bot = self.launched(name, PYTHON, "bot.py", directory="bots/" + name, **{"reads": [], **more})
        bot["environment"].update(LOOKS_AT=":".join(looks) or "/usr", WRITES=":".join(writes))
        return bot

    def config(self, *bots, **more):
        # Each has the first turn of one game: who comes second may have none.
        return self.write("c.json", {**self.walls(list(bots), match={"games": 2}, no_show_after="1s"), **more})

    def play(self, *bots, arguments=()):
        """What each bot found."""
        shutil.rmtree(self.path("out"), True)
        done = self.exits(0, "run", self.config(*bots), "--out", self.path("out"), *arguments)
        self.said = done
        for game in ("t_1.1", "t_1.2"):
            result = self.result_in(f"out/games/{game}.ndjson")
            self.assertEqual((result["status"], result["faults"], result["means"]), ("played", [], ["kernel receive stamp"] * 2), done.stderr)
        return [json.loads(json.loads(self.read(f"out/debug/{bot['name']}/{game}.ndjson").splitlines()[0])["debug"])
                for bot, game in zip(bots, ("t_1.1", "t_1.2"))]

    @needs_namespaces
    def test_a_bot_sees_its_own_files_and_no_others(self):
        own, other, book = self.path("bots/ann/bot.py"), self.path("bots/bob/bot.py"), self.path("tables/book")
        secrets = [self.path("c.json"), self.path("out"), self.path("out/referee.db"), self.folder, SOURCE, f"/proc/{os.getpid()}"]
        ann, bob = self.play(self.looking("ann", [own, other, book, *secrets], reads=["tables"]),
                             self.looking("bob", [own, other, book]))
        self.assertEqual([ann[path] for path in (own, other, book)], ["seen", "FileNotFoundError", "seen"])
        self.assertEqual([bob[path] for path in (own, other, book)], ["FileNotFoundError", "seen", "FileNotFoundError"])
        for path in secrets[:3] + secrets[4:]:
            self.assertEqual(ann[path], "FileNotFoundError", path)
        self.assertEqual((ann["beside"], bob["beside"]), ("the word of ann", "the word of bob"))
        self.assertEqual(ann["home"], "/tmp")
        if os.getuid() == 0:
            self.assertNotIn(0, (ann["uid"], bob["uid"]))
            self.assertNotEqual(ann["uid"], bob["uid"])

    def test_unsandboxed_is_as_it_says(self):
        ann, _ = self.play(self.looking("ann", [self.path("c.json")], [self.path("note")]), self.looking("bob"),
                           arguments=["--unsandboxed"])
        self.assertEqual((ann[self.path("c.json")], ann["write " + self.path("note")]), ("seen", "done"))
        self.assertEqual(ann["uid"], os.getuid())
        self.assertIn("bots run without a sandbox (--unsandboxed): each can read and change", self.said.stderr)
        self.assertEqual(self.read("note"), "x")

    @needs_namespaces
    def test_a_tier_that_is_too_weak_is_refused(self):
        config, out = self.config(self.looking("ann"), self.looking("bob")), ["--out", self.path("out")]
        without_bubblewrap = {"env": {**os.environ, "PATH": self.path("tables")}}
        self.exits(3, "serve", config, *out, **without_bubblewrap, told=(
            "referee serve asks for tier B at least", "bubblewrap (bwrap) is not installed (install it, e.g. apt install bubblewrap)"))
        self.config(self.looking("ann"), self.looking("bob"), sandbox={"min_tier": "A"})
        for command in (["run", config, *out], ["check", config]):
            self.exits(3, *command, **without_bubblewrap, told='"sandbox": {"min_tier": "A"} in the config asks for tier A at least')

    @needs_namespaces
    def test_a_daemon_tells_its_tier_and_launches_the_first_bot_in_it(self):
        hands = [{"name": "hand"}, {"name": "foot"}]
        self.serve(self.config(*hands))
        self.assertNotIn("sandbox", self.status())
        for bad, said in ((self.looking("ann", reads=["out"]), "which shows it the folder of the results"),
                          (self.looking("ann", reads=["."]), "it holds this config")):
            self.config(*hands, bad)
            self.refused("reload", told=said)
        self.config(*hands, self.looking("ann"))
        self.order("reload")
        self.assertEqual(self.status()["sandbox"]["tier"], TIER)
        told = "bots run in the sandbox, tier " + TIER
        self.assertIn(told, self.order("status", "--verbose"))
        wait_until(lambda: told in self.read("log"), "the log to tell it")

    def test_a_single_game_shows_what_reads_names(self):
        bot = self.write("bot.sh", f"exec {BIN}/walls-greedy\n")
        arguments = ["play", "walls", "--quiet", "--params", '{"size": 3}', "--bot", "walls-greedy", "--bot", f"sh {bot}"]
        if TIER != "none":
            self.exits(2, *arguments, told="--reads")
        self.exits(0, *arguments, "--reads", BIN)
        self.exits(2, *arguments, "--reads", "/usr/..", told="--reads: expected what the bot needs alone")


GREEDY = os.path.join(BIN, "walls-greedy")
# Bots that end at their start, each for another reason, and what is to be said of it. All that is said is told by supply_test.
ENDINGS = {
    "needy": ("bytearray(300 << 20)", {"memory_mb": 100}, "may have 100 MB (\"memory_mb\" in the config gives more)"),
    "frail": ("import no_such_module", {}, "\"reads\" in the config"),
}


class SandboxWordsTest(ProgramTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)

    def bot(self, name, text, **more):
        self.write(f"bots/{name}/bot.py", text)
        return self.launched(name, sys.executable, "bot.py", directory="bots/" + name, **more)

    def run_config(self, bots, *arguments, connections=None, **tournament):
        config = {**self.walls(bots, match={"games": 1}, **tournament), "connections": connections or {}}
        return self.exits(0, "run", self.write("c.json", config), "--out", self.path("out"), "--quiet", *arguments).stderr

    @needs_namespaces
    def test_who_meets_a_limit_at_its_start_is_told_which_and_holds_nobody_up(self):
        bots = [self.bot(name, text, **more) for name, (text, more, _) in ENDINGS.items()]
        fine = [self.launched("fine", GREEDY), self.launched("good", GREEDY)]
        # Nobody could wait for an hour: what a bot that is given up is drawn for is forfeited at once.
        said = self.run_config(fine + bots, no_show_after="1h")
        good = self.result_of("fine", "good")
        self.assertEqual((good["status"], good["faults"]), ("played", []))
        for name, (_, _, told) in ENDINGS.items():
            fault = self.result_of("fine", name)["faults"][0]
            self.assertEqual(fault["rule"], "match.no_show")
            self.tells(fault["message"], "its process ended before it logged in: ", told)
            self.tells(said, told)
            lines = [line for line in said.splitlines() if f"{name}: " in line]
            given_up = ["GIVEN UP: it is not launched again, because 4 launches" in line for line in lines]
            self.assertEqual((sorted(given_up), ": its process ended before it logged in: " in lines[given_up.index(False)]), ([False, True], True), said)
        self.assertEqual(said.count("No module named 'no_such_module'"), 1, said)
        standings = self.read("out/standings.json")
        self.assertIn("in a row, the last time for this: its process ended before it logged in: exit status 1", standings)
        game = next(name for name in os.listdir(self.path("out/games"))
                    if "needy" in (text := self.read("out/games/" + name)) and "match.no_show" in text)
        self.assertIn("memory_mb", referee("explain", self.path("out/games/" + game)).stdout)

    # A bot with a door of its own needs no place among those that dial the referee's port.
    def test_who_finds_no_place_for_its_connection_is_told_so(self):
        bots = [self.launched(name, GREEDY, speaks="tcp", start_within="20s") for name in ("ann", "bob")]
        said = self.run_config(bots, "--unsandboxed", connections={"per_address": 1}, no_show_after="1s")
        self.assertIn("the referee refused its connection (too_many_connections)", said)
        self.assertIn("too_many_connections", self.result_of("ann", "bob")["faults"][0]["message"])

    # Runs the referee as a user who owns nothing; as that user itself where the test is not root.
    def as_ordinary_user(self, *arguments):
        words = [REFEREE, *arguments]
        if os.getuid() == 0:
            words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *words]
        return subprocess.run(words, capture_output=True, text=True, timeout=LONG)

    def test_what_lies_in_a_closed_folder_is_told_by_its_path(self):
        if self.as_ordinary_user("--version").returncode != 0:
            self.skipTest("an ordinary user can't start the referee here")
        if os.getuid() != 0:
            self.skipTest("only root can close a folder to the referee")
        shutil.copy(GREEDY, self.path("bot"))
        os.makedirs(self.path("closed/tables"))
        shutil.copy(GREEDY, self.path("closed/bot"))
        os.mkdir(self.path("own"))
        os.chown(self.path("own"), 65534, 65534)
        os.chmod(self.path("closed"), 0o700)
        told = f"the referee's user may not enter '{self.path('closed')}'; chmod +x it"
        fine = self.launched("fine", self.path("bot"), reads=[])
        for name, wrong in (("reads", self.launched("ann", self.path("bot"), reads=["closed/tables"])),
                            ("program", self.launched("ann", "closed/bot", reads=[]))):
            config = self.write("c.json", self.walls([fine, wrong], match={"games": 1}, no_show_after="1s"))
            checked = self.as_ordinary_user("check", config)
            if "without a sandbox" in checked.stderr:
                self.skipTest("this machine gives an ordinary user no sandbox")
            self.assertEqual(checked.returncode, 1, checked.stderr)
            self.assertIn(told, checked.stderr, name)
            done = self.as_ordinary_user("run", config, "--out", self.path("own/" + name), "--quiet")
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(told, done.stderr, name)
            self.assertNotIn("user namespaces", done.stderr)
            self.assertNotIn("no such file", done.stderr)

"""Launched bots in the sandbox, as the program's users meet it: what a bot sees and writes; what is said of the sandbox, of a weak
one, and of what it withholds or limits.

A machine that gives no namespaces skips what needs them, by name.
"""
import json
import os
import re
import shutil
import subprocess
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
        without_bubblewrap = {"env": {**os.environ, "PATH": self.path("tables")}}
        told = "bubblewrap (bwrap) is not installed (install it, e.g. apt install bubblewrap)"
        config, out = self.config(self.looking("ann"), self.looking("bob")), ["--out", self.path("out")]
        self.exits(3, "serve", config, *out, **without_bubblewrap, told=("referee serve asks for tier B at least", told))
        self.config(self.looking("ann"), self.looking("bob"), sandbox={"min_tier": "A"})
        for command in (["run", config, *out], ["check", config]):
            self.exits(3, *command, **without_bubblewrap, told='"sandbox": {"min_tier": "A"} in the config asks for tier A at least')

    @needs_namespaces
    def test_a_daemon_tells_its_tier_and_launches_the_first_bot_in_it(self):
        hands = [{"name": "hand"}, {"name": "foot"}]
        self.serve(self.config(*hands))
        self.assertNotIn("sandbox", self.status())
        self.config(*hands, self.looking("ann", reads=["out"]))
        self.refused("reload", told="which shows it the folder of the results")
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


class SandboxWordsTest(ProgramTest):
    # A bot with a door of its own needs no place among those that dial the referee's port.
    def test_who_finds_no_place_for_its_connection_is_told_so(self):
        bots = [self.launched(name, "walls-greedy", speaks="tcp", start_within="20s") for name in ("ann", "bob")]
        config = {**self.walls(bots, match={"games": 1}, no_show_after="1s"), "connections": {"per_address": 1}}
        self.exits(0, "run", self.write("c.json", config), "--out", self.path("out"), "--quiet", "--unsandboxed",
                   told="the referee refused its connection (too_many_connections)")
        self.assertIn("too_many_connections", self.result_of("ann", "bob")["faults"][0]["message"])

    @unittest.skipIf(os.getuid() != 0, "only root can close a folder to the referee")
    def test_what_lies_in_a_closed_folder_is_told_by_its_path(self):
        def as_ordinary_user(*arguments):
            words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", REFEREE, *arguments]
            return subprocess.run(words, capture_output=True, text=True, timeout=LONG)

        if as_ordinary_user("--version").returncode != 0:
            self.skipTest("an ordinary user can't start the referee here")
        os.chmod(self.folder, 0o755)
        for name in ("bot", "closed/bot", "closed/tables/book"):
            self.write(name, "")
            shutil.copy(os.path.join(BIN, "walls-greedy"), self.path(name))
        os.chmod(self.path("closed"), 0o700)
        os.mkdir(self.path("own"))
        os.chown(self.path("own"), 65534, 65534)
        fine = self.launched("fine", self.path("bot"), reads=[])
        for name, wrong in (("reads", self.launched("ann", self.path("bot"), reads=["closed/tables"])),
                            ("program", self.launched("ann", "closed/bot", reads=[]))):
            config = self.write("c.json", self.walls([fine, wrong], match={"games": 1}, no_show_after="1s"))
            for status, command in ((1, ["check", config]), (3, ["run", config, "--out", self.path("own/" + name), "--quiet"])):
                done = as_ordinary_user(*command)
                if "without a sandbox" in done.stderr:
                    self.skipTest("this machine gives an ordinary user no sandbox")
                self.assertEqual(done.returncode, status, done.stderr)
                self.tells(done.stderr, f"the referee's user may not enter '{self.path('closed')}'; chmod +x it")
                self.assertNotRegex(done.stderr, "user namespaces|no such file")

"""Launched bots in the sandbox, as the program's users meet it: what a bot sees and writes, what is said of the sandbox and
of a weak one. CTest runs it in the same way as program_test.py.

A machine that gives no namespaces skips what needs them, by name.
"""
import json
import os
import re
import shutil
import unittest

from daemon_test import DaemonTest
from harness import BIN, SOURCE, left_turning, referee, wait_until

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
            result = json.loads(self.read(f"out/games/{game}.ndjson").splitlines()[-1])["result"]
            self.assertEqual((result["status"], result["faults"]), ("played", []), done.stderr)
            self.assertEqual(result["means"], ["kernel receive stamp"] * 2)
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

    # A PATH in which there is no bubblewrap.
    def without_bubblewrap(self, *arguments):
        return referee(*arguments, env={**os.environ, "PATH": self.path("tables")})

    @needs_namespaces
    def test_a_tier_that_is_too_weak_is_refused(self):
        config = self.config(self.looking("ann"), self.looking("bob"))
        out = ["--out", self.path("out")]
        advice = "bubblewrap (bwrap) is not installed (install it, e.g. apt install bubblewrap)"
        done = self.without_bubblewrap("serve", config, *out)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("referee serve asks for tier B at least", done.stderr)
        self.assertIn(advice, done.stderr)
        self.config(self.looking("ann"), self.looking("bob"), sandbox={"min_tier": "A"})
        done = self.without_bubblewrap("run", config, *out)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn('"sandbox": {"min_tier": "A"} in the config asks for tier A at least', done.stderr)
        checked = self.without_bubblewrap("check", config)
        self.assertEqual(checked.returncode, 3)
        self.assertIn("asks for tier A at least", checked.stderr)

    @needs_namespaces
    def test_a_daemon_tells_its_tier_and_launches_the_first_bot_in_it(self):
        hands = [{"name": "hand"}, {"name": "foot"}]
        self.serve(self.config(*hands))
        self.assertNotIn("sandbox", self.status())
        for bad, said in ((self.looking("ann", reads=["out"]), "which shows it the folder of the results"),
                          (self.looking("ann", reads=["."]), "it holds this config")):
            self.config(*hands, bad)
            self.assertIn(said, self.refused("reload"))
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
            hidden = self.exits(2, *arguments)
            self.assertIn("--reads", hidden.stderr)
        self.assertEqual(referee(*arguments, "--reads", BIN).returncode, 0)
        refused = self.exits(2, *arguments, "--reads", "/usr/..")
        self.assertIn("--reads: expected what the bot needs alone", refused.stderr)
        self.assertIn("--unsandboxed", referee("play", "--help").stdout)

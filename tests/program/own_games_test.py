"""What a bot that dials in learns of its own games and mistakes, by the wire alone. The built program, real sockets."""
import json
import os
import subprocess
import sys

from daemon_test import DaemonTest
from harness import BIN, LONG, SOURCE, ended, heard_by

KIT = os.path.join(SOURCE, "sample_bots/python/referee_games.py")
STORY_DEBUG_BYTES = 16 * 1024
SECRET = "what bob thinks"


class GamesTest(DaemonTest):
    """Bots that play by hand, and ask about their games."""

    def begin(self, games=1, names=("ann", "bob"), config=None, **more):
        tournament = {"format": {"kind": "round_robin"}, "match": {"games": games}, "clock": {"budget": "10s"}, **more}
        bots = [{"name": name, "token": f"{name}'s token"} for name in names]
        self.daemon = self.serve(self.write("c.json", {**self.walls(bots, **tournament), **(config or {})}))

    def bot(self, name, **more):
        return self.call(name, token=f"{name}'s token", **more)

    def play(self, bots, until=lambda: False):
        """Plays all games with moves of 'R' and debug text; returns their ids."""
        ended = []
        for bot in bots:
            bot.told, bot.strays = [], getattr(bot, "strays", 0)
        while not until(ended):
            bot, message = heard_by(bots)
            bot.told.append(message)
            if message["type"] == "start":
                bot.send(type="ready", game_id=message["game_id"])
            elif message["type"] == "turn":
                answer = {"type": "move", "game_id": message["game_id"], "turn": message["turn"], "move": "R", "debug": bot.debug}
                for _ in range(bot.strays):  # what comes with them is kept, too
                    bot.send(**{**answer, "turn": message["turn"] + 9})
                bot.strays = 0
                bot.send(**answer)
            elif message["type"] == "end" and bot is bots[0]:
                ended.append(message["game_id"])
        return ended

    def both(self, games, ann_debug="what ann thinks", strays=0):
        ann, bob = self.bot("ann"), self.bot("bob")
        ann.read("welcome"), bob.read("welcome")
        ann.debug, bob.debug, ann.strays = ann_debug, SECRET, strays
        return ann, bob, self.play([ann, bob], until=lambda ended: len(ended) == games)

    def asker(self, name="ann"):
        asker = self.bot(name, purpose="ask")
        self.assertEqual(asker.read("welcome")["purpose"], "ask")
        return asker

    def ask(self, asker, **question):
        asker.send(**question)
        return asker.heard()

    def kit(self, *arguments, name="ann", **more):
        environment = dict(os.environ, REFEREE_ADDRESS="%s:%d" % self.address(), REFEREE_NAME=name, REFEREE_TOKEN=f"{name}'s token", **more)
        return subprocess.run([sys.executable, KIT, *arguments], capture_output=True, text=True, timeout=LONG, env=environment)


class OwnGamesTest(GamesTest):
    def test_a_bot_reads_its_own_games_and_no_other(self):
        self.begin(games=3, names=("ann", "bob", "eve"), bots=["ann", "bob"])
        # What comes with the strays of the first game is more than is told.
        thought = "what ann thinks" + "x" * 1000 + "\u00e9"
        ann, bob, games = self.both(3, ann_debug=thought, strays=20)
        asker = self.asker()
        listed = self.ask(asker, type="games")
        self.assertEqual([one["game_id"] for one in listed["games"]], games[::-1], "the newest first")
        one = listed["games"][0]
        self.assertEqual((one["tournament"], one["game"], one["names"][one["seat"]], one["status"]), ("t", "walls", "ann", "played"))
        self.assertIn(one["place"], (1, 2))
        self.assertGreaterEqual(one["ago_ms"], 0)
        self.assertFalse(listed["more"])
        for question, found, more in (({"limit": 2}, games[:0:-1], True), ({"limit": 2, "before": games[1]}, games[:1], False), ({"tournament": "other"}, [], False)):
            page = self.ask(asker, type="games", **question)
            self.assertEqual(([g["game_id"] for g in page["games"]], page["more"]), (found, more))

        told = self.ask(asker, type="game", game_id=games[1])
        self.assertEqual((told["type"], told["game_id"]), ("game_story", games[1]))
        self.assertIn(f"Game {games[1]}, walls", told["story"])
        self.assertEqual({each["debug"] for each in told["debug"]}, {thought})
        self.assertNotIn(SECRET, json.dumps(told))
        self.assertEqual({each["debug"] for each in self.ask(self.asker("bob"), type="game", game_id=games[1])["debug"]}, {SECRET})
        told = self.ask(asker, type="game", game_id=games[0])
        self.assertEqual(told["cut"], ["debug"])
        self.assertLessEqual(sum(len(one["debug"].encode()) for one in told["debug"]), STORY_DEBUG_BYTES)
        self.kits_tell(games)
        self.others_read_alike(games)

        self.assertEqual(ended(self.daemon), 0)
        os.remove(self.path("out/t/games", games[0].replace("/", "_") + ".ndjson"))
        self.serve(self.path("c.json"))
        asker = self.asker()
        self.assertEqual([one["game_id"] for one in self.ask(asker, type="games")["games"]], games[::-1])
        for game_id in games:
            self.assertIn(f"Game {game_id}, walls", self.ask(asker, type="game", game_id=game_id)["story"])

    def kits_tell(self, games):
        """Those of Python and C++, asked by command lines."""
        terms = ["--connect", "%s:%d" % self.address(), "--name", "ann", "--token", "ann's token"]

        def cpp(*asked):
            return subprocess.run([os.path.join(BIN, "walls-random"), *terms, *asked], capture_output=True, text=True, timeout=LONG)

        for done in (self.kit(), self.kit("t"), cpp("--games")):
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{games[2]}  walls against bob: played, place", done.stdout)
        self.assertEqual(self.kit("other").stdout, "no game of yours is over\n")
        for done in (self.kit(games[1]), cpp("--game", games[1])):
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, "turn [12]: what ann thinks")
            self.assertIn("`referee review`", done.stdout)
        done = cpp("--game", "t/9.9")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no_such_game", done.stderr)
        for wrong, said in ((("t/9.9",), "no_such_game"), (("games", "x"), "expected: referee_games.py"), (("--help",), "expected: referee_games.py")):
            done = self.kit(*wrong)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
        self.assertIn("unknown_name", self.kit(name="nobody").stderr)

    def others_read_alike(self, games):
        """Whatever id it is that is none of eve's own."""
        eve = self.asker("eve")
        self.assertEqual(self.ask(eve, type="games")["games"], [])
        odd = [games[0], "t/99.1", "none/1.1", "../t/1.1", "../../etc/passwd/1.1", "./1.1", "t/1.1~7", "t/0.0", "t/18446744073709551615.1",
               "", "\0", "t/1.1\0", "\u202e/1.1", "%s", "'; drop table games; --/1.1"]
        (answer,) = {json.dumps(self.ask(eve, type="game", game_id=game_id), sort_keys=True) for game_id in odd}
        self.assertIn('"code": "no_such_game"', answer)
        self.assertEqual(self.ask(self.asker("ann"), type="games", before=games[0] + "1")["code"], "no_such_game")

    def test_who_only_asks_registers_no_name(self):
        self.begin(names=["ann"], config={"registration": {"password": "class"}}, format={"kind": "ladder"})
        self.assertEqual(self.bot("typo", purpose="ask", password="class").read("error")["code"], "unknown_name")
        self.assertEqual(self.bot("typo", password="class").read("welcome")["name"], "typo")


class WordsTest(DaemonTest):
    """What a newcomer is told of a line that is wrong."""

    def test_the_page_shows_what_comes_after_a_line_that_is_no_message(self):
        shown = [line[2:] for line in self.read(os.path.join(SOURCE, "protocol/PROTOCOL.md")).split("```netcat\n")[1].split("```")[0].splitlines()]
        at = shown.index("R")
        error, fault = json.loads(shown[at + 1]), json.loads(shown[at + 2])
        self.serve(self.write("c.json", self.walls([{"name": "Ada", "token": "t"}, {"name": "bob", "token": "t"}], format={"kind": "round_robin"},
                                                   clock={"budget": "60s"})))
        ada, bob = self.come_in("Ada"), self.come_in("bob")
        starts = [bot.read("start") for bot in (ada, bob)]
        for bot, start in zip((ada, bob), starts):
            bot.send(type="ready", game_id=start["game_id"])
        if starts[0]["seat"] != 0:
            bob.send(type="move", game_id=starts[1]["game_id"], turn=bob.read("turn")["turn"], move="R")
        turn = ada.read("turn")["turn"]
        ada.socket.sendall(b"R\n")
        expected = json.loads(error["expected"]) | {"game_id": starts[0]["game_id"], "turn": turn}
        error["expected"] = json.dumps(expected, separators=(",", ":"))
        self.assertEqual(ada.heard(), error)
        came = ada.heard()
        self.assertGreater(came["evidence"].pop("received_us"), 0)
        fault["evidence"].pop("received_us")
        fault.update(game_id=starts[0]["game_id"], seat=starts[0]["seat"], turn=turn)
        self.assertEqual(came, fault)

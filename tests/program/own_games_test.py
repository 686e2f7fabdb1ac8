"""What a bot that dials in learns of its own games and mistakes, by the wire alone. The built program, real sockets."""
import json
import os
import subprocess
import sys

import harness
from daemon_test import DaemonTest
from harness import BIN, LONG, SOURCE, heard_by

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

    def play(self, bots, until):
        """Plays games with moves of 'R' and debug text; returns their ids."""
        ended = []
        for bot in bots:
            bot.read("welcome")
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
        self.begin(games=3, names=("ann", "bob", "eve"), bots=["ann", "bob"], config={"registration": {"password": "class"}})
        # What comes with the strays of the first game is more than is told.
        thought = "what ann thinks" + "x" * 1000 + "\u00e9"
        ann, bob = self.bot("ann"), self.bot("bob")
        ann.debug, bob.debug, ann.strays = thought, SECRET, 20
        games = self.play([ann, bob], until=lambda ended: len(ended) == 3)
        asker = self.asker()
        one = self.ask(asker, type="games")["games"][0]
        self.assertEqual((one["tournament"], one["game"], one["names"][one["seat"]], one["status"]), ("t", "walls", "ann", "played"))
        self.assertIn(one["place"], (1, 2))
        for question, found, more in (({}, games[::-1], False), ({"limit": 2}, games[:0:-1], True), ({"limit": 2, "before": games[1]}, games[:1], False),
                                      ({"tournament": "other"}, [], False)):
            page = self.ask(asker, type="games", **question)
            self.assertEqual(([g["game_id"] for g in page["games"]], page["more"]), (found, more), "the newest first")

        for name, thinks in (("ann", thought), ("bob", SECRET)):
            told = self.ask(self.asker(name), type="game", game_id=games[1])
            self.assertEqual((told["type"], told["game_id"], {each["debug"] for each in told["debug"]}), ("game_story", games[1], {thinks}))
            self.assertIn(f"Game {games[1]}, walls", told["story"])
        told = self.ask(asker, type="game", game_id=games[0])
        self.assertEqual(told["cut"], ["debug"])
        self.assertLessEqual(sum(len(one["debug"].encode()) for one in told["debug"]), STORY_DEBUG_BYTES)
        self.kits_tell(games)
        # Whatever id it is that is none of eve's own.
        eve = self.asker("eve")
        self.assertEqual(self.ask(eve, type="games")["games"], [])
        odd = [games[0], "t/99.1", "none/1.1", "../t/1.1", "../../etc/passwd/1.1", "t/1.1~7", "t/18446744073709551615.1", "", "t/1.1\0", "%s"]
        (answer,) = {json.dumps(self.ask(eve, type="game", game_id=game_id), sort_keys=True) for game_id in odd}
        self.assertIn('"code": "no_such_game"', answer)
        self.assertEqual(self.bot("typo", purpose="ask", password="class").read("error")["code"], "unknown_name", "who only asks registers no name")

        self.assertEqual(harness.ended(self.daemon), 0)
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

        listed, story = f"{games[2]}  walls against bob: played, place", "(?s)turn [12]: what ann thinks.*`referee review`"
        for done, status, said in ((self.kit("t"), 0, listed), (cpp("--games"), 0, listed), (self.kit("other"), 0, "^no game of yours is over\n$"),
                                   (self.kit(games[1]), 0, story), (cpp("--game", games[1]), 0, story), (cpp("--game", "t/9.9"), 2, "no_such_game"),
                                   (self.kit("t/9.9"), 1, "no_such_game"), (self.kit("games", "x"), 1, "expected: referee_games.py")):
            with self.subTest(done.args):
                self.assertEqual((done.returncode, done.stdout if status else done.stderr), (status, ""))
                self.assertRegex(done.stdout + done.stderr, said)


class WordsTest(DaemonTest):
    """What a newcomer is told of a line that is wrong."""

    def test_the_page_shows_what_comes_after_a_line_that_is_no_message(self):
        shown = [line[2:] for line in self.read(os.path.join(SOURCE, "protocol/PROTOCOL.md")).split("```netcat\n")[1].split("```")[0].splitlines()]
        at = shown.index("R")
        error, fault = json.loads(shown[at + 1]), json.loads(shown[at + 2])
        self.serve(self.write("c.json", self.walls([{"name": "Ada", "token": "t"}, {"name": "bob", "token": "t"}], format={"kind": "round_robin"},
                                                   clock={"budget": "60s"})))
        ada, bob = self.come_in("Ada"), self.come_in("bob")
        starts = [self.begin_game(bot) for bot in (ada, bob)]
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


class HiddenNamesTest(GamesTest):
    """Where the config hides names, no bot is told that of another."""

    def list_and_story(self, name, game_id):
        asker = self.asker(name)
        return self.ask(asker, type="games"), self.ask(asker, type="game", game_id=game_id)

    def test_where_names_are_hidden_no_bot_is_told_the_name_of_another(self):
        """In nothing that comes over the wire: starts, ends, the reasons in them, lists and stories; before and after a restart."""
        self.begin(2, config={"names": "pseudonyms"}, clock={"budget": "1s"}, faults={"malformed": "forfeit"})
        versions = {"ann": "the 2nd try", "bob": "the 7th try"}
        ann, bob = bots = [self.bot(name, version=version) for name, version in versions.items()]
        ann.debug, bob.debug, bob.strays = "mine", "mine", 1
        ended = self.play(bots, until=lambda ended: all("match_end" in [message["type"] for message in bot.told] for bot in bots))
        self.assertEqual(len(ended), 2)

        def check(bot, own, other):
            listed, story = self.list_and_story(own, ended[0])
            told = [message["names"] for message in bot.told if message["type"] in ("start", "match_end")]
            told += [[seat["name"] for seat in message["seats"]] for message in bot.told if message["type"] == "end"]
            told += [game["names"] for game in listed["games"]]
            self.assertTrue(all(own in names for names in told), told)
            (pseudonym,) = {name for names in told for name in names} - {own}  # one for the whole tournament
            self.assertRegex(pseudonym, "^bot-[0-9a-f]{10}$")
            self.tells(story["story"], pseudonym, own, "said: " + versions[own])
            self.assertNotRegex(json.dumps([bot.told, listed, story]), rf"\b{other}\b|{versions[other]}")

        for again in (False, True):
            if again:
                self.assertEqual(harness.ended(self.daemon), 0)
                self.serve(self.path("c.json"))
            check(ann, "ann", "bob")
            check(bob, "bob", "ann")

    def test_an_order_that_names_a_third_bot_names_its_pseudonym(self):
        friday, = self.walls([], format={"kind": "round_robin"}, match={"games": 1}, clock={"budget": "60s"}, bots=["ann", "bob"])["tournaments"]
        other = {"id": "other", "game": "walls", "bots": ["eve", "ann"], "starts": "by_order"}
        self.begin(names=("ann", "bob", "eve"), config={"names": "pseudonyms", "tournaments": [friday, other]})
        ann, bob = self.bot("ann"), self.bot("bob")
        for bot in (ann, bob):
            self.begin_game(bot)
        self.order("abort", "t", "--reason", "eve says that bob wrote ann's program")
        told = ann.read("note")
        self.assertRegex(told["message"], "bot-[0-9a-f]{10} says that bot-[0-9a-f]{10} wrote ann's program")
        for answer in self.list_and_story("ann", "t/1.1"):
            self.assertIn("wrote ann's program", json.dumps(answer))
            self.assertNotRegex(json.dumps(answer), r"\b(eve|bob)\b")

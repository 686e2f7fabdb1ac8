"""Where the config hides names, no bot is told that of another, in nothing that comes over the wire. The built program, real sockets."""
import json

from own_games_test import GamesTest

VERSIONS = {"ann": "the 2nd try", "bob": "the 7th try"}


class HiddenNamesTest(GamesTest):
    def test_where_names_are_hidden_no_bot_is_told_the_name_of_another(self):
        """In nothing that comes over the wire: starts, ends, the reasons in them, lists and stories; before and after a restart."""
        self.begin(2, config={"names": "pseudonyms"}, clock={"budget": "1s"}, faults={"malformed": "forfeit"})
        ann, bob = self.bot("ann", version=VERSIONS["ann"]), self.bot("bob", version=VERSIONS["bob"])
        ann.read("welcome"), bob.read("welcome")
        ann.debug, bob.debug, bob.strays = "mine", "mine", 1
        ended = self.play([ann, bob], until=lambda ended: any(message["type"] == "match_end" for message in ann.told) and any(
            message["type"] == "match_end" for message in bob.told))
        self.assertEqual(len(ended), 2)
        called = {}
        for bot, own, other in ((ann, "ann", "bob"), (bob, "bob", "ann")):
            starts = [message for message in bot.told if message["type"] == "start"]
            told = [message["names"] for message in starts + [message for message in bot.told if message["type"] == "match_end"]]
            told += [[seat["name"] for seat in message["seats"]] for message in bot.told if message["type"] == "end"]
            called[other] = {name for names in told for name in names if name != own}
            self.assertTrue(all(own in names for names in told), told)
            self.assertEqual([starts[i]["names"][starts[i]["seat"]] for i in range(2)], [own] * 2)
            self.assertEqual(len(called[other]), 1, "one pseudonym for the whole tournament")
            self.assertRegex(*called[other], "^bot-[0-9a-f]{10}$")
        self.assertNotEqual(*called.values())

        def heard_by(name, other):
            asker = self.asker(name)
            listed = self.ask(asker, type="games")
            self.assertEqual({name for game in listed["games"] for name in game["names"]}, {name, *called[other]})
            story = self.ask(asker, type="game", game_id=ended[0])
            self.assertIn(*called[other], story["story"])
            self.assertIn(name, story["story"])
            self.assertIn("said: " + VERSIONS[name], story["story"])
            self.assertNotIn(VERSIONS[other], story["story"])
            return [listed, story]

        for again in (False, True):
            if again:
                self.daemon.terminate()
                self.daemon.wait()
                self.daemon = self.serve(self.path("c.json"))
            self.assertNotRegex(json.dumps(ann.told + heard_by("ann", "bob")), r"\bbob\b")
            self.assertNotRegex(json.dumps(bob.told + heard_by("bob", "ann")), r"\bann\b")

    def test_an_order_that_names_a_third_bot_names_its_pseudonym(self):
        friday, = self.walls([], format={"kind": "round_robin"}, match={"games": 1}, clock={"budget": "60s"}, bots=["ann", "bob"])["tournaments"]
        other = {"id": "other", "game": "walls", "bots": ["eve", "ann"], "starts": "by_order"}
        self.begin(names=("ann", "bob", "eve"), config={"names": "pseudonyms", "tournaments": [friday, other]})
        ann, bob = self.bot("ann"), self.bot("bob")
        for bot in (ann, bob):
            bot.send(type="ready", game_id=bot.read("start")["game_id"])
        self.order("abort", "t", "--reason", "eve says that bob wrote ann's program")
        told = ann.read("note")
        self.assertRegex(told["message"], "bot-[0-9a-f]{10} says that bot-[0-9a-f]{10} wrote ann's program")
        asker = self.asker("ann")
        listed = self.ask(asker, type="games")
        story = self.ask(asker, type="game", game_id=listed["games"][0]["game_id"])
        for answer in (listed, story):
            self.assertIn("wrote ann's program", json.dumps(answer))
            self.assertNotRegex(json.dumps(answer), r"\b(eve|bob)\b")

    def test_what_a_bot_says_itself_is_no_dictionary_of_pseudonyms(self):
        """Who lists names in a move, a version or a debug text reads them as they were written; and no other reads them translated."""
        self.begin(1, config={"names": "pseudonyms"}, clock={"budget": "60s"}, faults={"malformed": "forfeit"})
        ann, bob = self.bot("ann", version="bob"), self.bot("bob")
        starts = []
        for bot in (ann, bob):
            starts.append(bot.read("start"))
            bot.send(type="ready", game_id=starts[-1]["game_id"])
        pseudonym = next(name for name in starts[0]["names"] if name != "ann")
        ann.send(type="move", game_id=starts[0]["game_id"], turn=ann.read("turn")["turn"], move="bob, ann", debug="I met bob")
        ends = [bot.read("end") for bot in (ann, bob)]
        for end in ends:
            self.assertNotIn("found \"", end["reason"])
        asker = self.asker("ann")
        listed, story = self.ask(asker, type="games"), self.ask(asker, type="game", game_id=starts[0]["game_id"])
        self.assertIn("found \"bob, ann\"", story["story"])
        self.assertIn("a program whose version it said: bob\n", story["story"])
        for text in (ends[0]["reason"], listed["games"][0]["reason"], *(line for line in story["story"].splitlines() if "found" in line or "said" in line)):
            self.assertNotIn(pseudonym, text)

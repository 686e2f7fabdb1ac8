"""An arbiter's orders to a daemon: results, pairs that meet or don't, rounds that are sat out."""
import json

from dial_in import DialInTest
from harness import fits, rows, wait_until


class ArbiterTest(DialInTest):
    """Nobody dials in: matches are forfeited, and the arbiter says what they came to."""

    def state(self):
        return self.tournament("t")["state"]

    def until_it_is_told(self, words, file="standings.txt"):
        wait_until(lambda: words in self.read("out/t/" + file), words)

    def test_orders_are_kept_and_told(self):
        self.serve(self.config("abcd", match={}, no_show_after="100ms", withdraw_after=0, format={"kind": "swiss", "rounds": 2, "colours": False}))
        self.assertEqual(self.order("forbid", "a", "c", "--dry-run"), "nothing is changed; without --dry-run: no two of a, c meet, from the next round on\n")
        self.order("forbid", "a", "c", "--reason", "kin", "--by", "ada")
        self.order("bye", "b", "--round", "2", "--zero", "--by", "ada", "--reason", "ill\nArbiter: forged \033[31mred")
        self.assertIn("and no round 9", self.refused("bye", "d", "--round", "9"))
        self.assertIn("no tournament \"a\"", self.refused("pair", "a", "--round", "1"))
        drawn = self.order("pair")
        self.assertIn("round 1 of t as it would be drawn now", drawn)
        self.assertEqual(len(drawn.splitlines()), 3, drawn)
        self.order("pair", "t", "b", "a", "--round", "1", "--reason", "a slip", "--by", "eve")
        self.assertIn("b - a", self.order("pair"))
        self.order("pair", "a", "b", "--round", "1", "--take-back", "--reason", "a mistake", "--by", "eve")
        self.order("pair", "b", "a", "--round", "1", "--reason", "by lot", "--by", "ada")
        self.order("start", "t", "--now")
        wait_until(lambda: self.state() == "finished", "its end")
        store = self.path("out/referee.db")
        pairs = [bots for (bots,) in rows(store, "SELECT group_concat(bot, '') FROM pairing_seats s JOIN pairings p "
                                                 "ON p.seq = s.seq WHERE p.match > 0 GROUP BY s.seq")]
        self.assertIn("ba", pairs)
        self.assertNotIn({"a", "c"}, [set(pair) for pair in pairs])
        self.until_it_is_told("Arbiter: b and a are paired by hand in round 1: by lot (ada)")
        fits(json.loads(self.read("out/t/pairings.json")), "schemas/pairings.json")
        log = [line for line in self.read("log").splitlines() if "arbiter of t: " in line or "forged" in line]
        self.assertEqual(len(log), 5, log)

        match = f"t/{pairs.index('ba') + 1}"
        self.assertIn("expected --reason", self.refused("result", match, "a", "b"))
        self.assertIn("such as friday/12", self.refused("result", "t", "a", "b", "--reason", "r"))
        by_ada = ("result", match, "a", "b", "--reason", "the network was down", "--by", "ada")
        self.assertIn(f"the result of {match} is set", self.order(*by_ada, "--dry-run"))
        self.assertEqual((rows(store, "SELECT * FROM rulings"), self.state()), ([], "finished"), "it was only asked")
        self.order(*by_ada)
        said = f"the result of {match} is set, by places b 2, a 1: the network was down (ada)"
        self.until_it_is_told("Arbiter: " + said)
        wait_until(lambda: self.state() == "finished", "its end, once more")
        standings = json.loads(self.read("out/t/standings.json"))
        self.assertIs(standings["fide_pairing"], False)
        self.assertGreaterEqual({bot["name"]: bot["points"] for bot in standings["bots"]}["a"], 1)
        text = self.read("out/t/standings.txt")
        self.assertNotIn("\033", text)
        self.assertEqual([line for line in text.splitlines() if line.startswith("Arbiter: forged")], [])
        self.assertEqual(rows(store, "SELECT ordered_by, reason FROM rulings"), [("ada", "the network was down")])
        since = json.loads(self.exits(0, "explain", f"{match}.1", "--out", self.path("out"), "--json").stdout)["since"]
        self.assertEqual(since, [f"An arbiter set the result of its match, {match}, whatever its games came to: the network was down."])
        self.order("result", match, "--take-back", "--reason", "it was up")
        wait_until(lambda: "is set" not in self.read("out/t/standings.txt"), "taken back")

"""An arbiter's orders to a daemon: results, pairs that don't meet, rounds that are sat out."""
import json

from dial_in import DialInTest
from harness import fits, rows, wait_until


class ArbiterTest(DialInTest):
    """Nobody dials in: matches are forfeited, and the arbiter says what they came to."""

    def state(self):
        return self.tournament("friday")["state"]

    def standings(self):
        return json.loads(self.read("out/friday/standings.json"))

    def setUp(self):
        super().setUp()
        self.friday = self.write("c.json", {
            "listen": {"port": 0}, "join_within": "1h",
            "bots": [{"name": name, "token": "t"} for name in "abcd"],
            "tournaments": [{"id": "friday", "game": "walls", "no_show_after": "100ms", "withdraw_after": 0,
                             "format": {"kind": "swiss", "rounds": 2, "colours": False}}]})

    def test_orders_are_kept_and_told(self):
        self.serve(self.friday)
        self.assertEqual(self.order("forbid", "a", "c", "--dry-run"), "nothing is changed; without --dry-run: no two of a, c meet, from the next round on\n")
        self.order("forbid", "a", "c", "--reason", "kin", "--by", "ada")
        self.order("bye", "b", "--round", "2", "--zero", "--by", "ada", "--reason", "ill\nArbiter: forged \033[31mred")
        self.assertIn("and no round 9", self.refused("bye", "d", "--round", "9"))
        self.order("start", "friday", "--now")
        wait_until(lambda: self.state() == "finished", "friday")
        store = self.path("out/referee.db")
        pairs = [bots for (bots,) in rows(store, "SELECT group_concat(bot, '') FROM pairing_seats s JOIN pairings p "
                                                  "ON p.seq = s.seq WHERE p.match > 0 GROUP BY s.seq")]
        self.assertNotIn({"a", "c"}, [set(pair) for pair in pairs])
        match, first, second = rows(store, "SELECT p.match, a.bot, b.bot FROM pairings p JOIN pairing_seats a ON "
                                           "a.seq = p.seq AND a.seat = 0 JOIN pairing_seats b ON b.seq = p.seq AND "
                                           "b.seat = 1 WHERE p.match = 1")[0]
        name = f"friday/{match}"
        self.assertIn("expected --reason", self.refused("result", name, first, second))
        self.assertIn("such as friday/12", self.refused("result", "friday", first, second, "--reason", "r"))
        by_ada = ("result", name, second, first, "--reason", "the network was down", "--by", "ada")
        self.assertIn(f"the result of {name} is set", self.order(*by_ada, "--dry-run"))
        self.assertEqual((rows(store, "SELECT * FROM rulings"), self.state()), ([], "finished"), "it was only asked")
        self.order(*by_ada)
        said = f"the result of {name} is set, by places {first} 2, {second} 1: the network was down (ada)"
        wait_until(lambda: said in self.standings().get("arbiter", []), said)
        wait_until(lambda: self.state() == "finished", "friday, once more")
        self.assertIs(self.standings()["fide_pairing"], False)
        points = {bot["name"]: bot["points"] for bot in self.standings()["bots"]}
        self.assertGreaterEqual(points[second], 1)
        wait_until(lambda: "Arbiter: " + said in self.read("out/friday/standings.txt"), "the standings as text")
        text = self.read("out/friday/standings.txt")
        self.assertIn("No FIDE pairing", text)
        self.assertNotIn("\033", text)
        self.assertEqual([line for line in text.splitlines() if line.startswith("Arbiter: forged")], [])
        self.assertEqual(rows(store, "SELECT ordered_by, reason FROM rulings"), [("ada", "the network was down")])
        self.order("result", name, "--take-back", "--reason", "it was up")
        wait_until(lambda: not any("is set" in one for one in self.standings().get("arbiter", [])), "taken back")

    def test_a_match_is_set_by_hand_before_its_round(self):
        self.serve(self.friday)
        self.assertIn("no tournament \"a\"", self.refused("pair", "a", "--round", "1"))
        drawn = self.order("pair")
        self.assertIn("round 1 of friday as it would be drawn now", drawn)
        self.assertEqual(len(drawn.splitlines()), 3, drawn)
        self.order("pair", "friday", "b", "a", "--round", "1", "--reason", "by lot\nforged", "--by", "ada")
        self.assertIn("b - a", self.order("pair"))
        self.order("pair", "a", "b", "--round", "1", "--take-back", "--reason", "a mistake", "--by", "eve")
        self.order("pair", "b", "a", "--round", "1", "--reason", "by lot", "--by", "ada")
        self.order("start", "friday", "--now")
        wait_until(lambda: self.state() == "finished", "friday")
        store = self.path("out/referee.db")
        first = rows(store, "SELECT group_concat(bot, '') FROM pairing_seats s JOIN pairings p ON p.seq = s.seq "
                            "WHERE p.match > 0 AND p.round = 1 GROUP BY s.seq")
        self.assertIn(("ba",), first)
        for name, words in (("standings.txt", "Arbiter: b and a are paired by hand in round 1: by lot (ada)"),
                            ("pairings.txt", "# an arbiter set this match"), ("pairings.json", '"by_hand"')):
            wait_until(lambda: words in self.read("out/friday/" + name), name + " as it is when the tournament is over")
        fits(json.loads(self.read("out/friday/pairings.json")), "schemas/pairings.json")
        log = [line for line in self.read("log").splitlines() if "arbiter of friday" in line]
        self.assertEqual(len(log), 3, log)
        self.assertRegex(log[0], r"b and a meet in round 1; the others are drawn around them: by lot.*\(ada\)$")

"""How games begin: starts that are drawn, and seeds that everybody knows."""
import json
import os

from harness import BIN, ProgramTest, referee, rows

SIZES = (3, 5, 7, 9)
WARNING = "Warning: so many repetitions are little evidence"


class StartsTest(ProgramTest):
    def run_matches(self, out, **tournament):
        config = self.write(f"{out}.json", self.walls([self.launched(name, "walls-greedy") for name in ("a", "b")],
                                                      clock={"kind": "none"}, format={"kind": "round_robin", "cycles": 12},
                                                      **tournament))
        self.exits(0, "run", config, "--out", self.path(out), "--quiet")
        games = rows(self.path(f"{out}/referee.db"), "SELECT match, number, params FROM games ORDER BY match, number")
        return [(match, json.loads(params)) for match, _, params in games], self.read(out + "/statistics.txt")

    def test_all_matches_begin_alike_where_nothing_else_is_said(self):
        games, told = self.run_matches("same")
        self.assertEqual({(params["size"], params["first"]) for _, params in games}, {(3, 0), (3, 1)})
        self.assertIn("12 matches, ", told)
        self.assertIn(WARNING, told)
        self.assertIn('"starts": "drawn"', told)

    def test_drawn_starts_give_different_games(self):
        """Both bots have both seats on each start that is drawn."""
        setups = [{"size": size, "first": first} for size in SIZES for first in (0, 1)]
        games, told = self.run_matches("drawn", setups=setups, match={"games": 2, "starts": "drawn"})
        by_match = {}
        for match, params in games:
            by_match.setdefault(match, []).append((params["size"], params["first"]))
        self.assertEqual(len(by_match), 12)
        for starts in by_match.values():
            self.assertEqual(sorted(first for _, first in starts), [0, 1])
            self.assertEqual(len({size for size, _ in starts}), 1, "one size, from both sides")
        self.assertGreater(len({starts[0][0] for starts in by_match.values()}), 2)
        again, told_again = self.run_matches("again", setups=setups, match={"games": 2, "starts": "drawn"})
        self.assertEqual((again, told_again), (games, told), "the same seed draws the same")

    def test_an_examination_tells_whether_moves_come_again(self):
        for bot, expected in (("walls-greedy", "were those of the first game from the same start"),
                              ("walls-random", "differed from that of the first game")):
            done = referee("check-bot", "--budget", "3s", "--game", "walls", os.path.join(BIN, bot))
            self.assertIn(expected, done.stdout, done.stdout + done.stderr)


class KnownSeedTest(ProgramTest):
    """`check` notes a tournament whose games begin by chance from a seed that everybody knows."""

    def notes(self, game, **more):
        with open(self.path("config.json"), "w", encoding="utf-8") as file:
            json.dump({"bots": [{"name": name, "launch": ["random"]} for name in "abcd"],
                       "tournaments": [{"id": "friday", "game": game, **more}]}, file)
        done = referee("check", self.path("config.json"), "--json")
        told = json.loads(done.stdout)
        self.assertEqual(told["mistakes"], [], told)
        return [note for note in (each["text"] if isinstance(each, dict) else each for each in told["notes"]) if "seed" in note]

    def test_where_the_game_begins_by_chance(self):
        solo = {"format": {"kind": "leaderboard"}}
        for given in ({}, {"seed": 1}):
            note, = self.notes("superball", **solo, **given)
            for word in ("friday", "superball", '"seed"'):
                self.assertIn(word, note)
        self.assertEqual(self.notes("superball", seed=4711, **solo), [])
        self.assertEqual(self.notes("superball", match={"seeds": [7, 8]}, **solo), [])

    def test_where_it_does_not(self):
        for game in ("walls", "light_cycles", "snake_labyrinth", "e7_planets"):
            with self.subTest(game):
                more = {} if game in ("walls", "light_cycles") else {"format": {"kind": "leaderboard"}}
                self.assertEqual(self.notes(game, **more), [])

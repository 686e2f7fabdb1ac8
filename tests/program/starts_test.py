"""How games begin: starts that are drawn, and seeds that everybody knows."""
import json
import os

from harness import BIN, ProgramTest, referee


class StartsTest(ProgramTest):
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

"""Pairs, cycles, seats and seeds in standings.json, counted again."""
import json
import os
import statistics
from collections import defaultdict

from harness import ProgramTest, fits


class CertaintyTest(ProgramTest):
    def played(self, bots, **tournament):
        config = self.path("config.json")
        with open(config, "w") as file:
            json.dump({"listen": {"address": "127.0.0.1", "port": 0},
                       "bots": [{"name": name, "launch": [command]} for name, command in bots.items()],
                       "tournaments": [{"id": "t", **tournament}]}, file)
        out = self.path("out")
        self.exits(0, "run", config, "--out", out, "--quiet")
        with open(os.path.join(out, "statistics.txt")) as file:
            text = file.read()
        with open(os.path.join(out, "standings.json")) as file:
            return fits(json.load(file), "schemas/certainty.json"), text

    def test_pairs_and_seats_are_what_was_played(self):
        bots = {"ann": "walls-random", "bob": "walls-random", "cem": "walls-random", "dan": "walls-greedy"}
        standings, text = self.played(bots, game="walls", setups=[{"size": 7}],
                                      format={"kind": "round_robin", "cycles": 4}, match={"games": 2, "seats": "rotate"})
        shares = defaultdict(dict)
        first_seat = defaultdict(list)
        for row in standings["bots"]:
            for match in row["matches"]:
                shares[frozenset((row["name"], match["opponents"][0]))].setdefault(row["name"], []).append(match["points"])
        self.assertEqual((standings["matches"], standings["distinct"]), (24, 24))
        pairs = standings["superiority"]["pairs"]
        self.assertEqual((standings["superiority"]["all_pairs"], len(pairs)), (True, 6))
        places = [row["name"] for row in standings["bots"]]
        for pair in pairs:
            self.assertLess(places.index(pair["a"]), places.index(pair["b"]))
            points = shares[frozenset((pair["a"], pair["b"]))][pair["a"]]
            self.assertEqual((pair["matches"], pair["method"]), (4, "matches"))
            self.assertAlmostEqual(pair["share"], statistics.mean(points), delta=0.001)
            low, high = pair["share95"]
            self.assertTrue(0 <= low <= pair["share"] <= high <= 1, pair)
        # What the first seat got against a half, match by match.
        scores = defaultdict(dict)
        for row in standings["bots"]:
            for match in row["matches"]:
                for number, game in enumerate(match["games"]):
                    seat = (match["seat"] + number) % 2
                    scores[game["game"]][seat] = game["score"]
        for game, by_seat in scores.items():
            share = 0.5 if by_seat[0] == by_seat[1] else float(by_seat[0] > by_seat[1])
            first_seat[game.rsplit(".", 1)[0]].append(share - 0.5)
        seat = standings["seats"]["effects"][0]
        self.assertEqual((seat["games"], seat["matches"], seat["method"]), (48, 24, "swapped_seats"))
        self.assertAlmostEqual(seat["advantage"], statistics.mean(map(statistics.mean, first_seat.values())), delta=1e-4)
        self.assertAlmostEqual(standings["seats"]["rotation"][0]["left"], 0)
        self.assertEqual((standings["cycles"]["needed"], standings["cycles"]["too_few"]), (8, True))
        self.assertNotIn("Cycles", text)
        self.assertEqual("where a bot sits matters" in text, any(effect["real"] for effect in standings["seats"]["effects"]))

    def test_solo_bots_are_compared_seed_by_seed(self):
        bots = {name: "superball-random" for name in ("ann", "bob", "cem")}
        standings, text = self.played(bots, game="superball", format={"kind": "leaderboard"}, match={"games": 8})
        told = standings["common_seeds"]
        self.assertEqual((told["seeds"], len(told["bots"]), len(told["neighbours"])), (8, 3, 2))
        scores = {}
        for row in standings["bots"]:
            scores[row["name"]] = [game["score"] for match in row["matches"] for game in match["games"]]
        for bot in told["bots"]:
            self.assertAlmostEqual(bot["mean"], statistics.mean(scores[bot["name"]]), delta=0.006)
        for pair in told["neighbours"]:
            apart = [a - b for a, b in zip(scores[pair["better"]], scores[pair["worse"]])]
            self.assertAlmostEqual(pair["difference"], statistics.mean(apart), delta=0.006)
        self.assertNotIn("seed", text)

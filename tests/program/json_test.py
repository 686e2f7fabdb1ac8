"""What --json of check, play and explain prints, as configs/README.md promises it."""
import json
import unittest

from harness import ProgramTest, referee


class JsonTest(ProgramTest):
    def test_check(self):
        config = self.write("c.json", self.walls([self.launched(name, "walls-greedy") for name in "abcd"], format={"kind": "swiss", "rounds": 2}))
        done = referee("check", config, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual((told["config"], told["status"], told["mistakes"], done.stderr), (config, 0, [], ""))
        (swiss,) = told["tournaments"]
        self.assertEqual((swiss["id"], swiss["game"], swiss["format"], swiss["bots"]), ("t", "walls", "swiss", 4))
        self.assertEqual((swiss["matches"], swiss["games"]), ({"least": 4, "most": 4}, {"least": 8, "most": 8}))
        self.assertLessEqual(swiss["best_ms"], swiss["worst_ms"])
        self.assertNotIn("likely_ms", swiss)
        self.assertEqual(swiss["turns_most"], 9 * (9 + 2))
        # Nothing is known of such games: a round has two matches.
        curve = swiss["curve"]
        self.assertEqual((curve["rests_on"], curve["useful_most"], curve["why"]), ("assumed", 2, "a round has only 2 matches"))
        self.assertEqual({1, 2} - {point["cores"] for point in curve["points"]}, set())
        for before, after in zip(curve["points"], curve["points"][1:]):
            self.assertTrue(after["expected_ms"] <= before["expected_ms"] < before["longest_ms"], curve)
        (told,) = json.loads(referee("check", config, "--json", "--game-time", "30s").stdout)["tournaments"]
        self.assertEqual((told["curve"]["rests_on"], told["curve"]["points"][0]["expected_ms"]), ("told", 4 * 2 * 30_000))
        wrong = referee("check", config, "--game-time", "soon")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--game-time: expected a time such as 30s or 2500ms, found soon", wrong.stderr)
        # What the run before tells makes a likely time of it.
        self.assertEqual(referee("run", config, "--out", self.path("out"), "--quiet").returncode, 0)
        (swiss,) = json.loads(referee("check", config, "--json", "--out", self.path("out")).stdout)["tournaments"]
        self.assertEqual(swiss["games_known"], 8)
        self.assertTrue(swiss["best_ms"] <= swiss["likely_ms"] <= swiss["worst_ms"], swiss)
        self.assertEqual(swiss["curve"]["rests_on"], "played")

        bad = referee("check", self.write("bad.json", '{\n"bots": []\n"tournaments": []}'), "--json")
        self.assertEqual((bad.returncode, bad.stderr), (2, ""))
        told = json.loads(bad.stdout)
        self.assertEqual((told["status"], told["tournaments"], [mistake["line"] for mistake in told["mistakes"]]), (2, [], [2]))
        self.assertIn("a comma is missing", told["mistakes"][0]["text"])

    def test_play_and_explain(self):
        replay = self.path("replay.ndjson")
        arguments = ["play", "walls", "--params", '{"size": 3}', "--json", "--replay", replay]
        done = referee(*arguments, "--bot", "walls-greedy", "--bot", "random")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        told = json.loads(done.stdout)
        self.assertEqual((told["status"], told["result"]["status"]), (0, "played"))
        self.assertEqual(len(told["result"]["used_us"]), 2)
        explained = referee("explain", replay, "--json")
        self.assertEqual(explained.returncode, 0, explained.stderr)
        story = json.loads(explained.stdout)
        self.assertEqual((story["replay"], story["result"]), (replay, told["result"]))
        self.assertEqual(story["story"], referee("explain", replay).stdout)
        missing = referee(*arguments, "--bot", "./gone", "--bot", "random")
        self.assertEqual(missing.returncode, 3)
        told = json.loads(missing.stdout)
        self.assertEqual((told["status"], "result" in told), (3, False))
        self.assertIn("can't start './gone'", told["message"])


if __name__ == "__main__":
    unittest.main()

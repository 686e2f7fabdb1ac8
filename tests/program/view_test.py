"""`referee view`: games from their replays, as the built program shows them."""

import json
import os
import re

from harness import SOURCE, ProgramTest, fits, referee


class ViewCase(ProgramTest):
    def play(self, game, params, seed=3):
        file = self.path(game + ".ndjson")
        played = referee("play", game, "--params", json.dumps(params), "--seed", str(seed), "--replay", file)
        self.assertTrue(os.path.exists(file), played.stderr)
        return file

    def showing(self, file):
        viewed = referee("view", file, "--json")
        self.assertEqual((viewed.returncode, viewed.stderr), (0, ""))
        return json.loads(viewed.stdout)


class JsonTest(ViewCase):
    def test_what_bots_said_stands_with_their_turn(self):
        os.makedirs(self.path("games"))
        os.makedirs(self.path("debug/random-2"))
        file = self.play("walls", {})
        os.rename(file, self.path("games/walls.ndjson"))
        self.write("debug/random-2/walls.ndjson", '{"turn": 2, "debug": "a \\"word\\""}\nno line\n{"turn": 4, "debug": "more"}\n')
        showing = self.showing(self.path("games/walls.ndjson"))
        fits(showing, "schemas/showing.json")
        said = {frame["turn"]: frame["debug"] for frame in showing["frames"] if "debug" in frame}
        self.assertEqual(said, {2: [None, 'a "word"'], 4: [None, "more"]})

    def test_a_large_map_stays_small(self):
        """Many turns on 35 x 35 cells, of which each changes little."""
        with open(os.path.join(SOURCE, "engines/e7_planets/maps/spiral_ghosts.json")) as file:
            large = json.load(file)
        large["remaining_turns"] = 1000
        large["ghosts"] = [ghost for ghost in large["ghosts"] if ghost["transparency"] == 0 and ghost["location"][0][0] == 22]
        viewed = referee("view", self.play("e7_planets", {"map": large}), "--json")
        self.assertEqual(viewed.returncode, 0, viewed.stderr)
        self.assertGreater(len(json.loads(viewed.stdout)["frames"]), 800)
        self.assertLess(len(viewed.stdout), 1_000_000 if '"text"' not in viewed.stdout else 5_000_000)

    def test_a_replay_is_not_overwritten_by_its_page(self):
        file = self.play("walls", {"size": 3})
        before = self.read(file)
        done = referee("view", file, "--html", file)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("would be overwritten", done.stderr)
        self.assertEqual(self.read(file), before)

    def test_the_standard_input_is_a_replay_too(self):
        viewed = referee("view", "-", "--json", input=self.read(self.play("walls", {})))
        self.assertEqual(viewed.returncode, 0, viewed.stderr)
        self.assertEqual(json.loads(viewed.stdout)["game"], "walls")


class PageTest(ViewCase):
    def test_a_page_has_all_games_and_loads_nothing(self):
        files = [self.play("walls", {}), self.play("superball", {})]
        out = self.path("games.html")
        viewed = referee("view", *files, "--html", out)
        self.assertEqual((viewed.returncode, viewed.stdout, viewed.stderr), (0, "", ""))
        page = self.read(out)
        texts = re.findall(r'<script type="application/json" class="showing">(.*?)</script>', page)
        self.assertEqual([json.loads(text)["game"] for text in texts], ["walls", "superball"])
        self.assertEqual(json.loads(texts[0]), self.showing(files[0]))
        self.assertNotRegex(page, r"<link|<script[^>]* src=|@import")
        self.assertIn("default-src 'none'", page)

    def test_a_name_is_no_markup(self):
        file = self.play("walls", {})
        text = self.read(file).replace('"random"', '"</script><script>alert(1)</script>"')
        text = text.replace('"game_id":"play/1.1"', '"game_id":"<b>&\\"x/1.1"')
        page = referee("view", self.write("hostile.ndjson", text), "--html", "-").stdout
        self.assertNotIn("<script>alert", page)
        self.assertNotIn("<b>", page)
        shown = re.search(r'class="showing">(.*?)</script>', page).group(1)
        self.assertEqual(json.loads(shown)["bots"][0], "</script><script>alert(1)</script>")

    def test_a_page_that_cannot_be_written(self):
        viewed = referee("view", self.play("walls", {}), "--html", self.path("none/page.html"))
        self.assertEqual(viewed.returncode, 3)
        self.assertIn("can't be written", viewed.stderr)


class BadReplayTest(ViewCase):
    def refused(self, text, *words):
        file = self.write("bad.ndjson", text)
        for form in (["--json"], ["--html", self.path("out.html")], ["--text", "0"], []):
            viewed = referee("view", file, *form)
            self.assertEqual((viewed.returncode, viewed.stdout), (2, ""), form)
            for word in words:
                self.assertIn(word, viewed.stderr)
            self.assertFalse(os.path.exists(self.path("out.html")))

    def test_what_is_no_replay_is_told_with_its_line(self):
        good = self.read(self.play("walls", {}))
        lines = good.splitlines(keepends=True)
        self.refused("hello\n", "bad.ndjson")
        self.refused(good.replace('"replay":1', '"replay":2', 1), "version 2", "later")
        self.refused("".join(lines[:-1]), "bad.ndjson", "cut short")
        self.refused("".join(lines[:3]) + '{"mov\n' + "".join(lines[4:]), "bad.ndjson:4:")

    def test_a_file_that_cannot_be_read(self):
        viewed = referee("view", self.path("none.ndjson"), "--json")
        self.assertEqual(viewed.returncode, 2)
        self.assertIn("expected a replay file", viewed.stderr)

    def test_what_the_rules_say_otherwise_is_told(self):
        good = self.read(self.play("walls", {}))
        other = re.sub(r'"bricks":\[(\d+),', lambda found: f'"bricks":[{int(found[1]) + 1},', good)
        self.assertNotEqual(good, other)
        viewed = referee("view", self.write("other.ndjson", other), "--json")
        self.assertEqual(viewed.returncode, 0)
        self.assertIn("warning: the record differs", viewed.stderr)
        showing = json.loads(viewed.stdout)
        self.assertIn("outcome: recorded", showing["differences"][0])
        fits(showing, "schemas/showing.json")


class TextTest(ViewCase):
    def test_a_position_and_what_was_played(self):
        file = self.play("walls", {})
        fourth = json.loads(self.read(file).splitlines()[4])
        viewed = referee("view", file, "--text", "4")
        self.assertEqual((viewed.returncode, viewed.stderr), (0, ""))
        self.assertIn("turn 4 of ", viewed.stdout)
        self.assertIn(json.dumps(fourth["moves"][1]), viewed.stdout)
        self.assertIn("bricks", viewed.stdout)
        self.assertNotIn("\x1b", viewed.stdout)

    def test_a_turn_beyond_the_end(self):
        file = self.play("walls", {})
        for turn in ("-1", "100000"):
            viewed = referee("view", file, "--text=" + turn)
            self.assertEqual((viewed.returncode, viewed.stdout), (2, ""))
            self.assertRegex(viewed.stderr, r"there is no turn .*expected one from 0, .* to \d+")

    def test_several_games_have_no_one_turn(self):
        file = self.play("walls", {})
        for form in (["--json"], ["--text", "1"]):
            viewed = referee("view", file, file, *form)
            self.assertEqual((viewed.returncode, viewed.stdout), (2, ""))
            self.assertIn("expected one replay", viewed.stderr)

    def test_where_there_is_no_terminal_the_end_is_told(self):
        file = self.play("walls", {})
        viewed = referee("view", file)
        self.assertEqual((viewed.returncode, viewed.stderr), (0, ""))
        self.assertIn("played, scores", viewed.stdout)
        self.assertIn("--text TURN, from 0 to", viewed.stdout)
        self.assertIn("It ended after", viewed.stdout)
        self.assertNotIn("\x1b", viewed.stdout)

    def test_what_a_stranger_wrote_is_no_order_to_a_terminal(self):
        file = self.play("walls", {})
        text = self.read(file).replace('"random"', '"a\\u001b[31m"')
        viewed = referee("view", self.write("hostile.ndjson", text), "--text", "1")
        self.assertEqual(viewed.returncode, 0)
        self.assertNotIn("\x1b", viewed.stdout)
        self.assertIn("\\x1b[31m", viewed.stdout)

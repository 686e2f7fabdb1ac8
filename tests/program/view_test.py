"""`referee view`, and the page of an output folder as `run` and `forget` leave it: games from their replays."""
import base64
import json
import os
import re
import zlib

from harness import SOURCE, ProgramTest, referee


class ViewTest(ProgramTest):
    def played(self, game, params):
        file = self.path(game + ".ndjson")
        self.exits(0, "play", game, "--params", json.dumps(params), "--seed", "3", "--replay", file, "--json")
        return file

    def view(self, *words, **options):
        """What it prints, and nothing on standard error."""
        done = self.exits(0, "view", *words, **options)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_a_large_map_stays_small(self):
        """Many turns on 35 x 35 cells, of which each changes little."""
        large = json.loads(self.read(os.path.join(SOURCE, "engines/e7_planets/maps/spiral_ghosts.json")))
        large["remaining_turns"] = 1000
        large["ghosts"] = [ghost for ghost in large["ghosts"] if ghost["transparency"] == 0 and ghost["location"][0][0] == 22]
        viewed = self.view(self.played("e7_planets", {"map": large}), "--json")
        self.assertGreater(len(json.loads(viewed)["frames"]), 800)
        self.assertLess(len(viewed), 1_000_000 if '"text"' not in viewed else 5_000_000)

    def test_a_page_has_all_games_and_loads_nothing(self):
        files, out = [self.played("walls", {}), self.played("superball", {})], self.path("games.html")
        self.assertEqual(self.view(*files, "--html", out), "")
        page = self.read(out)
        showings = [json.loads(text) for text in re.findall(r'<script type="application/json" class="showing">(.*?)</script>', page)]
        self.assertEqual([showing["game"] for showing in showings], ["walls", "superball"])
        self.assertEqual(showings[0], json.loads(self.view(files[0], "--json")))
        self.assertEqual(showings[0], json.loads(self.view("-", "--json", input=self.read(files[0]))))
        self.assertNotRegex(page, r"<link|<script[^>]* src=|@import")
        self.assertIn("default-src 'none'", page)
        self.exits(3, "view", files[0], "--html", self.path("none/page.html"), told="can't be written")

    def test_a_position_or_the_end_is_told_as_text(self):
        file = self.played("walls", {})
        shown, end = self.view(file, "--text", "4"), self.view(file)
        self.tells(shown, "turn 4 of ", json.dumps(json.loads(self.read(file).splitlines()[4])["moves"][1]), "bricks")
        self.tells(end, "played, scores", "--text TURN, from 0 to", "It ended after")
        self.assertNotIn("\x1b", shown + end)

    def test_what_cannot_be_shown_is_refused(self):
        file, page = self.played("walls", {}), self.path("out.html")
        before = self.read(file)
        lines = before.splitlines(keepends=True)
        bad = self.write("bad.ndjson", "".join(lines[:3]) + '{"mov\n' + "".join(lines[4:]))
        self.refuses(([file, "--html", file], "would be overwritten"), ([file, file, "--json"], "expected one replay"),
                     ([file, "--text=-1"], "there is no turn -1; expected one from 0, the position before the first, to "),
                     *(([bad, *form], "bad.ndjson:4:") for form in (["--json"], ["--html", page], ["--text", "0"], [])), before=["view"])
        self.assertEqual(self.read(file), before)
        self.assertFalse(os.path.exists(page))


class FolderPageTest(ProgramTest):
    def called(self, function, name):
        """The value with which a script calls a function."""
        text = self.read(name)
        self.assertTrue(text.startswith(function + "(") and text.endswith(");\n"), text[:80])
        return json.loads(text[len(function) + 1:-3])

    def run_it(self, *more, tournaments=("friday",), **options):
        bots = {"greedy": "walls-greedy", "alice": "walls-random", "bob": "walls-random"}
        config = {"bots": [{"name": name, "launch": [program]} for name, program in bots.items()],
                  "tournaments": [{"id": name, "game": "walls", "params": {"size": 5}} for name in tournaments]}
        return self.exits(0, "run", self.write("config.json", config), "--out", self.path("out"), "--quiet", *more, **options)

    def test_the_page_loads_scripts_that_are_there_one_for_each_game_and_table(self):
        self.run_it()
        replays = sorted(os.listdir(self.path("out/games")))
        self.assertEqual([name.replace(".ndjson", ".js") for name in replays], sorted(os.listdir(self.path("out/page/games"))))
        for table in ("standings", "pairings", "crosstable"):
            self.assertEqual(self.called(table, f"out/page/{table}.js"), json.loads(self.read(f"out/{table}.json")))
        for name in replays:
            script = self.read("out/page/games/" + name.replace(".ndjson", ".js"))
            packed, size = re.fullmatch(r'packed_showing\("([\w+/=]+)",(\d+)\);\n', script).groups()
            text = zlib.decompress(base64.b64decode(packed))
            self.assertEqual(len(text), int(size))
            viewed = json.loads(referee("view", self.path("out/games/" + name), "--json").stdout)
            for frame in viewed["frames"]:
                frame.pop("debug", None)  # pages are passed on
            self.assertEqual(json.loads(text), viewed)
        page = self.read("out/index.html")
        wanted = re.findall(r'(?:src|href)="([^"]*)"', page)
        self.assertGreater(len(wanted), 3)
        for name in wanted:
            self.assertTrue(os.path.exists(self.path("out/" + name)), name)
        self.assertNotRegex(page, r"<script>|<style>|https?:")
        # The name of a bot may be a word of the page.
        self.assertIn("standings", self.read("out/page/viewer.js"))
        done = referee("store", "forget", "standings", "--out", self.path("out"), "--dry-run")
        self.assertNotIn("viewer.js", done.stdout + done.stderr)

    def test_open_calls_the_browser_or_says_where_the_page_is_and_several_tournaments_have_a_page_each(self):
        """Another xdg-open notes what it is asked to open."""
        os.chmod(self.write("bin/xdg-open", f'#!/bin/sh\necho "$1" > {self.path("opened")}\n'), 0o755)
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        both = ("monday", "friday")
        self.assertIn("for a browser: " + self.path("out/index.html"), self.run_it("--open", tournaments=both, env=environment).stdout)
        environment.update(PATH=self.path("bin") + ":" + os.environ["PATH"], DISPLAY=":7")
        self.assertNotIn("index.html", self.run_it("--open", tournaments=both, env=environment).stdout)
        self.assertEqual(self.read("opened").strip(), os.path.realpath(self.path("out/index.html")))
        links = re.findall(r'<a href="([^"]*)">(\w+)</a>(.*)</li>', self.read("out/index.html"))
        self.assertEqual(links, [(name + "/index.html", name, ": walls, round robin") for name in ("friday", "monday")], "the newest first")
        for link, *_ in links:
            self.assertTrue(os.path.exists(self.path("out/" + link)))

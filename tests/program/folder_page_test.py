"""The page of an output folder: its index.html and the scripts that it loads, as `run` and `forget` leave them."""

import base64
import json
import os
import re
import zlib

from harness import ProgramTest, referee


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

    def test_several_tournaments_have_a_page_each(self):
        self.run_it(tournaments=("monday", "friday"))
        links = re.findall(r'<a href="([^"]*)">(\w+)</a>(.*)</li>', self.read("out/index.html"))
        self.assertEqual(links, [(name + "/index.html", name, ": walls, round robin") for name in ("friday", "monday")], "the newest first")
        for link, *_ in links:
            self.assertTrue(os.path.exists(self.path("out/" + link)))

    def test_open_calls_the_browser_or_says_where_the_page_is(self):
        """Another xdg-open notes what it is asked to open."""
        os.chmod(self.write("bin/xdg-open", f'#!/bin/sh\necho "$1" > {self.path("opened")}\n'), 0o755)
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.assertIn("for a browser: " + self.path("out/index.html"), self.run_it("--open", env=environment).stdout)
        environment.update(PATH=self.path("bin") + ":" + os.environ["PATH"], DISPLAY=":7")
        self.assertNotIn("index.html", self.run_it("--open", env=environment).stdout)
        self.assertEqual(self.read("opened").strip(), os.path.realpath(self.path("out/index.html")))

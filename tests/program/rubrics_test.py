"""The shipped rubrics, as `referee rubric` shows them: each is good, and valid by the schema."""
import glob
import json
import os
import unittest

from harness import SOURCE, ProgramTest, jsonschema, read_json, referee

CONFIGS = os.path.join(SOURCE, "configs")
RUBRICS = sorted(glob.glob(os.path.join(CONFIGS, "rubrics", "*.json")))
SMALL = {"title": "Walls", "game": "walls", "bots": [{"name": "greedy", "launch": ["walls-greedy"]}],
         "series": [{"id": "s", "opponents": ["greedy"], "match": {"games": 3}, "hidden": True}],
         "steps": [{"id": "x", "title": "wins", "points": 5, "series": ["s"], "rule": {"kind": "wins", "at_least": 2}}]}


class RubricTest(ProgramTest):
    def test_each_is_shown_to_both(self):
        self.assertGreaterEqual(len(RUBRICS), 10)
        for path in RUBRICS:
            with self.subTest(rubric=path):
                page, whole = self.exits(0, "rubric", path).stdout, self.exits(0, "rubric", path, "--instructor").stdout
                self.assertTrue(page.startswith("# "))
                self.assertNotIn("matchs", page)
                self.assertGreater(page.count("\n## "), 0)
                self.assertEqual(page.count("\n## "), whole.count("\n## "))

    def test_mistakes_are_told_with_their_lines(self):
        text = json.dumps({**SMALL, "pass": 6}, indent=1).replace('"points": 5', '"points": 0')
        path = self.write("bad.json", text)
        done = referee("rubric", path)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        line = text[:text.index('"points": 0')].count("\n") + 1
        self.assertIn(f"bad.json:{line}: steps[0].points: expected a number from 0.01", done.stderr)
        self.assertEqual(referee("rubric", self.path("none.json")).returncode, 2)
        self.assertIn("expected a rubric such as", referee("rubric", self.path("none.json")).stderr)

    def test_what_a_grading_would_refuse_is_found_here(self):
        series = SMALL["series"][0]
        for change, told in (({"series": [{**series, "params": {"size": 4}}]}, "series[0].params"),
                             ({"series": [{**series, "clock": {"budget": "soon"}}]}, "series[0].clock.budget"),
                             ({"series": [{**series, "match": {"games": 3, "best_of": 3}}]}, "series[0].match"),
                             ({"series": [{**series, "maps": "nowhere"}]}, "series[0].maps"),
                             ({"limits": {"memory_mb": -1}}, "limits.memory_mb"),
                             ({"bots": [{"name": "greedy", "launch": 5}]}, "bots[0]")):
            with self.subTest(told):
                path = self.write("r.json", json.dumps({**SMALL, **change}))
                seen = referee("rubric", path)
                played = referee("grade", "--rubric", path, "--bot", "walls-greedy", "--out", self.path("out"))
                self.assertEqual((seen.returncode, seen.stdout, played.returncode), (2, "", 2), seen.stderr + played.stderr)
                self.assertIn(told, seen.stderr)

    @unittest.skipIf(jsonschema is None, "python3-jsonschema is not there")
    def test_each_is_as_the_schema_says(self):
        schema = json.loads(self.read(os.path.join(CONFIGS, "rubric-schema.json")).replace("schema.json#/", "#/"))
        # As though in one file.
        schema["$defs"] = {**read_json(os.path.join(CONFIGS, "schema.json"))["$defs"], **schema["$defs"]}
        validator = jsonschema.Draft202012Validator(schema)
        for rubric in [SMALL, *map(read_json, RUBRICS)]:
            self.assertEqual([error.message for error in validator.iter_errors(rubric)], [], rubric["title"])
        wrong = [{**SMALL, "pas": 5}, {**SMALL, "steps": []}, {**SMALL, "late": {}}, {**SMALL, "game": "chess"},
                 {**SMALL, "steps": [{**SMALL["steps"][0], "rule": {"kind": "wins"}}]},
                 {**SMALL, "steps": [{**SMALL["steps"][0], "points": 0}]},
                 {**SMALL, "series": [{**SMALL["series"][0], "match": {"game": 3}}]}]
        for rubric in wrong:
            self.assertFalse(validator.is_valid(rubric), rubric)

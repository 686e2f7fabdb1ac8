"""Replays whose first line is not as it should be, in all commands that read replays: refused with what was expected, never more."""
import json
import unittest

from harness import ProgramTest, referee

HUGE = {"a text": "x" * 100_000, "a number": 10 ** 400, "an integer": 2 ** 63, "a list": [1] * 10_000, "deep": None}
WRONG = {"null": None, "a text": "seven\x1b[2J\u202e", "a number": 7.5, "below zero": -1, "true": True, "a list": [[]], "an object": {"a": {}}}
# Members that need not be there, and that may be anything of their type.
FREE = {"tournament": str, "match": int, "number": int, "attempt": int, "forked_from": dict}
FIELDS = ("replay", "game_id", "tournament", "match", "number", "attempt", "game", "seed", "params", "bots", "clock", "forked_from")
CLOCK_FIELDS = ("kind", "measure", "budget_us", "hard_limit_us", "increment_us", "hung_after_us")


class HeaderTest(ProgramTest):
    def setUp(self):
        super().setUp()
        good = self.path("good.ndjson")
        done = referee("play", "walls", "--params", '{"size": 3}', "--seed", "3", "--quiet", "--replay", good)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(good, encoding="utf-8") as file:
            first, self.rest = file.read().split("\n", 1)
        self.header = json.loads(first)
        self.assertLessEqual(set(self.header), set(FIELDS))
        self.bad = self.path("bad.ndjson")
        fork = ("fork", self.bad, "--turn", "3", "--seat", "0", "--bot", "random", "--quiet")
        self.commands = {"fork": fork, "explain": ("explain", self.bad), "trace": ("trace", "--replay", self.bad),
                         "text": ("view", self.bad, "--text", "1"),
                         "html": ("view", self.bad, "--html", self.path("out.html"))}

    def write(self, text):
        with open(self.bad, "w", encoding="utf-8") as file:
            file.write(text + "\n" + self.rest)

    def run_all(self, header, refusing, member):
        """The commands named must refuse the header with the member's name; no other may fail otherwise."""
        text = header if isinstance(header, str) else json.dumps(header)
        self.write(text)
        for name, command in self.commands.items():
            done = referee(*command)
            told = (name, done.returncode, done.stderr[-600:])
            self.assertIn(done.returncode, (0, 1, 2), told)
            self.assertNotIn("\x1b", done.stderr, told)
            self.assertNotIn("\u202e", done.stderr, told)
            self.assertLess(len(done.stderr), 4096, told)
            if name in refusing:
                self.assertEqual(done.returncode, 2, told)
            if done.returncode == 2:
                self.assertIn("bad.ndjson:1: ", done.stderr, told)
                if member:
                    self.assertIn(member, done.stderr, told)
                    self.assertIn("expected", done.stderr, told)


class ReplayHeaderTest(HeaderTest):
    def test_the_good_one_is_taken(self):
        self.write(json.dumps(self.header))
        for command in self.commands.values():
            done = referee(*command)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_seed_that_is_no_number(self):
        for seed in ("7", None, -1, 1.5, 2 ** 32, [7]):
            with self.subTest(seed=seed):
                self.run_all({**self.header, "seed": seed}, self.commands, "seed: expected an integer from 0 to 4294967295")

    def test_each_member_wrong(self):
        for field in FIELDS:
            for kind, value in WRONG.items():
                if FREE.get(field) is type(value) or (field == "game_id" and isinstance(value, str)):
                    continue
                if field == "params" and isinstance(value, dict):
                    continue  # the game's matter
                with self.subTest(field=field, found=kind):
                    taken = self.commands
                    if field == "game" and isinstance(value, str):
                        taken = [name for name in self.commands if name != "explain"]  # which knows no games
                    if field == "clock" and isinstance(value, dict):
                        taken = ["fork"]  # the others show what is told of it
                    self.run_all({**self.header, field: value}, taken, field)

    def test_each_member_missing(self):
        for field in self.header:
            with self.subTest(field=field):
                header = {name: value for name, value in self.header.items() if name != field}
                refusing = {"replay": self.commands, "game": ("fork", "trace", "text", "html"),
                            "seed": ("fork", "trace", "text", "html"), "bots": ("fork", "text", "html")}
                self.run_all(header, refusing.get(field, ("fork",) if field not in FREE else ()), field)


class HugeTest(HeaderTest):
    def test_each_member_huge(self):
        for field in FIELDS:
            for kind, value in HUGE.items():
                with self.subTest(field=field, found=kind):
                    text = json.dumps({**self.header, field: value})
                    if kind == "deep":
                        mark = json.dumps({**self.header, field: "MARK"})
                        text = mark.replace('"MARK"', "[" * 100_000 + "]" * 100_000)
                    free = field in ("game_id", "tournament") and kind == "a text"
                    named = field if kind not in ("deep", "a number") else None
                    refusing = () if free else self.commands
                    if field == "game" and kind == "a text":
                        refusing = [name for name in self.commands if name != "explain"]
                    self.run_all(text, refusing, named)


class OtherHeadersTest(HeaderTest):
    def test_each_member_of_the_clock(self):
        for field in CLOCK_FIELDS:
            for kind, value in {**WRONG, "huge": 2 ** 62, "a long text": "x" * 100_000}.items():
                with self.subTest(field=field, found=kind):
                    clock = {**self.header["clock"], field: value}
                    self.run_all({**self.header, "clock": clock}, self.commands, "clock." + field)

    def test_no_object_at_all(self):
        for text in ("[]", "null", '"x"', "7", "{", "", "\x00", "\ufeff{}"):
            with self.subTest(text=text):
                self.run_all(text, self.commands, None)

    def test_a_games_name_stays_a_name(self):
        """It is never part of other text that is read."""
        name = 'walls","seed":5,"params":{"size":4},"x":"'
        self.run_all({**self.header, "game": name}, ("fork", "trace", "text", "html"), "game")

    def test_names_of_bots_are_told_without_their_controls(self):
        self.write(json.dumps({**self.header, "bots": ["a\x1b[2J", "b\u202e"]}))
        for seat in ("", "9"):
            done = referee("fork", self.bad, "--turn", "3", "--bot", "random", *(("--seat", seat) if seat else ()))
            self.assertEqual(done.returncode, 2)
            self.assertNotIn("\x1b", done.stderr)
            self.assertIn("\\x1b", done.stderr)


if __name__ == "__main__":
    unittest.main()

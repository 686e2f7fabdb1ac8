"""The adapters of sample_bots: students' programs in the form of the handouts play unchanged, with all their habits and mistakes.

    adapter_test.py octave|racket [unittest's options]

Run by CTest, which gives the program's folder in REFEREE_BIN and the sources in REFEREE_SOURCE. Ends with 77 where the language is
not installed.
"""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "program"))

import unittest

from harness import LONG, REFEREE, SOURCE, ProgramTest, referee

SKIPPED = 77
ADAPTERS = os.path.join(SOURCE, "sample_bots/adapters")
COMMANDS = {
    "octave": ["octave-cli", "--no-gui", "--no-history", "--quiet", os.path.join(ADAPTERS, "octave_e7.m")],
    "racket": ["racket", os.path.join(ADAPTERS, "racket_cycles.rkt")],
}
MAP = {"grid": [[0, 0, 0, -1, 0, 0]], "player": {"location": [[None, None], [1, 1]], "score": 0},
       "scraps": [{"location": [1, 3], "value": 5}], "ghosts": [], "remaining_turns": 14}
GHOSTS = [{"location": [[None, None], [1, 6]], "type": "towardplayer", "transparency": 0},
          {"location": [[1, 4], [1, 5]], "type": "backandforth", "transparency": 1}]
STARTS = [[169, 45], [169, 85], [169, 125], [45, 169], [85, 169], [125, 169], [0, 45], [0, 85], [0, 125], [45, 0], [85, 0], [125, 0]]


class AdapterTest(ProgramTest):
    language = ""

    def program(self, name):
        return os.path.join(SOURCE, "tests/adapters", {"octave": "e7", "racket": "cycles"}[self.language], name)

    def command(self, name):
        return [*COMMANDS[self.language], self.program(name)]

    def play(self, game, bots, params):
        """A game against the referee in its sandbox: what `referee play` tells."""
        words = [word for bot in bots for word in ("--bot", bot)]
        done = self.exits(0, "play", game, "--quiet", "--budget", "20s", "--params", json.dumps(params), "--reads",
                          os.path.join(SOURCE, "sample_bots"), "--reads", os.path.dirname(self.program("")), *words)
        return done.stdout

    def run_config(self, kind, names, game, **tournament):
        """A run of a config in which the bots are programs of a kind; its folder."""
        bots = [{"name": f"bot{number}", "program": {"kind": kind, "file": self.program(name)}} for number, name in enumerate(names)]
        config = {"listen": {"port": 0}, "bots": bots,
                  "tournaments": [{"id": "t", "game": game, "clock": {"budget": "20s"}, **tournament}]}
        self.exits(0, "run", self.write("c.json", config), "--out", self.path("out"))
        return self.path("out")

    def by_hand(self, name, game, states, games=1):
        """The answers to these states of each game, and what is said for people."""
        said = [{"type": "hello", "protocol": 1}, {"type": "welcome"}]
        for number in range(1, games + 1):
            at = {"game_id": f"g{number}"}
            said.append({"type": "start", **at, "game": game, "seat": 1 if game == "light_cycles" else 0, "names": ["a"], "params": {},
                         "turn": 0, "state": states[0]})
            said += [{"type": "turn", **at, "turn": turn, "budget_us": 1000000, "state": state} for turn, state in enumerate(states, 1)]
            said.append({"type": "end", **at, "seats": [{"score": 0, "place": 1}] * 2, "reason": "over"})
        said.append({"type": "bye", "reason": "released"})
        known = {key: value for key, value in os.environ.items() if not key.startswith("REFEREE_")}
        known["TMPDIR"] = self.folder
        bot = subprocess.run(self.command(name), input="".join(json.dumps(one) + "\n" for one in said), env=known, capture_output=True,
                             text=True, timeout=LONG)
        self.assertEqual(bot.returncode, 0, bot.stderr)
        self.assertEqual(os.listdir(self.folder), [], "nothing is left behind")
        answers = [json.loads(line) for line in bot.stdout.splitlines()]  # nothing but messages
        return [answer for answer in answers if answer["type"] == "move"], bot.stderr

    def wrong_files(self, names):
        for words in ([], [self.path("nowhere")], [self.program(names), self.program(names)]):
            bot = subprocess.run([*COMMANDS[self.language], *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG)
            self.assertEqual(bot.returncode, 2, bot.stderr)
            self.assertIn("expected the file with the player", bot.stderr)


class OctaveTest(AdapterTest):
    language = "octave"

    def states(self, turns, ghosts=()):
        """A ship that stands still, as a state for each turn."""
        def longer(location, turn):
            return location + [location[-1]] * turn

        return [{**MAP, "player": {"location": longer(MAP["player"]["location"], turn), "score": 0}, "remaining_turns": 14 - turn,
                 "ghosts": [{**ghost, "location": longer(ghost["location"], turn)} for ghost in ghosts]} for turn in range(turns)]

    def test_the_map_has_the_handouts_shapes_and_nothing_stays_from_game_to_game(self):
        for ghosts in ((), GHOSTS[:1], GHOSTS):
            with self.subTest(ghosts=len(ghosts)):
                moves, said = self.by_hand("e7planets_player-4.m", "e7_planets", self.states(3, ghosts), games=2)
                self.assertEqual([move["move"] for move in moves], ["R"] * 6, said)
                self.assertIn("turns = 3", said)

    def test_each_mistake_is_an_invalid_move_whose_words_are_kept(self):
        moves, said = self.by_hand("wrong_each_turn.m", "e7_planets", self.states(10), games=2)
        wanted = [(None, "no way out of 5"), (5, 'the direction is the number 5; expected one character, such as "U"'), ("UU", "the direction is 'UU'; "), (None, "a 1x1 array of class cell"),
                  (None, "'no_such_function' undefined"), ("u", "case matters"), (None, "direction"), (None, "class struct"),
                  (".", None), ("R", None)]
        self.assertEqual(len(moves), 2 * len(wanted))
        for move, (told, words) in zip(moves, wanted * 2):
            with self.subTest(turn=move["turn"]):
                self.assertEqual(move["move"], told)
                if words is None:
                    self.assertIsNone(move["debug"])
                else:
                    self.assertIn(words, move["debug"])
                    self.assertIn(words, said)

    def test_another_header_scores_zero_and_says_so(self):
        moves, said = self.by_hand("other_header.m", "e7_planets", self.states(2))
        self.assertEqual([move["move"] for move in moves], [None, None])
        self.assertIn("expected 'function [direction] = e7planets_player(map)', found 'function dir = e7planets_player(my_map)'", said)
        self.assertIn("the header is not the handout's", moves[0]["debug"])

    def test_a_file_that_cannot_be_read_as_octave(self):
        moves, said = self.by_hand("not_octave.m", "e7_planets", self.states(2))
        self.assertEqual([move["move"] for move in moves], [None, None])
        self.assertRegex(moves[0]["debug"], r"\Aerror: parse error near line \d+ of file e7planets_player\.m [^\n/]*\Z")

    def test_a_name_that_a_shell_would_run(self):
        name = self.path("$(touch pwned) 'a\"b;.m")
        shutil.copy(self.program("unended.m"), name)
        for words in (["--unsandboxed"], []):
            done = subprocess.run([REFEREE, "play", "e7_planets", "--quiet", "--budget", "20s", "--params", json.dumps({"map": MAP}), *words,
                                   "--bot", "octave:" + name], capture_output=True, text=True, timeout=LONG, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn('"win":true', done.stdout)
        self.assertEqual(os.listdir(self.folder), [os.path.basename(name)])

    def test_full_games(self):
        for name in ("e7planets_player-4.m", "unended.m"):
            with self.subTest(name):
                told = self.play("e7_planets", [" ".join(self.command(name))], {"map": MAP})
                self.assertIn('"win":true', told)
                self.assertIn('"n_turns":2', told)
        told = self.play("e7_planets", [" ".join(self.command("e7planets_player-4.m"))], {"map": "spiral_ghosts"})
        self.assertNotIn("the ship stays", told)

    def test_a_config_names_the_kind_and_explain_tells_the_error(self):
        out = self.run_config("octave-function", ["e7planets_player-4.m", "wrong_each_turn.m"], "e7_planets",
                              format={"kind": "leaderboard"}, params={"map": MAP})
        told = [referee("explain", f"t/{match}.1", "--out", out).stdout for match in (1, 2)]
        self.assertNotIn("error", told[0])
        self.assertIn("turn 1: error: no way out of 5", told[1])
        self.assertIn("'no_such_function' undefined", told[1])
        parts = json.loads(referee("explain", "t/2.1", "--out", out, "--json").stdout)
        self.assertEqual(parts["story"] + parts["said"], told[1])

    def mat_file(self, statements, name="maps.mat", form="-mat7-binary"):
        """A file as the course has them."""
        made = subprocess.run(["octave-cli", "--no-gui", "--eval", f"{statements} save('{form}', '{self.path(name)}');"],
                              capture_output=True, text=True, timeout=LONG)
        self.assertEqual(made.returncode, 0, made.stderr)
        return self.path(name)

    def test_maps_of_the_course_become_ours(self):
        one = ("one.grid = [0 0 Inf; 2 0 0]; one.player.location = [NaN NaN; 1 1]; one.player.score = 0;"
               "one.scraps = struct('location', {[1 2]; [2 3]}, 'value', {5; 7});"
               "one.ghosts = struct('location', {[NaN NaN; 2 2]}, 'type', 'towardplayer', 'transparency', 2);"
               "one.remaining_turns = 14;")
        row = ("row = one; row.grid = [0 0 0]; row.scraps = one.scraps(1);"
               "row.ghosts = repmat(one.ghosts, 0, 1);")
        version = "maps_version = 'revision01';"
        for form in ("-mat7-binary", "-v6"):
            with self.subTest(form):
                done = self.exits(0, "maps", "e7_planets", "--import", self.mat_file(one + version, form=form))
                self.assertEqual(json.loads(done.stdout), {
                    "grid": [[0, 0, -1], [2, 0, 0]], "player": {"location": [[None, None], [1, 1]], "score": 0},
                    "scraps": [{"location": [1, 2], "value": 5}, {"location": [2, 3], "value": 7}],
                    "ghosts": [{"location": [[None, None], [2, 2]], "type": "towardplayer", "transparency": 2}], "remaining_turns": 14})
        for out, written in (("one.json", "one.json"), ("folder", "folder/one.json")):
            done = referee("maps", "e7_planets", "--import", self.mat_file(one + version), "--out", self.path(out))
            self.assertEqual((done.returncode, done.stdout), (0, self.path(written) + "\n"), done.stderr)
            self.assertEqual(json.loads(self.read(written))["remaining_turns"], 14)
        two = self.mat_file(one + row + version)
        done = self.exits(2, "maps", "e7_planets", "--import", two)
        self.assertIn("has 2 maps; expected --out FOLDER", done.stderr)
        self.exits(0, "maps", "e7_planets", "--import", two, "--out", self.path("maps"))
        self.assertEqual(sorted(os.listdir(self.path("maps"))), ["maps_version", "one.json", "row.json"])
        self.assertEqual(referee("maps", "e7_planets", "--maps", self.path("maps")).stdout.splitlines()[0], "version revision01")
        files = [self.path("maps/" + name) for name in ("one.json", "row.json")]
        self.assertEqual(referee("maps", "e7_planets", "--check", *files).returncode, 0)
        self.assertEqual(json.loads(self.read("maps/row.json"))["grid"], [[0, 0, 0]])

    def test_files_that_hold_no_maps(self):
        done = self.exits(1, "maps", "e7_planets", "--import", self.mat_file("a.grid = 1; b = 2;"))
        self.assertIn("a is no map", done.stderr)
        for file, words in ((self.mat_file("b = 2;"), "no maps in it"), (self.write("text.mat", "not a map"), "no maps in it"),
                            (self.path("nowhere.mat"), "no such file")):
            done = self.exits(2, "maps", "e7_planets", "--import", file)
            self.assertIn(words, done.stderr)
        self.assertEqual(referee("maps", "snake_labyrinth", "--import", self.path("maps.mat")).returncode, 2)

    def test_no_file_and_too_many(self):
        self.wrong_files("unended.m")


class RacketTest(AdapterTest):
    language = "racket"

    def states(self, turns):
        return [{"turn": turn, "cycles": STARTS, "used_us": [0] * 4} for turn in range(turns)]

    def test_the_slides_constructor_is_called_anew_for_each_game(self):
        moves, said = self.by_hand("constructor.scm", "light_cycles", self.states(3), games=2)
        self.assertEqual([move["move"] for move in moves], [[[45, 168], [85, 168], [125, 168]]] * 6, said)
        self.assertIn("thinking about turn 3", said)
        self.assertNotIn("thinking about turn 4", said)

    def test_a_direct_player_and_its_mistakes(self):
        moves, said = self.by_hand("direct.scm", "light_cycles", self.states(6))
        self.assertEqual([move["move"] for move in moves],
                         [[[1, 2], [3, 4], None], [[1, 2], None, None], None, None, [[1, 2], [3, 4], None], None])
        self.assertIn("a cell is a vector of two integers, such as (vector 168 45), not a list: '#(", moves[1]["debug"])
        self.assertIn("no idea", moves[2]["debug"])
        self.assertIn("no idea", said)
        self.assertIn("ended its program by (exit 7)", moves[3]["debug"])
        self.assertIn("returned the list '(#(1 2)); expected a vector of vectors", moves[5]["debug"])
        self.assertIn("which (list->vector ...) makes of a list", moves[5]["debug"])

    def test_an_error_is_one_short_line(self):
        moves, _ = self.by_hand("long_error.scm", "light_cycles", self.states(1))
        self.assertRegex(moves[0]["debug"], r"\Afailed: vector-ref: index is out of range, index: 200, [^\n]*vector: '#\(0 0 0[ 0]{,30}\.\.\.; where in the file is not known: DrRacket marks it [^\n]*\Z")
        moves, _ = self.by_hand("deep_error.scm", "light_cycles", self.states(1))
        self.assertRegex(moves[0]["debug"], r"; where: in LightCycle_deep_error, which begins in line 4 of deep_error\.scm, or in what it calls\Z")

    def test_a_file_with_a_language_of_its_own(self):
        moves, _ = self.by_hand("module.scm", "light_cycles", self.states(2), games=2)
        self.assertEqual([move["move"][0] for move in moves], [[1, 0], [2, 0]] * 2)

    def test_files_without_a_player(self):
        for name, words in (("arity.scm", "takes other arguments than the handout's"),
                            ("broken.scm", "the file can't be read as Racket: broken.scm:1:26: read-syntax: expected a `)` to close `(`"),
                            ("nameless.scm", "defines no procedure whose name begins with LightCycle_")):
            with self.subTest(name):
                moves, said = self.by_hand(name, "light_cycles", self.states(2))
                self.assertEqual([move["move"] for move in moves], [None, None])
                self.assertIn(words, moves[0]["debug"])
                self.assertIn(words, said)

    def test_a_full_game(self):
        team = " ".join(self.command("constructor.scm"))
        told = self.play("light_cycles", [team, team, team, "random"], {})
        self.assertIn("\nplayed: ", told)
        self.assertNotIn("Its first cycle (cycle 0) is terminated: its entry is not a list", told)

    def test_a_config_names_the_kind_and_explain_tells_the_error(self):
        out = self.run_config("racket-team", ["constructor.scm"] * 3 + ["direct.scm"], "light_cycles", format={"kind": "round_robin"})
        told = referee("explain", "t/1.1", "--out", out).stdout
        self.assertIn("What bot3 said of its moves", told)
        self.assertIn("a cell is a vector of two integers", told)

    def test_no_file_and_too_many(self):
        self.wrong_files("direct.scm")


if __name__ == "__main__":
    language = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if language not in COMMANDS:
        sys.exit("expected octave or racket, such as: adapter_test.py octave")
    if shutil.which(COMMANDS[language][0]) is None:
        print(f"skipped: {COMMANDS[language][0]} is missing: scripts/setup --interpreters installs it")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], {"octave": "OctaveTest", "racket": "RacketTest"}[language], *sys.argv[1:]])

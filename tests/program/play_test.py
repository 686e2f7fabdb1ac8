"""A single game, by `referee play`: bots, and a person at the terminal."""
import json
import re
import sys

import harness
from harness import ProgramTest, referee

PARAMS = {"e7_planets": '{"map": "spiral_ghosts"}', "snake_labyrinth": '{"maze": "handout"}'}
# What explains the game's moves; what is refused, why, and a move that can be played.
GAMES = {
    "e7_planets": ("U, D  one row up, down", "x", "expected U, D, L, R or ., found 'x'", "."),
    "light_cycles": ("the next cell of each of your cycles, as x,y", "1,1 2,2 3,3",
                     "cycle 0: [1, 1] is not one step up, down, left or right from [", "168,45 168,85 168,125"),
    "snake_labyrinth": ("S  one step down", "N", "letter 1, N from row 1, column 0: a wall is there", "E"),
    "walls": ("L, R  turn left, right", "FF", "expected F, L or R, found 'FF'", "F"),
    "superball": ("SWAP r1 c1 r2 c2  exchange two pieces", "score 0 0", "SCORE 0 0: row 0, column 0 is empty", "swap 0 1 0 4"),
}


def play(game, typed, *more):
    return referee("play", game, "--human", "--seed", "1", *(["--params", PARAMS[game]] if game in PARAMS else []), *more, input=typed)


class PersonTest(ProgramTest):
    def test_every_game_explains_its_moves(self):
        known = re.search(r"expected one of (.*)", referee("play", "no-such-game").stderr).group(1).split(", ")
        self.assertEqual(sorted(known), sorted(GAMES))
        for game, (legend, _, _, _) in GAMES.items():
            with self.subTest(game=game):
                self.assertEqual(play(game, "").stdout.count(legend), 1, "at first")
                asked = play(game, "?\n HELP \n").stdout
                self.assertEqual(asked.count(legend), 3)
                self.assertNotIn("expected", asked)
                self.assertIn("; ? explains, ctrl-D ends): ", asked)

    def test_a_refusal_says_why_and_is_no_end(self):
        for game, (_, wrong, reason, right) in GAMES.items():
            with self.subTest(game=game):
                done = play(game, f"{wrong}\n{right}\n")
                self.assertRegex(done.stdout, r"not played: .*" + re.escape(reason) + r".* Try again; \? explains the moves\.")
                for final in ("ends with score 0", "is charged", "is terminated:", "the ship stays"):
                    self.assertNotIn(final, done.stdout)
                self.assertEqual(done.stdout.count("turn 0\n"), 1, "the start is shown once")
                self.assertEqual(done.stdout.count("turn 1\n"), 1)

    def test_who_leaves_has_left(self):
        for game in GAMES:
            with self.subTest(game=game):
                done = play(game, "")
                self.assertEqual(done.returncode, 130)
                self.assertIn("interrupted: you left", done.stdout)
                self.assertIn("you left before the end", done.stderr)
                self.assertNotIn("disconnected", done.stdout)

    def test_no_time_is_charged(self):
        done = play("superball", "swap 0 1 0 4\n", "--params", '{"pace_us": 1}')
        self.assertIn("turn 1\nEmpty cells: 70", done.stdout)
        self.assertIn("you (seat 0): charged 0 us", done.stdout)
        self.assertNotIn("Game over", done.stdout)


class PlayTest(ProgramTest):
    def test_two_bots(self):
        done = referee("play", "walls", "--bot", "walls-greedy", "--bot", "walls-random", "--params", '{"size": 3}', "--seed", "3",
                       "--replay", self.path("new/r.ndjson"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("turn 1\n", done.stdout)
        self.assertIn("\nplayed: ", done.stdout)
        self.assertEqual(referee("trace", "--replay", self.path("new/r.ndjson")).returncode, 0)

    def test_a_fault_that_repeats_is_told_once_with_its_turns(self):
        bot = self.write("odd.py", harness.left_turning().replace('move="L"', 'move="X"'))
        done = referee("play", "walls", "--bot", f"{sys.executable} {bot}", "--bot", "walls-greedy", "--params", '{"size": 3}', "--quiet",
                       *[word for path in [bot, *harness.READS] for word in ("--reads", path)])
        self.assertEqual(done.returncode, 1, done.stderr)  # it gave no valid move
        self.assertRegex(done.stdout, r"\nturn 1: .*\n  \w+ again, \d+ times in all: in turns 1, 3, 5")
        self.assertEqual(len(re.findall("(?m)^turn [0-9]+:", done.stdout)), 1, done.stdout)

    def test_a_person(self):
        done = self.exits(0, "play", "walls", "--human", "--bot", "walls-greedy", "--params", '{"size": 3}', input="x\n" + "L\n" * 12)
        self.assertIn("you (seat 0): score 0, place 2", done.stdout)

    # With params for a game that has no default ones.
    PARAMS = {"e7_planets": {"map": "one_scrap"}, "snake_labyrinth": {"maze": "challenge1_tiny"}}

    def test_random_bots_play_every_game(self):
        known = re.search(r"expected one of (.*)", referee("play", "no-such-game").stderr).group(1).split(", ")
        self.assertIn("walls", known)
        for game in known:
            with self.subTest(game=game):
                arguments = ["play", game, "--quiet", "--seed", "5", "--params", json.dumps(self.PARAMS.get(game, {}))]
                done = self.exits(0, *arguments, "--replay", self.path("r.ndjson"))
                self.assertIn("\nplayed: ", done.stdout)
                self.assertIn("random (seat 0): score", done.stdout)
                again = self.exits(0, *arguments, "--replay", self.path("again.ndjson"))
                self.assertEqual(*(self.moves(self.path(name)) for name in ("r.ndjson", "again.ndjson")))

    @staticmethod
    def moves(path):
        with open(path) as file:
            return [line["moves"] for line in map(json.loads, file) if "moves" in line]

    def test_a_random_bot_is_an_opponent(self):
        done = self.exits(0, "play", "walls", "--bot", "walls-greedy", "--bot", "random", "--params", '{"size": 3}', "--quiet")
        self.assertIn("random (seat 1): score", done.stdout)
        done = self.exits(0, "play", "walls", "--human", "--params", '{"size": 3}', input="L\n" * 12)
        self.assertIn("you (seat 0): score 0, place 2", done.stdout)
        self.assertIn("random (seat 1): score 2", done.stdout)

    def test_what_is_wrong_is_said(self):
        for arguments, expected in ((["chess"], "no game"), (["chess"], "one of e7_planets"), (["wals"], 'did you mean "walls"?'),
                                    (["walls", "--bot", "walls-greedy"], "2 seats"),
                                    (["walls", "--params", "{"], "--params")):
            self.assertIn(expected, self.exits(2, "play", *arguments).stderr)

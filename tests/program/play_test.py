"""A single game, by `referee play`: bots, a person at the terminal, and its story by `referee explain`."""
import json
import os
import re
import shlex
import sys

from harness import SOURCE, ProgramTest, referee


def play(game, typed, *more):
    return referee("play", game, "--human", "--seed", "1", *more, input=typed)


class PersonTest(ProgramTest):
    """That each game explains its moves and says why one is refused is seen by the engines' tests."""

    def test_moves_are_explained_and_a_refusal_is_no_end_but_who_leaves_has_left(self):
        legend = "L, R  turn left, right"
        left = play("walls", "FF\nF\n?\n")
        self.assertEqual((left.returncode, left.stdout.count(legend)), (130, 2), "it is explained at first, and when it is asked for")
        self.tells(left.stdout, "interrupted: you left", "; ? explains, ctrl-D ends): ")
        self.assertRegex(left.stdout, r"not played: .*expected F, L or R, found 'FF'.* Try again; \? explains the moves\.")
        self.assertEqual((left.stdout.count("turn 0\n"), left.stdout.count("turn 1\n")), (1, 1), "the start is shown once")
        self.assertNotIn("disconnected", left.stdout)
        self.assertIn("you left before the end", left.stderr)
        done = self.exits(0, "play", "walls", "--human", "--bot", "walls-greedy", "--params", '{"size": 3}', input="x\n" + "L\n" * 12)
        self.assertIn("you (seat 0): score 0, place 2", done.stdout)

    def test_no_time_is_charged(self):
        done = play("superball", "swap 0 1 0 4\n", "--params", '{"pace_us": 1}')
        self.tells(done.stdout, "turn 1\nEmpty cells: 70", "you (seat 0): charged 0 us")
        self.assertNotIn("Game over", done.stdout)


class PlayTest(ProgramTest):
    def by_the_kit(self, choose):
        """The command of a bot that chooses so."""
        kit = os.path.join(SOURCE, "sample_bots/python")
        text = f"import sys; sys.path.insert(0, {kit!r}); import referee_bot\n{choose}\nreferee_bot.run({{'walls': choose}}, name='bot')"
        return shlex.join([sys.executable, "-B", "-c", text])

    def test_a_fault_is_told_with_its_turn_and_its_bot(self):
        done = self.exits(0, "play", "walls", "--quiet", "--unsandboxed", "--bot", "random", "--bot", self.by_the_kit("choose = lambda game: 'X'"),
                          "--params", '{"size": 3}')
        self.assertRegex(done.stdout, r'(?m)^turn [12], python[0-9.]*: Expected "F" ')

    def test_what_a_bot_prints_is_shown(self):
        bot = self.by_the_kit("def choose(game): print('seen\\t', game.turn, '\\x1b'); print('end', end='', file=sys.stderr); print(file=sys.stderr); return 'F'")
        arguments = ["play", "walls", "--quiet", "--unsandboxed", "--bot", bot, "--bot", bot, "--params", '{"size": 3}']
        done = self.exits(0, *arguments).stdout
        shown, result = re.split(r"(?m)^(?=\S+ \(seat 0\): )", done)
        moves = json.loads(result.split("detail: ")[1])["moves"]
        self.assertEqual(len(re.findall(r"(?m)^python\S* \| game .* is over", shown)), 2, shown)
        for name, first in ((r"python[0-9.]*", 1), (r"python[0-9.]*-2", 2)):
            seen = re.findall(rf"(?m)^{name} \| (seen .*|end)$", shown)
            self.assertEqual(seen, [line for turn in range(first, moves + 1, 2) for line in (f"seen     {turn} \\x1b", "end")])
        self.assertNotIn(" | ", self.exits(0, *arguments, "--json").stdout)

    # With params for a game that has no default ones.
    PARAMS = {"e7_planets": {"map": "one_scrap"}, "snake_labyrinth": {"maze": "challenge1_tiny"}}

    def test_random_bots_play_every_game(self):
        known = re.search(r"expected one of (.*)", referee("play", "no-such-game").stderr).group(1).split(", ")
        self.assertIn("walls", known)
        replays = []
        for game in known:
            with self.subTest(game=game):
                replays.append(self.path(f"new/{game}.ndjson"))
                arguments = ["play", game, "--seed", "5", "--params", json.dumps(self.PARAMS.get(game, {}))]
                done = self.exits(0, *arguments, "--replay", replays[-1])
                self.tells(done.stdout, "turn 1\n", "\nplayed: ", "random (seat 0): score")
        self.exits(0, *arguments, "--quiet", "--replay", self.path("again.ndjson"))
        self.assertEqual(*([line["moves"] for line in map(json.loads, self.read(path).splitlines()) if "moves" in line]
                           for path in (replays[-1], self.path("again.ndjson"))))
        self.exits(0, "trace", "--replay", *replays)

    def test_json_of_a_game_and_of_its_story(self):
        replay = self.path("replay.ndjson")
        arguments = ["play", "walls", "--params", '{"size": 3}', "--json", "--replay", replay]
        told = json.loads(self.exits(0, *arguments, "--bot", "walls-greedy", "--bot", "random").stdout)
        self.assertEqual((told["status"], told["result"]["status"], len(told["result"]["used_us"])), (0, "played", 2))
        story = json.loads(self.exits(0, "explain", replay, "--json").stdout)
        self.assertEqual((story["replay"], story["result"]), (replay, told["result"]))
        self.assertEqual(self.exits(0, "explain", replay).stdout,
                         story["story"] + f"Where was it lost? `referee review {replay}`. See it: `referee view {replay}`.\n")
        told = json.loads(self.exits(3, *arguments, "--bot", "./gone", "--bot", "random").stdout)
        self.assertEqual((told["status"], "result" in told, "can't start './gone'" in told["message"]), (3, False, True))

    def test_what_is_wrong_is_said(self):
        self.refuses((["chess"], "one of e7_planets"), (["e7"], 'did you mean "e7_planets"?'), (["walls", "--bot", "walls-greedy"], "2 seats"),
                     (["walls", "--params", "{"], "--params"), before=["play"])

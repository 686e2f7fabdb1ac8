"""Games that are played on from a turn of a recorded one."""
import hashlib
import json

from harness import ProgramTest, referee

# Bots that always move alike in the same position, and how much of a game they play.
SAME_AGAIN = {
    "walls": (["walls-greedy", "walls-greedy"], '{"size": 5}'),
    "e7_planets": (["e7-greedy"], '{"map": "spiral_ghosts"}'),
    "snake_labyrinth": (["snake-right-hand"], '{"maze": "handout"}'),
}


def turns_of(text):
    return [json.loads(line)["moves"] for line in text.splitlines()[1:-1] if "moves" in line]


class ForkTest(ProgramTest):
    def recorded(self, game, bots, params, seed="3"):
        replay = self.path(game + ".ndjson")
        self.exits(0, "play", game, "--params", params, "--seed", seed, "--quiet", "--replay", replay, *[word for bot in bots for word in ("--bot", bot)])
        return replay

    def forked(self, replay, turn, *arguments):
        again = self.path("again.ndjson")
        done = referee("fork", replay, "--turn", str(turn), "--replay", again, "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        result = json.loads(done.stdout)["result"]
        self.exits(0, "trace", "--replay", again)
        return result, self.read(again)

    def test_the_same_program_plays_the_same_game_on(self):
        """A bot knows from the history all that it would know if it had played the turns itself."""
        for game, (bots, params) in SAME_AGAIN.items():
            with self.subTest(game):
                replay = self.recorded(game, bots, params)
                whole = self.read(replay)
                moves = turns_of(whole)
                others = [word for bot in bots[1:] for word in ("--against", bot)]
                for turn in sorted({1, len(moves) // 2 or 1, len(moves)}):
                    result, text = self.forked(replay, turn, "--bot", bots[0], "--seat", "0", *others)
                    self.assertEqual(turns_of(text), moves, f"from turn {turn}")
                    # What was before is the same to the byte, times included.
                    self.assertEqual(text.splitlines()[1:turn], whole.splitlines()[1:turn])
                    told = result["forked_from"]
                    self.assertEqual((told["game_id"], told["turn"], told["past_told_by"]), ("play/1.1", turn, ["resumed", "history"]))
                    self.assertEqual(told["replay"], "sha256:" + hashlib.sha256(whole.encode()).hexdigest())
                    self.assertEqual(len(told["bots"]), len(bots))

    def test_another_program_goes_another_way(self):
        replay = self.recorded("walls", ["walls-random", "walls-greedy"], '{"size": 5}')
        shown = self.exits(0, "fork", replay, "--turn", "9", "--seat", "walls-random", "--bot", "walls-minimax")
        self.tells(shown.stdout, "played on from turn 9 of play/1.1: walls-minimax in place of walls-random (seat 0), ",
                   "walls-minimax in place of walls-greedy (seat 1)\n")
        self.assertIn("turn 8\n", shown.stdout)  # the position that it begins with
        self.assertNotIn("turn 7\n", shown.stdout)
        self.forked(replay, 9, "--seat", "0", "--bot", "walls-minimax", "--against", "walls-greedy")
        self.assertIn("It goes on from turn 9 of game play/1.1; what was before it happened there.\n", referee("explain", self.path("again.ndjson")).stdout)

    def test_bad_input(self):
        replay = self.recorded("walls", ["walls-greedy", "walls-greedy"], '{"size": 3}')
        before = self.read("walls.ndjson")
        header, rest = before.split("\n", 1)
        turns = len(turns_of(before))
        # Names of another's replay are told without their controls, and never become part of other text that is read.
        named = self.write("named.ndjson", json.dumps({**json.loads(header), "bots": ["a\x1b[2J", "b"]}) + "\n" + rest)
        strange = self.write("strange.ndjson", json.dumps({**json.loads(header), "game": 'walls","seed":5,"x":"'}) + "\n" + rest)
        two, first, bot = ["--turn", "2"], ["--seat", "0"], ["--bot", "walls-greedy"]
        seats = "0 walls-greedy, 1 walls-greedy-2"
        for words, told in (([replay, "--turn", "999", *first, *bot], f"expected a turn from 1 to {turns}, found 999"),
                            ([replay, *two, *bot], "--seat: say which seat the new program takes, by its number or its bot: " + seats),
                            *(([replay, *two, "--seat=" + seat, *bot], f"--seat: expected one of {seats}; found {seat}") for seat in ("2", "-1", "carol")),
                            ([replay, *two, *first, *bot, "--against", "random", "--against", "random"], "--against: the game has 1 other seat, and 2 commands are given"),
                            ([self.path("none"), *two, *bot], "No such file"), ([named, *two, *bot], "0 a\\x1b[2J, 1 b"),
                            ([strange, *two, *first, *bot], "strange.ndjson:1: game: "),
                            ([replay, *two, *first, *bot, "--replay", self.folder + "/./walls.ndjson"], "--replay: expected another file")):
            done = self.exits(2, "fork", *words, told=told)
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        self.assertEqual(self.read("walls.ndjson"), before)

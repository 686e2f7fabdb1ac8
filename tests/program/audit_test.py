"""Programs that are given the turns of a recorded game again."""
import json
import os
import sys
import unittest

from harness import BIN, SOURCE, ProgramTest, referee

# Bots that always move alike in the same position, in each game; walls-minimax is none, since its depth hangs on the machine's pace.
STEADY = {
    "walls": (["walls-greedy", "walls-greedy"], '{"size": 5}'),
    "e7_planets": (["e7-greedy"], '{"map": "spiral_ghosts"}'),
    "light_cycles": (["cycles-dumb"] * 4, "{}"),
    "snake_labyrinth": (["snake-right-hand"], '{"maze": "handout"}'),
    "superball": (["superball-level2"], "{}"),
}

# A bot of Walls. `{move}` is what it does in a turn: it may send move(...), or not.
BOT = """
import json, os, random, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
say(type="login", protocol=1, name=os.environ["REFEREE_NAME"], token=os.environ["REFEREE_TOKEN"], games=[{games!r}], state={state!r})
told = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        {start}
        say(type="ready", game_id=message["game_id"])
    elif message["type"] == "fault":
        told.append(message["code"])
    elif message["type"] == "turn":
        turn = message["turn"]
        def move(what):
            say(type="move", game_id=message["game_id"], turn=turn, move=what)
        {move}
"""


class AuditedTest(ProgramTest):
    def program(self, move='move("L")', start="pass", games="walls", state="full"):
        path = self.write("bot.py", BOT.format(move=move, start=start, games=games, state=state))
        return f"{sys.executable} -B {path}"

    def recorded(self, bots, game="walls", params='{"size": 5}', *more):
        replay = self.path(game + ".ndjson")
        done = referee("play", game, "--params", params, "--seed", "3", "--quiet", "--replay", replay, "--unsandboxed", *more,
                       *[word for bot in bots for word in ("--bot", bot)])
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return replay

    def audited(self, replay, seat, command, status=0, *more):
        done = referee("audit", replay, "--seat", str(seat), "--json", "--unsandboxed", *more, "--", *command.split())
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
        told = json.loads(done.stdout)
        with open(os.path.join(SOURCE, "configs/schemas/audit.json")) as file:
            schema = json.load(file)
        self.check_members(schema, told)
        for run in told["runs"]:
            self.check_members(schema["properties"]["runs"]["items"], run)
        for difference in told["differences"]:
            self.check_members(schema["properties"]["differences"]["items"], difference)
        return told

    def check_members(self, schema, told):
        self.assertLessEqual(set(schema["required"]), set(told))
        self.assertLessEqual(set(told), set(schema["properties"]))


class AuditTest(AuditedTest):
    def test_steady_programs_play_each_game_again(self):
        for game, (bots, params) in STEADY.items():
            with self.subTest(game):
                replay = self.recorded(bots, game, params)
                with open(replay) as file:
                    turns = [json.loads(line) for line in file.read().splitlines()[1:-1]]
                for seat in range(len(bots)):
                    told = self.audited(replay, seat, bots[seat])
                    self.assertEqual((told["verdict"], told["differences_total"], told["different_between_runs"]), ("as_recorded", 0, 0))
                    self.assertEqual([(run["end"], run["same_times"]) for run in told["runs"]], [("whole", True)] * 2)
                    self.assertEqual(told["program"], told["program_recorded"])
                    moved = sum(line["moves"][seat] is not None for line in turns if "moves" in line)
                    self.assertEqual(told["compared"], moved)

    def test_chance_is_told_from_another_program(self):
        steady = self.recorded(["walls-greedy", "walls-random"])
        other = self.audited(steady, 1, "walls-greedy", 1)
        self.assertEqual((other["verdict"], other["different_between_runs"]), ("otherwise", 0))
        self.assertNotEqual(other["program"], other["program_recorded"])
        for difference in other["differences"]:
            self.assertNotEqual(difference["recorded"], difference["runs"][0])
            self.assertEqual(difference["runs"][0], difference["runs"][1])
        # Random numbers from no fixed seed.
        chance = self.program('move(random.choice("LRF"))')
        replay = self.recorded([chance, "walls-greedy"])
        told = self.audited(replay, 0, chance, 1, "--runs", "6")
        self.assertEqual((told["verdict"], len(told["runs"])), ("by_chance", 6))
        self.assertGreater(told["different_between_runs"], 0)
        self.assertTrue(all(len(difference["runs"]) == 6 for difference in told["differences"]))

    def test_a_program_with_a_folder_of_its_own_is_known_again(self):
        self.program()
        own = self.path("own")
        os.mkdir(own)
        os.rename(self.path("bot.py"), os.path.join(own, "bot.py"))
        command = ["/usr/bin/python3", "-B", "bot.py"]
        bots = [{"name": "ann", "launch": command, "directory": "own"}, self.launched("bob", "walls-greedy")]
        config = {"listen": {"port": 0}, "bots": bots, "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}}]}
        out = self.path("out")
        done = referee("run", self.write("c.json", config), "--out", out, "--unsandboxed")
        self.assertEqual(done.returncode, 0, done.stderr)
        replay = os.path.join(out, "games/t_1.1.ndjson")
        with open(replay) as file:
            bots = json.loads(file.readline())["bots"]
        told = self.audited(replay, bots.index("ann"), " ".join(command), 0, "--directory", own)
        self.assertEqual(told["program"], told["program_recorded"])
        elsewhere = self.audited(replay, bots.index("ann"), f"/usr/bin/python3 -B {own}/bot.py")
        self.assertNotEqual(elsewhere["program"], elsewhere["program_recorded"])

    def test_a_program_can_not_tell_that_it_is_audited(self):
        """By what it is told before its game: it might play otherwise then."""
        said = self.path("said")
        looks = f'open({said!r}, "a").write(" ".join(sorted(os.environ.get(name, "") for name in ("REFEREE_NAME", "REFEREE_ADDRESS"))) + line + "\\n")'
        bot = self.write("looks.py", BOT.format(move='move("L")', start="pass", games="walls", state="full").replace(
            "    message = json.loads(line)\n", "    message = json.loads(line)\n    if message['type'] in ('hello', 'welcome'):\n        " + looks + "\n"))
        command = f"{sys.executable} -B {bot}"
        replay = self.recorded([command, "walls-greedy"])
        with open(replay) as file:
            name = json.loads(file.readline())["bots"][0]
        self.audited(replay, 0, command)
        with open(said) as file:
            lines = [line.replace(name, "NAME") for line in file.read().splitlines() if line.strip()]
        played, audited = lines[:2], lines[2:4]
        for one, other in zip(played, audited):
            one, other = (json.loads(text[text.index("{"):]) for text in (one, other))
            self.assertRegex(one.pop("session"), "^s[0-9]+$")
            self.assertRegex(other.pop("session"), "^s[0-9]+$")
            self.assertEqual(one, other)

    def test_what_differs_is_told_by_its_turn(self):
        plays = self.program('move("L")')
        replay = self.recorded([plays, "walls-greedy"])
        told = self.audited(replay, 0, self.program('move("F" if turn == 3 else "L")'), 1)
        self.assertEqual(told["differences"], [{"turn": 3, "recorded": "L", "runs": ["F", "F"]}])
        text = referee("audit", replay, "--seat", "0", "--unsandboxed", "--", *self.program('move("F" if turn == 3 else "L")').split())
        self.assertEqual(text.returncode, 1)
        self.assertIn('1 not as recorded, the first is turn 3', text.stdout)
        self.assertIn('turn 3: recorded "L", run 1 "F", run 2 "F"', text.stdout)


class FaultsTest(AuditedTest):
    def test_a_missing_move_and_its_fault_are_given_again(self):
        """The bot of then was silent in a turn; it does something else once it was told of that."""
        silent = 'turn != 3 and move("F" if "late" in told else "L")'
        replay = self.recorded([self.program(silent), "walls-greedy"], "walls", '{"size": 5}', "--budget", "1s")
        again = self.audited(replay, 0, self.program(silent))
        self.assertEqual(again["verdict"], "as_recorded")
        answers = self.audited(replay, 0, self.program('move("F" if "late" in told else "L")'), 1)
        self.assertEqual(answers["differences"], [{"turn": 3, "recorded": None, "runs": ["L", "L"]}])
        text = referee("audit", replay, "--seat", "0", "--unsandboxed", "--", *self.program('move("F" if "late" in told else "L")').split())
        self.assertIn("In 1 of the 1 turn that differ no move of it had come in time.", text.stdout)

    def test_a_bad_move_and_its_fault_are_given_again(self):
        bad = 'move(7 if turn == 1 else "F" if "malformed" in told else "L")'
        replay = self.recorded([self.program(bad), "walls-greedy"])
        told = self.audited(replay, 0, self.program(bad))
        self.assertEqual((told["verdict"], told["runs"][0]["same_times"]), ("as_recorded", True))

    def test_changes_alone_are_told_to_who_asks_for_them(self):
        delta = self.program('move("L" if turn == 1 or "delta" in message else "F")', state="delta")
        told = self.audited(self.recorded([delta, "walls-greedy"]), 0, delta)
        self.assertEqual(told["verdict"], "as_recorded")

    def test_a_game_in_which_another_bot_fell(self):
        falls = self.program("sys.exit(3) if turn > 4 else move('L')", games="light_cycles")
        replay = self.recorded([falls, *["cycles-dumb"] * 3], "light_cycles", "{}")
        done = referee("audit", replay, "--seat", "0", "--unsandboxed", "--", *self.program(games="walls").split())
        self.assertEqual(done.returncode, 1, "it plays Walls only")
        self.assertIn("expected light_cycles among the games of its login, found walls", done.stderr)
        for seat in (1, 2, 3):
            self.assertEqual(self.audited(replay, seat, "cycles-dumb")["verdict"], "as_recorded")

    def test_the_player_within_the_referee_is_no_program(self):
        replay = self.recorded(["random", "walls-greedy"])
        refused = referee("audit", replay, "--seat", "0", "--unsandboxed", "--", "random")
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn("random is the referee's own player and no program", refused.stderr)

    def test_a_recorded_crash_is_told_as_such(self):
        falls = self.program('sys.exit(3) if turn > 1 else move("L")')
        replay = self.recorded([falls, "walls-greedy"])
        told = self.audited(replay, 0, falls)
        self.assertEqual(told["verdict"], "as_recorded")
        self.assertEqual([run["taken_out"]["now"] for run in told["runs"]], ["gone"] * 2)
        turn = told["runs"][0]["taken_out"]["turn"]
        self.assertGreater(turn, 1)
        self.assertEqual([run["end"] for run in told["runs"]], ["whole"] * 2)
        text = referee("audit", replay, "--seat", "0", "--unsandboxed", "--", *falls.split()).stdout
        self.assertIn(f"it ended in turn {turn}, in which it dropped out of the game then too", text)
        steady = self.program()
        told = self.audited(replay, 0, steady, 1)
        self.assertEqual(told["verdict"], "otherwise")
        self.assertEqual([run["taken_out"]["now"] for run in told["runs"]], ["answered"] * 2)

    def test_a_program_that_falls_is_no_zero_of_turns(self):
        replay = self.recorded(["walls-greedy", "walls-greedy"])
        for move, end, why in (("sys.exit(3)", "gone", "exit status 3"), ("pass", "silent", "were not answered within")):
            with self.subTest(end):
                told = self.audited(replay, 0, self.program(move), 1)
                self.assertEqual(told["verdict"], "broken_off")
                self.assertEqual({run["end"] for run in told["runs"]}, {end})
                # What was not answered is not as recorded.
                self.assertEqual(told["runs"][0]["not_as_recorded"], told["compared"])
                self.assertEqual(told["differences"][0]["runs"], [None, None])
                self.assertIn(why, told["runs"][0]["why"])
        told = self.audited(replay, 0, self.program(start="sys.exit(4)"), 1)
        self.assertEqual((told["verdict"], told["compared"]), ("broken_off", 0))

    def test_what_can_not_be_audited_is_refused(self):
        replay = self.recorded(["walls-greedy", "walls-random"])
        with open(replay) as file:
            lines = file.read().splitlines()
        altered = json.loads(lines[4])
        altered["moves"] = ["F" if move else None for move in altered["moves"]]
        changed = self.write("changed.ndjson", "\n".join([*lines[:3], json.dumps(altered), *lines[5:]]) + "\n")
        cut = self.write("cut.ndjson", "\n".join(lines[:9]) + "\n")
        later = self.write("later.ndjson", "\n".join([lines[0].replace('"replay":1', '"replay":99'), *lines[1:]]) + "\n")
        forked = self.path("forked.ndjson")
        self.assertEqual(referee("fork", replay, "--turn", "3", "--seat", "0", "--bot", "walls-greedy", "--quiet", "--replay", forked).returncode, 0)
        bot = ("--", "walls-greedy")
        for arguments, words in (
                ((replay, *bot), "--seat: say in whose seat the program played, by its number or its bot: 0 walls-greedy, 1 walls-random"),
                ((replay, "--seat", "2", *bot), "0 walls-greedy, 1 walls-random"),
                ((replay, "--seat", "0"), "expected the program's command behind the replay"),
                ((replay, "--seat", "0", "--runs", "1", *bot), "--runs"),
                ((self.path("none.ndjson"), "--seat", "0", *bot), "none.ndjson"),
                ((changed, "--seat", "0", *bot), "decides otherwise than this replay tells"),
                ((cut, "--seat", "0", *bot), "result"),
                ((later, "--seat", "0", *bot), "99"),
                ((forked, "--seat", "0", *bot), "forked_from")):
            with self.subTest(words):
                done = referee("audit", *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(words, done.stderr)
        done = referee("audit", replay, "--seat", "0", "--", "/no/such/program")
        self.assertEqual(done.returncode, 3, done.stderr)

    def test_times_that_its_clock_does_not_allow_break_it_off(self):
        replay = self.recorded(["walls-greedy", "walls-random"])
        with open(replay) as file:
            lines = file.read().splitlines()
        slow = json.loads(lines[1])
        slow["used_us"] = [0 if move is None else 10**9 for move in slow["moves"]]  # a turn that cost nothing has none
        changed = self.write("slow.ndjson", "\n".join([lines[0], json.dumps(slow), *lines[2:]]) + "\n")
        told = self.audited(changed, 0, "walls-greedy", 1)
        self.assertEqual([run["end"] for run in told["runs"]], ["strayed"] * 2)
        self.assertIn("charged with more than its clock allows", told["runs"][0]["why"])

    def test_a_program_may_dial_in(self):
        bot = os.path.join(BIN, "walls-greedy")
        replay = self.recorded(["walls-greedy", "walls-random"])
        told = self.audited(replay, 0, bot, 0, "--dials-in")
        self.assertEqual(told["verdict"], "as_recorded")


if __name__ == "__main__":
    unittest.main()

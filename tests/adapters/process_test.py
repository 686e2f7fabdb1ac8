#!/usr/bin/env python3
"""Students' programs that are processes of their own, in the form of the handouts of Snake, Superball and Walls: full games, and
each thing that such a program does wrong. Also both examples of the adapters' page, as they stand there."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, name) for name in ("program", "models")]

import unittest

from harness import BIN, LONG, SOURCE, ProgramTest, alive_with, referee, wait_until
from superball import Superball

ADAPTER = os.path.join(BIN, "referee-adapter")
PAGE = os.path.join(SOURCE, "sample_bots/adapters/README.md")
TINY = {"board": ["#####", "o $ _", "#####"], "head": [1, 0], "coins": 0}
STANDS_STILL = "while :; do sleep 1000; done\n"
SLOW = "sleep 1; "  # time: a program that is slow by design
BOARD = {"board": ["..p*", "pb.."], "empty": 5, "score": 0, "over": False}


def places(*steps):
    """A state of Walls on a board of 5."""
    return {"size": 5, "board": ["....."] * 5, "to_move": 0,
            "players": [{"at": at, "facing": facing, "idle": 0, "stalled": False, "bricks": 0} for at, facing in steps]}


class ProcessTest(ProgramTest):
    def script(self, text, name="student"):
        """A program that is a shell script."""
        path = self.write(name, "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        return path

    def compiled(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)

    def play(self, game, *bots, params=None, seed=1):
        """The result of a game, in the referee's sandbox."""
        words = [word for bot in bots for word in ("--bot", bot)]
        done = referee("play", game, "--json", "--seed", str(seed), "--params", json.dumps(params or {}), *words, cwd=self.folder)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        return json.loads(done.stdout)["result"]

    def lines(self, game, states, seat=0, params=None, budget_us=60000000, clock=None):
        at = {"game_id": "g"}
        clock = clock or {"kind": "turn", "measure": "wall", "budget_us": budget_us}
        said = [{"type": "hello", "protocol": 1},
                {"type": "welcome", "name": "a", "protocol": 1, "parallel": 1, "state": "full", "games": [game]},
                {"type": "start", **at, "match": "m", "game_number": 1, "games": 1, "game": game, "seat": seat, "names": ["a", "b"],
                 "params": params or {}, "clock": clock, "turn": 0, "state": states[0]}]
        said += [{"type": "turn", **at, "turn": turn, "budget_us": budget_us, "state": state} for turn, state in enumerate(states, 1)]
        said += [{"type": "end", **at, "outcome": {}, "seats": [], "seed": 1, "turns": len(states), "reason": "over"},
                 {"type": "bye", "reason": "released"}]
        return "".join(json.dumps(one) + "\n" for one in said)

    def environment(self):
        key, value = self.marker.split("=")
        return {**{k: v for k, v in os.environ.items() if not k.startswith("REFEREE_")}, key: value}

    def by_hand(self, kind, command, lines):
        """The moves with their words, and what is said for people; nothing runs any more then."""
        bot = subprocess.run([ADAPTER, kind, *command], input=lines, env=self.environment(), capture_output=True, text=True, timeout=LONG)
        self.assertEqual(bot.returncode, 0, bot.stderr)
        self.assertEqual(alive_with(self.marker), [])
        answers = [json.loads(line) for line in bot.stdout.splitlines()]
        return [(answer["move"], answer.get("debug") or "") for answer in answers if answer["type"] == "move"], bot.stderr

    def check_traps(self, kind, lines, traps):
        """Each program's move in the first turn, and a part of what is told of it."""
        for text, wanted, words in traps:
            with self.subTest(text):
                moves, said = self.by_hand(kind, [self.script(text)], lines)
                self.assertEqual(moves[0][0], wanted, moves)
                self.assertIn(words, moves[0][1])
                self.assertIn(words, said)

    def check_wall_limit(self, kind, game, states, slow, move):
        """Where processor time is charged, a program has the time that a turn may take by the wall, and is stopped after it."""
        in_time, stopped = (slow, move, ""), (STANDS_STILL, None, "gave no answer in time")
        long, short = {"hard_limit_us": 60000000}, {"hard_limit_us": 100000}
        for budget_us, limit, (command, wanted, words) in ((0, {}, in_time), (1000, long, in_time), (1000, short, stopped)):
            clock = {"kind": "turn" if budget_us else "none", "measure": "cpu", "budget_us": budget_us, **limit}
            with self.subTest(clock=clock):
                lines = self.lines(game, states, budget_us=budget_us, clock=clock)
                moves, _ = self.by_hand(kind, [self.script(command)], lines)
                self.assertEqual(moves[0][0], wanted, moves)
                self.assertIn(words, moves[0][1])


class AdapterTest(ProcessTest):
    def test_without_a_kind_or_a_program(self):
        for words in ([], ["snake-challenge"], ["chess", "./iap"]):
            bot = subprocess.run([ADAPTER, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG)
            self.assertEqual(bot.returncode, 2)
            self.assertIn("the kinds are snake-challenge superball-moves walls-lines", bot.stderr)

    def test_it_leaves_no_process_behind_when_a_signal_ends_it(self):
        busy = self.script("sleep 1000 & setsid sleep 1000 & touch \"$0.runs\"; while :; do sleep 1000; done\n")
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            bot = self.spawn([ADAPTER, "walls-lines", busy], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=self.environment(), text=True)
            states = [places(([2, 1], "W"), ([2, 3], "E"))]
            bot.stdin.write(self.lines("walls", states))
            bot.stdin.flush()
            wait_until(lambda: os.path.exists(busy + ".runs"), "the program to run")
            os.remove(busy + ".runs")
            bot.send_signal(number)
            bot.stdin.close()
            self.assertEqual(bot.wait(LONG), -number)
            wait_until(lambda: not alive_with(self.marker), "all that it started to end")


class SnakeTest(ProcessTest):
    lines_of_a_game = property(lambda self: self.lines("snake_labyrinth", [TINY, TINY]))

    def test_a_program_of_the_handout(self):
        shutil.copy(os.path.join(HERE, "programs/main.c"), self.folder)
        self.compiled("cc", "-O2", "-std=c99", "--pedantic", "main.c", "-o", "iap")
        for maze in ("handout", "challenge2_12x22"):
            result = self.play("snake_labyrinth", "snake:iap", params={"maze": maze, "on_illegal": "void"})
            self.assertTrue(result["outcome"]["detail"]["finished"], result)
        moves, said = self.by_hand("snake-challenge", [self.path("iap")], self.lines_of_a_game)
        self.assertEqual(moves[0][0], "EEEE")
        self.assertIn("printed 2 lines, and the last one, 'EEEE', was taken for its answer", moves[0][1])
        self.assertIn("printed 2 lines, and the last one, 'EEEE', was taken for its answer", said)

    def test_it_runs_once_a_game_and_gets_the_handouts_input(self):
        program = self.script('echo "$*" >> "$0.told"; cat >> "$0.told"; echo E\n')
        moves, said = self.by_hand("snake-challenge", [program], self.lines_of_a_game)
        self.assertEqual([move for move, _ in moves], ["E", None])
        self.assertEqual(self.read("student.told"), "--challenge\n5\n3\n#####\no $ _\n#####\n")
        self.assertIn("its answer had 1 letter, and the program is asked only once", moves[1][1])
        result = self.play("snake_labyrinth", "snake:" + self.script("echo E\n"), params={"board": TINY["board"], "on_illegal": "void"})
        self.assertEqual(result["outcome"]["scores"], [0])
        self.assertEqual(result["turns"], 2)

    def test_what_it_may_do_wrong(self):
        self.check_traps("snake-challenge", self.lines_of_a_game, [
            ("echo; echo ' EEEE '; echo\n", "EEEE", ""),
            ("echo Benvenuti; echo; echo EEEE\n", "EEEE", "printed 2 lines, and the last one, 'EEEE', was"),
            ("echo EEWE\n", "EEWE", "expected the letters N, S, O and E alone, found 'W' in 'EEWE'"),
            ("echo EEEE; echo Numero: 4\n", "Numero: 4", "was taken for its answer: expected one line of the letters N, S, O and E alone, found 'u'"),
            (":\n", None, "printed no line of letters"),
            ("kill -SEGV $$\n", None, "was ended by signal 11 (Segmentation fault)"),
            ("echo EEEE; exit 3\n", "EEEE", "ended with status 3"),
            ("exec >&-; cat > /dev/null\n", None, "printed no line of letters"),
            ("sleep 1000 & setsid sleep 1000 & echo EEEE\n", "EEEE", ""),
            ("yes EEEE\n", None, "printed more than 4 MiB"),
            ("printf 'E\\000\\377E\\n'\n", "E??E", "found '\\x00'"),
            ("echo first >&2; echo No memory >&2; echo >&2\n", None, "printed no line of letters; its last line on standard error is 'No memory'"),
            ("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 3\n", None, "ended with status 3; its last line on standard error is 'xxxx"),
        ])

    def test_it_has_the_time_that_a_turn_may_take_by_the_wall(self):
        self.check_wall_limit("snake-challenge", "snake_labyrinth", [TINY], SLOW + "echo EEEE\n", "EEEE")

    def test_a_program_that_never_answers_is_stopped(self):
        lines = self.lines("snake_labyrinth", [TINY, TINY], budget_us=100000)
        moves, _ = self.by_hand("snake-challenge", [self.script(STANDS_STILL)], lines)
        self.assertEqual([move for move, _ in moves], [None, None])
        self.assertIn("gave no answer in time", moves[0][1])

    def test_a_program_that_cannot_be_started(self):
        for command, words in ((self.path("nowhere"), "No such file"), (self.folder, "Permission denied")):
            moves, said = self.by_hand("snake-challenge", [command], self.lines_of_a_game)
            self.assertIsNone(moves[0][0])
            self.assertIn(words, moves[0][1])
            self.assertIn("can't be started", said)


class SuperballTest(ProcessTest):
    lines_of_a_game = property(lambda self: self.lines(
        "superball", [BOARD, BOARD], params={"rows": 2, "cols": 4, "min_score_size": 3, "colors": "pb"}))

    def model_score(self, program, seed):
        """The score by the rules page alone, with the program run as the handout says."""
        game = Superball({"pace_us": 0}, seed)
        while not game.over():
            told = subprocess.run([program, "8", "10", "5", "pbyrg"], input="\n".join(game.state()["board"]) + "\n",
                                  capture_output=True, text=True, timeout=LONG).stdout
            game.apply([told.split("\n")[0]], [0])
        return game.score

    def test_seeds_1_to_5_have_the_scores_of_the_original_way(self):
        self.compiled("c++", "-O2", os.path.join(HERE, "programs/sb_student.cpp"), "-o", "sb-student")
        scores = []
        for seed in range(1, 6):
            with self.subTest(seed=seed):
                done = subprocess.run([os.path.join(BIN, "sb-player"), "8", "10", "5", "pbyrg", "./sb-student", "n", "n", str(seed)],
                                      capture_output=True, text=True, timeout=LONG, cwd=self.folder)
                score = int(re.search(r"Final score = (\d+)", done.stdout).group(1))
                self.assertEqual(self.model_score(self.path("sb-student"), seed), score)
                result = self.play("superball", "superball:sb-student", seed=seed)
                self.assertEqual(result["outcome"]["scores"], [score])
                self.assertEqual(result["outcome"]["detail"]["ended_by"], "full")
                scores.append(score)
        self.assertGreater(max(scores), 0)

    def test_it_runs_once_a_move_and_gets_the_handouts_words(self):
        program = self.script('echo "$*" >> "$0.told"; cat >> "$0.told"; echo SWAP 0 2 1 0\n')
        moves, said = self.by_hand("superball-moves", [program], self.lines_of_a_game)
        self.assertEqual(moves, [("SWAP 0 2 1 0", "")] * 2)
        self.assertEqual(self.read("student.told"), "2 4 3 pb\n..p*\npb..\n" * 2)

    def test_what_it_may_do_wrong(self):
        self.check_traps("superball-moves", self.lines_of_a_game, [
            ("echo SCORE 1 2; echo; echo so there\n", "SCORE 1 2", "the program printed 3 lines, and the first alone is taken for the move"),
            ("printf 'SCORE 1 2'\n", "SCORE 1 2", ""),
            ("printf 'SCORE 1 2\\r\\n'\n", "SCORE 1 2", ""),
            ("echo; echo SCORE 1 2\n", "", "the program printed 2 lines, and the first alone is taken for the move"),
            (":\n", None, "printed nothing"),
            ("echo no colour q >&2; kill -ABRT $$\n", None, "was ended by signal 6 (Aborted); its last line on standard error is 'no colour q'; the program printed"),
            ("echo no input >&2\n", None, "the program printed nothing; its last line on standard error is 'no input'"),
            ("echo SCORE 1 2; exit 1\n", "SCORE 1 2", "ended with status 1"),
        ])


class WallsTest(ProcessTest):
    START = places(([2, 1], "W"), ([2, 3], "E"))
    lines_of_a_game = property(lambda self: self.lines("walls", [self.START, self.START]))

    def example(self, language):
        with open(PAGE) as page:
            return re.search(f"```{language}\n(.*?)```", page.read(), re.DOTALL).group(1)

    def check_game(self, program):
        for bots, seat in ((program, "random"), 0), (("random", program), 1):
            result = self.play("walls", *bots)
            self.assertEqual([fault for fault in result["faults"] if fault["seat"] == seat], [])
            self.assertGreater(result["outcome"]["detail"]["bricks"][seat], 2)

    def test_the_pages_example_in_cpp(self):
        text = self.example("cpp")
        self.assertEqual(len(text.splitlines()), 15)
        self.write("walls.cpp", text)
        self.compiled("c++", "-O2", "-Wall", "-Wextra", "-Werror", "walls.cpp", "-o", "walls")
        self.check_game("walls:./walls")

    @unittest.skipIf(shutil.which("javac") is None, "javac is missing: scripts/setup --interpreters installs it")
    def test_the_pages_example_in_java(self):
        text = self.example("java")
        self.assertEqual(len(text.splitlines()), 15)
        self.write("Walls.java", text)
        os.mkdir(self.path("bot"))
        self.compiled("javac", "--release", "11", "-d", "bot", "Walls.java")
        self.compiled("jar", "--create", "--file", "Walls.jar", "--main-class", "Walls", "-C", "bot", ".")
        self.check_game("walls:java -jar Walls.jar")

    def test_it_runs_once_a_game_and_gets_what_both_did(self):
        program = self.script('while read -r line; do echo "$line" >> "$0.told"; case $line in *" "*) echo F;; esac; done\n')
        states = [self.START, places(([2, 0], "W"), ([2, 3], "S")), places(([2, 0], "W"), ([3, 3], "S")),
                  places(([2, 0], "N"), ([3, 3], "E")), places(([2, 0], "W"), ([3, 3], "E"))]
        for seat, told in ((0, ["A", "- -", "F R", "- F", "R L", "L -"]), (1, ["B", "- -", "R F", "F -", "L R", "- L"])):
            with self.subTest(seat=seat):
                moves, _ = self.by_hand("walls-lines", [program], self.lines("walls", states, seat))
                self.assertEqual(moves, [("F", "")] * 5)
                self.assertEqual(self.read("student.told").split("\n"), ["5", *told, ""])
                os.remove(self.path("student.told"))

    def test_what_it_may_do_wrong(self):
        answer = "read s; read r; while read -r line; do %s; done\n"
        self.check_traps("walls-lines", self.lines_of_a_game, [
            ("echo Welcome to Walls; " + answer % "echo L", "L", "'Welcome to Walls' in turn 1 is no answer, which is a line of one letter"),
            (answer % "echo 'your move?'; echo R", "R", "'your move?' in turn 1"),
            (answer % "echo f", "f", ""),
            (answer % "printf 'F\\r\\n'", "F", ""),
            (answer % "kill -FPE $$", None, "was ended by signal 8"),
            (answer % "echo lost >&2; exit 4", None, "ended with status 4; its last line on standard error is 'lost'"),
            (answer % "exit 0", None, "the program ended with status 0 before the game was over"),
            (answer % "exec >&-", None, "the program closed its output, and went on"),
            ("echo F; echo F; exec <&-; sleep 1000 & setsid sleep 1000 & wait\n", "F", ""),
            ("yes forward\n", None, "printed more than 4 MiB"),
            (answer % "printf '\\377\\n'", "?", ""),
        ])

    def test_it_has_the_time_that_a_turn_may_take_by_the_wall(self):
        self.check_wall_limit("walls-lines", "walls", [self.START], "read s; read r; read turn; " + SLOW + "echo F\n", "F")

    def by_print(self, *printed):
        """The moves, with their words, of short turns. Before each comes, the program has printed that, with its ends of lines."""
        texts = self.path("student.texts")
        os.mkfifo(texts)
        program = self.script('while read -r text; do printf "$text"; echo >> "$0.printed"; done < "$0.texts"\n')
        lines = self.lines("walls", [self.START] * len(printed), budget_us=100000).splitlines(True)
        bot = self.spawn([ADAPTER, "walls-lines", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment(), text=True)
        start = next(number for number, line in enumerate(lines) if json.loads(line)["type"] == "turn")
        bot.stdin.writelines(lines[:start])
        bot.stdin.flush()
        moves = []
        with open(os.open(texts, os.O_RDWR), "wb", buffering=0) as file:  # which waits for no reader
            for turn, text in enumerate(printed):
                file.write(text.encode() + b"\n")
                wait_until(lambda: self.read("student.printed").count("\n") > turn, "what is printed")
                bot.stdin.write(lines[start + turn])
                bot.stdin.flush()
                moves.append(next(answer for answer in map(json.loads, bot.stdout) if answer["type"] == "move"))
        bot.communicate("".join(lines[start + len(printed):]), LONG)
        self.assertEqual(bot.returncode, 0)
        return [(move["move"], move.get("debug") or "") for move in moves]

    def test_a_letter_without_the_end_of_its_line_is_told(self):
        self.assertEqual(self.by_print("F"), [(None, "the program gave no answer in time: it printed 'F' and no end of the line")])

    def test_a_late_answer_is_not_taken_for_the_next_turns(self):
        none, late, timely = self.by_print("", "L\\nR\\n", "F\\n")
        self.assertEqual((none[0], late, timely), (None, ("R", "'L' is taken for the answer to an earlier turn"), ("F", "")))
        self.assertIn("gave no answer in time: it printed no line; does it flush its output", none[1])

    def test_who_answered_no_letter_is_told_so_in_each_turn_that_it_costs(self):
        bad = "'forward' in turn 1 is no answer, which is a line of one letter; "
        late = "the letter that it printed now is taken for the answer to an earlier turn; "
        none = "the program gave no answer in time: it printed nothing more"
        self.assertEqual(self.by_print("forward\\n", "L\\n", "F\\n"), [(None, bad + none), (None, bad + late + none), (None, bad + late + none)])


class RunTest(ProcessTest):
    def test_a_config_names_a_kind_and_a_file(self):
        """A run of a config; the name of the program in its replays is that of the student's file."""
        program = self.script("while read -r line; do case $line in *' '*) echo F;; esac; done\n", "ann/walls")
        config = {"listen": {"port": 0},
                  "bots": [{"name": "ann", "program": {"kind": "walls-lines", "file": "walls"}, "directory": "ann"},
                           {"name": "eve", "program": {"kind": "walls", "command": ["sh", "eve.sh"]}}],
                  "tournaments": [{"id": "t", "game": "walls", "format": {"kind": "round_robin"}}]}
        shutil.copy(program, self.path("eve.sh"))
        names = []
        for out in ("one", "two"):
            self.exits(0, "run", self.write("c.json", config), "--out", self.path(out))
            self.assertEqual(len(os.listdir(self.path(out + "/games"))), 2)
            names.append(re.findall(r"sha256:[0-9a-f]{64}", self.read(out + "/games/t_1.1.ndjson")))
            self.assertEqual(len(set(names[-1])), 2)
            with open(program, "a") as file:
                file.write("# changed\n")
        self.assertNotEqual(names[0][0], names[1][0])
        self.assertEqual(names[0][1], names[1][1])

    def test_check_tells_what_keeps_a_program_from_playing(self):
        self.script("echo EEEE\n", "iap")
        os.chmod(self.path("iap"), 0o644)
        config = {"bots": [{"name": "ann", "program": {"kind": "snake-challenge", "file": "iap"}},
                           {"name": "bob", "program": {"kind": "snake-challenge", "file": "nowhere"}},
                           {"name": "eve", "program": {"kind": "snake-challenge", "file": "iap"}, "environment": {"PATH": "/nowhere"}}],
                  "tournaments": [{"id": "t", "game": "snake_labyrinth", "format": {"kind": "leaderboard"}, "params": {"maze": "handout"}}]}
        told = self.exits(1, "check", self.write("c.json", config))
        text = told.stdout + told.stderr
        self.assertIn(f"chmod +x {self.path('iap')}", text)
        self.assertIn(f"'{self.path('nowhere')}', the file of its \"program\": no such file", text)

    def test_play_tells_of_another_game_and_of_another_kind(self):
        for bot, words in (("octave:a.m", "is of the kind octave-function, which plays e7_planets and not walls"),
                           ("matlab:a.m", "there is no kind of programs \"matlab\""), ("walls:", "expected the file")):
            done = self.exits(2, "play", "walls", "--bot", bot, "--bot", "random")
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()

"""The Python bots for Walls: their moves, and what they say over both transports to a referee played by this test."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import unittest

BOTS = pathlib.Path(__file__).resolve().parents[3] / "sample_bots" / "python"
WAIT_S = 60

sys.dont_write_bytecode = True
sys.path.insert(0, str(BOTS))

import referee_bot  # noqa: E402
import walls_greedy  # noqa: E402

STATE = {
    "size": 3,
    "board": ["...", "...", "..."],
    "players": [
        {"at": [1, 0], "facing": "W", "idle": 0, "stalled": False, "bricks": 0},
        {"at": [1, 2], "facing": "E", "idle": 0, "stalled": False, "bricks": 0},
    ],
    "to_move": 0,
}
START = {
    "type": "start",
    "match": "m1",
    "game_id": "g1",
    "game_number": 1,
    "games": 2,
    "game": "walls",
    "seat": 0,
    "names": ["Ada", "Bob"],
    "params": {"size": 3, "first": 0},
    "turn": 0,
    "state": STATE,
}


class GreedyMoves(unittest.TestCase):
    def test_table(self):
        cases = [
            ("...|...|...", [1, 0], "N", "F"),
            ("...|...|...", [1, 0], "W", "L"),
            ("...|...|.B.", [2, 0], "W", "R"),
            ("A..|A..|ABB", [2, 0], "N", "F"),
            ("AA.|AB.|BBB", [0, 0], "S", "L"),
            ("AB.|BB.|BBB", [0, 0], "S", "L"),
        ]
        for board, at, facing, expected in cases:
            state = json.loads(json.dumps(STATE))
            state["board"] = board.split("|")
            state["players"][0].update(at=at, facing=facing)
            self.assertEqual(walls_greedy.greedy_move(state, 0), expected, board)

    def test_seat_one_looks_at_its_own_bricks(self):
        state = json.loads(json.dumps(STATE))
        state["players"][1].update(at=[1, 2], facing="N")
        self.assertEqual(walls_greedy.greedy_move(state, 1), "F")
        state["board"][0] = "..A"
        self.assertEqual(walls_greedy.greedy_move(state, 1), "L")


class Addresses(unittest.TestCase):
    def test_good(self):
        self.assertEqual(referee_bot.split_address("localhost:7777"), ("localhost", 7777, False, ""))
        self.assertEqual(referee_bot.split_address("[::1]:7"), ("::1", 7, False, ""))
        digits = "0123456789abcdef" * 4
        self.assertEqual(referee_bot.split_address("tls://lab:7778#sha256=" + digits), ("lab", 7778, True, digits))
        self.assertEqual(referee_bot.split_address("tls://lab:7778#sha256=" + digits.upper()), ("lab", 7778, True, digits))
        self.assertEqual(referee_bot.split_address("tls://lab:7778"), ("lab", 7778, True, ""))

    def test_bad(self):
        for address in ["", "localhost", "localhost:", ":7777", "localhost:x", "localhost:0", "localhost:65536"]:
            with self.assertRaises(ValueError, msg=address):
                referee_bot.split_address(address)


class FakeReferee:
    """One short game, with things in between that a bot has to live with."""

    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer
        self.heard = []

    def play(self):
        self._ask({"type": "hello", "protocol": 1})
        self._say({"type": "welcome", "name": "Ada"})
        self._ask({"type": "ping", "id": 2**64 - 1})
        self._ask(START)
        self._say({"type": "something_new"})
        self._say({"type": "error", "code": "invalid_json", "message": "so to speak"})
        self._ask({"type": "turn", "game_id": "g1", "turn": 1, "budget_us": 1000, "state": STATE})
        self._say({"type": "end", "game_id": "g1"})
        self._say({"type": "bye", "reason": "finished"})

    def _say(self, message):
        self._writer.write((json.dumps(message) + "\n").encode())
        self._writer.flush()

    def _ask(self, message):
        self._say(message)
        self.heard.append(json.loads(self._reader.readline()))


class Transports(unittest.TestCase):
    def launch(self, bot, **more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
        return subprocess.Popen(
            [sys.executable, "-B", str(BOTS / bot)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**kept, **more},
        )

    def check(self, process, referee, login, moves):
        _, errors = process.communicate(timeout=WAIT_S)
        self.assertEqual(process.returncode, 0, errors)
        self.assertIn(b"so to speak", errors)
        self.assertEqual(referee.heard[0], login)
        self.assertEqual(referee.heard[1], {"type": "pong", "id": 2**64 - 1})
        self.assertEqual(referee.heard[2], {"type": "ready", "game_id": "g1"})
        move = referee.heard[3].pop("move")
        self.assertEqual(referee.heard[3], {"type": "move", "game_id": "g1", "turn": 1})
        self.assertIn(move, moves)

    def test_standard_streams(self):
        for bot, moves in [("walls_greedy.py", "L"), ("walls_random.py", "FLR")]:
            process = self.launch(bot, REFEREE_NAME="Ada", REFEREE_TOKEN="secret")
            referee = FakeReferee(process.stdout, process.stdin)
            referee.play()
            login = {"type": "login", "name": "Ada", "token": "secret", "games": ["walls"], "state": "delta", "client": "referee_bot.py 2"}
            self.check(process, referee, login, moves)

    def test_tcp(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            process = self.launch("walls_greedy.py", REFEREE_ADDRESS="127.0.0.1:%d" % server.getsockname()[1])
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as reader, connection.makefile("wb") as writer:
                referee = FakeReferee(reader, writer)
                referee.play()
                login = {
                    "type": "login",
                    "name": "walls-greedy-py",
                    "games": ["walls"],
                    "state": "delta",
                    "client": "referee_bot.py 2",
                }
                self.check(process, referee, login, "L")

    def test_no_referee(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = "127.0.0.1:%d" % server.getsockname()[1]
        for bad, status, said in [(address, 3, b"cannot reach the referee"), ("nonsense", 2, b"REFEREE_ADDRESS must be")]:
            process = self.launch("walls_random.py", REFEREE_ADDRESS=bad)
            _, errors = process.communicate(timeout=WAIT_S)
            self.assertEqual(process.returncode, status)
            self.assertIn(said, errors)

    def test_refused_login(self):
        process = self.launch("walls_random.py")
        process.stdin.write(b'{"type":"hello"}\n{"type":"bye","reason":"refused","message":"no such bot"}\n')
        process.stdin.flush()
        _, errors = process.communicate(timeout=WAIT_S)
        self.assertEqual(process.returncode, 2)
        self.assertIn(b"login refused: no such bot", errors)


if __name__ == "__main__":
    unittest.main()

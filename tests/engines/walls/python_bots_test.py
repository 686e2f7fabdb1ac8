"""The Python bots for Walls: their moves, and what they say where no referee is. Their kit is in tests/kits."""

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


class NoReferee(unittest.TestCase):
    def test_no_referee(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = "127.0.0.1:%d" % server.getsockname()[1]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
        done = subprocess.run([sys.executable, "-B", str(BOTS / "walls_random.py")], capture_output=True, timeout=WAIT_S,
                              env={**kept, "REFEREE_ADDRESS": address})
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"cannot reach the referee", done.stderr)


if __name__ == "__main__":
    unittest.main()

"""What a turn costs in calls: the referee's loop is counted while it plays a few games and while it plays many, and the
difference is divided by the turns that lie between. Times aren't looked at, so a busy machine makes no difference.

Run by CTest, which gives the programs' folder in REFEREE_BIN and the counting library in CALL_COUNTER. The counts are printed.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

BIN = os.environ["REFEREE_BIN"]
COUNTER = os.environ["CALL_COUNTER"]
REFEREE = os.path.join(BIN, "referee")
BOT = os.path.join(BIN, "walls-greedy")
LONG = 120
FEW, MANY = 2, 22
SIZE = 21  # a long game


class CallsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="referee-calls-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def counted(self, games, bots, dial, **more):
        """The counts of a run of so many games, and its turns."""
        name = f"{len(os.listdir(self.folder))}"
        out, counts = os.path.join(self.folder, name), os.path.join(self.folder, name + ".counts")
        config = {"listen": {"port": 0}, "bots": bots,
                  "tournaments": [{"id": "t", "game": "walls", "params": {"size": SIZE}, "bots": [bot["name"] for bot in bots],
                                   "match": {"games": games}, **more}]}
        path = os.path.join(self.folder, name + ".json")
        with open(path, "w") as file:
            json.dump(config, file)
        environment = dict(os.environ, LD_PRELOAD=COUNTER, CALLS_FILE=counts)
        with subprocess.Popen([REFEREE, "run", path, "--out", out], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as run:
            guests, said = [], []
            for line in run.stdout:
                said.append(line)
                if dial and not guests and line.startswith("listening on "):
                    port = line.split("127.0.0.1:")[1].split(",")[0]
                    guests = [subprocess.Popen([BOT, "--connect", "127.0.0.1:" + port, "--name", bot["name"]], stdout=subprocess.DEVNULL,
                                               stderr=subprocess.DEVNULL) for bot in bots]
            status = run.wait(LONG)
        for guest in guests:
            guest.wait(LONG)
        self.assertEqual(status, 0, "".join(said))
        turns = 0
        for game in os.listdir(os.path.join(out, "games")):
            if game.endswith(".ndjson"):
                with open(os.path.join(out, "games", game)) as file:
                    turns += json.loads(file.readlines()[-1])["result"]["turns"]
        with open(counts) as file:
            return {name: int(count) for name, count in map(str.split, file)}, turns

    def a_turn(self, bots, dial, **more):
        few, few_turns = self.counted(FEW, bots, dial, **more)
        many, many_turns = self.counted(MANY, bots, dial, **more)
        turns = many_turns - few_turns
        self.assertGreater(turns, 1000)
        each = {name: (many[name] - few[name]) / turns for name in few}
        print(self.id(), {name: round(count, 3) for name, count in each.items()}, f"{turns} turns", file=sys.stderr)
        return each

    def check(self, each, most):
        for name, count in most.items():
            self.assertLessEqual(each[name], count, name)

    def test_dialled_bots(self):
        self.check(self.a_turn([{"name": "ada"}, {"name": "bob"}], True), DIALLED)

    def test_launched_bots(self):
        for freezes, most in ((True, LAUNCHED), (False, {**LAUNCHED, **LOOSE})):
            with self.subTest(freezes=freezes):
                bots = [{"name": name, "launch": [BOT], "freeze_between_turns": freezes} for name in ("ada", "bob")]
                self.check(self.a_turn(bots, False), most)


# At most so many a turn, with what is between two games divided by its turns. A lone game waits for each answer, so each turn
# has its waits. Of a launched bot, which has one thread, the times are read when its turn begins and when its answer comes, the
# sum and the list of threads only then; and its group is frozen and thawed.
DIALLED = {"send": 1.1, "receive": 1.3, "epoll_wait": 3, "epoll_ctl": 1.2, "open": 0.1, "close": 0.1, "read": 1, "write": 0.5, "malloc": 1.1}
LAUNCHED = {"receive": 1.1, "epoll_wait": 3, "epoll_ctl": 1.2, "open": 0.1, "close": 0.1, "read": 4.9, "write": 3.2, "clock_getcpuclockid": 0,
            "malloc": 3.4}
# One that isn't frozen is read as its turn begins as when its answer comes, unless it rested meanwhile.
LOOSE = {"read": 6.8, "write": 1.2, "malloc": 4.4}

if __name__ == "__main__":
    unittest.main()

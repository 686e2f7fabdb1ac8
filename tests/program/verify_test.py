"""`referee store verify` and `referee store export --skip-damaged` as their users use them."""
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile

from harness import BIN, LONG, ProgramTest, referee

MAKER = os.path.join(BIN, "archive_maker")
GAMES = 4


class VerifyTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp(prefix="referee-verify-")
        cls.addClassCleanup(shutil.rmtree, cls.shared, True)
        cls.replays = []
        for seed in range(1, GAMES + 1):
            replay = os.path.join(cls.shared, f"{seed}.ndjson")
            done = referee("play", "walls", "--quiet", "--bot", "random", "--bot", "random", "--seed", str(seed), "--replay", replay)
            assert done.returncode == 0, done.stderr
            with open(replay) as file:
                cls.replays.append(file.read())

    def setUp(self):
        super().setUp()
        self.store = self.path("referee.db")
        self.games = self.path("games")
        os.mkdir(self.games)
        self.make_store()

    def game(self, match, replay):
        """A replay as the match of a tournament: its record, and its text under the new name."""
        lines = replay.splitlines()
        header, end = json.loads(lines[0]), json.loads(lines[-1])
        key = {"tournament": "friday", "match": match, "number": 1, "attempt": 1}
        header.update(key, game_id=f"friday/{match}.1")
        end["result"]["game_id"] = header["game_id"]
        text = "".join(line + "\n" for line in [json.dumps(header, separators=(",", ":")), *lines[1:-1],
                                                json.dumps(end, separators=(",", ":"))])
        return {"record": "game", **key, "game": header["game"], "seed": header["seed"], "params": header["params"],
                "bots": header["bots"], "result": end["result"], "replay": text}

    def make_store(self):
        bots = json.loads(self.replays[0].splitlines()[0])["bots"]
        records = [{"record": "token", "bot": "ada", "hash": "a hash", "origin": "ctl"},
                   {"record": "opening", "tournament": "friday", "config": "{}", "version": "0.1.0"}]
        for match, replay in enumerate(self.replays, 1):
            records += [{"record": "pairing", "tournament": "friday", "match": match, "round": match, "bots": bots},
                        {"record": "start", "tournament": "friday", "match": match, "number": 1, "attempt": 1, "seed": 1, "bots": bots},
                        self.game(match, replay)]
            self.write(f"games/friday_{match}.1.ndjson", records[-1]["replay"])
        self.import_as(self.store, "old.ndjson", records)
        self.written, self.records = records, len(records)

    def import_as(self, store, archive, records):
        lines = "".join(json.dumps({"seq": seq, "time_ms": seq, **record}) + "\n" for seq, record in enumerate(records, 1))
        with open(self.path(archive), "w") as file:
            subprocess.run([MAKER], input=lines, stdout=file, text=True, timeout=LONG, check=True)
        self.exits(0, "store", "import", self.path(archive), store)

    def execute(self, sql):
        with sqlite3.connect(self.store) as database:
            database.execute(sql)
        database.close()

    def verify(self, status, *more):
        done = self.exits(status, "store", "verify", self.store, "--json", *more)
        return json.loads(done.stdout)

    def test_a_whole_store(self):
        report = self.verify(0, "--games", self.games)
        self.assertEqual((report["whole"], report["records"], report["replays"], report["played_again"], report["files"],
                          report["files_missing"], report["damages"]), (True, self.records, GAMES, GAMES, GAMES, 0, []))
        told = self.exits(0, "store", "verify", self.store)
        self.assertIn(f"{self.records} records, {GAMES} replays", told.stdout)
        self.assertIn(f"{GAMES} games played again", told.stdout)
        self.assertTrue(told.stdout.endswith(": whole\n"), told.stdout)
        os.remove(os.path.join(self.games, "friday_2.1.ndjson"))
        self.assertEqual(self.verify(0, "--games", self.games)["files_missing"], 1)

        archived = referee("store", "export", self.store).stdout
        done = referee("store", "export", self.store, "--skip-damaged")
        self.assertEqual((done.returncode, done.stdout), (0, archived))
        self.assertIn(f"{self.records} records are proven, nothing is left out", done.stderr)

    def test_what_can_not_be_looked_at(self):
        for name, words in (("nothing.db", "there is no such store"), ("old.ndjson", "is no store of the referee's"),
                            ("", f"is a folder; expected a store's file: {self.store}"),
                            ("games", "is a folder without a store; expected a store's file, such as out/referee.db")):
            done = referee("store", "verify", self.path(name).rstrip("/"))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(words, done.stderr)
        with open(self.store, "r+b") as file:
            file.write(b"x" * 100)
        done = referee("store", "export", self.store, "--skip-damaged")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("its first bytes are damaged: referee store import makes a new one of an archive", done.stderr)

    def test_a_changed_row_is_found_and_no_command_believes_it(self):
        self.execute("UPDATE game_seats SET score = score + 1 WHERE seq = 8 AND seat = 0")
        report = self.verify(1)
        self.assertEqual([(damage["seq"], damage["counts"]) for damage in report["damages"]], [(8, True)])
        self.assertIn("record 8 (game) is another one than was written", report["damages"][0]["what"])
        self.assertIn("--skip-damaged", self.exits(1, "store", "verify", self.store).stdout)
        exported = self.exits(3, "store", "export", self.store, "--out", self.path("new.ndjson"))
        self.assertIn(f"referee store export {self.store} --skip-damaged --out ARCHIVE", exported.stderr)
        self.assertFalse(os.path.exists(self.path("new.ndjson")))
        out = self.path("out")
        os.mkdir(out)
        shutil.copy(self.store, os.path.join(out, "referee.db"))
        explained = referee("explain", "friday/2.1", "--out", out)
        self.assertEqual((explained.returncode, explained.stdout), (3, ""))
        self.assertIn("record 8 (game)", explained.stderr)

    def test_a_result_that_does_not_follow_from_its_replay_is_found(self):
        """Nobody damaged this store: the record was wrong when it was written."""
        game = next(record for record in self.written if record["record"] == "game")
        game["result"]["outcome"]["scores"] = [7, 7]
        self.store = self.path("wrong.db")
        self.import_as(self.store, "wrong.ndjson", self.written)
        report = self.verify(1)
        self.assertIn("its replay tells another result", report["damages"][0]["what"])
        self.assertEqual(self.verify(0, "--no-play")["played_again"], 0)

    def test_another_file_of_a_game_is_found(self):
        self.write("games/friday_3.1.ndjson", self.read("games/friday_3.1.ndjson").replace("moves", "moved", 1))
        report = self.verify(1, "--games", self.games)
        self.assertIn("friday_3.1.ndjson is another replay than the store's", report["damages"][0]["what"])
        self.assertFalse(report["damages"][0]["counts"])

    def test_what_lies_beside_the_name_of_a_new_store_is_not_taken_up(self):
        archive, new = self.path("new.ndjson"), self.path("new.db")
        self.assertEqual(referee("store", "export", self.store, "--out", archive).returncode, 0)
        for ending in ("-wal", "-shm", "-journal", ".head"):
            with open(new + ending, "wb") as file:
                file.write(b"of an earlier store" * 100)
            done = referee("store", "import", archive, new)
            self.assertEqual((done.returncode, done.stdout), (2, ""), ending)
            self.assertIn(f"new.db{ending}", done.stderr)
            self.assertIn("move them away", done.stderr)
            self.assertFalse(os.path.exists(new))
            os.remove(new + ending)
        self.assertEqual(referee("store", "import", archive, new).returncode, 0)

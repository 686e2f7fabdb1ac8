"""`referee store verify` and `referee store export --skip-damaged` as their users use them.

Run by CTest, which gives the program's folder in REFEREE_BIN.
"""
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

BIN = os.environ["REFEREE_BIN"]
REFEREE = os.path.join(BIN, "referee")
MAKER = os.path.join(BIN, "archive_maker")
LONG = 120  # seconds after which a command counts as hung
GAMES = 4


def referee(*arguments):
    return subprocess.run([REFEREE, *arguments], capture_output=True, text=True, timeout=LONG)


def flip(path, text, last=False):
    """Flips a bit of the first (or last) place in a file that holds the text. Returns whether there was one."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    at = data.rfind(text) if last else data.find(text)
    if at < 0:
        return False
    data[at] ^= 1
    with open(path, "wb") as file:
        file.write(data)
    return True


class VerifyTest(unittest.TestCase):
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
        self.folder = tempfile.mkdtemp(prefix="referee-verify-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.store = os.path.join(self.folder, "referee.db")
        self.games = os.path.join(self.folder, "games")
        os.mkdir(self.games)
        self.make_store(self.replays)

    def path(self, name):
        return os.path.join(self.folder, name)

    def game(self, match, replay):
        """A replay as the match of a tournament: its record, and its text under the new name."""
        lines = replay.splitlines()
        header, end = json.loads(lines[0]), json.loads(lines[-1])
        key = {"tournament": "friday", "match": match, "number": 1, "attempt": 1}
        header.update(key, game_id=f"friday/{match}.1")
        end["result"]["game_id"] = header["game_id"]
        text = "".join(line + "\n" for line in [json.dumps(header, separators=(",", ":")), *lines[1:-1],
                                                json.dumps(end, separators=(",", ":"))])
        result = {name: value for name, value in end["result"].items()}
        return {"record": "game", **key, "game": header["game"], "seed": header["seed"], "params": header["params"],
                "bots": header["bots"], "result": result, "replay": text}

    def make_store(self, replays):
        bots = json.loads(replays[0].splitlines()[0])["bots"]
        records = [{"record": "token", "bot": "ada", "hash": "a hash", "origin": "ctl"},
                   {"record": "opening", "tournament": "friday", "config": "{}", "version": "0.1.0"}]
        for match, replay in enumerate(replays, 1):
            records += [{"record": "pairing", "tournament": "friday", "match": match, "round": match, "bots": bots},
                        {"record": "start", "tournament": "friday", "match": match, "number": 1, "attempt": 1, "seed": 1, "bots": bots},
                        self.game(match, replay)]
            with open(os.path.join(self.games, f"friday_{match}.1.ndjson"), "w") as file:
                file.write(records[-1]["replay"])
        self.import_as(self.store, "old.ndjson", records)
        self.written, self.records = records, len(records)

    def import_as(self, store, archive, records):
        lines = "".join(json.dumps({"seq": seq, "time_ms": seq, **record}) + "\n" for seq, record in enumerate(records, 1))
        with open(self.path(archive), "w") as file:
            subprocess.run([MAKER], input=lines, stdout=file, text=True, timeout=LONG, check=True)
        done = referee("store", "import", self.path(archive), store)
        self.assertEqual(done.returncode, 0, done.stderr)

    def execute(self, sql):
        with sqlite3.connect(self.store) as database:
            database.execute(sql)
        database.close()

    def verify(self, status, *more):
        done = referee("store", "verify", self.store, "--json", *more)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_a_whole_store(self):
        report = self.verify(0, "--games", self.games)
        self.assertEqual((report["whole"], report["records"], report["replays"], report["played_again"], report["files"],
                          report["files_missing"], report["damages"]), (True, self.records, GAMES, GAMES, GAMES, 0, []))
        told = referee("store", "verify", self.store)
        self.assertEqual(told.returncode, 0)
        self.assertIn(f"{self.records} records, {GAMES} replays", told.stdout)
        self.assertIn(f"{GAMES} games played again", told.stdout)
        self.assertTrue(told.stdout.endswith(": whole\n"), told.stdout)
        os.remove(os.path.join(self.games, "friday_2.1.ndjson"))
        self.assertEqual(self.verify(0, "--games", self.games)["files_missing"], 1)

    def test_what_can_not_be_looked_at(self):
        for name in ("nothing.db", "old.ndjson"):
            done = referee("store", "verify", self.path(name))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_changed_row_is_found_and_no_command_believes_it(self):
        self.execute("UPDATE game_seats SET score = score + 1 WHERE seq = 8 AND seat = 0")
        report = self.verify(1)
        self.assertEqual([(damage["seq"], damage["counts"]) for damage in report["damages"]], [(8, True)])
        self.assertIn("record 8 (game) is another one than was written", report["damages"][0]["what"])
        told = referee("store", "verify", self.store)
        self.assertEqual(told.returncode, 1)
        self.assertIn("--skip-damaged", told.stdout)
        exported = referee("store", "export", self.store, "--out", self.path("new.ndjson"))
        self.assertEqual(exported.returncode, 3)
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
        self.assertTrue(flip(os.path.join(self.games, "friday_3.1.ndjson"), b"moves"))
        report = self.verify(1, "--games", self.games)
        self.assertIn("friday_3.1.ndjson is another replay than the store's", report["damages"][0]["what"])
        self.assertFalse(report["damages"][0]["counts"])

    def test_a_flipped_bit_of_the_tables_themselves_is_found(self):
        self.assertTrue(flip(self.store, b"CREATE VIEW results"))
        done = referee("store", "verify", self.store)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_what_no_referee_made_is_told(self):
        self.execute("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM chain; END")
        self.execute("CREATE TABLE notes (text)")
        told = {damage["what"] for damage in self.verify(1)["damages"]}
        self.assertLessEqual({"the schema has what no referee made: trigger t", "the schema has what no referee made: table notes"}, told)

    def test_a_damaged_head_alone_has_an_advice_of_its_own(self):
        with open(self.store + ".head", "w") as file:
            file.write("rubbish")
        told = referee("store", "verify", self.store)
        self.assertEqual(told.returncode, 1)
        self.assertIn(f"remove {self.store}.head and start again", told.stdout)
        self.assertNotIn("--skip-damaged", told.stdout)

    def saved(self, status):
        """What is told of it. The store is then the one that is made of what is proven."""
        with open(self.store, "rb") as file:
            damaged = file.read()
        archive, mended = self.path("proven.ndjson"), self.path("mended.db")
        done = referee("store", "export", self.store, "--skip-damaged", "--out", archive)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        with open(self.store, "rb") as file:
            self.assertEqual(file.read(), damaged, "it is only read")
        imported = referee("store", "import", archive, mended)
        self.assertEqual(imported.returncode, 0, imported.stderr)
        self.store = mended
        self.verify(0)
        return done.stderr

    def test_of_a_whole_store_nothing_is_left_out(self):
        before = referee("store", "export", self.store).stdout
        done = referee("store", "export", self.store, "--skip-damaged")
        self.assertEqual((done.returncode, done.stdout), (0, before))
        self.assertIn(f"{self.records} records are proven, nothing is left out", done.stderr)

    def test_a_store_that_was_cut_is_saved_as_far_as_it_goes(self):
        with open(self.store, "rb") as file:
            whole = file.read()
        with open(self.store, "wb") as file:
            file.write(whole[:len(whole) * 3 // 4])
        refused = referee("store", "export", self.store)
        self.assertEqual((refused.returncode, refused.stdout), (3, ""))
        self.assertIn("--skip-damaged", refused.stderr)
        told = self.saved(1)
        self.assertIn("LEFT OUT: record 1 (token): it can't be read", told)
        self.assertIn("records are proven, something is left out", told)

    def test_what_nobody_can_read_is_told(self):
        with open(self.store, "r+b") as file:
            file.write(b"x" * 100)
        done = referee("store", "export", self.store, "--skip-damaged")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("its first bytes are damaged: referee store import makes a new one of an archive", done.stderr)
        self.assertEqual(referee("store", "export", self.path("never.db"), "--skip-damaged").returncode, 2)

    def test_a_store_that_is_gone_from_among_its_files(self):
        os.remove(self.store)
        with open(self.store + "-wal", "wb") as file:
            file.write(b"of an earlier store" * 100)
        told = referee("store", "verify", self.store)
        self.assertEqual((told.returncode, told.stdout), (1, ""))
        self.assertIn("referee.db is gone, but", told.stderr)
        self.assertIn("referee.db-wal. Put the file back", told.stderr)
        self.assertEqual(referee("store", "export", self.store, "--skip-damaged").returncode, 3)

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

    def test_a_folder_is_no_store(self):
        for folder, words in ((os.path.dirname(self.store), f"is a folder; expected a store's file: {self.store}"),
                              (self.games, "is a folder without a store; expected a store's file, such as out/referee.db")):
            done = referee("store", "verify", folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)

    def test_what_nobody_has_is_lost_and_ends_its_tournament(self):
        self.execute("DELETE FROM pairings WHERE match = 3")
        told = self.saved(1)
        self.assertIn("LEFT OUT: record 9 (pairing): it can't be read", told)
        self.assertIn("LEFT OUT: record 11 (game): it is of friday, of which a record before it may be lost", told)
        self.assertIn("8 records are proven, something is left out", told)
        with sqlite3.connect(self.store) as database:
            self.assertEqual(database.execute("SELECT count(*) FROM games").fetchone(), (2,))
        database.close()


if __name__ == "__main__":
    unittest.main()

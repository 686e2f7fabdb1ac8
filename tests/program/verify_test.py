"""`referee store verify` and `referee store export --skip-damaged` as their users use them."""
import json
import os
import shutil
import sqlite3
import subprocess

from archive_test import MAKER
from harness import LONG, ProgramTest, referee

GAMES = 4


class VerifyTest(ProgramTest):
    def setUp(self):
        super().setUp()
        config = self.walls([self.launched(name, "walls-random") for name in "ab"], match={"games": GAMES})
        self.exits(0, "run", self.write("c.json", config), "--out", self.path("out"), "--quiet")
        self.store, self.games = self.path("out/referee.db"), self.path("out/games")

    def verify(self, status, *more):
        return json.loads(self.exits(status, "store", "verify", self.store, "--json", *more).stdout)

    def what(self, *more):
        """Of the one damage that is found."""
        (damage,) = self.verify(1, *more)["damages"]
        return damage["what"]

    def test_a_whole_store(self):
        archived = self.exits(0, "store", "export", self.store).stdout
        records = archived.count("\n") - 2  # behind the head and before the end
        report = self.verify(0, "--games", self.games)
        self.assertEqual((report["whole"], report["records"], report["replays"], report["played_again"], report["files"],
                          report["files_missing"], report["damages"]), (True, records, GAMES, GAMES, GAMES, 0, []))
        told = self.exits(0, "store", "verify", self.store).stdout
        self.assertIn(f"{records} records, {GAMES} replays", told)
        self.assertIn(f"{GAMES} games played again", told)
        self.assertTrue(told.endswith(": whole\n"), told)
        done = self.exits(0, "store", "export", self.store, "--skip-damaged")
        self.assertEqual(done.stdout, archived)
        self.assertIn(f"{records} records are proven, nothing is left out", done.stderr)
        replay = self.read("out/games/t_1.1.ndjson")
        self.write("out/games/t_1.1.ndjson", replay.replace("moves", "moved", 1))
        os.remove(os.path.join(self.games, "t_1.2.ndjson"))
        self.assertIn("t_1.1.ndjson is another replay than the store's", self.what("--games", self.games))
        self.assertEqual(self.verify(1, "--games", self.games)["files_missing"], 1)

    def test_what_can_not_be_looked_at(self):
        for name, words in (("nothing.db", "there is no such store"), ("c.json", "is no store of the referee's"),
                            ("out", f"is a folder; expected a store's file: {self.store}"),
                            ("out/games", "is a folder without a store; expected a store's file, such as out/referee.db")):
            done = self.exits(2, "store", "verify", self.path(name))
            self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
            self.assertIn(words, done.stderr)
        with open(self.store, "r+b") as file:
            file.write(b"x" * 100)
        self.assertIn("its first bytes are damaged: referee store import makes a new one of an archive",
                      self.exits(2, "store", "export", self.store, "--skip-damaged").stderr)

    def test_a_changed_row_is_found_and_no_command_believes_it(self):
        with sqlite3.connect(self.store) as database:
            ((seq,),) = database.execute("SELECT seq FROM results WHERE number = 2 AND seat = 0").fetchall()
            database.execute(f"UPDATE game_seats SET score = score + 1 WHERE seq = {seq} AND seat = 0")
        database.close()
        self.assertIn(f"record {seq} (game) is another one than was written", self.what())
        self.assertIn("--skip-damaged", self.exits(1, "store", "verify", self.store).stdout)
        exported = self.exits(3, "store", "export", self.store, "--out", self.path("new.ndjson"))
        self.assertIn(f"referee store export {self.store} --skip-damaged --out ARCHIVE", exported.stderr)
        self.assertFalse(os.path.exists(self.path("new.ndjson")))
        shutil.rmtree(self.games)
        self.assertIn(f"record {seq} (game)", self.exits(3, "explain", "t/1.2", "--out", self.path("out")).stderr)

    def test_a_result_that_does_not_follow_from_its_replay_is_found(self):
        """Nobody damaged this store: the record was wrong when it was written."""
        records = [json.loads(line) for line in referee("store", "export", self.store).stdout.splitlines()[1:-1]]
        game = next(record for record in records if record["record"] == "game")
        game["result"]["outcome"]["scores"] = [7, 7]
        made = subprocess.run([MAKER], input="".join(json.dumps(record) + "\n" for record in records), capture_output=True, text=True, timeout=LONG)
        self.store = self.path("wrong.db")
        self.exits(0, "store", "import", "-", self.store, input=made.stdout)
        self.assertIn("its replay tells another result", self.what())
        self.assertEqual(self.verify(0, "--no-play")["played_again"], 0)

    def test_what_lies_beside_the_name_of_a_new_store_is_not_taken_up(self):
        archive, new = referee("store", "export", self.store).stdout, self.path("new.db")
        for ending in ("-wal", "-shm", "-journal", ".head"):
            self.write("new.db" + ending, "of an earlier store" * 100)
            told = self.exits(2, "store", "import", "-", new, input=archive).stderr
            self.assertIn(f"new.db{ending}", told)
            self.assertIn("move them away", told)
            self.assertFalse(os.path.exists(new))
            os.remove(new + ending)
        self.exits(0, "store", "import", "-", new, input=archive)

"""`referee store` as its users use it, and every query in the store's page of tables."""
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import zlib

from harness import BIN, LONG, SOURCE, ProgramTest, referee, rows

MAKER = os.path.join(BIN, "archive_maker")
README = os.path.join(SOURCE, "referee/store/TABLES.md")
FAULTS = os.path.join(SOURCE, "tests", "golden", "explain", "faults.ndjson")
GAMES = 4
REPLAY = '{"replay":1}\n{"moves":["F","R"]}\n'


def records():
    """A small tournament with a fault, an interrupted play, and an annulled play."""
    key = {"tournament": "friday", "match": 1, "number": 1}
    bots = ["alice", "bob"]
    fault = {"seat": 0, "turn": 3, "code": "late", "consequence": "missing_move", "message": "alice was late",
             "rule": "clock.turn_budget", "rule_text": "no more than its budget",
             "evidence": {"received": "{}", "charged_us": 1500, "budget_us": 1000, "measure": "wall"}}

    def result(attempt, status, **more):
        return {"game_id": "friday/1.1" + (f"~{attempt}" if attempt > 1 else ""), "status": status, "reason": "the end",
                "outcome": {"scores": [0, 1.5], "placing": [2, 1], "detail": {}}, "turns": 2, "clock": "turn",
                "measure": "wall", "means": ["cgroup-v2", ""], "used_us": [2500, 10],
                "program": ["sha256:0123", ""], "sandbox": ["B", ""], "faults": [fault], "faults_total": 1, **more}

    def game(attempt, outcome):
        return {"record": "game", **key, "attempt": attempt, "game": "walls", "seed": 7, "params": {"size": 3},
                "bots": bots, "result": outcome, "replay": REPLAY}

    def start(attempt):
        return {"record": "start", **key, "attempt": attempt, "seed": 7, "bots": bots}

    return [
        {"record": "opening", "tournament": "friday", "config": "{}", "version": "0.1.0"},
        *({"record": "entry", "tournament": "friday", "bot": bot, "rating": 0, "team": "", "round": 1} for bot in bots),
        {"record": "entry", "tournament": "friday", "bot": "carol", "rating": 0, "team": "", "round": 2, "last_round": 4,
         "half_point_byes": [3]},
        {"record": "state", "tournament": "friday", "state": "running", "reason": ""},
        {"record": "pairing", "tournament": "friday", "match": 1, "round": 1, "bots": bots},
        start(1),
        game(1, result(1, "interrupted", outcome=None, faults=[], faults_total=0)),
        start(2),
        game(2, result(2, "played")),
        {"record": "annulment", **key, "attempt": 2, "reason": "a cable"},
        start(3),
        game(3, result(3, "played")),
        start(4),
    ]


def archive_of(all_records):
    lines = [json.dumps({"seq": 2 * i + 1, "time_ms": 1_700_000_000_000 + i, **record}) + "\n" for i, record in enumerate(all_records)]
    return subprocess.run([MAKER], input="".join(lines), capture_output=True, text=True, timeout=LONG, check=True).stdout


class ArchiveTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.archive = self.write("friday.ndjson", archive_of(records()))
        self.store = self.path("friday.store")

    def import_all(self):
        done = self.exits(0, "store", "import", self.archive, self.store)
        self.assertEqual((done.stdout, done.stderr), (f"{self.store}: {len(records())} records\n", ""))

    def test_there_and_back_gives_the_same_bytes(self):
        self.import_all()
        export, archive = ("store", "export", self.store), self.read("friday.ndjson")
        exported = self.exits(0, *export)
        self.assertEqual((exported.stdout, exported.stderr), (archive, ""))
        link = self.path("latest.ndjson")
        os.symlink(self.write("again.ndjson", "older"), link)
        self.exits(0, *export, "--out", link, told=f"latest.ndjson: {len(records())} records\n")
        self.assertTrue(os.path.islink(link))
        self.assertEqual(self.read("again.ndjson"), archive, "an older archive is replaced, where the link leads")
        self.assertEqual(stat.S_IMODE(os.stat(link).st_mode) & 0o027, 0, "it holds hashes of tokens")
        self.exits(3, *export, "--out", "/dev/full", told="can't be written")
        self.exits(3, *export, "--out", self.path("none/archive"), told="can't be written: No such file or directory")
        # What lies beside the name of a new store is not taken up.
        piped = ("store", "import", "-", self.path("piped.store"))
        for ending in ("-wal", ".head"):
            beside = self.write("piped.store" + ending, "of an earlier store" * 100)
            self.exits(2, *piped, input=archive, told=(beside, "move them away"))
            self.assertFalse(os.path.exists(self.path("piped.store")))
            os.remove(beside)
        self.exits(0, *piped, input=archive)

    def test_every_query_of_the_readme_finds_something(self):
        self.import_all()
        text = self.read(README)
        queries = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
        queries += re.findall(r'sqlite3 -readonly referee.db "(.*?)"', text)
        self.assertGreater(len(queries), 5)
        for query in queries:
            self.assertTrue(rows(self.store, query), query)

    def test_every_table_and_column_of_the_readme_is_there(self):
        self.import_all()
        rows_of_page = [line for line in self.read(README).splitlines() if line.startswith("|")]
        for (name,) in rows(self.store, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"):
            (row,) = [row for row in rows_of_page if f"`{name}`" in row.split("|")[1]]
            told = {"seq", "time_ms", *re.findall(r"`(\w+)`", row), *(("tournament", "match", "number", "attempt") if "the key" in row else ())}
            if name != "bot_faults":  # whose columns the page names only as "the evidence"
                self.assertLessEqual({column[1] for column in rows(self.store, f"PRAGMA table_info({name})")}, told, name)

    def test_replays_and_views_are_as_the_readme_says(self):
        self.import_all()
        for sql, expected in (("bytes, zlib FROM replays", [(len(REPLAY), REPLAY)] * 3),
                              ("bot, score, place, attempt FROM results ORDER BY seat", [("alice", 0.0, 2, 3), ("bob", 1.5, 1, 3)]),
                              ("game_id, status, taken_back FROM plays ORDER BY attempt",
                               [("friday/1.1", "interrupted", 0), ("friday/1.1~2", "played", 1), ("friday/1.1~3", "played", 0), ("friday/1.1~4", None, 0)]),
                              ("scores, bots, round FROM plays WHERE attempt = 3", [("0.0 - 1.5", "alice - bob", 1)])):
            found = [tuple(zlib.decompress(one).decode() if isinstance(one, bytes) else one for one in row) for row in rows(self.store, "SELECT " + sql)]
            self.assertEqual(found, expected, sql)

    def test_explain_finds_in_the_store_what_has_no_file(self):
        all_records = records()
        games = [record for record in all_records if record["record"] == "game"]
        games[0]["replay"] = ""
        games[1]["replay"] = self.read(FAULTS)
        self.write("friday.ndjson", archive_of(all_records))
        out = self.path("out")
        self.store = os.path.join(out, "referee.db")
        self.write("out/games/friday_1.1~3.ndjson", "not a replay")
        self.exits(2, "explain", "friday/1.1", "--out", out)  # there is no store
        self.import_all()
        told = self.exits(0, "explain", "friday/1.1~2", "--out", out).stdout
        report = self.exits(0, "explain", FAULTS).stdout
        self.assertTrue(told.endswith(report), told)
        self.assertIn("This play of the game does not count", told.removesuffix(report), "a replay can't know that")
        self.refuses((["friday/1.1"], "was cut off"), (["friday/1.1~4"], "has no game friday/1.1~4 that has ended"), (["friday"], "expected an id such as"),
                     (["friday/1.1~3"], "friday_1.1~3.ndjson"), before=("explain", "--out", out))


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
        expected = {"whole": True, "records": records, "replays": GAMES, "played_again": GAMES, "files": GAMES, "files_missing": 0, "damages": []}
        self.assertEqual({**report, **expected}, report)
        self.tells(self.exits(0, "store", "verify", self.store).stdout, f"{records} records, {GAMES} replays", f"{GAMES} games played again", ": whole\n")
        done = self.exits(0, "store", "export", self.store, "--skip-damaged", told=f"{records} records are proven, nothing is left out")
        self.assertEqual(done.stdout, archived)
        replay = self.read("out/games/t_1.1.ndjson")
        self.write("out/games/t_1.1.ndjson", replay.replace("moves", "moved", 1))
        os.remove(os.path.join(self.games, "t_1.2.ndjson"))
        self.assertIn("t_1.1.ndjson is another replay than the store's", self.what("--games", self.games))
        self.assertEqual(self.verify(1, "--games", self.games)["files_missing"], 1)

    def test_what_can_not_be_looked_at(self):
        self.refuses(([self.path("c.json")], "is no store of the referee's"), ([self.path("out")], f"is a folder; expected a store's file: {self.store}\n"),
                     ([self.path("out/games")], "is a folder without a store; expected a store's file, such as out/referee.db"), before=("store", "verify"))
        with open(self.store, "r+b") as file:
            file.write(b"x" * 100)
        self.exits(2, "store", "export", self.store, "--skip-damaged", told="its first bytes are damaged: referee store import makes a new one of an archive")

    def test_a_changed_row_is_found_and_no_command_believes_it(self):
        with sqlite3.connect(self.store) as database:
            ((seq,),) = database.execute("SELECT seq FROM results WHERE number = 2 AND seat = 0").fetchall()
            database.execute(f"UPDATE game_seats SET score = score + 1 WHERE seq = {seq} AND seat = 0")
        database.close()
        self.assertIn(f"record {seq} (game) is another one than was written", self.what())
        self.exits(3, "store", "export", self.store, "--out", self.path("new.ndjson"), told=f"referee store export {self.store} --skip-damaged --out ARCHIVE")
        self.assertFalse(os.path.exists(self.path("new.ndjson")))
        shutil.rmtree(self.games)
        self.exits(3, "explain", "t/1.2", "--out", self.path("out"), told=f"record {seq} (game)")

    def test_a_result_that_does_not_follow_from_its_replay_is_found(self):
        """Nobody damaged this store: the record was wrong when it was written."""
        records = [json.loads(line) for line in referee("store", "export", self.store).stdout.splitlines()[1:-1]]
        game = next(record for record in records if record["record"] == "game")
        game["result"]["outcome"]["scores"] = [7, 7]
        self.store = self.path("wrong.db")
        self.exits(0, "store", "import", "-", self.store, input=archive_of(records))
        self.assertIn("its replay tells another result", self.what())
        self.assertEqual(self.verify(0, "--no-play")["played_again"], 0)

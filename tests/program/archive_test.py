"""Archives as their users use them, and every query in the store's README."""
import json
import os
import re
import sqlite3
import stat
import subprocess
import zlib

from harness import BIN, LONG, REFEREE, SOURCE, ProgramTest, referee

MAKER = os.path.join(BIN, "archive_maker")
README = os.path.join(SOURCE, "referee/store/TABLES.md")
FAULTS = os.path.join(SOURCE, "tests", "golden", "explain", "faults.ndjson")
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


def numbered(all_records):
    return [{"seq": 2 * i + 1, "time_ms": 1_700_000_000_000 + i, **record} for i, record in enumerate(all_records)]


def archive_of(all_records):
    made = subprocess.run([MAKER], input="".join(json.dumps(record) + "\n" for record in numbered(all_records)),
                          capture_output=True, text=True, timeout=LONG, check=True)
    return made.stdout


class ArchiveTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.archive = self.write("friday.ndjson", archive_of(records()))
        self.store = self.path("friday.store")

    def import_all(self):
        done = self.exits(0, "store", "import", self.archive, self.store)
        self.assertEqual((done.stdout, done.stderr), (f"{self.store}: {len(records())} records\n", ""))

    def query(self, sql):
        with sqlite3.connect(f"file:{self.store}?mode=ro", uri=True) as database:
            database.row_factory = sqlite3.Row
            return [dict(row) for row in database.execute(sql)]

    def test_there_and_back_gives_the_same_bytes(self):
        self.import_all()
        exported = self.exits(0, "store", "export", self.store)
        self.assertEqual((exported.stdout, exported.stderr), (self.read("friday.ndjson"), ""))
        out = self.path("again.ndjson")
        written = self.exits(0, "store", "export", self.store, "--out", out)
        self.assertRegex(written.stderr, r"again\.ndjson: \d+ records\n")
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode) & 0o027, 0, "it holds hashes of tokens")
        self.assertEqual(exported.stdout, self.read("again.ndjson"))
        link = self.path("latest.ndjson")
        os.symlink(self.write("again.ndjson", "older"), link)
        self.exits(0, "store", "export", self.store, "--out", link)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(exported.stdout, self.read("again.ndjson"), "an older archive is replaced, where the link leads")
        self.assertEqual(self.exits(0, "store", "export", self.store, "--out", "/dev/stdout").stdout, exported.stdout)
        self.exits(0, "store", "import", "-", self.path("piped.store"), input=exported.stdout)
        with open("/dev/full", "w") as full:
            done = subprocess.run([REFEREE, "store", "export", self.store], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 3)
        self.assertIn("can't be written", done.stderr)

    def test_every_query_of_the_readme_finds_something(self):
        self.import_all()
        text = self.read(README)
        queries = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
        queries += re.findall(r'sqlite3 -readonly referee.db "(.*?)"', text)
        self.assertGreater(len(queries), 5)
        for query in queries:
            self.assertTrue(self.query(query), query)

    def test_every_table_and_column_of_the_readme_is_there(self):
        self.import_all()
        text = self.read(README)
        for name in [row["name"] for row in self.query("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]:
            lines = [line for line in text.splitlines() if line.startswith("|") and f"`{name}`" in line.split("|")[1]]
            self.assertEqual(len(lines), 1, f"a row for {name}")
            told = set(re.findall(r"`(\w+)`", lines[0]))
            told |= {"seq", "time_ms"}
            if "the key" in lines[0]:
                told |= {"tournament", "match", "number", "attempt"}
            if name == "bot_faults":
                continue  # the README names these columns only as "the evidence"
            for column in self.query(f"PRAGMA table_info({name})"):
                self.assertTrue(column["name"] in told, f"{name}.{column['name']}")

    def test_replays_and_views_are_as_the_readme_says(self):
        self.import_all()
        self.assertEqual([(row["bytes"], zlib.decompress(row["zlib"]).decode()) for row in self.query("SELECT bytes, zlib FROM replays")],
                         [(len(REPLAY), REPLAY)] * 3)
        results = self.query("SELECT bot, score, place, attempt FROM results ORDER BY seat")
        self.assertEqual(results, [{"bot": "alice", "score": 0.0, "place": 2, "attempt": 3},
                                   {"bot": "bob", "score": 1.5, "place": 1, "attempt": 3}])
        plays = self.query("SELECT game_id, bots, status, scores, round, taken_back FROM plays ORDER BY attempt")
        self.assertEqual([(play["game_id"], play["status"], play["taken_back"]) for play in plays],
                         [("friday/1.1", "interrupted", 0), ("friday/1.1~2", "played", 1), ("friday/1.1~3", "played", 0), ("friday/1.1~4", None, 0)])
        self.assertEqual((plays[2]["scores"], plays[2]["bots"], plays[2]["round"]), ("0.0 - 1.5", "alice - bob", 1))

    def test_explain_finds_in_the_store_what_has_no_file(self):
        all_records = records()
        games = [record for record in all_records if record["record"] == "game"]
        games[0]["replay"] = ""
        games[1]["replay"] = self.read(FAULTS)
        self.write("friday.ndjson", archive_of(all_records))
        out = self.path("out")
        os.mkdir(out)
        self.exits(2, "explain", "friday/1.1", "--out", out)  # there is no store
        self.store = os.path.join(out, "referee.db")
        self.import_all()
        told = self.exits(0, "explain", "friday/1.1~2", "--out", out).stdout
        report = self.exits(0, "explain", FAULTS).stdout
        self.assertTrue(told.endswith(report), told)
        self.assertIn("This play of the game does not count", told.removesuffix(report), "a replay can't know that")
        for game, expected in (("friday/1.1", "was cut off"), ("friday/1.1~4", "has no game friday/1.1~4 that has ended"),
                               ("friday", "expected an id such as")):
            self.assertIn(expected, self.exits(2, "explain", game, "--out", out).stderr)
        self.write("out/games/friday_1.1.ndjson", "not a replay")
        self.assertIn("friday_1.1.ndjson", referee("explain", "friday/1.1", "--out", out).stderr, "a file is preferred")

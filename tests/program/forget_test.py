"""A student is forgotten: by `referee store forget` in a folder, and by `referee ctl forget` with a daemon."""
import base64
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import zlib

from daemon_test import DaemonTest
from harness import LADDER, LONG, REFEREE, ProgramTest, ended, reading, rows, wait_until

NAME = "wilhelmina"  # no word of ours
FORMATS = {"robin": {"kind": "round_robin"}, "swiss": {"kind": "swiss", "rounds": 2}, "tree": {"kind": "knockout"},
           "board": {"kind": "leaderboard", "opponents": [NAME]}}


def places_with(name, folder):
    """Files, and the replays of stores, that hold the name."""
    wanted = name.encode()
    found = []
    for root, folders, files in os.walk(folder):
        found += [os.path.join(root, one) for one in folders if name in one]
        for file in (os.path.join(root, one) for one in files):
            with open(file, "rb") as stream:
                text = stream.read()
            if text.startswith(b'packed_showing("'):
                text = zlib.decompress(base64.b64decode(text.split(b'"')[1]))
            if wanted in text:
                found.append(file)
            if file.endswith("referee.db"):
                with reading(file) as store:
                    for seq, packed in store.execute("SELECT seq, zlib FROM replays"):
                        if wanted in zlib.decompress(packed):
                            found.append(f"{file}: replay {seq}")
    return found


class ForgetTest(ProgramTest):
    """In a folder in which no daemon runs."""

    def config(self, names):
        tournaments = [{"id": one, "game": "walls", "params": {"size": 3}, "format": kind} for one, kind in FORMATS.items()]
        tournaments.append({**tournaments[0], "id": "without", "bots": ["ann", "bob"]})
        text = json.dumps({"listen": {"port": 0}, "bots": [self.launched(name, "walls-random") for name in ("ann", NAME, "bob", "eve")],
                           "tournaments": tournaments})
        return self.write("c.json", text if NAME in names else text.replace(NAME, "forgotten-1"))

    def standings(self):
        """What is told of each bot of each tournament, with the placeholder."""
        return {one: json.loads(self.read(f"out/{one}/standings.json").replace(NAME, "forgotten-1"))["bots"] for one in FORMATS}

    def scores(self):
        return rows(self.path("out/referee.db"), "SELECT tournament, match, number, seat, score, place, used_us, turns FROM results ORDER BY seq, seat")

    def files(self):
        """What the referee writes of games and tables."""
        folder = self.path("out")
        found = (os.path.relpath(os.path.join(root, file), folder) for root, _, files in os.walk(folder) for file in files)
        return sorted(name for name in found if "debug" not in name and "review" not in name and "referee.db" not in name)

    def test_a_bot_is_forgotten_everywhere_and_others_results_stay(self):
        """That a store which somebody reads stays is seen by the store's tests."""
        config = self.config([NAME])
        for _ in range(2):  # the files as a run writes them that goes on
            self.exits(0, "run", config, "--out", self.path("out"), "--quiet")
        for bot in (NAME, "bob"):
            self.write(f"out/robin/debug/{bot}/x.ndjson", f"I am {bot}\n")
        # A review names the game's bots, and the replay as it was.
        review = self.write("out/robin/games/robin_1.1.review.json", {"review": 1, "bots": [NAME, "bob"]})
        shutil.copy(self.path("out/referee.db"), self.path("out/referee.db.old"))
        before, scores, files = self.standings(), self.scores(), self.files()

        forget, by_config = ("store", "forget", "--out", self.path("out")), ("--config", config)
        self.exits(1, *forget, NAME, *by_config, told=(f"still names {NAME} in \"bots\"", "forgotten-1"))
        self.config([])
        self.exits(1, *forget, NAME[:-1], told="did you mean \"" + NAME)
        dry = self.exits(0, *forget, NAME, *by_config, "--dry-run")
        self.assertIn("would be removed: " + self.path(f"out/robin/debug/{NAME}"), dry.stdout)
        self.assertTrue(places_with(NAME, self.path("out/robin")))

        self.tells(self.exits(0, *forget, NAME, *by_config).stdout, "left: archives", "left: " + self.path("out/referee.db.old") + ": names it")
        os.remove(self.path("out/referee.db.old"))
        self.assertEqual(places_with(NAME, self.path("out")), [])
        self.assertFalse(os.path.exists(review))
        drawn = {name for name in files if name.endswith((".txt", ".csv", ".trf", "crosstable.json", "crosstable.js"))}
        tables = {name for name in drawn if not name.startswith("without/")}
        self.assertEqual(drawn - tables - set(self.files()), set(), "it didn't play there")
        self.assertEqual(tables & set(self.files()), set(), "a table may have cut the name, or quoted it")
        self.assertEqual(self.read("out/robin/debug/bob/x.ndjson"), "I am bob\n")
        self.assertEqual((self.scores(), self.standings()), (scores, before))
        for one in FORMATS:
            checked = self.exits(0, "store", "verify", self.path("out/referee.db"), "--games", self.path(f"out/{one}/games"))
            self.assertIn("rewritten when a bot was forgotten", checked.stdout)
        seat = rows(self.path("out/referee.db"), "SELECT game_id FROM plays WHERE bots LIKE '%forgotten-1%' LIMIT 1")
        self.assertIn("forgotten-1", self.exits(0, "explain", seat[0][0], "--out", self.path("out")).stdout)

        self.exits(0, "run", config, "--out", self.path("out"), "--quiet")
        self.assertEqual((self.scores(), self.standings()), (scores, before))
        self.assertEqual(self.files(), files, "what was removed is drawn up again")


class CtlForgetTest(DaemonTest):
    """With a daemon."""

    def config(self, *names, tournament=LADDER):
        return self.write("c.json", {"listen": {"port": 0}, "bots": [self.launched(name, "walls-greedy") for name in names], "tournaments": [tournament]})

    def matches(self):
        return self.status()["tournaments"][0]["matches"]

    def pause(self):
        self.order("pause")
        wait_until(lambda: self.status()["tournaments"][0]["running"] == 0, "the last games")

    def test_a_ladder_goes_on_without_the_bot(self):
        daemon = self.serve(self.config(NAME, "ann", "bob"))
        wait_until(lambda: self.matches() >= 6, "matches on the ladder")
        self.exits(3, "store", "forget", NAME, "--out", self.path("out"), told="in use")
        self.refused("forget", "wilhelmin")
        self.order("withdraw", NAME)
        self.config("ann", "bob")
        self.assertIn("nothing was changed", self.order("forget", NAME, "--dry-run"))
        wait_until(lambda: self.ctl("forget", NAME).returncode == 0, "the bot to be gone and forgotten")
        wait_until(lambda: self.ctl("status").returncode == 0, "the daemon")
        played = self.matches()
        self.assertGreaterEqual(played, 6)
        wait_until(lambda: self.matches() > played, "more matches on the ladder")
        self.refused("forget", NAME, told="has no bot")
        self.pause()
        self.assertEqual(ended(daemon), 0)
        self.assertEqual(places_with(NAME, self.path("out")), [])
        self.exits(0, "store", "verify", self.path("out/referee.db"), "--games", self.path("out/practice/games"))
        self.assertEqual(self.rows("SELECT hash, origin FROM tokens WHERE bot = 'forgotten-1'"), [("forgotten", "refused")])

    def test_signals_that_come_while_a_bot_is_forgotten(self):
        """A reload doesn't end the daemon before it begins anew, and a stop is none that begins anew."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
            notices.bind(self.path("notices"))
            notices.settimeout(LONG)
            daemon = self.serve(self.config(NAME, "eve", "ann", "bob"), env={**os.environ, "NOTIFY_SOCKET": self.path("notices")})

            def forget(name, *others):
                self.order("withdraw", name)
                self.config(*others)
                self.spawn([REFEREE, "ctl", "--out", self.path("out"), "forget", name], stdout=subprocess.DEVNULL)
                wait_until(lambda: b"forgetting a bot" in notices.recv(4096), "the daemon to forget")

            forget(NAME, "eve", "ann", "bob")
            told = b""
            while not told.startswith(b"READY=1") and daemon.poll() is None:
                daemon.send_signal(signal.SIGHUP)
                told = told if select.select([notices], [], [], 0.001)[0] == [] else notices.recv(4096)
            self.assertIsNone(daemon.poll())
            forget("eve", "ann", "bob")
            # The default action where it comes so late that the next daemon already begins.
            self.assertIn(ended(daemon), (0, -signal.SIGTERM))

    def test_what_would_not_fit_is_refused_before_anything_changes(self):
        friday = {"id": "friday", "game": "walls", "params": {"size": 3}, "format": {"kind": "round_robin", "cycles": 10_000}}
        self.serve(self.config(NAME, "ann", "bob", tournament=friday))
        wait_until(lambda: self.matches() >= 2, "matches")
        self.pause()
        self.refused("forget", NAME, "--dry-run", told="still names")
        self.config("ann", "bob", tournament=friday)
        self.assertEqual(json.loads(self.ctl("forget", NAME, "--dry-run", "--json").stdout)["code"], "unfit")
        self.config("forgotten-1", "ann", "bob", tournament=friday)
        self.assertIn("forgotten-1", self.order("forget", NAME, "--dry-run"))

"""Versions: results name what played, and `ctl rerun` plays again only what changed. The built program, real processes, real sockets."""
import glob
import json
import os
import shutil
import signal

from connect_test import ConnectTest
from dial_in import DialInTest
from harness import BIN, READS, rows, wait_until


class VersionsTest(DialInTest):
    def leave(self, name, bot):
        bot.terminate()
        bot.wait()
        wait_until(lambda: not self.is_here(name), name + " to be gone")

    def rerun(self, *more):
        return json.loads(self.order("rerun", "t", "--changed", "--json", *more))

    def games(self):
        """By id of the match: the programs of its games that count, as sets of (bot, program)."""
        found = {}
        for match, bot, program in rows(self.path("out/referee.db"), """
                SELECT g.match, s.bot, s.program FROM games g JOIN game_seats s ON s.seq = g.seq WHERE g.status IN ('played', 'forfeited')
                AND NOT EXISTS (SELECT 1 FROM annulments a WHERE a.tournament = g.tournament AND a.match = g.match AND
                                a.number = g.number AND a.attempt = g.attempt)"""):
            found.setdefault(match, []).append((bot, program))
        return found

    def attempts(self):
        return rows(self.path("out/referee.db"), "SELECT count(*) FROM games")[0][0]

    def test_results_name_what_bots_say_and_only_what_changed_is_played_again(self):
        daemon = self.serve(self.config("abcd"))
        bots = self.come({"a": "1", "b": "2024-11 (try)", "c": "1", "d": None})
        self.finished()
        games = self.games()
        self.assertEqual({pair for pairs in games.values() for pair in pairs},
                         {("a", "said: 1"), ("b", "said: 2024-11 (try)"), ("c", "said: 1"), ("d", "")})
        self.assertEqual([len(games[match]) for match in sorted(games)], [4] * 6)
        replays = [self.read(name) for name in glob.glob(self.path("out/t/games/*.ndjson"))]
        self.assertEqual(len(replays), 12)
        self.assertTrue(all("said: " in replay for replay in replays))
        self.assertIn("nothing changed that anybody can tell: no match of t is played again, 6 are kept", self.order("rerun", "t", "--changed"))
        untold = self.rerun("--dry-run")["untold"]
        self.assertEqual([(one["bot"], one["matches"]) for one in untold], [("d", 3)])
        self.assertIn('says no "version"', untold[0]["why"])

        self.leave("a", bots["a"])
        bots["a"] = self.come({"a": "2"})["a"]
        before = sorted(match for match, pairs in games.items() if "a" in dict(pairs))
        asked = self.order("rerun", "t", "--changed", "--dry-run")
        self.assertIn("3 matches of t (6 games) would be played again, 3 are kept", asked)
        self.assertIn("a was said: 1, and is said: 2 now: 3 matches", asked)
        self.assertIn("can't be told: d, 2 matches kept: ", asked)
        self.assertEqual(self.tournament("t")["state"], "finished")
        self.assertEqual(self.attempts(), 12)
        for bot in bots.values():
            bot.send_signal(signal.SIGSTOP)  # so that no game ends before the daemon is killed
        done = self.rerun("--reason", "a was mended")
        self.assertEqual([one["match"] for one in done["again"]], [f"t/{match}" for match in before])
        self.assertEqual([one["changed"] for one in done["again"]], [["a"]] * 3)
        self.assertEqual((done["kept"], done["dry_run"]), (3, False))
        # The order outlives the daemon.
        daemon.kill()
        daemon.wait()
        for bot in bots.values():
            bot.kill()
        self.serve(self.path("c.json"))
        self.assertEqual(self.tournament("t")["state"], "running")
        self.come({"a": "2", "b": "2024-11 (try)", "c": "1", "d": None})
        self.finished()
        again = self.games()
        self.assertEqual([len(again[match]) for match in sorted(again)], [4] * 6)
        for match, pairs in again.items():
            if match in before:
                self.assertIn(("a", "said: 2"), pairs)
                self.assertNotIn(("a", "said: 1"), pairs)
            else:
                self.assertEqual(sorted(pairs), sorted(games[match]))
        self.assertEqual(rows(self.path("out/referee.db"), "SELECT count(*), min(reason) FROM annulments"), [(6, "a was mended")])
        self.assertGreaterEqual(self.attempts(), 18, "what was replaced stays")
        self.assertIn("no match of t is played again, 6 are kept", self.order("rerun", "t", "--changed"))
        self.assertEqual(len(self.rerun("--dry-run", "--also", "d")["again"]), 3)
        self.assertIn("expected --changed", self.refused("rerun", "t"))
        self.assertIn("zoe does not take part in t", self.refused("rerun", "t", "--changed", "--also", "zoe"))

    def test_a_program_that_changed_is_told_in_the_standings(self):
        self.serve(self.config("ab", format={"kind": "round_robin", "cycles": 200}, clock={"budget": "60s"}))
        bots = self.come({"a": "1", "b": "1"})
        wait_until(lambda: self.tournament("t")["matches"] >= 4, "matches")
        bots["a"].send_signal(signal.SIGSTOP)  # so that it doesn't play on while the order comes
        self.order("pause", "t")
        bots["a"].send_signal(signal.SIGCONT)
        wait_until(lambda: self.tournament("t")["running"] == 0, "the games that run")
        self.leave("a", bots["a"])
        self.come({"a": "2"})
        self.order("resume", "t")
        self.finished()
        wait_until(lambda: json.loads(self.read("out/t/standings.json"))["finished"], "the standings")
        changed, = json.loads(self.read("out/t/standings.json"))["program_changes"]
        self.assertEqual((changed["bot"], changed["programs"], changed["changes"], changed["matches"]), ("a", 2, 1, 200))
        self.assertIn("Another program plays for a since match t/", self.read("out/t/statistics.txt"))

    def test_a_launched_bot_whose_files_changed(self):
        os.mkdir(self.path("program"))
        mine = self.path("program/bot")
        shutil.copy(os.path.join(BIN, "walls-random"), mine)
        names = ("a", "b", "c")
        bots = [self.launched("a", mine, reads=READS + [self.path("program")])] + [self.launched(name, "walls-greedy") for name in names[1:]]
        config = self.walls(bots, match={"games": 2})
        self.serve(self.write("c.json", config))
        self.finished()
        first = self.games()
        self.assertTrue(all(program.startswith("sha256:") for pairs in first.values() for _, program in pairs), first)
        self.assertEqual(self.rerun()["again"], [])
        os.remove(mine)
        shutil.copy(os.path.join(BIN, "walls-greedy"), mine)
        done = self.order("rerun", "t", "--changed")
        self.assertIn("2 matches of t (4 games) are played again, 1 is kept", done)
        self.assertRegex(done, r"a was sha256:[0-9a-f]{12}\.\.\., and is sha256:[0-9a-f]{12}\.\.\. now: 2 matches")
        self.finished()
        second = self.games()
        of_a = [{dict(games[match])["a"] for match in games if "a" in dict(games[match])} for games in (first, second)]
        self.assertEqual([len(programs) for programs in of_a], [1, 1])
        self.assertNotEqual(*of_a)
        self.assertEqual(self.rerun()["again"], [])


class BridgeTest(ConnectTest):
    def test_the_bridge_says_which_version_plays(self):
        self.begin(games=1)
        self.both("--version", "2.1")
        self.assertIn(("ann", "said: 2.1"), rows(self.path("out/referee.db"), "SELECT bot, program FROM game_seats"))
        refused = self.bridge("--version", "two\nlines")
        self.assertEqual((self.finish(refused), "--version: expected one line of printable text" in refused.err), (2, True), refused.err)

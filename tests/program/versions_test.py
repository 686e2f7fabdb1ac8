"""Versions: results name what played, and `ctl rerun` plays again only what changed. The built program, real processes, real sockets."""
import json
import os
import shutil

from connect_test import ConnectTest
from dial_in import DialInTest
from harness import BIN, READS, rows


class VersionsTest(DialInTest):
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

"""Versions: `ctl rerun` plays again only what changed. The built program, real processes."""
import json
import os
import shutil

from dial_in import DialInTest
from harness import BIN, READS, rows


class VersionsTest(DialInTest):
    def rerun(self):
        return json.loads(self.order("rerun", "t", "--changed", "--json"))["again"]

    def test_a_launched_bot_whose_files_changed(self):
        os.mkdir(self.path("program"))
        mine = shutil.copy(os.path.join(BIN, "walls-random"), self.path("program/bot"))
        bots = [self.launched("a", mine, reads=READS + [self.path("program")])] + [self.launched(name, "walls-greedy") for name in "bc"]
        self.serve(self.write("c.json", self.walls(bots, match={"games": 2})))
        self.finished()
        self.assertEqual(self.rerun(), [])
        os.remove(mine)
        shutil.copy(os.path.join(BIN, "walls-greedy"), mine)
        done = self.order("rerun", "t", "--changed")
        self.assertIn("2 matches of t (4 games) are played again, 1 is kept", done)
        self.assertRegex(done, r"a was sha256:[0-9a-f]{12}\.\.\., and is sha256:[0-9a-f]{12}\.\.\. now: 2 matches")
        self.finished()
        self.assertEqual(self.rerun(), [])
        programs = rows(self.path("out/referee.db"), "SELECT count(*) FROM game_seats s JOIN games USING (seq) WHERE bot = 'a' GROUP BY program")
        self.assertEqual(programs, [(4,), (4,)], "each game tells what played")

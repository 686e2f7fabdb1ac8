"""Ends and reruns that were mistakes are undone by orders. The built program, real processes, real sockets."""
import json
import signal

from dial_in import DialInTest
from harness import ended, referee, rows, wait_until

NAMES = "abc"


class ReopenTest(DialInTest):
    def explained(self, game, *more):
        done = self.exits(0, "explain", game, "--out", self.path("out"), *more)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_an_end_without_bots_is_undone_and_outlives_a_kill_and_a_games_story_tells_it(self):
        daemon = self.serve(self.config(no_show_after="200ms", withdraw_after=1))
        self.order("start", "t", "--now")
        self.finished()
        self.assertIn("expected --reason", self.refused("reopen", "t"))
        told = json.loads(self.order("reopen", "t", "--reason", "no network", "--dry-run", "--json"))
        self.assertEqual((sorted(told["back"]), len(told["games"])), (list(NAMES), 6))
        self.assertEqual(self.tournament("t")["state"], "finished")
        self.come(dict.fromkeys(NAMES))
        self.assertIn("3 bots are let in again (a, b, c), 6 games of 3 matches", self.order("reopen", "t", "--reason", "no network"))
        ended(daemon, signal.SIGKILL)
        self.serve(self.config(no_show_after="60s", withdraw_after=1))  # now they have time to come
        bots = self.come(dict.fromkeys(NAMES))
        self.finished()
        self.assertIn("nothing of t is left to play", self.refused("reopen", "t", "--reason", "again"))
        # The daemon may have been killed in the second play of the game, or before it: the last one counts.
        ((last,),) = rows(self.path("out/referee.db"), "SELECT max(attempt) FROM starts WHERE tournament = 't' AND match = 1 AND number = 1")
        self.assertIn(last, (2, 3))
        counts = f"t/1.1~{last}"
        wait_until(lambda: f'"{counts}"' in self.read("out/t/standings.json"), "the standings")
        self.assertIn(f"the play that counts is {counts}", self.refused("replay-game", "t/1.1", "--reason", "again"))
        self.assertIn(f"This play of the game does not count, by order: no network. The play that counts is {counts}.", self.explained("t/1.1"))
        self.assertNotIn("since", json.loads(self.explained(counts, "--json")))
        self.assertIn("Does it still count? `referee explain " + self.path("out/t/1.1"), referee("explain", self.path("out/t/games/t_1.1.ndjson")).stdout)

        # Games that were annulled and have not begun yet count again.
        self.assertIn("no game of t was annulled", self.refused("rerun", "t", "--take-back"))
        for bot in bots.values():
            ended(bot)
        wait_until(lambda: not any(map(self.is_here, NAMES)), "all bots to be gone")
        for game in rows(self.path("out/referee.db"), "SELECT game_id FROM plays WHERE number = 1 AND match > 1 AND status = 'played' AND NOT taken_back"):
            self.order("replay-game", *game, "--reason", "a slip")
        self.assertEqual(self.tournament("t")["state"], "running")
        self.assertIn("This play of the game does not count, by order: a slip. It is still to be played again.\n", self.explained(*game))
        self.assertIn("2 games of t (2 matches) count again", self.order("rerun", "t", "--take-back"))
        self.assertNotIn("does not count", self.explained(*game))
        self.finished()

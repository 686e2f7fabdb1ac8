"""Ends and reruns that were mistakes are undone by orders. The built program, real processes, real sockets."""
import json

from dial_in import DialInTest
from harness import referee, rows, wait_until

NAMES = "abc"


class ReopenTest(DialInTest):
    def standings(self):
        wait_until(lambda: json.loads(self.read(self.path("out/t/standings.json")))["finished"], "the standings")
        return {bot["name"]: bot["points"] for bot in json.loads(self.read(self.path("out/t/standings.json")))["bots"]}

    def test_an_end_without_bots_is_undone_and_outlives_a_kill(self):
        daemon = self.serve(self.config(no_show_after="200ms", withdraw_after=1))
        self.order("start", "t", "--now")
        self.finished()
        self.assertIn("expected --reason", self.refused("reopen", "t"))
        told = json.loads(self.order("reopen", "t", "--reason", "no network", "--dry-run", "--json"))
        self.assertEqual(sorted(told["back"]), list(NAMES))
        self.assertEqual(len(told["games"]), 6)
        self.assertEqual(self.tournament("t")["state"], "finished")
        self.come(dict.fromkeys(NAMES))
        self.assertIn("3 bots are let in again (a, b, c), 6 games of 3 matches", self.order("reopen", "t", "--reason", "no network"))
        daemon.kill()
        daemon.wait()
        self.serve(self.config(no_show_after="60s", withdraw_after=1))  # now they have time to come
        self.come(dict.fromkeys(NAMES))
        self.finished()
        wait_until(lambda: sum(self.standings().values()) == 3, "the points of three matches that were played")
        self.assertIn("nothing of t is left to play", self.refused("reopen", "t", "--reason", "again"))
        # The daemon may have been killed in the second play of the game, or before it: the last one counts.
        ((last,),) = rows(self.path("out/referee.db"), "SELECT max(attempt) FROM starts WHERE tournament = 't' AND match = 1 AND number = 1")
        self.assertIn(last, (2, 3))
        counts = f"t/1.1~{last}"
        for name, words in (("standings.json", f'"{counts}"'), ("pairings.json", f'"{counts}"'), ("pairings.txt", "does not count, by order: no network")):
            wait_until(lambda: words in self.read("out/t/" + name), name)  # which are written one after the other
        self.assertIn(f"the play that counts is {counts}", self.refused("replay-game", "t/1.1", "--reason", "again"))

    def explained(self, game, *more):
        done = referee("explain", game, "--out", self.path("out"), *more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_story_of_a_game_tells_what_was_ordered_since_and_what_is_taken_back_counts_again(self):
        self.serve(self.config())
        bots = self.come(dict.fromkeys(NAMES))
        self.finished()
        self.assertNotIn("since", json.loads(self.explained("t/1.1", "--json")))
        self.order("replay-game", "t/1.1", "--reason", "the bench was hit")
        wait_until(lambda: self.tournament("t")["state"] == "finished", "the second play")
        self.assertIn("This play of the game does not count, by order: the bench was hit. The play that counts is t/1.1~2.", self.explained("t/1.1"))
        self.assertNotIn("does not count", self.explained("t/1.1~2"))
        self.assertIn("Does it still count? `referee explain " + self.path("out/t/1.1"), referee("explain", self.path("out/t/games/t_1.1.ndjson")).stdout)
        # Games that were annulled and have not begun yet count again.
        wait_until(lambda: '"t/1.1~2"' in self.read("out/t/standings.json"), "the standings with the second play")
        before = self.standings()
        self.assertIn("no game of t was annulled", self.refused("rerun", "t", "--take-back"))
        for bot in bots.values():
            bot.terminate()
            bot.wait()
        wait_until(lambda: not any(map(self.is_here, NAMES)), "all bots to be gone")
        for game in ("t/2.1", "t/3.1"):
            self.order("replay-game", game, "--reason", "a slip")
        self.assertEqual(self.tournament("t")["state"], "running")
        self.assertIn("This play of the game does not count, by order: a slip. It is still to be played again.\n", self.explained("t/2.1"))
        self.assertIn("2 games of t (2 matches) count again", self.order("rerun", "t", "--take-back"))
        self.assertNotIn("does not count", self.explained("t/2.1"))
        self.finished()
        self.assertEqual(self.standings(), before)
        (first,), (second,) = rows(self.path("out/referee.db"), "SELECT DISTINCT bot FROM games JOIN game_seats USING (seq) WHERE match = 1")
        self.order("result", "t/1", second, first, "--reason", "an eye for an eye")
        since = json.loads(self.explained("t/1.1~2", "--json"))["since"]
        self.assertEqual(since, ["An arbiter set the result of its match, t/1, whatever its games came to: an eye for an eye."])

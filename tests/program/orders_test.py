"""Orders that play again what changed, undo an end that was a mistake, and are an arbiter's. The built program, real processes."""
import json
import os
import shutil
import signal
import subprocess

from daemon_test import DaemonTest
from harness import BIN, READS, ended, fits, referee, wait_until


class OrdersTest(DaemonTest):
    """A daemon with one tournament, whose bots dial in."""

    def come(self, names):
        host, port = self.address()
        bots = [self.spawn([os.path.join(BIN, "walls-greedy")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env={**os.environ, "REFEREE_ADDRESS": f"{host}:{port}", "REFEREE_NAME": name, "REFEREE_TOKEN": "t"}) for name in names]
        self.until_connected(names)
        return bots

    def until_connected(self, names):
        wait_until(lambda: [name for name, bot in self.bots().items() if bot["connected"]] == list(names), f"{names!r} to be here")

    def config(self, names, **tournament):
        return self.write("c.json", self.walls([{"name": name, "token": "t"} for name in names], **{"match": {"games": 2}, **tournament}))

    def finished(self):
        self.until("finished", "t")


class ArbiterTest(OrdersTest):
    """Nobody dials in: matches are forfeited, and the arbiter says what they came to."""

    def until_it_is_told(self, words):
        wait_until(lambda: words in self.read("out/t/standings.txt"), words)

    def test_orders_are_kept_and_told(self):
        self.serve(self.config("abcd", match={}, no_show_after="100ms", withdraw_after=0, format={"kind": "swiss", "rounds": 2, "colours": False}))
        self.assertEqual(self.order("forbid", "a", "c", "--dry-run"), "nothing is changed; without --dry-run: no two of a, c meet, from the next round on\n")
        self.order("forbid", "a", "c", "--reason", "kin", "--by", "ada")
        self.order("bye", "b", "--round", "2", "--zero", "--by", "ada", "--reason", "ill\nArbiter: forged \033[31mred")
        self.refused("bye", "d", "--round", "9", told="and no round 9")
        by_hand = ("--round", "1", "--reason", "by lot", "--by", "ada")
        self.order("pair", "a", "b", *by_hand)
        self.order("pair", "a", "b", "--take-back", *by_hand)
        self.order("pair", "b", "a", *by_hand)
        drawn = self.order("pair")
        self.tells(drawn, "round 1 of t as it would be drawn now", "b - a")
        self.order("start", "t", "--now")
        self.finished()
        pairs = [bots for (bots,) in self.rows("SELECT group_concat(bot, '') FROM pairing_seats s JOIN pairings p "
                                               "ON p.seq = s.seq WHERE p.match > 0 GROUP BY s.seq")]
        self.assertIn("ba", pairs)
        self.assertNotIn({"a", "c"}, [set(pair) for pair in pairs])
        self.until_it_is_told("Arbiter: b and a are paired by hand in round 1: by lot (ada)")
        fits(json.loads(self.read("out/t/pairings.json")), "schemas/pairings.json")
        log = [line for line in self.read("log").splitlines() if "arbiter of t: " in line or "forged" in line]
        self.assertEqual(len(log), 5, log)

        match = f"t/{pairs.index('ba') + 1}"
        self.refused("result", match, "a", "b", told="expected --reason")
        by_ada = ("result", match, "a", "b", "--reason", "the network was down", "--by", "ada")
        self.assertIn(f"the result of {match} is set", self.order(*by_ada, "--dry-run"))
        self.assertEqual((self.rows("SELECT * FROM rulings"), self.tournament("t")["state"]), ([], "finished"), "it was only asked")
        self.order(*by_ada)
        self.until_it_is_told(f"Arbiter: the result of {match} is set, by places b 2, a 1: the network was down (ada)")
        self.finished()
        self.assertNotRegex(self.read("out/t/standings.txt"), "\033|\nArbiter: forged")
        self.assertEqual(self.rows("SELECT ordered_by, reason FROM rulings"), [("ada", "the network was down")])
        since = json.loads(self.exits(0, "explain", f"{match}.1", "--out", self.path("out"), "--json").stdout)["since"]
        self.assertEqual(since, [f"An arbiter set the result of its match, {match}, whatever its games came to: the network was down."])
        self.order("result", match, "--take-back", "--reason", "it was up")
        wait_until(lambda: "is set" not in self.read("out/t/standings.txt"), "taken back")


class RerunTest(OrdersTest):
    def test_a_launched_bot_whose_files_changed(self):
        os.mkdir(self.path("program"))
        mine = shutil.copy(os.path.join(BIN, "walls-random"), self.path("program/bot"))
        bots = [self.launched("a", mine, reads=READS + [self.path("program")])] + [self.launched(name, "walls-greedy") for name in "bc"]
        self.serve(self.write("c.json", self.walls(bots, match={"games": 2})))
        self.finished()
        rerun = ("rerun", "t", "--changed")
        self.assertEqual(self.answer(*rerun)["again"], [])
        os.remove(mine)
        shutil.copy(os.path.join(BIN, "walls-greedy"), mine)
        done = self.order(*rerun)
        self.assertIn("2 matches of t (4 games) are played again, 1 is kept", done)
        self.assertRegex(done, r"a was sha256:[0-9a-f]{12}\.\.\., and is sha256:[0-9a-f]{12}\.\.\. now: 2 matches")
        self.finished()
        self.assertEqual(self.answer(*rerun)["again"], [])
        programs = self.rows("SELECT count(*) FROM game_seats s JOIN games USING (seq) WHERE bot = 'a' GROUP BY program")
        self.assertEqual(programs, [(4,), (4,)], "each game tells what played")


class ReopenTest(OrdersTest):
    def explained(self, game, *more):
        done = self.exits(0, "explain", game, "--out", self.path("out"), *more)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_an_end_without_bots_is_undone_and_outlives_a_kill_and_a_games_story_tells_it(self):
        daemon = self.serve(self.config("abc", no_show_after="200ms", withdraw_after=1))
        self.order("start", "t", "--now")
        self.finished()
        self.refused("reopen", "t", told="expected --reason")
        told = self.answer("reopen", "t", "--reason", "no network", "--dry-run")
        self.assertEqual((sorted(told["back"]), len(told["games"]), self.tournament("t")["state"]), (list("abc"), 6, "finished"))
        self.come("abc")
        self.assertIn("3 bots are let in again (a, b, c), 6 games of 3 matches", self.order("reopen", "t", "--reason", "no network"))
        ended(daemon, signal.SIGKILL)
        self.serve(self.config("abc", no_show_after="60s", withdraw_after=1))  # now they have time to come
        bots = self.come("abc")
        self.finished()
        # The daemon may have been killed in the second play of the game, or before it: the last one counts.
        ((last,),) = self.rows("SELECT max(attempt) FROM starts WHERE tournament = 't' AND match = 1 AND number = 1")
        counts = f"t/1.1~{last}"
        wait_until(lambda: f'"{counts}"' in self.read("out/t/standings.json"), "the standings")
        self.refused("replay-game", "t/1.1", "--reason", "again", told=f"the play that counts is {counts}")
        self.assertIn(f"This play of the game does not count, by order: no network. The play that counts is {counts}.", self.explained("t/1.1"))
        self.assertNotIn("since", json.loads(self.explained(counts, "--json")))
        self.assertIn("Does it still count? `referee explain " + self.path("out/t/1.1"), referee("explain", self.path("out/t/games/t_1.1.ndjson")).stdout)

        # Games that were annulled and have not begun yet count again.
        for bot in bots:
            ended(bot)
        self.until_connected("")
        for game in self.rows("SELECT game_id FROM plays WHERE number = 1 AND match > 1 AND status = 'played' AND NOT taken_back"):
            self.order("replay-game", *game, "--reason", "a slip")
        self.assertIn("This play of the game does not count, by order: a slip. It is still to be played again.\n", self.explained(*game))
        self.assertIn("2 games of t (2 matches) count again", self.order("rerun", "t", "--take-back"))
        self.assertNotIn("does not count", self.explained(*game))
        self.finished()

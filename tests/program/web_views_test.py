"""What a daemon's server makes of games: bots' pages, frames by range, replays from the store. The built program, real HTTP."""
import json
import os
import socket

from harness import LONG, wait_until
from web_test import LADDER, WebTest


class ViewsTest(WebTest):
    def test_a_bots_page_has_its_games_with_times_and_faults(self):
        self.begin_by_hand(match={"games": 1})
        self.play(2)
        self.play(1, move={"a secret": 1})
        self.play()
        told = wait_until(lambda: (lambda one: one.status == 200 and one.json["games"] and "turns" in one.json["games"][0] and one.json)(
            self.get("/api/v1/tournaments/t/bot?name=ann")), "its game")
        self.fits("bot", told)
        game, = told["games"]
        self.assertEqual((told["standing"]["name"], game["game"], game["opponents"], told["games_total"]), ("ann", self.game, ["bob"], 1))
        other = self.get("/api/v1/tournaments/t/bot?name=bob").json["games"][0]
        self.assertEqual({game["faults_total"], other["faults_total"]}, {0, 1})
        self.assertNotIn("a secret", json.dumps([game, other]))
        self.assertGreater(game["used_us"] + other["used_us"], 0)
        self.refused(self.get("/api/v1/tournaments/t/bot?name=eve"), 404, "no_such_bot")
        self.refused(self.get("/api/v1/tournaments/t/bot"), 404, "no_such_bot")
        self.assertEqual((game["clock"], game["budget_us"] > 0, "kept" in game), ("turn", True, False))
        self.assertEqual(self.get("/t/t/bots/ann").status, 200)
        for nobody in ("/t/t/bots/nobody", "/t/t/bots/", "/t/t/bots/ann/more"):
            page = self.get(nobody)
            self.assertEqual((page.status, "expected the name of a bot" in page.text), (404, True), nobody)
            self.assertIn("text/html", page.headers["Content-Type"])

    def test_frames_by_range_are_those_of_the_whole_showing(self):
        self.begin_by_hand()
        path = f"/api/v1/games/{self.game}/showing"
        self.get(path)
        self.refused(self.get(path + "?from=0&to=1"), 409, "goes_on")
        self.play()
        whole = wait_until(lambda: (lambda one: one.status == 200 and not one.json["live"] and one.json)(self.get(path)), "the replay")
        self.assertNotIn("range", whole)
        first = self.get(path + "?from=0&to=3").json
        self.assertEqual((first["state"], first["frames"]), (whole["state"], whole["frames"][:3]))
        rest = self.get(path + "?from=3&to=1000").json
        self.assertEqual(rest["frames"], whole["frames"][3:])
        self.assertEqual(rest["range"], {"from": 3, "to": len(whole["frames"]), "frames": len(whole["frames"])})
        self.assertNotEqual(rest["state"], whole["state"])
        self.assertEqual(self.get(path + "?from=3&to=3").json["state"], rest["state"])
        for wrong in ("?from=3", "?to=3", "?from=4&to=3", "?from=-1&to=3", "?from=x&to=3"):
            self.refused(self.get(path + wrong), 416, "wrong_range")
        self.refused(self.get(path + "?from=1000&to=1001"), 416, "no_such_frame")

    def test_a_replay_without_its_file_is_served_from_the_store(self):
        self.begin_by_hand(match={"games": 1})
        self.play()
        path = f"/api/v1/games/{self.game}/replay"
        replay = wait_until(lambda: (lambda one: one.status == 200 and one.text)(self.get(path)), "the replay")
        for place, _, names in os.walk(self.path("out")):
            for name in names:
                if name.endswith(".ndjson"):
                    os.remove(os.path.join(place, name))
        self.assertEqual(self.get(path).text, replay)
        games = lambda: self.fits("tournament_games", self.get("/api/v1/tournaments/t/games").json)
        wait_until(lambda: self.get("/api/v1/tournaments/t/pairings").text.count(self.game), "the match to be over")
        self.assertEqual(games(), {"games": [{"game_id": self.game}], "total": 1})
        told = self.fits("bot", self.get("/api/v1/tournaments/t/bot?name=ann").json)["games"][0]
        self.assertGreater(told["turns"], 0)
        self.assertGreater(told["budget_us"], 0)
        self.assertEqual(self.get(f"/api/v1/games/{self.game}/showing").json["bots"], ["ann", "bob"])

    def test_a_head_is_a_get_without_its_body(self):
        self.begin([], [LADDER])
        def told(path, method):
            answer = self.get(path, method)
            return answer.status, answer.headers["Content-Length"], answer.headers["Content-Type"]

        for path in ("/", "/api/v1/tournaments", "/favicon.ico", "/none"):
            wait_until(lambda: told(path, "HEAD") == told(path, "GET"), "a page that doesn't change between the two: " + path)
        for path in ("/", "/none", "/api/v1/events", "/api/v1/wall"):
            self.assertEqual(self.get(path, "HEAD").text, "")
        self.assertEqual(self.get("/favicon.ico").headers["Content-Type"], "image/svg+xml")
        plain = socket.create_connection(self.web, timeout=LONG)
        self.addCleanup(plain.close)
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n")
        self.assertIn(b"400 Bad Request", plain.makefile("rb").readline())

"""Who is who on a daemon's pages: tickets, tokens, registration, and what only owners and the instructor see. The built program, real HTTP."""
import http.client
import json
import ssl
import time
import urllib.parse

from harness import LADDER, LONG, referee, wait_until
from web_test import WebTest


class OwnPagesTest(WebTest):
    def cookie_of(self, answer):
        cookie = answer.headers["Set-Cookie"]
        self.assertIn("HttpOnly", cookie)
        self.assertIn("SameSite=Strict", cookie)
        return cookie.split(";")[0]

    def enter(self, link):
        where = urllib.parse.urlsplit(link)
        return self.get(f"{where.path}?{where.query}")

    def test_a_ticket_shows_the_bots_own_games(self):
        self.begin_by_hand()
        link = self.bots[0].welcome["page"]
        self.play()
        self.assertTrue(link.startswith("http://127.0.0.1:"), link)
        cookie = self.cookie_of(self.enter(link))
        self.assertEqual(self.fits("me", self.get("/api/v1/me", Cookie=cookie).json)["bot"], "ann")
        mine = wait_until(lambda: self.get("/api/v1/me/games", Cookie=cookie).json["games"], "own games")
        self.assertEqual(mine[0]["game_id"], self.game)
        story = wait_until(lambda: (lambda one: one.status == 200 and one.json)(self.get(f"/api/v1/me/games/{self.game}/story", Cookie=cookie)), "the story")
        self.assertEqual({line["debug"] for line in story["debug"]}, {"what ann thinks"})
        showing = json.dumps(self.get(f"/api/v1/games/{self.game}/showing", Cookie=cookie).json)
        self.assertIn("what ann thinks", showing)
        self.assertNotIn("what bob thinks", showing)
        page = self.get("/me", Cookie=cookie).text
        self.assertIn(self.game, page)
        self.assertIn('<td data-head="Place">1</td><td data-head="Score">1</td>', page)  # both are stalled
        told = self.get("/me/games/" + self.game, Cookie=cookie)
        self.assertIn("It ended after", told.text)
        self.assertIn("what ann thinks", told.text)
        # What the page's command to try again asks for.
        replay = self.get(f"/api/v1/games/{self.game}/replay")
        self.assertEqual(json.loads(replay.text.splitlines()[0])["game_id"], self.game)
        self.assertIn("attachment", replay.headers["Content-Disposition"])
        self.write("got.ndjson", replay.text)
        self.assertEqual(referee("trace", "--replay", self.path("got.ndjson")).returncode, 0)
        self.assertEqual(self.post("/leave", cookie).status, 200)
        self.assertEqual(self.get("/api/v1/me", Cookie=cookie).json["bot"], None)

    def test_a_name_and_its_token_let_in_and_the_admin_token_shows_all(self):
        self.begin([{"name": "ann", "token": "ann's token"}, {"name": "open"}], [LADDER], control={"token": "the admin's token"},
                   registration={"password": "the class password"})
        self.refused(self.post("/api/v1/register", name="eve", token="a token of eve's", password="the class password"), 403, "no_registration")
        cookie = self.cookie_of(self.post("/enter", name="ann", token="ann's token"))
        self.assertEqual(self.get("/api/v1/me", Cookie=cookie).json["bot"], "ann")
        self.refused(self.post("/enter", name="ann", token="wrong"), 401, "wrong_token")
        self.refused(self.post("/enter", name="nobody", token="wrong"), 401, "unknown_name")
        self.refused(self.post("/enter", name="open", token="any"), 403, "token_needed")
        self.refused(self.post("/enter", name="", token="wrong"), 401, "wrong_token")
        cookie = self.cookie_of(self.post("/enter", name="", token="the admin's token"))
        self.assertTrue(self.get("/api/v1/me", Cookie=cookie).json["instructor"])

    def test_a_name_is_registered_by_the_rules_of_the_lobby(self):
        registration = {"password": "the class password"}
        self.begin([], [LADDER], {"registration": True}, registration=registration)
        good = {"name": "eve", "token": "a token of eve's", "password": "the class password"}
        self.refused(self.post("/api/v1/register", **{**good, "password": "guessed"}), 401, "wrong_password")
        self.refused(self.post("/api/v1/register", **{**good, "token": "short"}), 403, "token_needed")
        for name in ("eve ", "e" * 65):
            told = self.post("/api/v1/register", **{**good, "name": name})
            self.refused(told, 400, "wrong_name")
            self.assertIn(f'found "{name}"', told.json["error"]["message"])
        self.assertEqual(self.fits("registered", self.post("/api/v1/register", **good).json), {"registered": "eve"})
        self.refused(self.post("/api/v1/register", **good), 403, "name_too_similar")
        self.assertEqual(self.log_in("eve", token="a token of eve's")["type"], "welcome")
        cookie = self.cookie_of(self.post("/enter", name="eve", token="a token of eve's"))
        made = self.fits("token", self.post("/api/v1/token", cookie).json)
        self.assertEqual(self.get("/api/v1/me", Cookie=cookie).json["bot"], None, "what was given before is void")
        self.assertEqual(self.log_in("eve", token="a token of eve's")["code"], "wrong_token")
        self.assertEqual(self.log_in("eve", token=made["token"])["type"], "welcome")

    def test_with_tls_the_cookie_is_for_tls_alone(self):
        self.begin([{"name": "ann", "token": "ann's token"}], [LADDER], {"tls": True})
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        link = urllib.parse.urlsplit(self.dial("ann").welcome["page"])
        self.assertEqual(link.scheme, "https")
        connection = http.client.HTTPSConnection(*self.web, timeout=LONG, context=context)
        self.addCleanup(connection.close)
        connection.request("GET", f"{link.path}?{link.query}")
        answer = connection.getresponse()
        answer.read()
        self.assertEqual(answer.status, 200)
        self.assertIn("Secure", answer.headers["Set-Cookie"])


# Needs the machine for itself: where tries on the page come slowly, none has to wait.
class CalmLoginsTest(WebTest):
    def test_wrong_tokens_wait_in_the_same_row_as_logins(self):
        self.begin([{"name": "ann", "token": "ann's token"}], [LADDER])
        for _ in range(8):
            self.refused(self.post("/enter", name="ann", token="wrong"), 401, "wrong_token")
        begun = time.monotonic()  # time: in the calm lane
        self.assertEqual(self.log_in("ann", token="wrong again")["code"], "wrong_token")
        self.assertGreater(time.monotonic() - begun, 0.5, "tries on the page count for logins too")  # time: in the calm lane

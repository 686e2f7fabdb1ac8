"""Pages and the JSON API of a daemon: what all may see; tickets, tokens and registration; what only owners and the instructor see. The built
program, real processes, real HTTP."""
import http.client
import json
import socket
import ssl
import urllib.parse

from daemon_test import DaemonTest
from harness import LADDER, LONG, fits, heard_by, wait_until

FORM = "application/x-www-form-urlencoded"
# Of a game that bots play by hand, with turns that may take as long as a test.
SLOW = {"id": "t", "game": "walls", "params": {"size": 3}, "clock": {"budget": "60s"}}


class Answer:
    def __init__(self, answer):
        self.status, self.headers, self.text = answer.status, answer.headers, answer.read().decode()

    @property
    def json(self):
        return json.loads(self.text)


class Events:
    """A stream of server-sent events that is read as it comes."""

    def __init__(self, test, path, cookie=None):
        self.connection = http.client.HTTPConnection(*test.web, timeout=LONG)
        test.addCleanup(self.connection.close)
        self.connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        self.answer = self.connection.getresponse()
        test.assertEqual((self.answer.status, self.answer.headers["Content-Type"]), (200, "text/event-stream"))

    def next(self):
        """The next event as (name, id, data); None at the end."""
        event = {"id": None}
        while line := self.answer.readline().decode():
            if line == "\n" and "event" in event:
                return event["event"], event["id"], json.loads(event["data"])
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                event[name] = value
        return None

    def all(self):
        return list(iter(self.next, None))


class WebTest(DaemonTest):
    def begin(self, bots, tournaments, web=None, **more):
        config = {"listen": {"port": 0, "web": {"port": 0, **(web or {})}}, "bots": bots, "tournaments": tournaments, **more}
        self.daemon = self.serve(self.write("c.json", config))
        self.web = "127.0.0.1", urllib.parse.urlsplit(self.status()["listening_web"]).port

    def get(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection(*self.web, timeout=LONG)
        self.addCleanup(connection.close)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, headers)
        return Answer(connection.getresponse())

    def post(self, path, cookie=None, **fields):
        headers = {"Origin": "http://%s:%d" % self.web, "Content-Type": FORM}
        if cookie:
            headers["Cookie"] = cookie
        return self.get(path, "POST", urllib.parse.urlencode(fields), **headers)

    def fits(self, name, value):
        return fits(value, "schemas/web.json", name)

    def refused(self, answer, status, code):
        self.fits("error", answer.json)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (status, code), answer.text)
        self.assertIn("expected", answer.json["error"]["message"])

    def dial(self, name):
        bot = self.call(name, token=f"{name}'s token")
        bot.welcome = bot.read("welcome")
        return bot

    def begin_by_hand(self, web=None, **tournament):
        """A game of ann and bob, whose moves the test makes."""
        self.begin([{"name": name, "token": f"{name}'s token"} for name in ("ann", "bob")], [{**SLOW, **tournament}], web)
        self.sit_down("ann", "bob")

    def sit_down(self, *names):
        self.seated = [self.dial(name) for name in names]
        for bot in self.seated:
            self.game = self.begin_game(bot)["game_id"]

    def play(self, turns=None, move="R"):
        """So many turns, or all that there are; what bots are asked behind the last one stays unanswered."""
        played = 0
        while played != turns:
            bot, message = heard_by(self.seated)
            if message["type"] == "end":
                return
            if message["type"] == "turn":
                name = bot.welcome["name"]
                bot.send(type="move", game_id=self.game, turn=message["turn"], move=move(name) if callable(move) else move, debug=f"what {name} thinks")
                played += 1

    def shown(self, game):
        """Of a game that is over, which is shown a moment later."""
        return wait_until(lambda: (it := self.get(f"/api/v1/games/{game}/showing")).status == 200 and it.json, "the replay")


class PagesTest(WebTest):
    def test_the_answers_about_a_tournament_that_runs(self):
        self.begin([self.launched(name, "walls-greedy") for name in ("a", "b", "c")], [LADDER])
        events = Events(self, "/api/v1/events")
        told = wait_until(lambda: next((one for one in (events.next(),) if one[0] == "standings"), None), "standings")
        self.assertEqual(told[2], {"tournament": "practice"})
        of = "/api/v1/tournaments/practice/"
        answer = self.get(of + "standings")
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "application/json"))
        self.assertEqual({row["name"] for row in answer.json["bots"]}, {"a", "b", "c"})
        self.assertNotIn("seed", answer.json)  # from which the boards of all games follow
        self.assertEqual(self.get(of + "pairings").status, 200)
        self.assertIn("text/csv", self.get(of + "crosstable.csv").headers["Content-Type"])
        self.fits("crosstable", self.get(of + "crosstable").json)
        tournament, = self.fits("tournaments", self.get("/api/v1/tournaments").json)["tournaments"]
        self.assertEqual((tournament["id"], tournament["game"], tournament["state"], tournament["bots"]), ("practice", "walls", "running", 3))
        games = wait_until(lambda: self.fits("tournament_games", self.get(of + "games").json)["games"], "a game that is shown")
        showing = self.shown(games[0]["game_id"])
        self.assertEqual((showing["game"], showing["live"], len(showing["frames"])), ("walls", False, showing["result"]["turns"]))

    def test_every_answer_has_its_safety_headers_and_bad_requests_are_told_what_was_expected(self):
        self.begin([], [LADDER])
        for path in ("/", "/me", "/t/practice", "/api/v1/games", "/page/style.css", "/page/viewer.js", "/none"):
            answer = self.get(path)
            policy = answer.headers["Content-Security-Policy"]
            self.tells(policy, "default-src 'self'", "frame-ancestors 'none'")
            self.assertNotIn("unsafe", policy)
            self.assertEqual((answer.headers["X-Content-Type-Options"], answer.headers["Referrer-Policy"]), ("nosniff", "no-referrer"))
            if "html" in answer.headers["Content-Type"]:
                self.assertNotRegex(answer.text, r"<script[^>]*>(?!</script>)| style=", "a script or a style stands in the page")
        head = self.get("/favicon.ico", "HEAD")
        self.assertEqual((head.text, head.headers["Content-Length"]), ("", self.get("/favicon.ico").headers["Content-Length"]))
        self.assertEqual(self.get("/api/v1/events", "HEAD").text, "")
        for path, status, code in (("nothing", 404, "no_such_page"), ("games/..%2f..%2fetc/showing", 404, "no_such_game"), ("%zz", 400, "bad_url")):
            self.refused(self.get("/api/v1/" + path), status, code)
        self.refused(self.get("/enter", "POST", "x" * 10_000, Content_Type=FORM), 413, "too_large")
        self.refused(self.get("/", Cookie="x" * 20_000), 431, "too_large")
        plain = socket.create_connection(self.web, timeout=LONG)
        self.addCleanup(plain.close)
        plain.sendall(b"what is this?\r\n\r\n")
        self.assertIn(b"400 Bad Request", plain.makefile("rb").readline())


class OwnPagesTest(WebTest):
    def cookie_of(self, answer):
        cookie = answer.headers["Set-Cookie"]
        self.tells(cookie, "HttpOnly", "SameSite=Strict")
        return cookie.split(";")[0]

    def me(self, cookie):
        return self.fits("me", self.get("/api/v1/me", Cookie=cookie).json)

    def test_a_game_is_followed_to_its_end_and_a_ticket_shows_the_bots_own_side_of_it(self):
        self.begin_by_hand()
        self.play(2)
        showing = wait_until(lambda: (it := self.get(f"/api/v1/games/{self.game}/showing").json)["frames"][1:] and it, "two frames")
        self.assertEqual((showing["live"], showing["bots"], "result" in showing), (True, ["ann", "bob"], False))
        self.assertEqual([game["game_id"] for game in self.fits("games", self.get("/api/v1/games").json)["games"]], [self.game])
        events = Events(self, f"/api/v1/games/{self.game}/live?from=1")
        self.assertEqual(events.next(), ("frame", "2", showing["frames"][1]), "from the frame that was shown last")
        self.play()
        *frames, end = events.all()
        self.assertEqual((end[0], end[2]["result"]["status"], end[2]["result"]["turns"]), ("end", "played", 2 + len(frames)))
        self.assertNotIn("thinks", json.dumps(self.shown(self.game)), "debug text is its bot's own")

        link = urllib.parse.urlsplit(self.seated[0].welcome["page"])
        cookie = self.cookie_of(self.get(f"{link.path}?{link.query}"))
        self.assertEqual(self.me(cookie)["bot"], "ann")
        mine = wait_until(lambda: self.get("/api/v1/me/games", Cookie=cookie).json["games"], "own games")
        self.assertEqual(mine[0]["game_id"], self.game)
        story = wait_until(lambda: (it := self.get(f"/api/v1/me/games/{self.game}/story", Cookie=cookie)).status == 200 and it.json, "the story")
        self.assertEqual({line["debug"] for line in story["debug"]}, {"what ann thinks"})
        showing = self.get(f"/api/v1/games/{self.game}/showing", Cookie=cookie).text
        self.assertEqual(("what ann thinks" in showing, "what bob thinks" in showing), (True, False))
        self.tells(self.get("/me", Cookie=cookie).text, self.game, '<td data-head="Place">1</td><td data-head="Score">1</td>')  # both are stalled
        self.tells(self.get("/me/games/" + self.game, Cookie=cookie).text, "It ended after", "what ann thinks")
        # What the page's command to try again asks for.
        replay = self.get(f"/api/v1/games/{self.game}/replay")
        self.assertIn("attachment", replay.headers["Content-Disposition"])
        self.exits(0, "trace", "--replay", self.write("got.ndjson", replay.text))
        self.assertEqual(self.post("/leave", cookie).status, 200)
        self.assertEqual(self.me(cookie)["bot"], None)

    def test_a_name_and_its_token_let_in_and_the_admin_token_shows_all(self):
        self.begin([{"name": "ann", "token": "ann's token"}, {"name": "open"}], [LADDER], control={"token": "the admin's token"},
                   registration={"password": "the class password"})
        self.refused(self.post("/api/v1/register", name="eve", token="a token of eve's", password="the class password"), 403, "no_registration")
        self.assertEqual(self.me(self.cookie_of(self.post("/enter", name="ann", token="ann's token")))["bot"], "ann")
        for name, status, code in (("ann", 401, "wrong_token"), ("nobody", 401, "unknown_name"), ("open", 403, "token_needed"), ("", 401, "wrong_token")):
            self.refused(self.post("/enter", name=name, token="wrong"), status, code)
        self.assertTrue(self.me(self.cookie_of(self.post("/enter", name="", token="the admin's token")))["instructor"])

    def test_a_name_is_registered_by_the_rules_of_the_lobby(self):
        self.begin([], [LADDER], {"registration": True}, registration={"password": "the class password"})
        good = {"name": "eve", "token": "a token of eve's", "password": "the class password"}
        self.refused(self.post("/api/v1/register", **{**good, "password": "guessed"}), 401, "wrong_password")
        told = self.post("/api/v1/register", **{**good, "name": "eve "})
        self.refused(told, 400, "wrong_name")
        self.assertIn('found "eve "', told.json["error"]["message"])
        self.assertEqual(self.fits("registered", self.post("/api/v1/register", **good).json), {"registered": "eve"})
        self.refused(self.post("/api/v1/register", **good), 403, "name_too_similar")
        cookie = self.cookie_of(self.post("/enter", name="eve", token="a token of eve's"))
        made = self.fits("token", self.post("/api/v1/token", cookie).json)
        self.assertEqual(self.me(cookie)["bot"], None, "what was given before is void")
        self.assertEqual(self.log_in("eve", token="a token of eve's")["code"], "wrong_token")
        self.assertEqual(self.log_in("eve", token=made["token"])["type"], "welcome")

    def test_with_tls_the_cookie_is_for_tls_alone(self):
        self.begin([{"name": "ann", "token": "ann's token"}], [LADDER], {"tls": True})
        link = urllib.parse.urlsplit(self.dial("ann").welcome["page"])
        self.assertEqual(link.scheme, "https")
        connection = http.client.HTTPSConnection(*self.web, timeout=LONG, context=ssl._create_unverified_context())
        self.addCleanup(connection.close)
        connection.request("GET", f"{link.path}?{link.query}")
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        self.assertIn("Secure", answer.headers["Set-Cookie"])

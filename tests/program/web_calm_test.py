"""Pseudonyms on a daemon's pages: whoever may not know a bot's name finds it in no byte of any answer. And guesses of tokens. The built
program, real HTTP."""
# calm: pages are served by a thread that gives way to all other work, and here hundreds of them are looked through; and where tries on a page
# come slowly, none has to wait.
import collections
import html
import json
import os
import re
import time
import urllib.parse

from harness import LADDER, wait_until
from web_test import SLOW, Events, WebTest

NAMES = "ann-of-the-hill", "bob <b>", "Zoë the third", "Dora, \"the fourth\""
OF_A_KIND = 2  # pages that are read where only a number tells them apart: a ladder that plays on makes more than can be read
PATH = re.compile(r'(?:href|src)="(/[^"#]*)"')


class HiddenNamesTest(WebTest):
    def login(self, **fields):
        return self.post("/enter", **fields).headers["Set-Cookie"].split(";")[0]

    def begin_hidden(self):
        """ann and bob play by hand, and may log in; two launched bots climb a ladder, of a game that only they play: whoever plays its game is on it."""
        bots = [{"name": name, "token": f"{name}'s token"} for name in NAMES[:2]] + [self.launched(name, "cycles-dumb") for name in NAMES[2:]]
        ladder = {"id": "quick", "game": "light_cycles", "format": {"kind": "ladder"}, "rest": "300ms"}
        self.begin(bots, [{**SLOW, "bots": list(NAMES[:2])}, {**ladder, "bots": list(NAMES[2:])}],
                   {"names": "pseudonyms", "registration": True}, control={"token": "the admin's token"},
                   registration={"password": "the class password"})

    def hidden_from(self, cookie, but=()):
        """Crawls all pages and answers; returns all their texts."""
        todo, seen, texts = ["/", "/me", "/wall", "/api/v1/me", "/api/v1/me/games", "/api/v1/tournaments", "/api/v1/games"], set(), []
        read = collections.Counter()
        while todo:
            path = todo.pop(0)
            kind = re.sub(r"\d+", "#", path)
            if path in seen or read[kind] == OF_A_KIND:
                continue
            seen.add(path)
            read[kind] += 1
            answer = self.get(path, **({"Cookie": cookie} if cookie else {}))
            texts.append(answer.text)
            for name in set(NAMES) - set(but):
                for spelt in (name, json.dumps(name, ensure_ascii=False)[1:-1], urllib.parse.quote(name), html.escape(name), name.replace('"', '""')):
                    self.assertNotIn(spelt, answer.text, path)
            todo += sorted((set(PATH.findall(answer.text)) | self.behind(path, answer)) - {"/leave"})
        return texts

    def behind(self, path, answer):
        """What an answer of the API tells of."""
        if answer.status != 200:
            return set()
        if path == "/api/v1/tournaments":
            ids = [one["id"] for one in answer.json["tournaments"]]
            return {f"{path}/{id}/{of}" for id in ids for of in ("standings", "pairings", "crosstable", "crosstable.csv", "games")} | {"/t/" + id for id in ids}
        if path.endswith("/standings"):
            of, names = path.removesuffix("/standings"), [urllib.parse.quote(bot["name"]) for bot in answer.json["bots"]]
            return {f"{of}/bot?name={name}" for name in names} | {f"/t/{of.rsplit('/')[-1]}/bots/{name}" for name in names}
        if path.endswith("/games"):
            ids = [game["game_id"] for game in answer.json["games"][:OF_A_KIND]]
            of_game = {"/api/v1/games/{}" + of for of in ("/showing", "/showing?from=0&to=2", "/replay", "/review")}
            return {page.format(id) for id in ids for page in of_game | {"/g/{}", "/api/v1/me/games/{}/story", "/me/games/{}"}}
        return set()

    def watch_all(self, cookie):
        """The events of a game that goes on, to its end."""
        headers = {"Cookie": cookie} if cookie else {}
        wait_until(lambda: self.get(f"/api/v1/games/{self.game}/showing", **headers).status == 200, "the game's showing")
        return Events(self, f"/api/v1/games/{self.game}/live", cookie)

    def test_no_byte_of_any_answer_has_a_name_that_is_hidden(self):
        self.begin_hidden()
        self.assertEqual(os.stat(self.path("out/names.secret")).st_mode & 0o777, 0o600)
        wrong = [self.post("/enter", name=name, token="wrong").text for name in (NAMES[0], "nobody")]
        self.assertEqual(wrong[0], wrong[1])
        self.assertIn("admin token", self.post("/enter", name="", token="wrong").text)
        told = self.post("/api/v1/register", name="Ann-of-the-hill", token="a token of eve's", password="the class password").text
        self.assertNotIn(NAMES[0], told)
        self.sit_down(*NAMES[:2])
        ann = self.login(name=NAMES[0], token=f"{NAMES[0]}'s token")
        wait_until(lambda: self.get("/api/v1/tournaments/quick/standings").status == 200, "standings")
        streams = [(self.watch_all(None), ()), (self.watch_all(ann), NAMES[:1])]
        self.play(2)
        self.play(2, move=lambda name: {"from": name, name: 1})
        for cookie, but in ((None, ()), (ann, NAMES[:1])):
            texts = self.hidden_from(cookie, but)
            self.assertGreater(len(texts), 25)
            self.assertEqual(any(NAMES[0] in text for text in texts), bool(but), "a student sees the own name")
        self.play()
        for stream, but in streams:
            told = json.dumps(stream.all(), ensure_ascii=False)
            self.assertIn('"end"', told)
            for name in set(NAMES) - set(but):
                self.assertNotIn(name, told)
        wait_until(lambda: self.get(f"/api/v1/games/{self.game}/replay").status == 200, "the replay")
        wait_until(lambda: self.get("/api/v1/me/games", Cookie=ann).json["games"], "own games")
        for cookie, but in ((None, ()), (ann, NAMES[:1])):
            self.hidden_from(cookie, but)
        everybody = [row["name"] for row in self.get("/api/v1/tournaments/t/standings").json["bots"]]
        self.assertTrue(all(name.startswith("bot-") for name in everybody), everybody)
        mine = [row["name"] for row in self.get("/api/v1/tournaments/t/standings", Cookie=ann).json["bots"]]
        self.assertIn(NAMES[0], mine)
        self.assertEqual(len(set(mine) & set(everybody)), 1, "others have the same pseudonym for all")
        admin = self.login(name="", token="the admin's token")
        self.assertEqual({row["name"] for row in self.get("/api/v1/tournaments/t/standings", Cookie=admin).json["bots"]}, set(NAMES[:2]))
        self.assertIn(NAMES[1], self.get(f"/api/v1/games/{self.game}/replay", Cookie=admin).text)
        showing = self.get(f"/api/v1/games/{self.game}/showing").json
        self.assertEqual(set(showing["bots"]), set(everybody), "a pseudonym holds in games too")


class GuessesTest(WebTest):
    def test_wrong_tokens_wait_in_the_same_row_as_logins(self):
        self.begin([{"name": "ann", "token": "ann's token"}], [LADDER])
        for _ in range(8):
            self.refused(self.post("/enter", name="ann", token="wrong"), 401, "wrong_token")
        begun = time.monotonic()
        self.assertEqual(self.log_in("ann", token="wrong again")["code"], "wrong_token")
        self.assertGreater(time.monotonic() - begun, 0.5, "tries on the page count for logins too")

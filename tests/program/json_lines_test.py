"""The table of JSON texts, each sent over the wire to a real daemon, before and after the login.

tests/protocol/json/json_texts.txt is the table; json_texts_test.cpp reads it too.
"""
import json
import os
import re

from daemon_test import DaemonTest
from harness import SOURCE

TAKEN_LEAST = 95
REFUSED_LEAST = 188
PING = b'{"type":"ping","id":7}'
# Texts that are sent before each sign of life that is waited for.
BATCH = 20


def json_texts():
    texts = []
    with open(os.path.join(SOURCE, "tests/protocol/json/json_texts.txt")) as file:
        for row in file:
            if row.startswith("#"):
                continue
            verdict, name, escaped = row.rstrip("\n").split(" ", 2)
            text = re.sub(rb"%([0-9A-F]{2})", lambda found: bytes([int(found[1], 16)]), escaped.encode())
            texts.append((verdict, name, text))
    return texts


class JsonLinesTest(DaemonTest):
    def setUp(self):
        super().setUp()
        # Several lines: only where there is no framer can they be one text.
        self.texts = [row for row in json_texts() if b"\n" not in row[2]]
        self.assertGreaterEqual(sum(verdict == "take" for verdict, _, _ in self.texts), TAKEN_LEAST)
        self.assertGreaterEqual(sum(verdict != "take" for verdict, _, _ in self.texts), REFUSED_LEAST)
        self.serve(self.write("c.json", self.walls([{"name": "ann", "token": "t"}, {"name": "bob", "token": "t"}], starts="by_order")))

    def answers(self, bot, line):
        """What comes for the line, before the answer to the ping behind it. The connection is usable then."""
        bot.socket.sendall(line + b"\n" + PING + b"\n")
        heard = []
        while True:
            message = json.loads(bot.lines.readline())
            if message["type"] == "pong" and message["id"] == 7:
                return heard
            heard.append(message)

    def test_each_text_as_a_line_and_the_good_ones_inside_of_a_message(self):
        bot = self.come_in("ann")
        for count, (verdict, name, text) in enumerate(self.texts):
            if count % BATCH == BATCH - 1:  # many bad lines are flooding
                bot.close()
                bot = self.come_in("ann")
            with self.subTest(name=name, verdict=verdict):
                heard = self.answers(bot, text)
                if verdict == "nothing":
                    self.assertEqual(heard, [])
                    continue
                code = verdict
                if verdict == "take":
                    code = "missing_member" if text.lstrip(b" \t\r").startswith(b"{") else "not_an_object"
                self.assertEqual([(answer["type"], answer["code"]) for answer in heard], [("error", code)])
                if verdict == "take" and not name.endswith("of_depth_32"):
                    self.assertEqual(self.answers(bot, b'{"type":"pong","id":1,"other":' + text + b"}"), [])
        bot.close()

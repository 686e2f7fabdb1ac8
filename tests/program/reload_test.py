"""A config that is read again is taken over whole, or not at all. The built program, real processes, real sockets."""
import contextlib
import json
import os
import shutil
import signal
import socket

from daemon_test import DaemonTest
from harness import BIN, LADDER, Connection, alive_with, ended, held_port, wait_until


def answers(address):
    try:
        socket.create_connection(address, timeout=1).close()
        return True
    except OSError:
        return False


class ReloadTest(DaemonTest):
    def practice(self, *bots, **more):
        return {"listen": {"address": "127.0.0.1", "port": held_port(self)}, "bots": list(bots),
                "tournaments": [{**LADDER, "rest": "50ms"}], **more}

    def dialler(self, name, **more):
        return self.launched(name, "walls-greedy", speaks="tcp", **more)

    def matches(self):
        return self.tournament("practice")["matches"]

    def wait_for_matches(self, more, what):
        goal = self.matches() + more
        wait_until(lambda: self.matches() >= goal, what)

    def as_it_is(self):
        """All that a reload could change, in a state in which nothing is played."""
        status = self.status()
        for measured in ("uptime_s", "connections", "have_left"):  # by seconds
            status.pop(measured, None)
        bots = self.bots()
        for bot in bots.values():
            for measured in [name for name in bot if name.endswith(("_us", "last_seen_s"))]:
                del bot[measured]
        return status, bots, sorted(alive_with(self.marker)), sorted(os.listdir(self.path("out")))


class RefusedReloadTest(ReloadTest):
    def test_changes_nothing_and_the_corrected_config_is_taken(self):
        """All that may not change in a run is named by hosting_test."""
        base = self.practice(self.dialler("a"), self.launched("b", "walls-greedy"), {"name": "hand", "token": "the old one"})
        base["tournaments"].append({"id": "later", "game": "walls", "params": {"size": 3}, "bots": ["a", "b"], "starts": "by_order"})
        self.serve(self.write("c.json", base))
        wait_until(lambda: self.matches() > 0, "a match")
        self.order("pause", "practice")
        wait_until(lambda: self.tournament("practice")["running"] == 0, "the last game")

        old, new = (("127.0.0.1", port) for port in (base["listen"]["port"], held_port(self)))
        a, b, _ = base["bots"]
        moved = {"listen": {"address": "127.0.0.1", "port": new[1], "tls": {"port": 0}}, "names": "pseudonyms", "registration": {"password": "open sesame"},
                 "bots": [a, b, {"name": "hand", "token": "the new one"}], "log_level": "debug"}
        in_the_way = {"id": "in-the-way", "game": "walls", "params": {"size": 3}, "bots": ["a", "b"]}
        taken = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        nowhere = {"address": "192.0.2.1", "port": 7777}
        self.write("out/in-the-way", "")
        before = self.as_it_is()
        for change, *says in (({"tournaments": 5}, "tournaments"), ({"tournaments": [*base["tournaments"], in_the_way]}, "in-the-way"),
                              ({"listen": {"address": "127.0.0.1", "port": taken.getsockname()[1]}}, "in use"),
                              ({"priority": "plain", "bots": [a, b], "listen": {**nowhere, "web": {"port": 0}}},
                               "\"priority\" can't", "; also: bot hand is gone", "; also: listen.web: ", "; also: can't listen on 192.0.2.1:7777")):
            with self.subTest(says):
                self.write("c.json", {**base, **moved, **change})
                self.tells(self.refused("reload"), "the old config stays: ", *says)
                self.assertEqual(self.as_it_is(), before)
                self.assertFalse(answers(new), "it must not listen where it was refused to")
        self.assertEqual(self.first_answer("hand", token="the old one")["type"], "welcome")
        self.assertEqual(self.first_answer("nobody", token="a long token", password="open sesame")["code"], "unknown_name")
        self.write("c.json", {**base, **moved})
        before = self.as_it_is()
        self.assertIn("the config is read again: no tournament and no bot is new or gone", self.order("reload", "--dry-run"))
        self.assertEqual((self.as_it_is(), answers(new)), (before, False))
        self.order("reload")
        self.assertEqual((self.address(), answers(old)), (new, False))
        self.assertEqual({"names.secret", "tls-certificate.pem", "tls-key.pem"} - set(os.listdir(self.path("out"))), set())
        self.assertEqual(self.first_answer("hand", token="the new one")["type"], "welcome")
        self.order("start", "later")
        self.until("finished", "later")

    def first_answer(self, name, **more):
        """Logs in and out again, so that no trace of the login is left."""
        bot = Connection(self.address()).log_in(name, **more)
        answer = bot.heard()
        bot.close()
        return answer


class ReloadWithAnotherAddressTest(ReloadTest):
    def move(self, **listen):
        config = json.loads(self.read("c.json"))
        config["listen"] = listen
        self.write("c.json", config)
        self.order("reload")

    def test_launched_bots_that_dial_in_come_back(self):
        self.serve(self.write("c.json", self.practice(self.dialler("a", lifetime="game"), self.dialler("b", lifetime="tournament"))))
        self.wait_for_matches(1, "matches")
        port = held_port(self)
        # Another port, then the same one of all addresses.
        for address in ("127.0.0.1", "0.0.0.0", "127.0.0.1"):
            self.move(address=address, port=port)
            self.assertEqual(self.address(), (address, port))
            self.wait_for_matches(3, "matches on " + address)
        self.assertFalse(answers(("127.0.0.2", port)))
        for pid in alive_with(self.marker):
            with contextlib.suppress(ProcessLookupError):  # a bot for one game may end by itself
                os.kill(pid, 9)
        self.wait_for_matches(2, "matches of bots that were launched after the moves")
        self.assertNotIn("did not log in", self.read("log"))
        self.exits(3, "serve", self.path("c.json"), "--out", self.path("second"), told="in use")


class ReloadWithMoreTest(ReloadTest):
    def test_bots_that_are_new_or_mended_or_launched_otherwise(self):
        program = self.path("late-bot")
        greeting = self.launched("b", "walls-greedy", lifetime="game")
        greeting["environment"]["WORD"] = "old"
        config = self.practice(self.launched("a", "walls-greedy"), greeting, self.launched("late", program))
        config["tournaments"].append({"id": "later", "game": "walls", "params": {"size": 3}, "bots": ["a", "b"], "starts": "by_order", "match": {"games": 1}})
        self.serve(self.write("c.json", config))
        if not self.bots()["late"]["tournaments"]:
            self.order("admit", "practice", "late")
        wait_until(lambda: "late: GIVEN UP: " in self.read("log"), "it to be given up")
        self.assertRegex(self.order("status"), r"late is not launched again, for 4 launches have failed or ended early; the last: .*no such file")
        shutil.copy(os.path.join(BIN, "walls-greedy"), program)
        greeting["environment"]["WORD"] = "new"
        config["bots"].insert(0, {"name": "newcomer"})
        self.write("c.json", config)
        self.assertIn("the config is read again: new bots: newcomer", self.order("reload"))
        self.order("start", "later")
        self.assertEqual(self.rows("SELECT bot FROM entries WHERE tournament = 'later' ORDER BY seq"), [("a",), ("b",)])
        wait_until(lambda: alive_with("WORD=new"), "a launch with the new environment")
        wait_until(lambda: self.rows("SELECT 1 FROM results WHERE bot = 'late'"), "a game of the bot that was mended")

    def test_a_tournament_of_a_former_daemon_is_not_begun_a_second_time(self):
        config = self.practice(self.launched("a", "walls-greedy"), self.launched("b", "walls-greedy"))
        friday = {"id": "friday", "game": "walls", "params": {"size": 3}, "bots": ["a", "b"], "match": {"games": 1}}
        config["tournaments"].append(friday)
        daemon = self.serve(self.write("c.json", config))
        self.until("finished", "friday")
        ended(daemon, signal.SIGKILL)
        self.serve(self.write("c.json", {**config, "tournaments": config["tournaments"][:1]}))
        self.write("c.json", config)
        self.tells(self.refused("reload"), "friday", "new start of the daemon")

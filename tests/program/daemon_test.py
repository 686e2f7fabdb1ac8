"""The daemon: the built program, real processes, real signals, real sockets."""
import datetime
import json
import os
import re
import signal
import stat
import subprocess

from harness import BIN, LADDER, LONG, REFEREE, SOURCE, Connection, ProgramTest, alive_with, asked, ended, referee, rows, wait_until


class DaemonTest(ProgramTest):
    """Starts a daemon and gives it orders."""

    def serve(self, config, out="out", **options):
        log = self.enterContext(open(self.path("log"), "a"))
        process = self.spawn([REFEREE, "serve", config, "--out", self.path(out)], stderr=log, stdout=log, **options)
        self.out = out
        wait_until(lambda: process.poll() is not None or asked(self.path(out), "status"), "the daemon")
        self.assertIsNone(process.poll(), self.read("log"))
        return process

    def ctl(self, *arguments):
        return referee("ctl", "--out", self.path(self.out), *arguments)

    def order(self, *arguments):
        done = self.ctl(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, *arguments, told=""):
        done = self.ctl(*arguments)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.tells(done.stderr, told)
        return done.stderr

    def answer(self, *order):
        """The answer to an order as JSON."""
        return json.loads(self.order(*order, "--json"))

    def asked(self, command):
        """What `ctl` prints as JSON."""
        answer = asked(self.path(self.out), command)
        self.assertTrue(answer and answer["ok"], answer)
        return answer

    def status(self):
        return self.asked("status")

    def bots(self):
        return {bot["name"]: bot for bot in self.asked("bots")["bots"]}

    def tournament(self, name):
        return next(one for one in self.status()["tournaments"] if one["id"] == name)

    def until(self, state, name, what="its state"):
        wait_until(lambda: self.tournament(name)["state"] == state, f"{what}: {state}")

    def rows(self, query):
        """Of the daemon's store."""
        return rows(self.path(self.out, "referee.db"), query)

    def address(self):
        host, port = self.status()["listening"].rsplit(":", 1)
        return host, int(port)

    def call(self, name, **more):
        """A connection whose login was sent, and which stays open."""
        bot = Connection(self.address()).log_in(name, **more)
        self.addCleanup(bot.close)
        return bot

    def log_in(self, name, **more):
        return self.call(name, **more).heard()

    def come_in(self, name, token="t", **more):
        bot = self.call(name, token=token, **more)
        bot.read("welcome")
        return bot

    def begin_game(self, bot):
        """Says that it is ready, and gives the start that it was told."""
        start = bot.read("start")
        bot.send(type="ready", game_id=start["game_id"])
        return start


class ServeTest(DaemonTest):
    def friday(self, **more):
        bots = [self.launched(name, "walls-greedy") for name in ("a", "b", "c")]
        config = {"listen": {"port": 0}, "bots": bots, "game_files": "all", "tournaments": [
            LADDER, {"id": "friday", "game": "walls", "params": {"size": 3}, "field": {"ladder": "practice", "best": 2}}]}
        config.update(more)
        return self.write("c.json", config)

    def test_a_ladder_gives_friday_its_field_and_all_of_it_outlives_the_daemon(self):
        self.exits(2, "run", self.friday(), "--out", self.path("out"), told="practice is a ladder, which has no end")
        daemon = self.serve(self.friday())
        self.assertEqual(self.tournament("friday")["state"], "waiting")
        self.assertNotIn("earlier runs", self.order("status", "--verbose"), "there was none")
        wait_until(lambda: self.tournament("practice")["matches"] >= 6, "matches on the ladder")
        left_out = r"begins with 2 bots; left out (behind the best 2|with fewer than 3 matches of practice): [abc]\n"
        self.assertRegex(self.order("start", "friday"), left_out)
        self.until("finished", "friday")
        wait_until(lambda: json.loads(self.read("out/friday/standings.json"))["finished"], "the standings of the end")
        ended(daemon, signal.SIGKILL)
        before = self.read("out/friday/standings.json")
        self.serve(self.friday())
        self.assertEqual(self.tournament("friday")["state"], "finished")
        self.assertEqual(self.read("out/friday/standings.json"), before)
        wait_until(lambda: "the store is whole, " in self.order("status", "--verbose"), "what is said of earlier runs")
        self.assertGreaterEqual(self.tournament("practice")["matches"], 6)
        self.refused("start", "friday", told="friday is over")

    def previewed(self, *order):
        """Gives it, whose answer is that of its preview; and that has changed nothing."""
        states = [one["state"] for one in self.status()["tournaments"]]
        preview = self.answer(*order, "--dry-run")
        self.assertTrue(preview.pop("dry_run"))
        self.assertEqual([one["state"] for one in self.status()["tournaments"]], states)
        self.assertEqual(self.answer(*order), preview)

    def test_orders_about_a_tournament_its_bots_and_its_games(self):
        """That no game begins meanwhile, and that an abort loses none, is seen by the scheduler's tests."""
        self.serve(self.friday())
        self.previewed("pause", "practice", "--reason", "lunch")
        self.assertEqual(self.tournament("practice")["state"], "paused")
        self.previewed("resume", "practice")
        self.order("abort", "practice", "--reason", "enough")
        reasons = dict(self.rows("SELECT state, reason FROM states WHERE tournament = 'practice'"))
        self.assertEqual((reasons["paused"], reasons["aborted"]), ("lunch", "enough"))
        self.assertIn(f"practice is aborted (enough)\n    `referee ctl --out {self.path('out')} resume practice` undoes that\n", self.ctl("status").stdout)
        self.order("resume", "practice", "--reason", "a slip")
        self.assertEqual(self.tournament("practice")["state"], "running")

        self.previewed("withdraw", "practice", "c", "--reason", "ill")
        for order, told in ((["withdraw", "practice", "c"], "withdrawn"),
                            (["withdraw", "practice"], "practice is a tournament: expected a bot's name behind it, as in `referee ctl "),
                            (["withdraw", "c", "practice"], "the tournament comes first, as in `referee ctl "),
                            (["pause", "practise"], 'there is no tournament "practise"; did you mean "practice"?'),
                            (["resume"], "several tournaments"), (["refuse", "c"], '"c" is in the config or its roster')):
            for preview in ([], ["--dry-run"]):
                self.refused(*order, *preview, told=told)
        self.previewed("admit", "practice", "c")
        # Not one that the abort interrupted.
        played = "SELECT match, number, attempt FROM games WHERE tournament = 'practice' AND status = 'played' ORDER BY seq"
        match, number, attempt = wait_until(lambda: self.rows(played), "a game")[0]
        this, following = (f"{match}.{number}" + (f"~{each}" if each > 1 else "") for each in (attempt, attempt + 1))
        game = f"practice/{this}"
        self.order("replay-game", game, "--reason", "a cable was loose")
        wait_until(lambda: os.path.exists(self.path(f"out/practice/games/practice_{following}.ndjson")), f"practice/{following}")
        practice = self.tournament("practice")
        self.assertEqual((practice["annulled"], practice["last_annulled"]), (1, f"game {game}: a cable was loose"))
        self.refused("replay-game", "practice", told="such as friday/12.1")
        self.assertEqual(self.rows("SELECT reason FROM annulments"), [("a cable was loose",)])

    def test_a_lost_real_time_class_is_told_once_and_counted(self):
        bots = [self.launched(name, "walls-greedy") for name in ("a", "b")]
        daemon = self.serve(self.write("c.json", self.walls(bots, format={"kind": "round_robin", "cycles": 10_000}, match={"games": 1})))
        if self.status()["priority"] != "real-time":
            self.skipTest("this user gets no real-time class")
        self.order("pause")
        wait_until(lambda: self.tournament("t")["running"] == 0, "the last game")
        daemon.send_signal(signal.SIGXCPU)  # as the kernel does when the loop works without a pause
        wait_until(lambda: self.status()["priority"] == "lost", "the loss")
        self.order("resume")
        wait_until(lambda: self.status()["priority"] == "real-time", "the next game")
        self.assertEqual(self.status()["priority_lost"], 1)
        self.assertEqual(self.read("log").count("lost its real-time class"), 1)

    def waiting_week(self, **more):
        return self.write("c.json", {"listen": {"port": 0}, "bots": [{"name": name, "token": "t"} for name in ("ann", "bob", "eve")],
                                     "tournaments": [{"id": "friday", "game": "walls", "params": {"size": 3}, **more}]})

    def paste(self, text):
        """Gives a shell each order that stands in the text."""
        orders = re.findall("`(referee ctl .*?)`", text)
        self.assertTrue(orders, text)
        for order in orders:
            done = subprocess.run(["bash", "-c", order], env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}, capture_output=True, text=True, timeout=LONG)
            self.assertEqual(done.returncode, 0, order + ": " + done.stderr)
        return orders

    def test_orders_that_are_printed_work_when_they_are_pasted(self):
        self.serve(self.waiting_week(starts="by_order"), out="my class")
        self.assertEqual(self.paste(self.order("status")), [f"referee ctl --out '{self.path('my class')}' start friday"])
        wait_until(lambda: "friday waits for ann, bob and eve to connect" in self.read("log"), "the wait in the log")
        self.assertEqual(len(self.paste(self.read("log").split("friday waits for ann, bob and eve")[1])), 2)
        self.assertEqual([one["bot"] for one in self.tournament("friday")["withdrawn"]], ["ann"])
        self.order("pause")
        self.paste(referee("ctl", "--socket", self.path("my class/control.sock"), "status").stdout)
        self.assertEqual(self.tournament("friday")["state"], "running")
        self.paste(self.order("abort", "friday", "--json"))
        self.paste(self.ctl("admit", "friday", "tim").stderr)
        self.refused("admit", "friday", "tim", told="takes no late entries")

    def test_watching_shows_the_time_that_is_left_and_an_order_ends_the_wait(self):
        self.serve(self.waiting_week())
        (wait,) = wait_until(lambda: self.tournament("friday")["waiting"], "the wait")
        self.assertEqual((wait["for"], wait["bots"], 0 < wait["left_s"] <= 600), ("arrivals", ["ann", "bob", "eve"], True))
        watch = self.spawn([REFEREE, "ctl", "--out", self.path("out"), "status", "--watch"], stdout=subprocess.PIPE, text=True)
        left = []
        while len(set(left)) < 2:
            line = watch.stdout.readline()
            self.assertTrue(line, "the watch has ended")
            left += re.findall(r"friday waits for ann, bob and eve to connect, (\d+:\d\d) left", line)
        self.assertEqual(left, sorted(left, key=lambda text: [-int(part) for part in text.split(":")]))
        self.assertRegex(self.order("start", "friday", "--now"), r"goes on without .*: a game waits [1-9]\d* m?s for")
        wait_until(lambda: "no longer: friday waits for" in self.read("log"), "the end of the wait in the log")

    def test_tokens(self):
        config = json.loads(self.read(self.friday()))
        config["bots"].append({"name": "hand", "token": "of the config"})
        config["tournaments"][0]["clock"] = {"budget": "60s"}
        self.serve(self.write("c.json", config))
        shown = self.order("token", "new", "hand").strip().splitlines()[-1]
        self.assertEqual(self.log_in("hand", token="of the config")["code"], "wrong_token")
        self.refused("token", "new", "newcomer", told="nobody is called \"newcomer\" here")
        self.order("token", "new", "newcomer", "--new")
        self.refused("token", "new", "a", told="gives it its token")
        bot = self.come_in("hand", shown)
        game = self.begin_game(bot)["game_id"]
        bot.send(type="move", game_id=game, turn=bot.read("turn")["turn"], move="L")  # a ladder drops games without a turn
        bot.read("turn")
        plays = f"hand plays just now, in game {game}: its connection ends, as if it had left; with the new token it may come back to the game"
        self.assertIn(plays, self.order("token", "new", "hand", "--dry-run"))
        told, _, shown = self.order("token", "new", "hand").splitlines()
        self.assertEqual(told, plays)
        self.assertIn("new token", bot.read("bye")["message"])
        self.assertEqual(self.come_in("hand", shown).read("start")["game_id"], game)

    def test_signals_and_a_drain(self):
        for how in (signal.SIGTERM, signal.SIGINT, "drain"):
            daemon = self.serve(self.friday())
            wait_until(lambda: self.tournament("practice")["running"] > 0, "a game")
            if how == "drain":
                changed = json.loads(self.read("c.json"))
                changed["tournaments"].append({"id": "extra", "game": "walls", "params": {"size": 3}, "bots": ["a", "b"]})
                self.write("c.json", changed)
                daemon.send_signal(signal.SIGHUP)
                wait_until(lambda: len(self.status()["tournaments"]) == 3, "the config that was read again")
                self.assertIn("no game begins any more", self.order("drain", "--reason", "the room closes"))
            else:
                daemon.send_signal(how)
            self.assertEqual(daemon.wait(timeout=LONG), 0)
            self.assertFalse(os.path.exists(self.path("out/control.sock")))
            wait_until(lambda: not alive_with(self.marker), "bots to be gone")
        self.assertIn("drained by order: the room closes; no game begins any more", self.read("log"))
        self.exits(3, "ctl", "--out", self.path("out"), "status", told="no daemon answers")

    def test_the_socket_is_private_and_a_second_daemon_is_refused(self):
        self.exits(2, "ctl", "status", told="--out")
        daemon = self.serve(self.friday())
        self.assertEqual([one["id"] for one in self.answer("status")["tournaments"]], ["practice", "friday"])
        self.assertEqual([one["name"] for one in self.answer("bots")["bots"]], ["a", "b", "c"])
        mode = os.stat(self.path("out/control.sock")).st_mode
        self.assertEqual((stat.S_ISSOCK(mode), stat.S_IMODE(mode)), (True, 0o600))
        # A page of the first, which the second would write anew.
        page = self.path("out/practice/index.html")
        wait_until(lambda: os.path.exists(page), "its page")
        os.remove(page)
        self.exits(3, "serve", self.path("c.json"), "--out", self.path("out"), told=str(daemon.pid))
        self.assertFalse(os.path.exists(page), "the lock comes first")


class WeekTest(DaemonTest):
    def test_the_week_that_ships(self):
        with open(os.path.join(SOURCE, "configs", "class-week.json")) as file:
            week = re.sub(r'"port": \d+', '"port": 0', file.read())  # other tests run too
        week = week.replace('"schema.json"', json.dumps(os.path.join(SOURCE, "configs", "schema.json")))
        self.serve(self.write("week.json", week))
        self.assertRegex(self.read("log"), r'only this machine reaches 127\.0\.0\.1:\d+: .*"address": "0\.0\.0\.0"')
        self.assertRegex(self.read("log"), r"paste to the class: bots dial in at 127\.0\.0\.1:\d+, pages are at http://127\.0\.0\.1:\d+/, "
                                     r"a program joins by: referee connect 127\.0\.0\.1:\d+ --name NAME --token TOKEN --password PASSWORD -- COMMAND")
        for name in ("ann", "bob"):
            self.assertEqual(self.log_in(name, token=name + "'s own token", password="change me")["type"], "welcome")
        wait_until(lambda: self.tournament("practice")["bots"] == 4, "both on the ladder, beside its house bots")
        status = self.order("status")
        self.assertIn("practice ends on Fri 2030-11-29 13:00", status)
        self.assertIn("friday begins on Fri 2030-11-29 14:00", status)
        self.assertIn("begins with 2 bots", self.order("start", "friday"))

    def test_a_tournament_begins_by_itself(self):
        moment = (datetime.datetime.now() + datetime.timedelta(seconds=2)).isoformat(timespec="seconds")
        self.serve(self.write("c.json", self.walls([self.launched(name, "walls-greedy") for name in "ab"], id="friday", starts=moment)))
        self.until("finished", "friday")
        self.assertIn("tournament friday is running: started by the calendar", self.read("log"))

"""A class that registers: its roster, approval, and secrets that no message and no file shows. The built program, real sockets."""
import os
import re
import signal
import stat

from daemon_test import DaemonTest
from harness import LADDER, ProgramTest, ended, referee, wait_until


class RosterCommandTest(ProgramTest):
    def test_tokens_and_hashes_go_into_new_files_of_the_owner(self):
        roster = self.write("students.csv", "name,section,token\nann,A,\nbob,B,plum-4242-orchard\n")
        os.chmod(roster, 0o644)
        done = self.exits(0, "roster", "check", roster, told="every user of this machine can read the tokens in it")
        self.assertEqual(done.stdout, f"{roster}: 2 bots, 0 with an e-mail address, 0 teams, 1 token, 0 hashed tokens\n")
        self.exits(0, "roster", "tokens", roster)
        made = self.path("students-tokens.csv")
        self.assertEqual(stat.S_IMODE(os.stat(made).st_mode), 0o600)
        first = self.read("students-tokens.csv")
        self.assertRegex(first, "ann,A,[0-9a-f]{32}\nbob,B,plum-4242-orchard\n")
        self.exits(2, "roster", "tokens", roster, told="is there already")
        self.exits(0, "roster", "tokens", roster, "--overwrite")
        self.assertNotEqual(self.read("students-tokens.csv"), first)
        self.exits(0, "roster", "hashes", made, "-o", self.path("hashed.csv"))
        self.assertNotIn("plum-4242-orchard", self.read("hashed.csv"))
        self.assertEqual(self.read("hashed.csv").count("pbkdf2-sha256$"), 2)
        self.exits(3, "roster", "tokens", roster, "-o", self.path("no/such/folder.csv"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["hashed.csv", "students-tokens.csv", "students.csv"], "nothing else is left")
        bad = self.write("bad.csv", "name,email\nann,a@b.c\nann,a@b.c\n")
        self.exits(2, "roster", "check", bad, told=f"{bad}:3: email: \"a@b.c\" stands in line 2 too")


class RegistrationTest(DaemonTest):
    def config(self, registration, **more):
        return self.write("c.json", {"listen": {"port": 0}, "registration": registration, "tournaments": [LADDER], **more})

    def told(self, name, **login):
        answer = self.log_in(name, **login)
        return answer.get("code", answer["type"])

    def test_a_name_waits_for_the_instructor_through_a_restart(self):
        """Whom an approval lets in, and what a refused name is told, is seen by newcomers_test."""
        config = self.config({"password": "open sesame", "approval": True})
        daemon = self.serve(config)
        ann, eve = ({"token": f"{name}'s own token", "password": "open sesame"} for name in ("ann", "eve"))
        self.assertEqual((self.told("ann", **ann), self.told("eve", **eve)), ("approval_needed",) * 2)
        self.assertIn(f"2 names wait for approval: `referee ctl --out {self.path('out')} registrations` shows who", self.order("status"))
        self.refused("token", "new", "ann", told="ann waits for approval")
        ended(daemon, signal.SIGKILL)
        self.serve(config)
        listed = self.answer("registrations")["registrations"]
        self.assertEqual([(one["name"], one["from"]) for one in listed], [("ann", "127.0.0.1"), ("eve", "127.0.0.1")], "kept through the restart")
        self.assertEqual(self.order("approve", "--all", "--dry-run"), "nothing is changed; without --dry-run: approved: ann, eve\n")
        self.assertEqual(self.order("approve", "ann"), "approved: ann\n")
        bot = self.come_in("ann", **ann)
        wait_until(lambda: self.tournament("practice")["bots"] == 1, "ann on the ladder")
        self.refused("admit", "practice", "eve", told="waits for approval")
        self.assertEqual(self.order("refuse", "--all"), "refused: eve\n")
        self.assertEqual(self.told("eve", **eve), "name_refused")
        self.refused("approve", "--all", told="nobody waits")
        # Who is refused after all is shown out.
        self.order("refuse", "ann", "--reason", "not of this class")
        bye = bot.read("bye")
        self.assertEqual((bye["reason"], bye["message"]), ("refused", "the instructor has refused this name: not of this class"))
        self.assertIn("refused: not of this class", self.order("registrations", "--all"))
        self.order("approve", "ann")
        self.come_in("ann", "ann's own token").close()
        wait_until(lambda: re.search(r"1 bot has left: ann \(\d+ s ago\)\n", self.order("status")), "the status says so")

    def test_a_roster_says_who_may_come_and_a_reload_reads_it_again(self):
        self.write("students.csv", "name,team,token\nann,red,plum-4242-orchard\nbob,red,\n")
        self.serve(config := self.config({"password": "open sesame", "roster": "students.csv"}))
        self.assertIn(f"2 bots may register by {self.path('students.csv')}, 1 of them without a token there\n", referee("check", config).stdout)
        self.assertEqual(self.told("ann", token="plum-4242-orchard"), "welcome")
        wait_until(lambda: self.rows("SELECT bot, team FROM entries") == [("ann", "red")], "ann on the ladder")
        self.assertIn("1 of the roster was never here: bob\n", self.order("status"))
        self.assertEqual(self.told("ann", token="a slip of the pen"), "wrong_token")
        self.assertIn(f'"ann" was turned away: its token is wrong; `referee ctl --out {self.path("out")} token new ann` makes a new one\n', self.order("status"))
        carl = {"token": "carl's own token", "password": "open sesame"}
        self.assertEqual(self.told("carl", **carl), "not_on_roster")
        self.write("students.csv", "name,team,token\ncarl,red,\n")
        self.order("reload")
        self.assertEqual(self.told("carl", **carl), "welcome")


class SecretTest(DaemonTest):
    """Every secret is a word that stands nowhere else; then all that was written or said is searched for them."""

    SECRETS = {name: f"{name}-kumquat-{number}" for number, name in enumerate(
        ("password", "admin", "config-token", "roster-token", "own-token", "wrong-token", "wrong-password", "rubbish"), 7001)}

    def run_a_class(self, secrets):
        """All who come in, and all who are refused; a game in which a login comes instead of a move; orders. All that was said."""
        self.write("students.csv", f"name,token\nann,{secrets['roster-token']}\nbob,\n")
        daemon = self.serve(self.write("c.json", {
            "listen": {"port": 0}, "log_level": "trace", "control": {"address": "127.0.0.1", "port": 0, "token": secrets["admin"]},
            "registration": {"password": secrets["password"], "roster": "students.csv"},
            "bots": [{"name": "known", "token": secrets["config-token"]}, self.launched("greedy", "walls-greedy")],
            "tournaments": [LADDER], "game_files": "all"}))
        said = []
        for name, *login in (("known", "config-token"), ("known", "wrong-token"), ("bob", "own-token", "wrong-password"), ("bob", "own-token", "password"),
                             ("carl", "own-token", "password")):
            bot = self.call(name, **dict(zip(("token", "password"), map(secrets.get, login))))
            said.append(bot.line())
            bot.close()
        bot = self.come_in("ann", secrets["roster-token"])
        game = self.begin_game(bot)["game_id"]
        turn = bot.read("turn")
        bot.send(type="login", name="ann", token=secrets["roster-token"], password=secrets["password"])
        for before in ("", f'"a":"{"x" * 300}",'):
            bot.socket.sendall(f'{{{before}"token":"{secrets["roster-token"]}\x01"}}\n'.encode())
        self.order("pause")  # no other game begins, for which the daemon would wait
        while turn["type"] != "end":
            if turn["type"] == "turn":
                bot.send(type="move", game_id=game, turn=turn["turn"], move="R")
            turn = bot.heard()
        secrets["new"] = re.findall(r"^[0-9a-f]{32}$", self.order("token", "new", "bob"), re.MULTILINE)[0]
        port = re.findall(r"orders are taken on (\S+) too", self.read("log"))[0]
        orders = [self.ctl(*words) for words in (["status", "--json"], ["bots", "--json"], ["registrations", "--all"], ["refuse", "bob"], ["reload"],
                                                 ["token", "new", "greedy"])]
        orders += [referee("ctl", "--tcp", port, "status", env=dict(os.environ, REFEREE_ADMIN_TOKEN=secrets[token])) for token in ("admin", "rubbish")]
        ended(daemon)
        return "".join([*said, *(text for done in orders for text in (done.stdout, done.stderr)), self.read("log")])

    def test_no_file_and_no_message_holds_a_secret(self):
        secrets = dict(self.SECRETS)
        found = {"what was said": self.run_a_class(secrets).encode()}
        for path in [os.path.join(folder, name) for folder, _, names in os.walk(self.path("out")) for name in names]:
            with open(path, "rb") as file:
                found[path] = file.read()
        stories = "".join(referee("explain", path).stdout for path in found if path.endswith(".ndjson"))
        self.assertIn("sent a line that is no valid message", stories)
        found["stories"] = stories.encode()
        # What the store keeps packed stands plainly in an archive.
        found["archive"] = self.exits(0, "store", "export", self.path("out/referee.db")).stdout.encode()
        self.assertGreater(len(found), 12)
        for place, text in found.items():
            for secret in secrets.values():
                self.assertNotIn(secret.encode(), text, place)
        hashes = self.rows("SELECT hash FROM tokens")
        self.assertTrue(hashes)
        for stored, in hashes:
            self.assertRegex(stored, r"^pbkdf2-sha256\$\d+\$[0-9a-f]+\$[0-9a-f]+$")

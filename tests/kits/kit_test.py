"""The kits of sample_bots: bots of a language play real games, by TCP and as launched bots, and meet what can go wrong.

    kit_test.py LANG [unittest's options]

One table (languages.py) says how bots are built and run. Run by CTest, which gives the program's folder in REFEREE_BIN and the
sources in REFEREE_SOURCE. Ends with 77 where the language is not in this sample (tests/sample.py), or not installed.
"""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
sys.path[:0] = [os.path.join(TESTS, "program"), TESTS]

from daemon_test import DaemonTest
from harness import LADDER, LONG, SOURCE, ProgramTest, referee, rows, wait_until
from languages import LANGUAGES, SECOND_GAME, build, chosen, environment, walls_state
from relay import Relay

STATUS_REFUSED, STATUS_LOST, STATUS_INTERRUPTED = 2, 3, 130
WALLS_PARAMS = {"size": 5}
BUDGET = {"budget": "20s"}  # nothing here is about thinking times, and a busy machine starts an interpreter slowly
GAME_ID = "g/\u00e9\"\\"  # any text


language_id = ""  # the command line says which
language = {}  # what LANGUAGES says of it
built = ""  # the folder with its bots


def setUpModule():
    global built
    built = tempfile.mkdtemp(prefix="referee-kit-")
    unittest.addModuleCleanup(shutil.rmtree, built, True)
    build(language_id, built)


def command_of(part):
    return [word.format(folder=built, bot=language["bots"][part]) for word in language["run"]]


class KitTest(DaemonTest):
    def setUp(self):
        super().setUp()
        self.bots = []

    def start_bot(self, part, name, address, **more):
        told = {"REFEREE_ADDRESS": address, "REFEREE_NAME": name, "REFEREE_TOKEN": "a token of my own", **more}
        self.bots.append(self.spawn(command_of(part), env=environment(**told), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True))
        return self.bots[-1]

    def bot_ends(self, part, name, address, **more):
        """A bot that is to end by itself: its status, and what it said for people."""
        bot = self.start_bot(part, name, address, **more)
        _, said = bot.communicate(timeout=LONG)
        return bot.returncode, said

    def relay(self):
        relay = Relay(self.address())
        self.addCleanup(relay.close)
        return relay

    def plain_address(self):
        return "{}:{}".format(*self.address())

    def config(self, game, params, names, **more):
        return self.write("c.json", {
            "listen": {"port": 0, **more.pop("listen", {})}, "bots": [{"name": name} for name in names],
            "tournaments": [{"id": "t", "game": game, "params": params, "clock": BUDGET}], **more})

    def finished(self, *drained):
        """All games are over; then the bots that are named are sent home."""
        def over():
            self.assertEqual([bot.stderr.read() for bot in self.bots if bot.poll() not in (None, 0)], [], "a bot has failed")
            return self.tournament("t")["state"] == "finished"

        wait_until(over, "the tournament")
        if drained:
            self.order("drain")
        self.assertEqual([bot.wait(LONG) for bot in drained], [0] * len(drained))

    def games(self):
        return rows(self.path("out/referee.db"), "SELECT count(*), sum(faults_total) FROM games")[0]


class DialledTest(KitTest):
    def test_full_games_of_walls(self):
        self.serve(self.config("walls", WALLS_PARAMS, ("kit", "other")))
        relay = self.relay()
        bot = self.start_bot("walls", "kit", relay.address, REFEREE_VERSION="2.1 (try)")
        other = self.start_bot("walls", "other", self.plain_address())
        self.finished(bot, other)
        self.assertEqual(self.games(), (2, 0))
        self.assertEqual(relay.sent("login")[0]["state"], "delta")
        self.assertEqual(relay.sent("login")[0]["version"], "2.1 (try)")
        self.assertTrue([turn for turn in relay.told("turn") if "delta" in turn], "states came as changes")
        self.assertIn("is over: place", bot.stderr.read())

    def test_full_game_of_another_kind_with_debug(self):
        game, params = SECOND_GAME
        self.serve(self.config(game, params, ("kit",)))
        relay = self.relay()
        bot = self.start_bot("second", "kit", relay.address)
        self.finished(bot)
        count, faults = self.games()
        self.assertEqual((count > 0, faults), (True, 0))
        self.assertTrue(all(move["debug"] for move in relay.sent("move")))
        end = relay.told("end")[0]
        self.assertGreater(end["outcome"]["scores"][0], 0)
        self.assertNotIn("seed", end, "others play from it")

    def test_a_cut_connection_in_mid_game_comes_back_and_plays_on(self):
        self.serve(self.config("walls", WALLS_PARAMS, ("kit", "other")))
        relay = self.relay()
        relay.cut_after_moves(4)
        bot = self.start_bot("walls", "kit", relay.address)
        self.start_bot("walls", "other", self.plain_address())
        self.finished(bot)
        self.assertEqual(len(relay.sent("login")), 2)
        resumed = [start for start in relay.told("start") if start.get("resumed")]
        self.assertEqual(len(resumed), 1)
        self.assertTrue(relay.told("history"))
        later = [move["turn"] for move in relay.sent("move") if move["game_id"] == resumed[0]["game_id"]]
        self.assertGreater(max(later), resumed[0]["turn"] + 2, "it played on")
        self.assertEqual(self.games(), (2, 1), "the lost connection is the only fault: no turn was missed")
        said = bot.stderr.read()
        self.assertIn("the connection was lost, trying again", said)
        self.assertIn("goes on from turn", said)

    def test_a_bots_memory_outlives_a_lost_connection(self):
        if "memory" not in language["offers"]:
            self.skipTest(f"the kit for {language['name']} begins anew after a lost connection, as its page says")
        self.serve(self.config("walls", WALLS_PARAMS, ("kit", "other")))
        relay = self.relay()
        relay.cut_after_moves(2)
        self.start_bot("thrower", "kit", relay.address)
        self.start_bot("walls", "other", self.plain_address())
        self.finished()
        self.assertEqual([move["move"] for move in relay.sent("move")[:4]], ["F", "F", None, "F"], "it counts its answers on")

    def test_a_class_password_registers_a_name(self):
        self.serve(self.write("c.json", {"listen": {"port": 0}, "registration": {"password": "open sesame"}, "tournaments": [LADDER]}))
        status, said = self.bot_ends("walls", "kit", self.plain_address())
        self.assertEqual(status, STATUS_REFUSED)
        self.assertIn("class password", said)
        for name in ("kit", "other"):
            self.start_bot("walls", name, self.plain_address(), REFEREE_PASSWORD="open sesame")
        wait_until(lambda: self.tournament("practice")["games"] > 0, "a game of both")

    def test_a_login_that_is_none_or_has_a_wrong_token_is_told_once(self):
        self.serve(self.write("c.json", {"listen": {"port": 0}, "bots": [{"name": "kit", "token": "another token"}, {"name": "other"}],
                                         "tournaments": [{"id": "t", "game": "walls"}]}))
        for code, more in (("wrong_token", {}), ("invalid_value", {"REFEREE_VERSION": "2" * 70})):
            status, said = self.bot_ends("walls", "kit", self.plain_address(), **more)
            told = [said.count(words) for words in (f"error: {code}: ", "login refused: ", "again")]
            self.assertEqual((status, told), (STATUS_REFUSED, [1, 1, 0]), said)

    def test_an_address_that_is_none(self):
        for address in ("nonsense", "localhost:0", "localhost:70000", "localhost:port", "tls://localhost:7777#sha256=12"):
            with self.subTest(address):
                status, said = self.bot_ends("walls", "kit", address)
                self.assertEqual(status, STATUS_REFUSED)
                if "tls" in language["offers"] or not address.startswith("tls://"):
                    self.assertIn("REFEREE_ADDRESS must be host:port", said)

    def test_nobody_answers(self):
        with socket.socket() as other:  # bound, so that nobody else gets the port; it doesn't listen
            other.bind(("127.0.0.1", 0))
            status, said = self.bot_ends("walls", "kit", "127.0.0.1:{}".format(other.getsockname()[1]))
        self.assertEqual((status, "cannot reach the referee" in said), (STATUS_LOST, True), said)

    def test_what_answers_is_no_referee(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            bot = self.start_bot("walls", "kit", "127.0.0.1:{}".format(other.getsockname()[1]))
            link, _ = other.accept()
            with link:
                link.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
                _, said = bot.communicate(timeout=LONG)
        self.assertEqual(bot.returncode, STATUS_LOST)
        self.assertIn("is no referee", said)

    def test_ctrl_c_ends_it_without_a_word(self):
        if language_id == "octave":
            self.skipTest("Octave waits for a line without looking at signals")
        with socket.create_server(("127.0.0.1", 0)) as other:
            bot = self.start_bot("walls", "kit", "127.0.0.1:{}".format(other.getsockname()[1]))
            link, _ = other.accept()
            with link, link.makefile() as lines:
                link.sendall(b'{"type":"hello","protocol":1}\n')
                lines.readline()  # its login: it has begun
                bot.send_signal(signal.SIGINT)
                _, said = bot.communicate(timeout=LONG)
        self.assertEqual((bot.returncode in (STATUS_INTERRUPTED, -signal.SIGINT), said), (True, ""), bot.returncode)


class CheckedTest(ProgramTest):
    """How long a start-up takes is the machine's matter as long as the login comes."""

    def test_no_corner_of_the_protocol_is_wrong(self):
        for part, options in (("walls", ["--dials-in"]), ("second", [])):
            with self.subTest(part=part, options=options):
                done = referee("check-bot", "--json", "--budget", BUDGET["budget"], *options, "--reads", built, *command_of(part))
                report = json.loads(done.stdout)
                bad = [one for one in report["corners"] if one["verdict"] == "wrong" or one["verdict"] == "could_be_better" and one["corner"] != "start-up"]
                self.assertEqual((done.returncode, bad), (0, []))


class TlsTest(KitTest):
    def test_by_the_right_fingerprint_alone_it_plays(self):
        self.serve(self.config("walls", WALLS_PARAMS, ("kit", "other"), listen={"tls": {"port": 0}}))
        address = self.status()["listening_tls"]
        where, right = address.split("#sha256=")
        status, said = self.bot_ends("walls", "kit", where.removeprefix("tls://"))
        told = [said.count(words) for words in ("error: tls_expected: ", "login refused: ", "again")]
        self.assertEqual((status, told), (STATUS_REFUSED, [1, 1, 0]), said)
        status, said = self.bot_ends("walls", "kit", f"{where}#sha256={'0' * 64}")
        self.assertNotIn("kit has arrived", self.read("log"))
        if "tls" not in language["offers"]:
            self.assertEqual(status, STATUS_REFUSED)
            self.assertIn("a TLS address needs ", said)
            return
        self.assertEqual(status, STATUS_LOST)
        for words in ("another certificate than the address names answers", "expected sha256=" + "0" * 64, "found sha256=" + right):
            self.assertIn(words, said)
        self.bots.clear()
        self.start_bot("walls", "kit", address)
        self.start_bot("walls", "other", self.plain_address())
        self.finished()
        self.assertEqual(self.games(), (2, 0))


class LaunchedTest(ProgramTest):
    def launch(self, part, name):
        return self.launched(name, *command_of(part), directory=built, environment={"PATH": os.environ["PATH"]},
                             reads=[built])

    def run_walls(self, parts):
        config = self.write("c.json", {"listen": {"port": 0}, "bots": [self.launch(part, name) for name, part in parts.items()], "tournaments": [
            {"id": "t", "game": "walls", "params": WALLS_PARAMS, "clock": BUDGET}]})
        self.exits(0, "run", config, "--out", self.path("out"))
        return rows(self.path("out/referee.db"), "SELECT count(*), sum(faults_total) FROM games")[0]

    def test_full_games_and_prints_that_disturb_nobody(self):
        self.assertEqual(self.run_walls({"kit": "walls", "chatty": "chatty"}), (2, 0))

    def test_a_bot_that_throws_gives_turns_away_and_plays_on(self):
        count, faults = self.run_walls({"kit": "walls", "thrower": "thrower"})
        self.assertEqual((count, faults), (2, 2), "one fault a game")

    def play_by_hand(self, part, turns, seat=0, news=()):
        """What a launched bot answers to turns of Walls, given by what they bring, and what it says for people."""
        said = [{"type": "hello", "protocol": 1}, {"type": "welcome"}, {"type": "news that a later version brings"},
                {"type": "start", "match": "m", "game_id": GAME_ID, "game": "walls", "seat": seat, "names": ["\U0001f600", "b"],
                 "params": {"size": 3, "first": 0}, "turn": 0, "state": walls_state()}]
        said += [{"type": "turn", "game_id": GAME_ID, "turn": 2 * i + 1, "budget_us": 1000000, **turn} for i, turn in enumerate(turns)]
        said += [*news, {"type": "ping", "id": 2**64 - 1}, {"type": "bye", "reason": "released"}]
        bot = subprocess.run(command_of(part), env=environment(REFEREE_NAME="kit"), input="".join(json.dumps(one) + "\n" for one in said),
                             capture_output=True, text=True, timeout=LONG)
        self.assertEqual(bot.returncode, 0, bot.stderr)
        answers = [json.loads(line) for line in bot.stdout.splitlines()]
        self.assertEqual([answer["type"] for answer in answers], ["login", "ready"] + ["move"] * len(turns) + ["pong"])
        self.assertEqual(answers.pop()["id"], 2**64 - 1)
        self.assertEqual((answers[0]["name"], answers[0]["games"]), ("kit", ["walls"]))
        self.assertEqual({answer["game_id"] for answer in answers[1:]}, {GAME_ID})
        self.assertEqual([move["turn"] for move in answers[2:]], [2 * i + 1 for i in range(len(turns))])
        return answers[2:], bot.stderr

    def test_changes_of_each_kind_are_applied(self):
        blocked = walls_state(facing="E", board=["...", ".B.", "..."])
        turns_and_moves = [
            ([{"op": "replace", "path": "/players/0/facing", "value": "N"}], "F"),
            ([{"op": "remove", "path": "/board/0"}, {"op": "add", "path": "/board/0", "value": "B.."}], "R"),
            ([{"op": "remove", "path": "/board/0"}, {"op": "add", "path": "/board/-", "value": "BBB"}], "F"),
            ([], "F"),
            ([{"op": "add", "path": "/a~1b~0c", "value": {"x": [1, {"~1": "\u00e9"}]}},
              {"op": "replace", "path": "/a~1b~0c/x/1/~01", "value": None},
              {"op": "add", "path": "/a~1b~0c/x/0", "value": 2.5e3}, {"op": "remove", "path": "/a~1b~0c/x"},
              {"op": "add", "path": "/players/0/facing", "value": "S"}], "L"),
            ([{"op": "replace", "path": "", "value": blocked}], "L"),
        ]
        turns = [{"delta": delta} for delta, _ in turns_and_moves] + [{"state": walls_state(facing="S")}]
        moves, _ = self.play_by_hand("walls", turns)
        self.assertEqual([move["move"] for move in moves], [move for _, move in turns_and_moves] + ["F"])

    def test_the_second_seat_looks_at_its_own_place_and_at_the_firsts_bricks(self):
        turns = [{"state": walls_state(board=board, other_facing="N")} for board in (("...", "...", "..."), ("..A", "...", "..."))]
        moves, _ = self.play_by_hand("walls", turns, seat=1)
        self.assertEqual([move["move"] for move in moves], ["F", "L"])

    def test_people_are_told_of_begin_faults_and_end(self):
        fault = {"type": "fault", "game_id": GAME_ID, "turn": 1, "seat": 0, "code": "late", "message": "too late"}
        seats = [{"name": name, "score": score, "place": place, "reason": "x"} for name, score, place in (("a", 3, 1), ("b", 0, 2))]
        for many, told in ((seats, "place 1 of 2, score 3: over"), (seats[:1], "score 3: over")):
            end = {"type": "end", "game_id": GAME_ID, "seats": many, "reason": "over"}
            _, said = self.play_by_hand("walls", [{"delta": []}], news=[fault, end])
            self.assertRegex(said, r"(?m)^game g/.* begins: walls, .+ against b$")
            self.assertRegex(said, r"(?m)^fault in game g/.*, turn 1: late: too late$")
            self.assertIn(" is over: " + told + "\n", said)

    def test_what_is_printed_goes_to_standard_error(self):
        _, said = self.play_by_hand("chatty", [{"delta": []}] * 2)
        self.assertEqual(said.count("thinking about turn"), 2, said)

    def test_a_program_that_ends_in_its_turn_says_so(self):
        if "goodbye" not in language["offers"]:
            self.skipTest(f"in {language['name']} a program ends without a word")
        quitter = self.write("quitter.py", "import sys\nsys.path.insert(0, sys.argv[1])\nfrom referee_bot import run\n"
                                           "run({'walls': lambda game: sys.exit(7)}, 'kit')\n")
        said = [{"type": "start", "game_id": GAME_ID, "game": "walls", "seat": 0, "names": ["a", "b"], "params": {}, "state": walls_state()},
                {"type": "turn", "game_id": GAME_ID, "turn": 1, "budget_us": 1000000, "state": walls_state()}]
        bot = subprocess.run([sys.executable, quitter, os.path.join(SOURCE, "sample_bots", "python")], env=environment(), text=True,
                             input="".join(json.dumps(one) + "\n" for one in said), capture_output=True, timeout=LONG)
        self.assertEqual(bot.returncode, 7, bot.stderr)
        self.assertEqual(json.loads(bot.stdout.splitlines()[-1])["message"], "its program ended: SystemExit(7)")

    def test_a_turn_without_a_move_is_given_away_and_told(self):
        moves, said = self.play_by_hand("thrower", [{"delta": []}] * 4)
        self.assertEqual([move["move"] for move in moves], ["F", "F", None, "F"])
        self.assertIn("no idea", moves[2]["debug"])
        self.assertIn("no idea", said)
        self.assertIn("the turn is given away", said)
        if "place" in language["offers"]:
            for told in (moves[2]["debug"], said):
                self.assertRegex(told, r"[Tt]hrower\.\w+\b.*[0-9]|\(choose, line [0-9]+\)")


class SelfPlayTest(ProgramTest):
    def self_play(self, part, *arguments, **known):
        return subprocess.run([*command_of(part), "--self-play", *arguments], env=environment(**known), capture_output=True, text=True,
                              timeout=LONG, cwd=self.folder)

    def test_what_was_thrown_is_told_at_the_end(self):
        done = self.self_play("thrower", "walls", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("said of its moves", done.stdout)
        self.assertRegex(done.stdout, "gave the turn away, and its debug text says: .*no idea")

    def test_a_game_with_options_of_play(self):
        game, params = SECOND_GAME
        done = self.self_play("second", game, "--quiet", "--params", json.dumps(params), REFEREE_ADDRESS="localhost:1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("\nplayed: ", done.stdout)

    def test_an_option_that_is_none(self):
        done = subprocess.run([*command_of("walls"), "--selfplay", "walls"], env=environment(), capture_output=True, text=True,
                              input='{"type":"hello"}\n', timeout=LONG)
        self.assertEqual((done.returncode, done.stdout), (STATUS_REFUSED, ""), done.stderr)
        self.assertTrue(done.stderr.startswith("no such option: --selfplay; expected --self-play [GAME]"), done.stderr)

    def test_without_a_referee(self):
        done = self.self_play("walls", PATH=os.pathsep.join(
            folder for folder in os.environ["PATH"].split(os.pathsep) if not os.path.exists(os.path.join(folder, "referee"))))
        self.assertEqual(done.returncode, STATUS_REFUSED, done.stderr)
        self.assertIn("self-play needs the program `referee` in PATH", done.stderr)


class PageTest(ProgramTest):
    """What a student does first: what the kit's page says, to the letter."""
    def test_the_first_bot(self):
        page = os.path.join(SOURCE, "sample_bots", language_id, "README.md")
        with open(page, encoding="utf-8") as file:
            first = file.read().split("## The first bot\n")[1].split("\n## ")[0]
        for name in os.listdir(built):
            if os.path.isfile(os.path.join(built, name)) and name.split(".")[0] not in ("chatty", "thrower", "Chatty", "Thrower"):
                shutil.copy(os.path.join(built, name), self.folder)
        with open(self.path(language["first"]), "w", encoding="utf-8") as file:
            file.write(re.search(r"```\w+\n(.*?)```", first, re.DOTALL).group(1))
        commands = re.findall(r"^    (.+)$", first[first.index("```\n"):], re.MULTILINE)
        self.assertTrue(commands)
        for command in commands:
            done = subprocess.run(command, shell=True, cwd=self.folder, env=environment(), capture_output=True, text=True, timeout=LONG)
            self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
            self.assertEqual("\nplayed: " in done.stdout, "--self-play" in command, command)


if __name__ == "__main__":
    language_id = chosen("the kit of", 0)
    language = LANGUAGES[language_id]
    unittest.main()

"""`referee check-bot`: each bot that breaks one promise is found out in that corner and in no other."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import threading
import xml.etree.ElementTree

from harness import LONG, READ, REFEREE, SOURCE, ProgramTest, alive_with, referee

# A bot of Walls that keeps all promises. A place in it is changed to break one.
BOT = """
import json, os, socket, sys, time
address = os.environ.get("REFEREE_ADDRESS")
def dial():
    global lines, out
    if address is None:
        lines, out = sys.stdin, sys.stdout
        return
    host, port = address.rsplit(":", 1)
    link = socket.create_connection((host, int(port)))
    lines, out = link.makefile("r", encoding="utf-8", newline="\\n"), link.makefile("w", encoding="utf-8", newline="\\n")
    #dialled
def say(**message):
    out.write(json.dumps(message) + "\\n")
    out.flush()
turns, done, ended = 0, False, 0
def play():
    global turns, done, ended
    for line in lines:
        m = json.loads(line)
        kind = m["type"]
        #each
        if kind == "hello":
            #hello
            say(type="login", name=os.environ["REFEREE_NAME"], token=os.environ["REFEREE_TOKEN"], games=["walls"])
        elif kind == "ping":
            say(type="pong", id=m["id"])
        elif kind == "start":
            #start
            say(type="ready", game_id=m["game_id"])
        elif kind == "turn":
            turns += 1
            move = "FLR"[turns % 3]
            #turn
            say(type="move", game_id=m["game_id"], turn=m["turn"], move=move)
            #moved
        elif kind == "end":
            ended += 1
            #end
        elif kind == "bye":
            done = True
            #bye
            return
while not done:
    try:
        dial()
        play()
        #lost
    except (OSError, ValueError):
        #broken
        time.sleep(0.1)  # time: before the bot dials again
        continue
    if address is None:
        break
#over
"""
STDIO, DIALS = [], ["--dials-in"]
BUDGET = ["--budget", "6s"]  # a busy machine may take seconds for a turn
AT_ONCE = 3  # an examination mostly waits

# What is broken: where in the bot, the code there, how it comes, and the corner that is wrong.
BROKEN = [
    ("another name", "hello", "os.environ['REFEREE_NAME'] = 'somebody'", STDIO, "login"),
    ("another token", "hello", "os.environ['REFEREE_TOKEN'] = 'no secret'", STDIO, "login"),
    ("leaves after a game", "end", "sys.exit(0)", STDIO, "end of a game"),
    ("knows one game only", "start", "if ended: continue", STDIO, "second match"),
    ("a move of no form", "turn", "move = 'X' if turns % 9 == 0 else move", STDIO, "moves"),
    ("a turn too late", "turn", "time.sleep(7 if turns == 3 else 0)", STDIO, "answers in time"),  # time: a bot that is slow by design
    ("counts on a board of three", "turn", "assert m['state']['size'] < 5", STDIO, "odd states"),
    ("checks all members", "each", "assert 'another_member' not in m", STDIO, "unknown members"),
    ("checks all types", "each", "assert not kind.startswith('news')", STDIO, "unknown messages"),
    ("ends at a fault", "each", "assert kind != 'fault'", STDIO, "fault notice"),
    ("rounds the id of a ping", "each", "if kind == 'ping': m['id'] = int(float(m['id'])) % 2**64", STDIO, "ping"),
    ("knows no resumed game", "each", "assert not m.get('resumed')", STDIO, "resumed game"),
    # time: a bot that is slow by design
    ("comes back and stumbles over the history", "each", "if kind == 'history': time.sleep(60)", DIALS, "lost connection"),
    ("asks for changes and looks for states", "hello",
     "say(type='login', name=os.environ['REFEREE_NAME'], token=os.environ['REFEREE_TOKEN'], games=['walls'], state='delta'); continue",
     STDIO, "changes instead of states", ("turn", "move = 'F' if 'state' in m else 'X'")),
    ("goes on after bye", "bye", "time.sleep(60)", STDIO, "bye"),  # time: a bot that is slow by design
    ("prints to standard output", "turn", "print('thinking', file=out, flush=True) if turns == 4 else None", STDIO, "standard output"),
    ("a message that is none", "turn", "say(type='thought', text='hm') if turns == 5 else None", STDIO, "messages"),
    ("answers twice", "moved", "say(type='move', game_id=m['game_id'], turn=m['turn'], move='F') if turns == 6 else None", STDIO,
     "nothing unasked"),
]


def changed(*places_and_codes):
    """The bot with the code at each of the places."""
    codes = dict(places_and_codes)
    lines = []
    for line in BOT.splitlines():
        mark = re.fullmatch(r"( *)#(\w+)", line)
        lines.append(mark.group(1) + codes[mark.group(2)] if mark and mark.group(2) in codes else line)
    return "\n".join(lines)


class CheckedTest(ProgramTest):
    def check(self, program, *options):
        """The exit status and the report of a Python program."""
        path = self.write(f"bot-{threading.get_ident()}.py", program)
        done = referee("check-bot", "--json", *BUDGET, *options, *READ, sys.executable, path)
        self.assertTrue(done.stdout, done.stderr)
        return done.returncode, json.loads(done.stdout)

    def check_each(self, programs):
        """Of programs with their options, what `check` tells."""
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(lambda one: self.check(*one), programs))

    def judged(self, report, verdict):
        return [one["corner"] for one in report["corners"] if one["verdict"] == verdict]

    def wrong(self, report):
        return self.judged(report, "wrong")


class PromisesTest(CheckedTest):
    def test_a_good_bot_has_no_wrong_corner(self):
        for status, report in self.check_each([(changed(), *options) for options in (STDIO, DIALS)]):
            self.assertEqual((status, self.wrong(report), report["passed"]), (0, [], True), report)
            self.assertEqual(report["games"], ["walls"])
            self.assertEqual(self.judged(report, "not_tried"), ["changes instead of states"])
        page = self.read(os.path.join(SOURCE, "protocol", "PROTOCOL.md"))
        status, report = self.check(re.search(r"```python\n(import json, os, random.*?)```", page, re.DOTALL).group(1), "--dials-in")
        self.assertEqual((status, self.wrong(report)), (0, []), report)

    def test_each_broken_promise_is_found_in_its_corner_and_in_no_other(self):
        checked = self.check_each([(changed((place, code), *more), *options) for _, place, code, options, _, *more in BROKEN])
        for (what, _, _, _, corner, *more), (status, report) in zip(BROKEN, checked):
            with self.subTest(what):
                found = [one for one in self.wrong(report) if not (more and one == "moves")]
                self.assertTrue(found and all(one.startswith(corner) for one in found), report)
                self.assertEqual(status, 1)
                for one in report["corners"]:
                    if one["verdict"] == "wrong":
                        self.assertTrue(one["seen"] and one["expected"] and one["advice"], one)

    def test_who_counts_its_own_turns_answers_in_time_and_who_is_silent_does_not(self):
        programs = [changed(("turn", "m['turn'] = turns")), changed(("turn", "time.sleep(60 if turns == 3 else 0)"))]  # time: a bot that is slow by design
        (_, counts), (_, hangs) = self.check_each([(program,) for program in programs])
        told = {one["corner"]: one for one in counts["corners"]}
        self.assertEqual(self.wrong(counts), ["a plain game", "nothing unasked"], counts)
        for corner in self.wrong(counts):
            self.assertIn("it answered turn 3 by a move for turn 2", told[corner]["seen"])
        self.assertTrue(told["a plain game"]["advice"].startswith('give the "turn" back that came'), told)
        self.assertEqual(self.wrong(hangs), ["a plain game", "answers in time"], hangs)
        self.assertIn("had no answer; of the others: median", str(hangs))

    def test_a_bot_that_takes_pieces_for_messages(self):
        pieces = "lines = (text for piece in iter(lambda: link.recv(1 << 20).decode(), '') for text in piece.splitlines())"
        status, report = self.check(changed(("dialled", pieces), ("broken", "raise")), "--dials-in")
        self.assertEqual((status, self.wrong(report)), (1, ["messages in pieces"]), report)

    def test_a_bot_that_does_not_come_back_could_be_better(self):
        status, report = self.check(changed(("lost", "sys.exit(0 if done else 4)")), "--dials-in")
        self.assertEqual((status, self.wrong(report)), (0, []), report)
        self.assertEqual(self.judged(report, "could_be_better"), ["lost connection"], report)
        self.assertIn("exit status 4", next(one["seen"] for one in report["corners"] if one["corner"] == "lost connection"))


class CheckBotTest(CheckedTest):
    def test_programs_that_are_no_bots(self):
        programs = [
            ("flooding", "", "while True: print('thinking', flush=True)"),
            ("a line of more than 65536 bytes", "", "while True: print('x' * 65536, end='', flush=True)"),
            # time: a bot that is slow by design
            ("no login came: its connection ended", "", "import os, time\nos.close(1)\ntime.sleep(60)"),
            # It ends when the connection does, and that is no cause.
            ("no login came in time", "flush the output, as in print(json.dumps(login), flush=True)",
             "import sys\nfor line in sys.stdin: print('{\"type\":\"login\"}')"),
            ("(?=.*no idea).*exit status 1", "", "import sys\nsys.exit('no idea')"),
        ]
        checked = self.check_each([(program, "--start-within", "6s") for _, _, program in programs])
        for (told, advice, _), (status, report) in zip(programs, checked):
            first = report["corners"][0]
            self.assertEqual((status, first["corner"], first["verdict"], self.wrong(report)), (1, "start-up", "wrong", ["start-up"]), report)
            self.assertRegex(first["seen"], "(?s)" + told)
            self.assertIn(advice, first["advice"])

    def test_the_text_and_the_file_of_junit_and_nothing_of_the_bot_is_left(self):
        # time: what the bot leaves behind
        leaves = f"import os, subprocess\nsubprocess.Popen(['sleep', '600'], env={{**os.environ, 'MARK': {self.marker!r}}})\n"
        path = self.write("bot.py", leaves + changed(("bye", "sys.exit(3)")))
        done = self.exits(0, "check-bot", *BUDGET, "--junit", self.path("report.xml"), *READ, sys.executable, path)
        self.assertEqual(alive_with(self.marker), [])
        self.assertIn("could be better  bye, the end: it ends with exit status 3\n", done.stdout)
        self.assertRegex(done.stdout, r"\nnothing is wrong in \d+ corners; 2 could be better; 1 was not tried\n$")
        suite = xml.etree.ElementTree.parse(self.path("report.xml")).getroot()
        self.assertEqual((suite.get("failures"), suite.get("errors"), suite.get("skipped")), ("0", "0", "1"))
        self.assertEqual(len(suite), int(suite.get("tests")))

    def test_whether_moves_come_again_is_told(self):
        for bot, expected in (("walls-greedy", "were those of the first game from the same start"), ("walls-random", "differed from that of the first game")):
            self.assertIn(expected, self.exits(0, "check-bot", *BUDGET, "--game", "walls", bot).stdout)

    def test_a_bot_that_is_started_by_hand(self):
        self.write("bot.py", changed())
        checker = self.spawn([REFEREE, "check-bot", "--json", *BUDGET, "--listen", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
        told = dict(word.split("=", 1) for word in checker.stderr.readline().split() if "=" in word)
        bot = self.spawn([sys.executable, self.path("bot.py")], env={**os.environ, **told})
        text, _ = checker.communicate(timeout=LONG)
        report = json.loads(text)
        self.assertEqual((checker.returncode, self.wrong(report)), (0, []), report)
        self.assertEqual(self.judged(report, "not_tried"), ["start-up", "changes instead of states", "bye, the referee stops", "bye, the end"])

    def test_bad_usage(self):
        self.refuses(([], "expected a bot's command"), (["--listen", "7777", "bot"], "found both"), (["--listen", "here"], "--listen: expected a port"),
                     (["--budget", "soon", "bot"], "--budget: expected a time"), (["--gmae", "walls", "bot"], "found --gmae"), before=["check-bot"])
        self.assertIn("no-such-bot", self.exits(3, "check-bot", "no-such-bot").stdout)

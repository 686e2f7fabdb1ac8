"""Where a recorded game was lost: `referee review`."""
# calm: a review gives way to whatever else the machine does.
import contextlib
import json
import os
import stat

import harness
from harness import ProgramTest, fits


def referee(*words, **options):
    """In a session of its own: a review, which gives way to whatever its session does, is given its share beside another one's work."""
    return harness.referee(*words, start_new_session=True, **options)


class ReviewTest(ProgramTest):
    def recorded(self, game="walls", params='{"size": 3}', bots=("random", "walls-greedy"), seed="1"):
        replay = self.path(game + ".ndjson")
        done = referee("play", game, "--params", params, "--seed", seed, "--quiet", "--replay", replay, *[word for bot in bots for word in ("--bot", bot)])
        self.assertEqual(done.returncode, 0, done.stderr)
        return replay

    def told(self, *words, status=0):
        """What it prints, or says where it fails."""
        done = referee(*words)
        self.assertEqual((done.returncode, done.stdout if status else ""), (status, ""), done.stderr)
        return done.stderr if status else done.stdout

    def reviewed(self, replay, *arguments):
        done = referee("review", replay, "--json", *arguments)
        # On a busy machine it takes long enough to say that it goes on.
        told = [line for line in done.stderr.splitlines() if not line.startswith("review: ")]
        self.assertEqual((done.returncode, told), (0, []), done.stdout)
        return fits(json.loads(done.stdout), "schemas/review.json")

    def test_the_curve_ends_where_the_game_did_and_is_viewed_with_it(self):
        replay = self.recorded()
        beside = replay.replace(".ndjson", ".review.json")
        result = json.loads(self.read(replay).splitlines()[-1])["result"]
        review = self.reviewed(replay, "--playouts", "20", "--beside")
        self.assertEqual((review["scale"], review["played_by"], review.get("past_told_by")), ("share", ["walls-greedy"] * 2, None))
        end = review["points"][-1]
        self.assertEqual((end["turn"], end["over"], end["playouts"]), (result["turns"] + 1, True, 0))
        self.assertEqual(json.loads(self.read(beside)), review)
        page = self.path("page.html")
        self.told("view", replay, "--review", beside, "--html", page)
        self.assertIn('"review":{"review":1,', self.read(page))
        self.assertEqual(json.loads(self.told("view", replay, "--review", beside, "--json"))["review"], review)
        self.tells(self.told("view", replay, "--review", beside), *(lost["told"] for lost in review["lost"]))

        other = self.recorded("snake_labyrinth", '{"maze": "handout"}', ("random",))
        for words, expected in (((other, "--review", beside), "review.json: replay: this review is of another replay"),
                                ((replay, "--review", self.path("missing")), "expected a review, as referee review GAME --json writes one")):
            self.assertIn(expected, self.told("view", *words, "--html", self.path("none.html"), status=2))
        self.assertFalse(os.path.exists(self.path("none.html")))

    def test_programs_play_with_the_history_on_idle_cores(self):
        """A program that isn't ours plays each playout as a process, and the result says what it could know."""
        replay = self.recorded()
        bots = ["walls-greedy", "walls-random --parallel 1"]
        review = self.reviewed(replay, "--playouts", "6", "--every", "20", *(word for bot in bots for word in ("--bot", bot)))
        self.assertEqual((review["past_told_by"], review["played_by"]), (["resumed", "history"], bots))
        self.assertTrue(any("can't be seen from outside" in text for text in review["assumed"]), review["assumed"])
        self.assertFalse(review["alike"], "walls-random draws its moves from the game's id")
        bot = self.write("classes.py", "import os, sys\nsys.exit('its class is %d' % os.sched_getscheduler(0))\n")
        done = referee("review", replay, "--bot", f"/usr/bin/python3 {bot}", "--reads", bot, "--playouts", "6")
        self.assertIn(f"its class is {os.SCHED_IDLE}", done.stderr)

    def test_a_game_is_named_by_its_id_behind_the_folder_of_its_run(self):
        config = self.write("c.json", self.walls([self.launched("a", "walls-greedy"), self.launched("b", "walls-random")]))
        self.told("run", config, "--out", self.path("out"), "--quiet")
        file, named = self.path("out/games/t_1.1.ndjson"), self.path("out/t/1.1")
        commands = (("view", "--json"), ("review", "--playouts", "6", "--every", "30"), ("explain",))
        by_file = {command: self.told(*command, file).split("Where was")[0] for command in commands}
        self.assertIn(f"Where was it lost? `referee review {file}`", self.told("explain", file))
        for _ in range(2):
            for command in commands:
                self.assertIn(by_file[command].replace(file, named), self.told(*command, named).replace(file, named))
            with contextlib.suppress(FileNotFoundError):  # then the store has it
                os.remove(file)
        # What is printed of one that the store alone has works when it is pasted.
        self.assertIn(f"Where was it lost? `referee review {named}`. See it: `referee view {named}`.\n", self.told("explain", named))
        for words, expected in ((("review", named, "--beside"), "--beside: expected a replay file"),
                                (("review", self.path("out/t/9.9")), "has no game t/9.9 that has ended"),
                                (("view", self.path("t/1.1")), "expected the folder of its run")):
            self.assertIn(expected, self.told(*words, status=2))

    def test_it_writes_through_links_and_into_pipes_and_replaces_neither(self):
        replay = self.recorded()
        target, link, pipe = self.write("target.html", ""), self.path("link.html"), self.path("pipe")
        os.symlink(target, link)
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.told("review", replay, "--playouts", "6", "--every", "30", "--html", link, "-o", pipe)
        self.assertIn("review of", os.read(reader, 1 << 16).decode())
        os.close(reader)
        self.assertTrue(os.path.islink(link))
        self.assertTrue(self.read(target).startswith("<!doctype html>"), "the page is not where the link leads")
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))

    def test_what_is_wrong_is_told(self):
        replay, both = self.recorded(), self.path("both")
        for status, words, expected in (
                (2, (self.path("missing"),), "missing"),
                (2, (replay, "--playouts", "5"), "--playouts: expected a number from 6"),
                (2, (replay, "--bot", "random", "--reads", "/"), "--reads: expected what the bot needs alone"),
                (2, (replay, "--seat", "2"), "--seat: expected one of 0 random, 1 walls-greedy; found 2"),
                (2, (replay, "--bot", "superball-level2"), "superball-level2 plays superball, and this is a game of walls; expected one such as walls-greedy"),
                (2, (replay, *["--bot", "random"] * 3), "--bot: expected one for all seats, or 2, one for each; found 3"),
                (2, (replay, "--bot", "walls-greedy --parallel 1", "--slips", "5"), "--slips: only reference bots"),
                (2, (replay, "--playouts", "6", "--html", both, "-o", both), "is where the text goes too"),
                (2, (replay, "--html", replay), "which would be overwritten"),
                (3, (replay, "--playouts", "6", "--every", "30", "-o", self.folder), "is a directory"),
                (3, (replay, "--playouts", "6", "--bot", "./no-such-bot"), "no-such-bot")):
            with self.subTest(words[1:] or words):
                self.assertIn(expected, self.told("review", *words, status=status))

"""Where a recorded game was lost: `referee review`."""
# calm: a review gives way to whatever else the machine does.
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

    def reviewed(self, replay, *arguments):
        done = referee("review", replay, "--json", *arguments)
        # On a busy machine it takes long enough to say that it goes on.
        told = [line for line in done.stderr.splitlines() if not line.startswith("review: ")]
        self.assertEqual((done.returncode, told), (0, []), done.stdout)
        return fits(json.loads(done.stdout), "schemas/review.json")

    def test_the_curve_ends_where_the_game_did(self):
        replay = self.recorded()
        result = json.loads(self.read(replay).splitlines()[-1])["result"]
        review = self.reviewed(replay, "--playouts", "20")
        self.assertEqual(review["scale"], "share")
        self.assertEqual(review["played_by"], ["walls-greedy", "walls-greedy"])
        self.assertNotIn("past_told_by", review)
        end = review["points"][-1]
        self.assertEqual((end["turn"], end["over"], end["playouts"]), (result["turns"] + 1, True, 0))
        placing = result["outcome"]["placing"]
        for seat, standing in enumerate(end["seats"]):
            other = placing[1 - seat]
            self.assertEqual(standing["value"], 0.5 if other == placing[seat] else float(placing[seat] < other))
        self.assertEqual(review["seat"], max(range(2), key=lambda seat: placing[seat]))
        for point in review["points"]:
            for standing in point["seats"]:
                self.assertTrue(0 <= standing["low"] <= standing["value"] <= standing["high"] <= 1, point)

    def test_programs_play_with_the_history(self):
        """A program that isn't ours plays each playout as a process, and the result says what it could know."""
        replay = self.recorded()
        review = self.reviewed(replay, "--playouts", "6", "--every", "20", "--bot", "walls-greedy", "--bot", "walls-random --parallel 1")
        self.assertEqual(review["past_told_by"], ["resumed", "history"])
        self.assertEqual(review["played_by"], ["walls-greedy", "walls-random --parallel 1"])
        self.assertTrue(any("can't be seen from outside" in text for text in review["assumed"]), review["assumed"])
        self.assertFalse(review["alike"], "walls-random draws its moves from the game's id")

    def test_programs_run_on_idle_cores_only(self):
        bot = self.path("classes.py")
        with open(bot, "w") as file:
            file.write("import os, sys\n"
                       "sys.exit('its class is %d' % os.sched_getscheduler(0))\n")
        done = referee("review", self.recorded(), "--bot", f"/usr/bin/python3 {bot}", "--reads", bot, "--playouts", "6")
        self.assertIn(f"its class is {os.SCHED_IDLE}", done.stderr)

    def test_a_text_teaches_what_was_assumed(self):
        replay = self.recorded("superball", "{}", ("random",))
        shown = referee("review", replay, "--playouts", "6", "--every", "8", "--bot", "superball-random", "--verbose")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("the score that playouts of random still came to", shown.stdout)
        self.assertIn("superball-random (seat 0)", shown.stdout)
        self.assertIn("more may be possible", shown.stdout)
        self.assertIn("at least 95 of 100 cases", shown.stdout)

    def test_a_review_lies_beside_its_replay_and_is_viewed_with_it(self):
        replay = self.recorded()
        beside = replay.replace(".ndjson", ".review.json")
        printed = self.reviewed(replay, "--playouts", "6", "--beside")
        self.assertEqual(json.loads(self.read(beside)), printed)
        self.assertRegex(printed["replay"], "^[0-9a-f]{64}$")
        page = self.path("page.html")
        self.assertEqual(referee("view", replay, "--review", beside, "--html", page).returncode, 0)
        self.assertIn('"review":{"review":1,', self.read(page))
        self.assertEqual(json.loads(referee("view", replay, "--review", beside, "--json").stdout)["review"], printed)
        told = referee("view", replay, "--review", beside)
        self.assertEqual(told.returncode, 0, told.stderr)
        for lost in printed["lost"]:
            self.assertIn(lost["told"], told.stdout)

    def test_a_review_of_another_game_is_refused(self):
        replay, page = self.recorded(), self.path("page.html")
        self.reviewed(replay, "--playouts", "6", "--every", "30", "--beside")
        beside = replay.replace(".ndjson", ".review.json")
        other = self.recorded("snake_labyrinth", '{"maze": "handout"}', ("random",))
        for words, expected in (((other, "--review", beside), "review.json: replay: this review is of another replay"),
                                ((replay, other, "--review", beside), "--review: expected one replay"),
                                ((replay, "--review", self.path("missing")), "expected a review, as referee review GAME --json writes one"),
                                ((replay, "--review", self.folder), "is a directory")):
            self.assertIn(expected, self.exits(2, "view", *words, "--html", page).stderr)
            self.assertFalse(os.path.exists(page))
        done = referee("review", "-", "--beside", input="")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--beside: expected a replay file", done.stderr)

    def test_a_game_is_named_by_its_id_behind_the_folder_of_its_run(self):
        config = self.write("c.json", self.walls([self.launched("a", "walls-greedy"), self.launched("b", "walls-random")]))
        done = referee("run", config, "--out", self.path("out"), "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        file, named = self.path("out/games/t_1.1.ndjson"), self.path("out/t/1.1")
        commands = (("view", "--json"), ("review", "--playouts", "6", "--every", "30"), ("explain",))
        by_file = {command: referee(*command, file).stdout for command in commands}
        told = by_file["explain",]
        self.assertIn(f"Where was it lost? `referee review {file}`", told)
        for has_file in (True, False):
            for command in commands:
                done = referee(*command, named)
                self.assertEqual(done.returncode, 0, done.stderr)
                story = told.split("Where was")[0] if command == ("explain",) else by_file[command]
                self.assertIn(story.replace(file, named), done.stdout.replace(file, named))
            if has_file:
                os.remove(file)
        # What is printed of one that the store alone has works when it is pasted.
        self.assertIn(f"Where was it lost? `referee review {named}`. See it: `referee view {named}`.\n", referee("explain", named).stdout)
        for words, expected in ((("review", named, "--beside"), "--beside: expected a replay file"),
                                (("review", self.path("out/t/9.9")), "has no game t/9.9 that has ended"),
                                (("explain", self.path("out/bad/3.1")), 'out has no tournament "bad"; expected a game of one of these: t\n'),
                                (("view", self.path("t/1.1")), "expected the folder of its run"),
                                (("explain", self.path("out/t")), "or a game's id behind the folder of its run")):
            with self.subTest(words):
                done = referee(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(expected, done.stderr)

    def test_it_writes_through_links_and_into_pipes_and_replaces_neither(self):
        replay = self.recorded()
        target, link, pipe = self.path("target.html"), self.path("link.html"), self.path("pipe")
        with open(target, "w"):
            pass
        os.symlink(target, link)
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        done = referee("review", replay, "--playouts", "6", "--every", "30", "--html", link, "-o", pipe)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("review of", os.read(reader, 1 << 16).decode())
        os.close(reader)
        self.assertTrue(os.path.islink(link))
        self.assertTrue(self.read(target).startswith("<!doctype html>"), "the page is not where the link leads")
        self.assertIn('"review":{"review":1,', self.read(target))
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))

    def test_outputs_that_nothing_can_be_written_to(self):
        replay = self.recorded()
        done = referee("review", replay, "--playouts", "6", "--every", "30", "-o", self.folder)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("is a directory", done.stderr)
        both = self.path("both")
        done = referee("review", replay, "--playouts", "6", "--html", both, "-o", both)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is where the text goes too", done.stderr)

    def test_what_is_wrong_is_told(self):
        replay = self.recorded()
        for words, expected in (
                ((self.path("missing"),), "missing"),
                ((replay, "--playouts", "5"), "--playouts: expected a number from 6"),
                ((replay, "--every", "0"), "--every"),
                ((replay, "--bot", "random", "--reads", "/"), "--reads: expected what the bot needs alone"),
                ((replay, "--seat", "2"), "--seat: expected one of 0 random, 1 walls-greedy; found 2"),
                ((replay, "--bot", "superball-level2"), "superball-level2 plays superball, and this is a game of walls; expected one such as walls-greedy"),
                ((replay, "--bot", "random", "--bot", "random", "--bot", "random"), "--bot: expected one for all seats, or 2, one for each; found 3"),
                ((replay, "--bot", "walls-greedy --parallel 1", "--slips", "5"), "--slips: only reference bots"),
                ((replay, "--out", replay), "which would be overwritten"),
                ((replay, "--html", replay), "which would be overwritten")):
            with self.subTest(words[1:] or words):
                done = referee("review", *words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(expected, done.stderr)
                self.assertEqual(done.stdout, "")
        unknown = referee("review", replay, "--bot", "./no-such-bot", "--playouts", "6")
        self.assertEqual(unknown.returncode, 3, unknown.stderr)
        self.assertIn("no-such-bot", unknown.stderr)

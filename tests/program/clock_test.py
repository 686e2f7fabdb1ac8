"""The clock in the built program, with real processes.

What needs the machine for itself is in clock_calm_test.py.
"""
import json
import os
import resource
import signal
import subprocess

from harness import LONG, REFEREE, ProgramTest, alive_with, left_turner, referee, thinks, wait_until


class ClockedTest(ProgramTest):
    def run_walls(self, bots, *arguments, **tournament):
        config = self.write("c.json", self.walls(bots, match={"games": 1}, **tournament))
        self.exits(0, "run", config, "--out", self.path("out"), "--quiet", *arguments)
        self.assertEqual(alive_with(self.marker), [], "nothing of a released bot is left")
        return self.result("t_1.1")

    def result(self, game):
        return json.loads(self.read(f"out/games/{game}.ndjson").splitlines()[-1])["result"]

    def turns(self, game="t_1.1.ndjson"):
        return [json.loads(line) for line in self.read("out/games/" + game).splitlines()[1:-1] if line.startswith('{"moves"')]

    def heartbeat_of(self, referee):
        with open(f"/proc/{referee}/task/{referee}/children") as file:
            for child in file.read().split():
                with open(f"/proc/{child}/comm") as name:
                    if name.read() == "referee-beat\n":
                        return int(child)
        self.fail("the referee has no heartbeat")


class ClockTest(ClockedTest):
    def test_the_heartbeat_ends_with_the_referee(self):
        config = self.write("c.json", self.walls([{"name": "a", "token": "plum"}, {"name": "b", "token": "fig"}]))
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            heartbeat = self.heartbeat_of(process.pid)
            process.kill()
            # They end when nobody holds their other ends any more.
            process.communicate(timeout=LONG)
            wait_until(lambda: not os.path.exists(f"/proc/{heartbeat}"), "its end")

    def test_a_lost_heartbeat_is_told_once_and_the_games_go_on(self):
        config = self.write("c.json", self.walls([self.launched("a", *left_turner(turn=thinks(0.1))),
                                                  self.launched("b", *left_turner(turn=thinks(0.1)))], match={"games": 1}))
        with subprocess.Popen([REFEREE, "run", config, "--out", self.path("out")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            os.kill(self.heartbeat_of(process.pid), signal.SIGKILL)
            _, errors = process.communicate(timeout=LONG)
            self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(errors.count("heartbeat is missing"), 1, errors)
        self.assertEqual(self.result("t_1.1")["status"], "played")

    def scheduling(self, folder):
        """The policy, the real-time priority and the nice value."""
        fields = self.read(folder + "/stat").rsplit(")", 1)[1].split()
        return int(fields[38]), int(fields[37]), int(fields[16])

    @staticmethod
    def allow_priority():
        for limit, value in ((resource.RLIMIT_RTPRIO, 1), (resource.RLIMIT_NICE, 30)):
            try:
                resource.setrlimit(limit, (value, value))
            except ValueError:  # this user may not allow it
                pass

    def test_bots_and_threads_have_nothing_of_the_referees_priority(self):
        tell = "import resource as r; debug = f'{os.sched_getscheduler(0)} {os.getpriority(os.PRIO_PROCESS, 0)}" \
               " {r.getrlimit(r.RLIMIT_RTPRIO)} {r.getrlimit(r.RLIMIT_NICE)}'"
        for priority in ("high", "plain"):
            bots = [self.launched("a", *left_turner(turn=f"{tell}; {thinks(0.2)}")), self.launched("b", *left_turner())]
            config = self.write("c.json", {**self.walls(bots, match={"games": 1}), "priority": priority})
            out = self.path("out-" + priority)
            with subprocess.Popen([REFEREE, "run", config, "--out", out], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, preexec_fn=self.allow_priority) as process:
                process.stdout.readline()
                said = process.stdout.readline()
                heartbeat = self.scheduling(f"/proc/{self.heartbeat_of(process.pid)}")
                threads = {int(thread): self.scheduling(f"/proc/{process.pid}/task/{thread}")
                           for thread in os.listdir(f"/proc/{process.pid}/task")}
                _, errors = process.communicate(timeout=LONG)
                self.assertEqual(process.returncode, 0, errors)
            plain = (os.SCHED_OTHER, 0, 0)
            loop = threads.pop(process.pid)
            if "real-time class:" in said:  # time: the class is looked at, and not taken
                self.assertEqual(loop[:2], (os.SCHED_FIFO, 1))
            elif "nice value" in said:
                self.assertLess(loop[2], 0)
            else:
                self.assertEqual(loop, plain)
            if priority == "plain":
                self.assertIn("as any other program", said)
            self.assertGreater(len(threads), 0)
            self.assertEqual(set(threads.values()), {plain})
            self.assertEqual(heartbeat, plain)
            with open(out + "/debug/a/t_1.1.ndjson") as file:
                self.assertEqual({json.loads(line)["debug"] for line in file}, {"0 0 (0, 0) (0, 0)"})

    def test_a_pipe_is_told_from_a_socket(self):
        result = self.run_walls([self.launched("a", *left_turner()), self.launched("b", *left_turner(), stdout="pipe")])
        self.assertEqual((result["status"], result["means"]), ("played", ["kernel receive stamp", "read by the referee"]))

    def test_explain_tells_a_late_turn(self):
        self.run_walls([self.launched("late", *left_turner(turn=thinks("1 if m['turn'] == 1 else 0"))), self.launched("good", *left_turner())],
                       clock={"budget": "500ms"})
        for arguments in ((self.path("out/games/t_1.1.ndjson"),), ("t/1.1", "--out", self.path("out"))):
            done = self.exits(0, "explain", *arguments)
            self.assertIn("Turn 1, late: late", done.stdout)
            self.assertIn("nothing came by then: it slept or waited for input", done.stdout)
            self.assertIn("rule clock.turn_budget:", done.stdout)
        for arguments, expected in ((("nothing",), "nothing: can't be read"), (("t/9.9", "--out", self.path("out")), "has no game t/9.9")):
            self.assertIn(expected, self.exits(2, "explain", *arguments).stderr)

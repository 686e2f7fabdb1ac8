"""A calendar: tournaments that begin by the wall clock of a real daemon."""
import datetime
import urllib.request

from daemon_test import DaemonTest
from harness import wait_until


class CalendarTest(DaemonTest):
    def config(self, *tournaments):
        bots = [self.launched(name, "walls-greedy") for name in ("a", "b")]
        return self.write("c.json", {"listen": {"port": 0, "web": {"port": 0}}, "bots": bots,
                                     "tournaments": [{"game": "walls", "params": {"size": 3}, **one} for one in tournaments]})

    def moment(self, **distance):
        return (datetime.datetime.now() + datetime.timedelta(**distance)).isoformat(timespec="seconds")

    def home(self):
        with urllib.request.urlopen(self.status()["listening_web"]) as page:
            return page.read().decode()

    def test_a_tournament_that_is_put_off_begins_by_itself(self):
        self.serve(self.config({"id": "friday", "starts": self.moment(days=1)}))
        self.assertIn("friday begins on ", self.order("status"))
        wait_until(lambda: ", begins on " in self.home(), "its page")
        self.config({"id": "friday", "starts": self.moment(seconds=1)})
        self.order("reload")
        wait_until(lambda: self.tournament("friday")["state"] == "finished", "its end")
        self.assertIn("tournament friday is running: started by the calendar", self.read("log"))

    def test_check_tells_of_times_and_warns_of_those_that_are_past(self):
        past = self.moment(days=-1)
        done = self.exits(0, "check", self.config({"id": "week", "format": {"kind": "ladder"}, "until": past},
                                                  {"id": "late", "starts": past, "field": {"ladder": "week", "house": True}},
                                                  {"id": "friday", "starts": self.moment(days=1)}))
        self.assertIn("tournament friday begins on ", done.stdout)
        self.assertIn("all of the ladder week, house bots among them, clock", done.stdout)
        self.assertRegex(done.stderr, "tournament week ended on .*: no match of it begins")
        self.assertRegex(done.stderr, "warning: tournament late was to begin on .*: that moment is past")

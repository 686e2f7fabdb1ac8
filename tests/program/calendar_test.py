"""A calendar: tournaments that begin by the wall clock of a real daemon."""
import datetime
import json
import urllib.request

from daemon_test import DaemonTest, referee, wait_until


class CalendarTest(DaemonTest):
    def friday(self, **calendar):
        bots = [self.launched(name, "walls-greedy") for name in ("a", "b")]
        return self.write("c.json", {
            "listen": {"port": 0, "web": {"port": 0}}, "bots": bots,
            "tournaments": [{"id": "friday", "game": "walls", "params": {"size": 3}, **calendar}]})

    def moment(self, **distance):
        return (datetime.datetime.now() + datetime.timedelta(**distance)).isoformat(timespec="seconds")

    def home(self):
        with urllib.request.urlopen(self.status()["listening_web"]) as page:
            return page.read().decode()

    def test_a_tournament_that_is_put_off_begins_by_itself(self):
        config = self.friday(starts=self.moment(days=1))
        self.assertIn("tournament friday begins on ", referee("check", config).stdout)
        process = self.serve(config)
        self.assertIn("friday begins on ", self.order("status"))
        wait_until(lambda: ", begins on " in self.home(), "its page")
        self.friday(starts=self.moment(seconds=2))
        self.order("reload")
        wait_until(lambda: self.tournament("friday")["state"] != "waiting", "its start")
        wait_until(lambda: self.tournament("friday")["state"] == "finished", "its end")
        process.terminate()
        process.wait()
        self.assertIn("tournament friday is running: started by the calendar", self.read("log"))

    def test_who_is_withdrawn_from_a_ladder_is_marked_so_after_its_end_too(self):
        ladder = {"format": {"kind": "ladder"}, "rest": "100ms"}
        self.serve(self.friday(**ladder))
        wait_until(lambda: self.tournament("friday")["matches"] > 0, "a match")
        self.order("withdraw", "friday", "b", "--reason", "ill")
        self.friday(**ladder, until=self.moment(seconds=1))
        self.order("reload")
        wait_until(lambda: json.loads(self.read("out/friday/standings.json"))["finished"], "its end")
        rows = json.loads(self.read("out/friday/standings.json"))["bots"]
        self.assertEqual([row.get("withdrawn") for row in rows if row["name"] == "b"], ["ill"])

    def test_check_tells_of_house_bots_in_a_field(self):
        config = json.loads(self.read(self.friday(format={"kind": "ladder"})))
        config["tournaments"].append({"id": "late", "game": "walls", "field": {"ladder": "friday", "house": True}})
        self.assertIn("all of the ladder friday, house bots among them, clock", referee("check", self.write("c.json", config)).stdout)

    def test_check_warns_of_times_that_are_past(self):
        past = self.moment(days=-1)
        for calendar, told in (({"format": {"kind": "ladder"}, "until": past}, "tournament friday ended on .*: no match of it begins"),
                               ({"starts": past}, "warning: tournament friday was to begin on .*: that moment is past")):
            self.assertRegex(referee("check", self.friday(**calendar)).stderr, told)

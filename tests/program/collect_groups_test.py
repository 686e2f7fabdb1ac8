"""`referee collect --groups`: who handed in together, and who only says so."""
import shutil

from collect_test import C, PYTHON, CollectTest, moodle, zipped


class GroupsTest(CollectTest):
    def test_teams_and_first_lines(self):
        members = "// 1001 1003\n" + C
        self.collect({moodle("Ann Lee", 11, "wolves.zip"): zipped({"iap/main.c": members, "iap/README": "x"})},
                     "--groups", "first-line", "--build", "gcc -O2 -std=c99 --pedantic *.c -o iap", "--build-in", "iap",
                     "--kind", "snake-challenge")
        self.assertEqual(self.by_name["wolves"]["submission"]["students"], ["ann", "cay"])
        submission = self.by_name["wolves"]["submission"]
        self.assertEqual((submission["program"], submission["directory"]), ({"kind": "snake-challenge", "file": "iap"}, "build/iap"))
        self.collect({moodle("Dan Low", 14, "bot.c"): "// 1004 1005\n" + C}, "--groups", "first-line", out="alone")
        self.assertEqual(self.by_name["dan"]["submission"]["students"], ["dan", "eve"], "it is the only source file")
        self.collect({moodle("Ann Lee", 11, "bot.py"): "broken(\n", (moodle("Bob Ray", 12, "bot.py"), (2026, 5, 2, 1, 0, 0)): PYTHON},
                     "--groups", "team", out="teams")
        self.assertEqual(list(self.by_name), ["red"])
        self.assertEqual(len(self.by_name["red"]["versions"]), 2)
        self.assertEqual(self.read("teams/submissions/red/files/bot.py"), PYTHON, "the newest of the team counts")

    def test_a_first_line_that_names_another_replaces_nobody(self):
        files = {moodle("Ann Lee", 11, "main.c"): "// 1002\n" + C, moodle("Bob Ray", 12, "main.c"): "// 1002\n" + C,
                 moodle("Cay Day", 13, "cay.zip"): zipped({"main.py": PYTHON, "rules.py": "# 1003\n"})}
        collected = self.collect(files, "--groups", "first-line", status=1)
        self.assertEqual({name: one["key"] for name, one in self.by_name.items()}, {"ann": "Ann Lee_11", "bob": "Bob Ray_12", "cay": "Cay Day_13"})
        self.assertEqual([one["line"] for one in collected["to_look_at"]], ["Ann Lee_11 = 1001", "Bob Ray_12 = 1002", "Cay Day_13 = 1003"])
        told = self.read("out/collected.txt").split("look at these", 1)[1]
        self.assertIn("      there is no main.c, and no other source file that is the only one\n      so far it is cay (Cay Day)'s\n", told)
        self.write("out/groups.txt", "# by word of mouth\nAnn Lee_11 = 1001\nCay Day_13 = 1003 1004\n")
        collected = self.collect(files, "--groups", "first-line")
        self.assertEqual(collected["to_look_at"], [])
        self.assertEqual(self.by_name["cay"]["submission"]["students"], ["cay", "dan"])
        for text, wrong in (("Ann Lee_11\n", "groups.txt:1: expected a submission and the ids"), ("Ann Lee_11 = 9\n", "has the id 9")):
            self.write("out/groups.txt", text)
            self.collect(files, "--groups", "first-line", status=2)
            self.assertIn(wrong, self.done.stderr)

    def test_what_an_earlier_collection_left_is_told(self):
        both = {moodle("Ann Lee", 11, "bot.py"): PYTHON, moodle("Bob Ray", 12, "bot.py"): PYTHON}
        self.collect(both)
        both.pop(moodle("Bob Ray", 12, "bot.py"))
        self.assertEqual(self.collect(both, status=1)["earlier"], ["submissions/bob"])
        self.assertIn("1 of an earlier collection", self.done.stdout)
        self.assertIn("remove those that are not to be graded\n  submissions/bob\n", self.read("out/collected.txt"))
        shutil.rmtree(self.path("out/submissions/bob"))
        self.assertEqual(self.collect(both)["earlier"], [])

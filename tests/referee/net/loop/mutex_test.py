#!/usr/bin/env python3
"""Clang refuses code that touches what a mutex guards without holding it, and nothing else.

    mutex_test.py ROOT

Ends with 77, which CTest shows as skipped, where there is no Clang.
"""

import shutil
import subprocess
import sys
import unittest

ROOT = sys.argv.pop(1)
SKIPPED = 77
PURSE = """
#include "referee/net/loop/mutex.h"
using namespace referee::loop;
struct Purse {
    Mutex mutex;
    Condition changed;
    int coins REFEREE_GUARDED_BY(mutex) = 0;
    int count() const REFEREE_REQUIRES(mutex) { return coins; }
};
"""


def complaints(bodies):
    """What Clang says of functions with a purse: a text for each, empty where it is content."""
    functions = [f"#line {number}\nvoid spend_{number}(Purse& purse) {{ {body} }}\n" for number, body in enumerate(bodies, 1)]
    ended = subprocess.run(["clang++-14", "-std=c++20", f"-I{ROOT}", "-fsyntax-only", "-Wthread-safety", "-Werror", "-x", "c++", "-"],
                           input=PURSE + "#line 1 \"functions\"\n" + "".join(functions), capture_output=True, text=True)
    said = [line for line in ended.stderr.splitlines() if ": error: " in line]
    return ["".join(line for line in said if line.startswith(f"functions:{number}:")) for number in range(1, len(bodies) + 1)]


class MutexTest(unittest.TestCase):
    def test_what_holds_the_mutex_passes(self):
        bodies = ("Lock lock(purse.mutex); purse.coins = purse.count();",
                  "Lock lock(purse.mutex); lock.unlock(); lock.lock(); ++purse.coins;",
                  "Lock lock(purse.mutex);"
                  "purse.changed.wait(lock, [&]() REFEREE_REQUIRES(purse.mutex) { return purse.coins > 0; }); --purse.coins;")
        for body, complaint in zip(bodies, complaints(bodies)):
            self.assertEqual(complaint, "", body)

    def test_what_does_not_is_refused(self):
        refused = {"++purse.coins;": "writing variable 'coins' requires holding mutex",
                   "if (purse.coins) return;": "reading variable 'coins' requires holding mutex",
                   "purse.count();": "calling function 'count' requires holding mutex",
                   "{ Lock lock(purse.mutex); } ++purse.coins;": "writing variable 'coins'",
                   "Lock lock(purse.mutex); lock.unlock(); ++purse.coins;": "writing variable 'coins'",
                   "Lock lock(purse.mutex); purse.changed.wait(lock, [&] { return purse.coins > 0; });": "reading variable 'coins'",
                   "Lock lock(purse.mutex); Lock again(purse.mutex);": "already held",
                   "Purse other; Lock lock(other.mutex); ++purse.coins;": "writing variable 'coins'"}
        for (body, expected), complaint in zip(refused.items(), complaints(refused)):
            self.assertIn(expected, complaint, body)


if __name__ == "__main__":
    if not shutil.which("clang++-14"):
        print("there is no clang++-14; scripts/setup --tidy installs it")
        sys.exit(SKIPPED)
    unittest.main()

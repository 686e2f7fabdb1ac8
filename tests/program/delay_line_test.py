"""Bots are charged for thinking, not for the path: beside the referee, and behind a path of 20 ms each way.

The one place where a test asserts a time: the charge is what is tested. It is held against what each bot itself measured of its
thinking, in the median over many turns. Skipped where there are no namespaces to make.
"""
# calm: what bots are charged is held against what they thought, to some milliseconds, by bots of the real-time class.
import statistics
import sys
import unittest

from delay_table import Line, measure
from harness import REFEREE
from namespaces import may_make_namespaces

BUDGET_MS = 40
WITHIN_MS = 3


@unittest.skipUnless(may_make_namespaces(), "needs root, /dev/net/tun and ip (package iproute2)")
class DelayLineTest(unittest.TestCase):
    def test_the_way_is_not_charged(self):
        for round_trip_ms in (0, 40):
            with self.subTest(round_trip_ms=round_trip_ms):
                turns = [turn for turn in measure(REFEREE, BUDGET_MS, Line(round_trip_ms), games=1) if turn.thought <= BUDGET_MS]
                self.assertGreater(len(turns), 50)
                errors = [turn.charged - turn.thought for turn in turns]
                print(f"charged beyond what they thought, in ms: {statistics.median(errors):.3f}", file=sys.stderr)
                self.assertAlmostEqual(statistics.median(errors), 0, delta=WITHIN_MS)

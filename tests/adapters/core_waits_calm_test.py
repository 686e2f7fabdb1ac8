"""A program whose work is done by another thread than its first has its time beside loops that want the same core, too."""
# calm: a program burns processor time beside three busy loops, all on one core.
import os
import unittest

from process_test import ProcessTest, TINY
from grade_class_calm_test import busy_machine

# Works for a second of its processor time.
WORKER = """#include <pthread.h>
#include <stdio.h>
#include <time.h>
static void *work(void *none) {
    struct timespec used;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used); while (used.tv_sec < 1);
    return none;
}
int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    puts("EEEE");
    return 0;
}
"""


class CoreWaitsTest(ProcessTest):
    def test_the_waits_of_any_thread_are_no_time_of_the_program(self):
        self.write("worker.c", WORKER)
        self.compiled("gcc", "-O2", "-pthread", "worker.c", "-o", "worker")
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
        self.addCleanup(os.sched_setaffinity, 0, cores)
        clock = {"kind": "none", "measure": "cpu", "budget_us": 0, "hard_limit_us": 800000}
        lines = self.lines("snake_labyrinth", [TINY], budget_us=0, clock=clock)
        with busy_machine():
            self.assertEqual(self.by_hand("snake-challenge", [self.path("worker")], lines)[0], [("EEEE", "")])


if __name__ == "__main__":
    unittest.main()

"""Which part of a large set of cases a run looks at: the same as tests/sample.h, for tests in Python."""
import os


def sample_number():
    """The number that chooses the part; None where all is looked at."""
    text = os.environ.get("REFEREE_SAMPLE", "0")
    return None if text == "whole" else int(text)


def sampled(cases, of):
    """Of a list, the one in `of` that this run looks at, and never nothing."""
    number = sample_number()
    cases = list(cases)
    if number is None or not cases:
        return cases
    return cases[number % min(of, len(cases))::of]

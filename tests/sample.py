"""Which part of a large set of cases a run looks at: the same as tests/sample.h, for tests in Python.

    sample.py INDEX OF WHAT COMMAND WORD ...

runs the command where the case of this index is among the one in OF that this run looks at, and else ends as a test that is skipped.
"""
import os
import sys


def sample_number():
    """The number that chooses the part; None where all is looked at."""
    text = os.environ.get("REFEREE_SAMPLE", "0")
    return None if text == "whole" else int(text)


def in_sample(index, of):
    """Whether the case of this index is among the one in `of` that this run looks at."""
    number = sample_number()
    return number is None or index % of == number % of


def skip_unless_in_sample(what, index, of):
    """For a test that is left out as a whole: it ends as one that is skipped."""
    if not in_sample(index, of):
        print(f"skipped: {what} is not in this sample (REFEREE_SAMPLE={sample_number()})")
        sys.exit(77)


def main():
    index, of, what, *command = sys.argv[1:]
    skip_unless_in_sample(what, int(index), int(of))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()

"""What the models share: steps, integers, places."""

STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def placing(keys):
    """1, 2, 2, 4 for keys of which greater is better."""
    return [1 + sum(other > key for other in keys) for key in keys]

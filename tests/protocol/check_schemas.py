"""Checks messages against the JSON Schemas: check_schemas.py SCHEMA_DIR < LINES

Each line of standard input is one message. Members that a schema does not name are errors here
(they are not on the wire), so that schemas and encoder can't drift apart. Exit status 1 and a line
for each thing that is wrong; 77 where the validator isn't installed.
"""
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)


def close_objects(schema):
    """Forbids members without a name in the schema, wherever it names some."""
    if isinstance(schema, list):
        return [close_objects(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: close_objects(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        closed["additionalProperties"] = False
    return closed


def main():
    validators = {}
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        validators[path.stem] = Draft202012Validator(close_objects(schema))
    failures = 0
    unseen = set(validators)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        unseen.discard(kind)
        if kind not in validators:
            print(f"no schema for {kind}")
            failures += 1
            continue
        for error in validators[kind].iter_errors(message):
            print(f"{line.strip()}: {error.message}")
            failures += 1
    for kind in sorted(unseen):
        print(f"no message of type {kind} was checked")
    sys.exit(1 if failures or unseen else 0)


main()

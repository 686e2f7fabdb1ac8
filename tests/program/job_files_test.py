"""The job files of configs/ci, by what GitHub's and GitLab's own pages say of the members that they use.

The services publish schemas of all their members; here are those that our files may use, and no others, so that a member which
nobody has looked up is told.
"""
import os
import unittest

try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = yaml = None

CI = os.path.join(os.environ["REFEREE_SOURCE"], "configs", "ci")
TEXT = {"type": "string", "minLength": 1}
TEXTS = {"type": "array", "minItems": 1, "items": TEXT}


def only(required=(), **members):
    """An object with these members and no others; a member's name has - where Python has _."""
    return {"type": "object", "additionalProperties": False, "required": list(required),
            "properties": {name.replace("_", "-"): schema for name, schema in members.items()}}


# docs.github.com/actions/reference/workflow-syntax-for-github-actions. A step has `uses` or `run`; inputs of actions are texts, numbers
# or booleans, and those that we use are of the actions' own pages (actions/checkout, actions/upload-artifact).
ACTIONS = {"actions/checkout@v4": {},
           "actions/upload-artifact@v4": {"name": TEXT, "path": TEXT, "if_no_files_found": {"enum": ["warn", "error", "ignore"]}}}
STEPS = [only(["run"], name=TEXT, run=TEXT, **{"if": TEXT})]
STEPS += [only(["uses"], name=TEXT, uses={"const": action}, **{"if": TEXT, "with": only(**inputs)}) for action, inputs in ACTIONS.items()]
GITHUB = only(["on", "jobs"], name=TEXT,
              on={"type": "array", "minItems": 1, "uniqueItems": True, "items": {"enum": ["push", "pull_request", "workflow_dispatch"]}},
              jobs={"type": "object", "minProperties": 1, "additionalProperties": False, "patternProperties": {
                  "^[_a-zA-Z][a-zA-Z0-9_-]*$": only(
                      ["runs-on", "steps"], runs_on={"enum": ["ubuntu-latest", "ubuntu-24.04", "ubuntu-22.04"]}, container=TEXT,
                      timeout_minutes={"type": "integer", "minimum": 1, "maximum": 360},
                      steps={"type": "array", "minItems": 1, "items": {"oneOf": STEPS}})}})
# docs.gitlab.com/ci/yaml: a job has a script; a job is retried twice at most, by its exit codes; junit is a report's name.
GITLAB_JOB = {"type": "object", "additionalProperties": False, "required": ["script"], "properties": {
    "image": TEXT, "timeout": {"type": "string", "pattern": r"^[1-9][0-9]* (minutes|hours)$"}, "before_script": TEXTS, "script": TEXTS,
    "retry": {"type": "object", "additionalProperties": False, "required": ["max"], "properties": {
        "max": {"enum": [0, 1, 2]}, "exit_codes": {"type": "integer", "minimum": 0, "maximum": 255}}},
    "artifacts": only(when={"enum": ["on_success", "on_failure", "always"]}, paths=TEXTS, reports=only(junit=TEXT))}}
# Names that mean something else than a job.
NO_JOBS = ["default", "include", "stages", "variables", "workflow", "image", "services", "cache", "before_script", "after_script", "pages"]
GITLAB = {"type": "object", "minProperties": 1, "propertyNames": {"not": {"enum": NO_JOBS}}, "additionalProperties": GITLAB_JOB}


def read(name):
    with open(os.path.join(CI, name)) as file:
        job = yaml.safe_load(file)
    # YAML 1.1 takes `on` for true; GitHub does not.
    return {"on" if member is True else member: value for member, value in job.items()}


def mistakes(job, schema):
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(job)]


@unittest.skipIf(jsonschema is None, "python3-jsonschema or python3-yaml is not there")
class JobFilesTest(unittest.TestCase):
    def test_each_file_has_members_that_its_service_knows(self):
        for name, schema in (("github-actions.yml", GITHUB), ("gitlab-ci.yml", GITLAB)):
            with self.subTest(name):
                jsonschema.Draft202012Validator.check_schema(schema)
                self.assertEqual(mistakes(read(name), schema), [])

    def test_what_is_kept_is_what_the_script_writes(self):
        steps = read("github-actions.yml")["jobs"]["grade"]["steps"]
        self.assertEqual(steps[-1]["with"]["path"], "grade/feedback.html")
        self.assertEqual(steps[-1]["if"], "always()")
        artifacts = read("gitlab-ci.yml")["grade"]["artifacts"]
        self.assertEqual((artifacts["paths"], artifacts["reports"]["junit"]), (["grade/feedback.html"], "grade/junit.xml"))
        self.assertEqual(artifacts["when"], "always")
        # Only trouble of the machine is worth another try.
        self.assertEqual(read("gitlab-ci.yml")["grade"]["retry"]["exit_codes"], 3)

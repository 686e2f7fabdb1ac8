#!/usr/bin/env bash
# Gradescope runs this once, when it builds the autograder. The zip that you upload holds setup.sh, run_autograder, grade.sh, the
# rubric as rubric.json and the package of the referee as referee.deb; choose Ubuntu or Debian with the libraries that it asks for.
set -euo pipefail
apt-get update
apt-get install -y "${AUTOGRADER:-/autograder}/source/referee.deb" python3

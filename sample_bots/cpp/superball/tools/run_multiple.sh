#!/bin/sh
# The handout's name and command line for sb-run-multiple, which stands beside this script.
if [ $# -ne 7 ]; then
    echo "usage: sh run_multiple.sh r c mss colors player nruns starting_seed" >&2
    exit 2
fi
exec "$(dirname "$0")/sb-run-multiple" "$@"

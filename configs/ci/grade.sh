#!/bin/sh
# Grades one submission; all samples in this folder call it.
#
#   grade.sh RUBRIC COMMAND [OPTION ...]     such as: grade.sh rubric.json "python3 bot.py"
#
# Begin it in the submission's folder. The bot plays in a copy of it, without .git and .grading. Options go to `referee grade`.
# REFEREE names the program (default: referee), OUT the folder for what is written (default: grade). OUT may not be there: games that
# lie in a student's repository would be believed. Ends with 0 where the rubric's "pass" is reached, 1 where it isn't, 2 where the
# rubric or this line is wrong, and 3 where the machine or an opponent failed: then nothing is said of the submission, and the job
# should be run again.
set -eu

rubric=${1:?expected a rubric, such as rubric.json}
command=${2:?expected the command of the bot, such as \"python3 bot.py\"}
shift 2

out=${OUT:-grade}
if [ -e "$out" ] || [ -L "$out" ]; then
    echo "$out is there already, and what lies in it could be anybody's: remove it (from the repository, too: git rm -r $out)" >&2
    echo "This says nothing of the submission: the grading itself failed (status 2)." >&2
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R . "$work/submission"
rm -rf "$work/submission/.git" "$work/submission/.grading"

status=0
"${REFEREE:-referee}" grade --rubric "$rubric" --bot "$command" --directory "$work/submission" --out "$out" \
    ${GITHUB_STEP_SUMMARY:+--summary "$GITHUB_STEP_SUMMARY"} --junit "$out/junit.xml" --again "run this job again" "$@" || status=$?
if [ "$status" -ge 2 ]; then echo "This says nothing of the submission: the grading itself failed (status $status)." >&2; fi
exit "$status"

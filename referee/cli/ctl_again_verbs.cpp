#include "referee/cli/ctl_verbs.h"

namespace referee::cli {
namespace {

// Programs changed, or a machine differs: what they played is played again.
void add_rerun_verb(CtlVerbs& verbs) {
    auto* rerun = verbs.add(
        "rerun", "rerun",
        "Play again the matches in which a program changed, or what a machine "
        "played, and keep the rest",
        {"rerun friday --changed --dry-run", "rerun friday --changed",
         "rerun friday --changed --also alice", "rerun friday --host node7 --dry-run",
         "rerun friday --take-back --reason \"nobody wanted that\""},
        R"(A bot changed where what plays in its name now isn't what the results of its games name: the files
of a program that the referee launches, or the version that a bot says in its login. Games that are
played again are annulled, and stay in the store; they get the seeds that they had, so
that bots are still compared on common seeds: where pages or replays have shown them, a program can
have been fitted to them, and a new tournament with another seed is fairer. What can't be told is
kept, and said: `--also` counts such bots as changed. `--host` is for games that jobs played on
another machine (`referee ctl machines`); take that machine out first, or it may be given them once
more. Both are for round robins, gauntlets and leaderboards: elsewhere who meets whom depends on
results.
)");
    verbs.tournament(rerun);
    verbs.flag(rerun, "--changed", "changed", "Matches in which a program changed");
    verbs.texts(rerun, "--also", "also", "Bots that changed, whatever anybody can tell");
    verbs.text(rerun, "--host", "host", "Games that this machine played, instead of --changed");
    verbs.flag(rerun, "--take-back", "take_back",
               "Games that were annulled by order and not begun again count as before");
    verbs.flag(rerun, "--dry-run", "dry_run", "Tell what would be done, and why");
    verbs.reason(rerun);
}

// An end that was a mistake.
void add_reopen_verb(CtlVerbs& verbs) {
    auto* reopen = verbs.add(
        "reopen", "reopen",
        "Go on with a tournament that ended by mistake: bots that were "
        "withdrawn come back, and play what they missed",
        {"reopen friday --reason \"the network was down\" --dry-run",
         "reopen friday --reason \"withdrawn by mistake\" --also alice bob"},
        R"(Bots that were withdrawn because they were away or silent are let in again, and those named by
--also. Games of the last matches that they missed in a row are played again; all else stands. What
that can be depends on the format (configs/README.md, "Orders").
)");
    verbs.tournament(reopen);
    verbs.texts(reopen, "--also", "also", "Bots that were withdrawn by order");
    verbs.flag(reopen, "--dry-run", "dry_run", "Tell what would be done");
    verbs.text(reopen, "--reason", "reason",
               "Recorded with it, and told to bots, and on pages, to whom it concerns; needed");
}

// Whether machines are alike.
void add_machines_verb(CtlVerbs& verbs) {
    auto* machines = verbs.add(
        "machines", "machines", "Whether the machines that played jobs are alike",
        {"machines friday", "machines friday --json"},
        R"(For each machine: its games, the time that bots took a turn, late moves and other faults, each beside
what the same bots with the same programs have elsewhere. A machine is said to differ where chance
alone would say so of any machine in one tournament of twenty at most (configs/MACHINES.md). Games
that the referee played itself stand as its own machine's.
)");
    verbs.tournament(machines);
}

}  // namespace

void add_again_verbs(CtlVerbs& verbs) {
    add_machines_verb(verbs);
    add_rerun_verb(verbs);
    add_reopen_verb(verbs);
}

}  // namespace referee::cli

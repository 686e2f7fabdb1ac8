#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/game/clock/time.h"
#include "referee/game/result/game_result.h"
#include "referee/launch/supply/launched_bots.h"
#include "referee/run/bot_times.h"

namespace referee::run {

// What is shown on the screen.
enum class Shown : std::uint8_t {
    everything,  // where it listens, progress, standings at the end
    progress,    // that alone, and what may need the instructor
    trouble,     // only what may need the instructor
    numbers,     // how far it is, and nothing that names a bot, a tournament or a game
    nothing,     // as numbers, and not how far it is either
};

struct RunOptions {
    std::string out;  // the folder to write to; a stopped run that is there goes on
    // The command that goes on with this run, for the person who stops it; empty where `out` is not
    // kept.
    std::string resume;
    Shown shown = Shown::everything;
    bool statistics = false;   // at the end, tell how sure each place is, too
    bool terminal = false;     // the screen can show a table, drawn again and again
    bool unsandboxed = false;  // bots are launched without a sandbox
    // Bots of which a finished run must have no forfeited game, else its status is exit_no.
    std::vector<std::string> fail_on_forfeits;
    // Bots without which the run goes on where their own command can't be started: their games are
    // forfeited. Any other bot that can't be launched stops the run.
    std::set<std::string> dispensable;
    // The folder may hold tournaments of other runs; they stay as they are.
    bool beside_others = false;
    // Bots of which no game begins when their time is over: their tournaments are aborted when the
    // games that run have ended. Those of earlier runs go on while there is time.
    std::map<std::string, TimeLimit> time_limits;
    // By tournament: how many of its last games in earlier runs a bot with a limit left unanswered.
    std::map<std::string, std::size_t> unanswered;
    // Is told of each tournament that is over, when its files are written; by the loop's thread,
    // which must not be held up. May be null.
    std::function<void(const std::string& tournament)> on_over;
};

// How a run ended.
struct RunEnding : Ending {
    // Bots of which no launch has shown anything, by name.
    std::map<std::string, supply::LaunchedBots::NeverStarted> never_started{};
    // Of bots with a limit: how long their games in this run took.
    std::map<std::string, Duration> spans{};
    // Those of them whose time was over before all their games were played.
    std::set<std::string> out_of_time{};
};

// Plays the tournaments of a config in the foreground: listens, launches the bots that it must
// launch, waits for bots that dial in, plays, and writes into `out`. Returns when all is over, a
// signal (SIGINT, SIGTERM) ended it, or a bot can't be launched at all. Progress and the final
// standings go to `screen`.
RunEnding run_tournaments(const config::Config& config, const RunOptions& options,
                          std::ostream& screen);

// ---- forfeits.cpp --------------------------------------------------------------------------

// Whether the bot's process ended before its login as shells, and env, end that can't execute a
// program, or find none: perhaps the machine lacks that program.
bool may_lack_a_program(const Fault& fault);

// How a run that was played to its end is judged, over all tournaments of its store: exit_no where
// one of these bots forfeited a game by a fault of its own, be it in doubt or not, or gave no valid
// move in any. The message tells of them, and of each bot to which that happened in all of its
// games. A game that was annulled is no game here: nobody is blamed for the machine's trouble.
// exit_trouble where the store can't be read.
Ending judged_by_forfeits(const std::string& store,
                          const std::vector<std::string>& fail_on_forfeits);

}  // namespace referee::run

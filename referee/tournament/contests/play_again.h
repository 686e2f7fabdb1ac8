#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/contest/formats/format.h"
#include "referee/game/result/game_result.h"
#include "referee/store/records/records.h"

// What of a contest can be played again, or goes on although it had ended: a plan, which can be
// told, or why there is none; and the records of a plan. None changes anything by itself:
// Contest::carry_out() does.

namespace referee::contests {

class Contest;

// What would play in a bot's name if a game began now.
struct ProgramNow {
    std::string program;  // as results name it; empty: nobody can tell
    std::string untold;   // why nobody can
    // Whoever gives the order says that it changed, so nobody has to tell.
    bool is_said_to_have_changed = false;
    // It is not here, and nobody launches it: what it played is kept, since it would lose by not
    // coming.
    bool is_away = false;
};
using ProgramsNow = std::map<std::string, ProgramNow, std::less<>>;  // by bot

// Why matches of such a tournament can't be played again by what changed, and what can be done
// instead; empty: they can.
std::string no_rerun(const formats::FormatConfig& format);

// A match that is not played again although it might be.
struct KeptMatch {
    std::uint64_t match = 0;
    std::string why;
};

// Which matches of a tournament are played again because another program plays in the name of one
// of their bots now, or because of the machine that played them, and which are kept.
struct Rerun {
    struct Match {
        std::uint64_t match = 0;
        std::vector<std::string> bots;
        std::vector<GameKey> games;        // those that were played by what plays no more, or there
        std::vector<std::string> changed;  // the bots; none where it is for a machine
    };
    std::vector<Match> again;
    struct Change {
        std::set<std::string> before;  // programs that played; empty: nobody could tell
        std::string now;
        std::uint64_t matches = 0;
    };
    std::map<std::string, Change> changes;  // by bot, of the matches that are played again
    std::vector<KeptMatch> kept_although;   // of these something changed too
    // Matches in which nothing changed, as far as anybody can tell; or that were played elsewhere.
    std::uint64_t kept = 0;
    std::uint64_t to_come = 0;  // matches of which no game counts yet
    // Bots of matches that are kept of which nobody can tell whether they changed.
    struct Untold {
        std::string why;
        std::uint64_t matches = 0;
    };
    std::map<std::string, Untold> untold;  // by bot

    std::size_t games() const;  // that are played again
};

// Of what changed.
base::Result<Rerun, std::string> plan_rerun(const Contest& contest, const ProgramsNow& now);
// Of what a machine played.
base::Result<Rerun, std::string> plan_rerun_of(const Contest& contest, const std::string& machine);
std::vector<records::Record> records_of(const Contest& contest, const Rerun& rerun,
                                        const std::string& reason);

// What a tournament that has ended can still play, once bots that were withdrawn are let in again.
struct Reopening {
    std::vector<std::string> back;    // the bots
    std::uint32_t round = 1;          // from which they play
    std::vector<std::string> missed;  // others, never withdrawn, that play again what they missed
    std::vector<GameKey> games;       // they never sat down at them: played again
    std::uint64_t matches = 0;        // of these games
    std::vector<KeptMatch> kept;      // they missed these too, and that stands
    bool draws_on = false;            // it draws rounds that it had not drawn
    bool aborted = false;             // what it was about to play is played as well
};

// Who comes back: those that were withdrawn for being idle, and those named `also`.
base::Result<Reopening, std::string> plan_reopening(const Contest& contest,
                                                    const std::vector<std::string>& also);
std::vector<records::Record> records_of(const Contest& contest, const Reopening& plan,
                                        const std::string& reason);

// What of a rerun is taken back: plays that were annulled by order and count again.
struct Restoration {
    std::vector<GameKey> games;
    std::uint64_t matches = 0;  // of these games
    // Matches in which a game that was annulled by order was begun once more.
    std::vector<std::uint64_t> begun;
};
// Of plays of whose match no game was begun once more.
base::Result<Restoration, std::string> plan_restoration(const Contest& contest);
std::vector<records::Record> records_of(const Contest& contest, const Restoration& plan,
                                        const std::string& reason);

}  // namespace referee::contests

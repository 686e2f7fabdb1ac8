#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/tournament/contests/contest.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/tables.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::scheduler {

// On a ladder those who are free wait so long for others who are there, whom they have not met
// lately (and at least as long as a bot rests); then they meet again. A few quick games long: a
// ladder waits for nobody's long game.
inline constexpr Duration ladder_patience = std::chrono::seconds(10);
// A bot that leaves the matches of a ladder which it is drawn for waits before it is drawn again:
// the first time as long as a connection may be lost by accident, each time in a row twice as long,
// and at most so long that it can come back within a lesson.
inline constexpr Duration leaver_waits_first = std::chrono::seconds(5);
inline constexpr Duration leaver_waits_max = std::chrono::minutes(10);

// Which bots of a ladder can be paired now: a bot must be here and free, must not rest, and must
// not wait because it left a match before the first turn; and two whose games only repeat rest from
// each other. When a rest or a wait ends, no event wakes the scheduler; so offer() sees to the next
// look. In other formats it does nothing.
class LadderMatching : ContestPart {
 public:
    using ContestPart::ContestPart;

    // Whether the tournament is a ladder.
    bool pairs_who_is_free() const;
    // Before a draw: tells the contest which bots can be paired. Those that are wanted elsewhere
    // can't.
    void offer(const std::set<const lobby::Bot*>& wanted_elsewhere = {});
    // A game has ended: where some of its bots were not ready in time, drop_deserted() drops the
    // match.
    void note_unready(const RunningGame& running);
    // Ends the games whose bots left before the first turn, so that the other bots are free again.
    // Once that is recorded, drop_deserted() drops the match, even if the bots have come back.
    // Where a launched bot has ended, its table finds out what that means.
    void end_deserted_games();
    // A match that was dropped.
    struct Dropped {
        std::string reason;  // with the match's id
        std::vector<records::Record> records;
    };
    // Drops the match of a game that waits to begin, if bots of it are gone; nothing where none is.
    // The contest doesn't have the plan any more then.
    std::optional<Dropped> drop_deserted(const contests::GamePlan& plan);
    // The match is over: its bots rest from now on. Two that played the same games as the last time
    // that they sat so rest from each other for longer, or until another program may play for one.
    void rest(const formats::MatchResult& match);

    // Tells why no match is drawn: too few bots are here, or they rest, play elsewhere, or are
    // being launched.
    void add_rests(std::vector<Wait>& found);
    // Where games that are drawn wait for bots that are away: tells that who is free, as a newcomer
    // is, waits for opponents.
    void add_unmatched(std::vector<Wait>& found);
    // Tells of each bot that waits because it left matches; also of a bot that is away, because
    // people may ask why it doesn't play.
    void add_leavers(std::vector<Wait>& found) const;

 private:
    // A bot that left a match before the first turn.
    struct Leaver {
        Instant waits_until{};
        bool told = false;  // on its present connection
    };

    using Pair = formats::EntrantPairs::value_type;
    // Two whose games repeat.
    struct Apart {
        Instant until{};
        std::string programs;  // of both
    };

    formats::EntrantPairs apart_of(const std::vector<formats::Entrant>& free);
    std::string programs_of(const Pair& pair);
    void add_apart(Wait& rests);
    // Because it left a match. Tells the bot.
    bool must_wait(formats::Entrant entrant);
    Instant free_longest() const;
    bool others_are_awaited(const std::vector<formats::Entrant>& free);
    std::string why_deserted(std::uint64_t match, std::vector<formats::Entrant>& left);

    std::map<std::string, Instant> rests_until_;  // by bot
    std::map<Pair, Apart> apart_;
    std::map<formats::Entrant, Instant> free_since_;  // since then it could have been paired
    std::map<formats::Entrant, Leaver> leavers_;      // those who wait because they left
    std::set<formats::Entrant> seen_;                 // those who were here in this run
    std::map<std::uint64_t, std::vector<formats::Entrant>>
        deserted_;                     // matches to drop, and who left them
    std::set<std::uint64_t> unready_;  // those of them that somebody was not ready for
};

}  // namespace referee::scheduler

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "referee/tournament/scheduler/scheduler.h"
#include "tests/sim/world.h"

namespace tests::sim {

// Watches from outside that all goes on that can go on:
//
// - on a ladder no bot stands idle that could play: two bots that are connected, rested and in no
//   match are not both left standing for longer than the ladder's patience, unless their games
//   only repeat;
// - whoever is connected to a ladder that is on takes part in it soon;
// - a tournament whose bots are all there has a game running, or is over;
// - a tournament that stands still says for whom or for what it waits, and that is so: bots that
//   it waits for are away, play elsewhere or rest, as it says.
//
// It looks when it is asked to, and wakes nobody. What it knows of rests and leavers comes from
// results and records, not from the scheduler.
class Liveness {
 public:
    using Complain = std::function<void(const std::string& text)>;

    // All of these outlive it.
    Liveness(const World& world, const referee::lobby::Lobby& lobby,
             referee::scheduler::Scheduler& scheduler, Complain complain);

    // Told as the scheduler's observer is told.
    void on_match(const std::string& tournament, const referee::formats::MatchResult& match);
    // Told when the record is committed.
    void on_record(const referee::records::Record& record);
    void look();
    // What is not so of a wait that the referee tells; empty: all of it is.
    std::string wrong_with(const referee::scheduler::Wait& wait) const;

 private:
    struct Guest {
        Instant rests_until{};
        bool has_left = false;  // a match, and played none since: it may have to wait
        std::optional<Instant> idle_since;
    };
    // What should not last, and since when it is so.
    using Since = std::map<std::string, Instant>;

    // Whether it is so for longer than that; then its time begins anew.
    bool lasts(const std::string& what, bool is_so, Duration longest);
    void look_at_waits();
    void look_at_silence(const referee::contests::ContestSnapshot& contest);
    // For whom the referee says that the tournament waits.
    std::string said_of(const std::string& tournament);
    std::string wrong_with(const referee::scheduler::Wait& wait, const std::string& bot) const;
    void look_at_field(const referee::contests::ContestSnapshot& contest);
    void look_at_ladder(const referee::contests::ContestSnapshot& contest);
    void look_at_rounds(const referee::contests::ContestSnapshot& contest);
    bool could_play(const referee::lobby::Bot& bot,
                    const referee::contests::ContestSnapshot& contest) const;
    // Until when the two rest from each other.
    Instant apart_until(const std::string& tournament, const std::string& one,
                        const std::string& other) const;

    const World& world_;
    const referee::lobby::Lobby& lobby_;
    referee::scheduler::Scheduler& scheduler_;
    Complain complain_;
    std::map<std::pair<std::string, std::string>, Guest> guests_;  // by tournament and bot
    // Two whose games repeat, by tournament and bots.
    std::map<std::pair<std::string, std::set<std::string>>, Instant> apart_until_;
    Since since_;
    Since untrue_since_;  // waits that are told
};

}  // namespace tests::sim

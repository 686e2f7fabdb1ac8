#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "referee/arena/scheduler/scheduler.h"
#include "tests/sim/world.h"

namespace tests::sim {

// Watches from outside that whatever can go on goes on:
// - on a ladder nobody stands idle who could play: two bots that are connected, rested and in no
//   match are not both left standing for longer than the ladder's patience;
// - whoever is connected to a ladder that is on takes part in it soon;
// - a tournament whose bots are all there has a game running, or is over.
// It looks so often as it is asked to, and wakes nobody. What it knows of rests and leavers it has
// from results and records, not from the scheduler.
class Liveness {
 public:
    using Complain = std::function<void(const std::string& text)>;

    // All of them outlive it.
    Liveness(const World& world, const referee::lobby::Lobby& lobby,
             const referee::scheduler::Scheduler& scheduler, Complain complain);

    // As the scheduler's observer is told.
    void on_match(const std::string& tournament, const referee::tournament::MatchResult& match);
    // As it is committed.
    void on_record(const referee::journal::Record& record);
    void look();

 private:
    struct Guest {
        Instant rests_until{};
        std::optional<Instant> not_enrolled_since;
        bool has_left = false;  // a match, and played none since: it may have to wait
        std::optional<Instant> idle_since;
    };

    void look_at_field(const referee::scheduler::ContestSnapshot& contest);
    void look_at_ladder(const referee::scheduler::ContestSnapshot& contest);
    void look_at_rounds(const referee::scheduler::ContestSnapshot& contest);
    bool could_play(const referee::lobby::Bot& bot,
                    const referee::scheduler::ContestSnapshot& contest) const;

    const World& world_;
    const referee::lobby::Lobby& lobby_;
    const referee::scheduler::Scheduler& scheduler_;
    Complain complain_;
    std::map<std::pair<std::string, std::string>, Guest> guests_;  // by tournament and bot
    std::optional<Instant> still_since_;
};

}  // namespace tests::sim

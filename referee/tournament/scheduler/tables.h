#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "referee/game/play/play.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/scheduler/waits.h"
#include "referee/tournament/table/table.h"

namespace referee::scheduler {

struct ScheduledContest;
using ScheduledContests =
    std::vector<std::unique_ptr<ScheduledContest>>;  // in the order in which they were added

// A game that bots sit at: it is being begun, played, or recorded.
struct RunningGame {
    ScheduledContest* scheduled = nullptr;  // of its contest
    contests::GamePlan plan;
    std::vector<engines::Seat> absent;
    std::unique_ptr<table::Table> table;
    bool has_launched = false;  // a bot of it is launched
    bool awaits_record = false;
};

// The games that bots sit at, of all tournaments. Whoever opens a place gives it its table at once.
class Tables {
 public:
    using Id = std::uint64_t;

    // A place for one more, which this game has from now on. `has_launched`: a bot of it is
    // launched.
    Id open(contests::GamePlan plan, bool has_launched = false);
    // Requires: it is open.
    RunningGame& at(Id id) { return running_.at(id); }
    // Null where it is closed.
    RunningGame* find(Id id);
    // The game has ended, and its bots sit there until it is recorded. Requires: it has its table.
    void await_record(Id id);
    // The game is recorded: nobody sits there any more. Requires: it is open.
    RunningGame close(Id id);

    std::size_t size() const { return running_.size(); }
    bool empty() const { return running_.empty(); }
    std::size_t with_launched() const { return with_launched_; }
    // Those of one tournament.
    const std::set<Id>& games_of(std::string_view tournament) const;
    std::size_t of(std::string_view tournament) const;
    // Turns of all seats whose time runs.
    std::size_t turns_running() const;
    bool of_match(std::string_view tournament, std::uint64_t match) const;
    // Whether a game is being tried alone.
    bool plays_alone() const { return alone_ > 0; }
    // Whether the bot played in a game that is over and not yet recorded.
    bool awaits_record(const lobby::Bot& bot) const { return unrecorded_.contains(&bot); }
    // Interrupts all games, or those of one tournament, or of one match of it.
    void stop(const std::string& reason, std::optional<std::string_view> tournament = {},
              std::optional<std::uint64_t> match = {});
    // Tells of each bot that lost its connection while its game waits for it.
    void add_returns(std::vector<Wait>& found) const;

 private:
    std::map<Id, RunningGame> running_;
    std::map<std::string, std::set<Id>, std::less<>> by_tournament_;
    std::size_t alone_ = 0;                             // games that are being tried alone
    std::size_t with_launched_ = 0;                     // games with a bot that is launched
    std::map<const lobby::Bot*, unsigned> unrecorded_;  // bots of games that await their record
    Id last_ = 0;
};

}  // namespace referee::scheduler

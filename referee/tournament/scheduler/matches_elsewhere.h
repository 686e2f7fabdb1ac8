#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "referee/tournament/contests/contest_journal.h"
#include "referee/tournament/contests/matches.h"
#include "referee/tournament/scheduler/executor.h"
#include "referee/tournament/scheduler/notices.h"
#include "referee/tournament/scheduler/scheduled_contest.h"

namespace referee::scheduler {

// The matches that an executor plays: each is given to it once, and counts once, whatever the
// executor brings. Where there is no executor, nothing is given.
class MatchesElsewhere final : public Executor::Client {
 public:
    // All but the executor (null: none) are the scheduler's, and outlive this, as the executor
    // does.
    // `is_recorded`: whether another machine's play of that game is.
    MatchesElsewhere(Executor* executor, const BotSupply& supply, contests::ContestJournal& records,
                     const Notices& notices, std::function<bool(const GameKey&)> is_recorded,
                     std::function<void()> go_on);
    ~MatchesElsewhere() override;
    MatchesElsewhere(const MatchesElsewhere&) = delete;
    MatchesElsewhere& operator=(const MatchesElsewhere&) = delete;

    // Gives the executor as many of the matches that wait as it has room for.
    void give(ScheduledContest& scheduled);
    // Whose matches the executor plays may have changed: it is asked anew, before the next look.
    void ask_anew() { ++asked_; }
    // Whether the game is for the executor, and not for a table here.
    bool is_for_it(ScheduledContest& scheduled, const contests::GamePlan& plan);
    // Whether all games that wait are, as far as can be told without looking at each.
    bool are_all_for_it(ScheduledContest& scheduled);
    // After a restart: whether the executor still plays that game, which then goes on.
    bool goes_on(ScheduledContest& scheduled, const contests::GamePlan& plan);
    // Takes matches back: their games end as interrupted, and what the executor may still bring of
    // them doesn't count. All, or those of one tournament, or one match of it.
    void take_back(const std::string& reason, std::optional<std::string_view> tournament = {},
                   std::optional<std::uint64_t> match = {});
    // The same of those that no machine may play yet.
    void take_unbegun_back(const std::string& reason);
    // Match tasks that are out.
    std::size_t size() const { return out_.size(); }
    // Matches of one tournament that are.
    std::size_t of(std::string_view tournament) const;
    // Adds that other machines play matches of the tournament, and what keeps them from playing.
    void add_waits(ScheduledContest& scheduled, std::vector<Wait>& found);
    // The bots of games that wait in other tournaments than ladders, to be played here, and for
    // nobody who is away: a ladder leaves these bots free.
    std::set<const lobby::Bot*> bots_wanted_here(const ScheduledContests& contests);

    Executor::Verdict bring(const GameKey& task, std::vector<records::GameRecord> games) override;
    void lose(const GameKey& task, const std::string& reason) override;
    void look() override { go_on_(); }

 private:
    struct Out {
        ScheduledContest* scheduled = nullptr;
        MatchTask task;
        contests::GamePlan first;  // of its games
        bool recorded = false;     // its start
    };
    using AllOut = std::map<GameKey, Out>;
    // Whose matches of a contest the executor plays, as it was asked last.
    struct Taken {
        std::vector<bool> bots;   // by entrant
        bool all = false;         // it takes everybody
        std::uint64_t asked = 0;  // which time that was
    };

    const Taken& taken_of(ScheduledContest& scheduled);
    static MatchTask task_of(const ScheduledContest& scheduled, const contests::GamePlan& first);
    void give_one(ScheduledContest& scheduled, std::size_t i);
    using Games = std::vector<records::GameRecord>;
    void record(ScheduledContest& scheduled, const GameKey& task, Games games, std::size_t next);
    void end(const GameKey& task);
    void interrupt(AllOut::iterator out, const std::string& reason);
    template <typename IsMeant>
    void interrupt_if(const IsMeant& is_meant, const std::string& reason);

    Executor* executor_;
    const BotSupply& supply_;
    contests::ContestJournal& records_;
    const Notices& notices_;
    std::function<bool(const GameKey&)> is_recorded_;
    std::function<void()> go_on_;
    AllOut out_;
    std::size_t promised_ = 0;  // tasks whose starts are not recorded yet
    std::uint64_t asked_ = 1;   // how often it was to be asked whom it takes
    std::map<const ScheduledContest*, Taken> taken_;
};

}  // namespace referee::scheduler

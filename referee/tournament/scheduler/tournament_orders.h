#pragma once

#include <functional>
#include <string>
#include <vector>

#include "referee/tournament/contests/arbiter.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/contests/contest_journal.h"
#include "referee/tournament/contests/play_again.h"
#include "referee/tournament/scheduler/matches_elsewhere.h"
#include "referee/tournament/scheduler/notices.h"
#include "referee/tournament/scheduler/phase.h"
#include "referee/tournament/scheduler/scheduled_contest.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/tables.h"

namespace referee::scheduler {

// An order for a tournament, and why it is given. One that only previews is checked as all are, and
// nothing is done.
struct OrderCall {
    std::string tournament;
    std::string reason{};
    bool previews = false;
};

// The orders of an instructor while tournaments are played.
class TournamentOrders {
 public:
    // What orders change.
    struct Reach {
        const ScheduledContests& contests;
        Tables& tables;
        MatchesElsewhere& elsewhere;
        const SchedulerPhase& phase;
        contests::ContestJournal& records;
        const Notices& notices;
    };
    // All of these outlive it. It calls `look` whenever there may be games to begin.
    TournamentOrders(Reach reach, std::function<void()> look)
        : reach_(reach), look_(std::move(look)) {}

    // Called once: when what was ordered is recorded, or with the reason why it is refused. The
    // call may come from inside the order.
    using OnOrdered = std::function<void(const base::Result<void, std::string>& done)>;
    static void tell_nobody(const base::Result<void, std::string>& /*done*/) {}
    // Any order, such as contests::forbid(): carried out, unless it is refused or only previews.
    // Returns whether it was.
    using Order = std::function<contests::Ordered(const contests::Contest&)>;
    bool take(const OrderCall& call, const Order& order, OnOrdered on_ordered);
    void begin(const OrderCall& call, const std::vector<formats::Entry>& field,
               std::string config_text, std::string version, OnOrdered on_ordered);
    // The first games begin without the bots that have not come.
    void start_now(const OrderCall& call, const OnOrdered& on_ordered = tell_nobody);
    void pause(const OrderCall& call, OnOrdered on_ordered = tell_nobody);
    // Also goes on with one that was aborted. Bots that are away are waited for as long as at
    // first.
    void resume(const OrderCall& call, OnOrdered on_ordered = tell_nobody);
    void abort(const OrderCall& call, OnOrdered on_ordered = tell_nobody);
    void withdraw(const OrderCall& call, const std::string& bot, OnOrdered on_ordered);
    void admit(const OrderCall& call, const formats::Entry& entry,
               OnOrdered on_ordered = tell_nobody);
    // The play of that key is played again.
    void annul(const OrderCall& call, const GameKey& key, OnOrdered on_ordered);
    // Sets what a match came to: `places` has the bots of each place. Its running games are
    // interrupted. Or takes that back, where it names nobody.
    void rule(const OrderCall& call, std::uint64_t match, const contests::BotsByPlace& places,
              const std::string& by, OnOrdered on_ordered);
    // As OnOrdered; it is also told what is done, or would be.
    template <typename Plan>
    using OnPlanned = std::function<void(const base::Result<Plan, std::string>& plan)>;
    // What changed since it was played, or what a machine played, is played again:
    // contests::plan_rerun() or plan_rerun_of().
    using PlanRerun =
        std::function<base::Result<contests::Rerun, std::string>(const contests::Contest&)>;
    void rerun(const OrderCall& call, const PlanRerun& plan,
               const OnPlanned<contests::Rerun>& on_planned);
    // A tournament that has ended goes on (contests::plan_reopening).
    void reopen(const OrderCall& call, const std::vector<std::string>& also,
                const OnPlanned<contests::Reopening>& on_planned);
    // What of a rerun was not begun is taken back.
    void restore(const OrderCall& call, const OnPlanned<contests::Restoration>& on_planned);
    // How its next round would be drawn, or why that can't be told.
    base::Result<contests::RoundOutlook, std::string> outlook_of(
        const std::string& tournament) const;

 private:
    // The tournament, or why no order for it can be taken now.
    base::Result<ScheduledContest*, std::string> scheduled_for_order(
        const std::string& tournament) const;
    // Carries out and records what was ordered, and tells it.
    void write(ScheduledContest& scheduled, std::vector<records::Record> ordered,
               OnOrdered on_ordered);
    bool set_state(const OrderCall& call, records::TournamentState state, OnOrdered on_ordered);
    // As take(), with a plan, and the records of it.
    template <typename Plan, typename Look>
    void take_planned(const OrderCall& call, const Look& look, const OnPlanned<Plan>& on_planned);

    Reach reach_;
    std::function<void()> look_;
};

}  // namespace referee::scheduler

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "referee/tournament/contests/contest.h"
#include "referee/tournament/contests/contest_records.h"
#include "referee/tournament/scheduler/executor_matches.h"
#include "referee/tournament/scheduler/notices.h"
#include "referee/tournament/scheduler/observer.h"
#include "referee/tournament/scheduler/phase.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/slot.h"
#include "referee/tournament/scheduler/tables.h"

namespace referee::scheduler {

// The orders of an instructor while tournaments are played: each is for one tournament, by its id.
class TournamentOrders {
 public:
    // What orders change.
    struct Reach {
        const Slots& slots;
        Tables& tables;
        ExecutorMatches& elsewhere;
        const SchedulerPhase& phase;
        contests::ContestJournal& records;
        DisplayNames& display_names;
    };
    // All of these outlive it. It calls `look` whenever there may be games to begin.
    TournamentOrders(Reach reach, const SchedulerContext& with, const Observers& observers,
                     std::function<void()> look)
        : slots_(reach.slots),
          tables_(reach.tables),
          executor_matches_(reach.elsewhere),
          phase_(reach.phase),
          records_(reach.records),
          display_names_(reach.display_names),
          with_(with),
          observers_(observers),
          look_(std::move(look)) {}

    // Called once: when what was ordered is recorded, or with the reason why it is refused. The
    // call may come from inside the order. One that only asks is checked as all are, and nothing
    // is done.
    using OnOrdered = std::function<void(const base::Result<void, std::string>& done)>;
    struct BeginOrder {
        std::string tournament;
        std::vector<formats::Entry> field;
        std::string config_text;
        std::string version;
        std::string reason = "started";
        bool only_asks = false;
    };
    void begin(BeginOrder order, OnOrdered on_ordered);
    // The first games begin without the bots that have not come.
    void start_now(const std::string& tournament, const OnOrdered& on_ordered,
                   bool only_asks = false);
    void pause(const std::string& tournament, const std::string& reason, OnOrdered on_ordered,
               bool only_asks = false);
    // Also goes on with one that was aborted. Bots that are away are waited for as long as at
    // first.
    void resume(const std::string& tournament, const std::string& reason, OnOrdered on_ordered,
                bool only_asks = false);
    void abort(const std::string& tournament, const std::string& reason, OnOrdered on_ordered,
               bool only_asks = false);
    void withdraw(const std::string& tournament, const std::string& bot, const std::string& reason,
                  OnOrdered on_ordered, bool only_asks = false);
    void admit(const std::string& tournament, const formats::Entry& entry, OnOrdered on_ordered,
               bool only_asks = false);
    // The play of that key is played again.
    void annul(const GameKey& key, const std::string& reason, OnOrdered on_ordered,
               bool only_asks = false);
    // What changed since it was played is played again, unless this only asks; then what would be.
    using OnRerun = std::function<void(const base::Result<contests::Rerun, std::string>& done)>;
    struct RerunOrder {
        std::string tournament;
        contests::ProgramsNow now;
        std::string reason;
        bool only_asks = false;
        std::string host{};  // where it isn't empty: what that host played, whatever changed
    };
    void rerun(const RerunOrder& order, const OnRerun& on_rerun);
    // A tournament that has ended goes on (Contest::plan_reopening), unless this only asks how.
    using OnReopened =
        std::function<void(const base::Result<contests::Reopening, std::string>& done)>;
    struct ReopenOrder {
        std::string tournament;
        std::vector<std::string> also;
        std::string reason;
        bool only_asks = false;
    };
    void reopen(const ReopenOrder& order, const OnReopened& on_reopened);
    // What of a rerun was not begun is taken back, unless this only asks what that is.
    using OnRestored =
        std::function<void(const base::Result<contests::Restoration, std::string>& done)>;
    struct RestoreOrder {
        std::string tournament;
        std::string reason;
        bool only_asks = false;
    };
    void restore(const RestoreOrder& order, const OnRestored& on_restored);
    // Sets what a match came to: `places` has the bots of each place. Its running games are
    // interrupted. Or takes that back, where it names nobody.
    void rule(records::RulingRecord ruling, const contests::Contest::BotsByPlace& places,
              OnOrdered on_ordered);
    void forbid(records::ForbiddenPairsRecord pairs, OnOrdered on_ordered);
    void wish_bye(const records::RequestedByeRecord& bye, OnOrdered on_ordered);
    void pair_by_hand(records::HandPairingRecord pairing, bool anyway, OnOrdered on_ordered);
    // How its next round would be drawn, or why that can't be told.
    base::Result<contests::Contest::RoundOutlook, std::string> outlook_of(
        const std::string& tournament) const;

 private:
    // The tournament, or why no order for it can be taken now.
    base::Result<Slot*, std::string> slot_for_order(const std::string& tournament) const;
    // Records what was ordered, calls `then`, and tells it; or tells why it is refused. Without
    // records it was only asked.
    void take(Slot& slot, contests::Ordered ordered, OnOrdered on_ordered,
              std::function<void()> then = {});
    void tell_state(const Slot& slot, const std::string& reason);

    const Slots& slots_;
    Tables& tables_;
    ExecutorMatches& executor_matches_;
    const SchedulerPhase& phase_;
    contests::ContestJournal& records_;
    DisplayNames& display_names_;
    const SchedulerContext& with_;
    const Observers& observers_;
    std::function<void()> look_;
};

}  // namespace referee::scheduler

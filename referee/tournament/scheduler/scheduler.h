#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/net/loop/earliest_look.h"
#include "referee/net/loop/life.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/contests/contest_journal.h"
#include "referee/tournament/scheduler/attendance.h"
#include "referee/tournament/scheduler/matches_elsewhere.h"
#include "referee/tournament/scheduler/notices.h"
#include "referee/tournament/scheduler/phase.h"
#include "referee/tournament/scheduler/scheduled_contest.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/tables.h"
#include "referee/tournament/scheduler/tournament_orders.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::scheduler {

// The rounds of a field up to this size are drawn on the loop's thread: that takes less than a
// turn of a game may; those of a larger one are drawn beside it.
inline constexpr std::size_t field_drawn_on_the_loop_max = 64;

// Plays tournaments: finds games whose bots are free, seats the bots, records what the games came
// to, and tells observers. Runs on the loop's thread and by the timers' clock, in production as
// in simulation.
class Scheduler {
 public:
    using EndKind = SchedulerEnding::Kind;
    using Settings = scheduler::Settings;
    using OnEnded = std::function<void(const SchedulerEnding&)>;

    Scheduler(Settings settings, SchedulerContext context, OnEnded on_ended);
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    // A tournament to play, as its records left it. `opening` is recorded first: what
    // Contest::begin() gave, where the tournament is new. One that waits for the order to begin
    // gets it by begin().
    void add(std::unique_ptr<contests::Contest> contest, std::vector<records::Record> opening,
             std::optional<Instant> began = std::nullopt);
    // It is told from now on, after those who are told already. It outlives the scheduler.
    void observe(Observer& observer) { observers_.add(observer); }
    void start();
    // They hold from now on. Games that run are played to their end.
    void set_settings(const Settings& settings) { settings_ = settings; }
    // Of all who are here or take part in a tournament; some stand twice.
    std::vector<std::string_view> names() const { return display_names_.names(); }
    // No game begins any more. Those that run may go on for the grace time; then they are ended as
    // interrupted. When all is recorded, calls `on_ended`. A second call can only shorten the time.
    void stop(const std::string& reason, Duration grace);
    // No game begins any more. Those that run are played to their end; then calls `on_ended`.
    void drain(const std::string& reason);

    // Looks for games to begin: a bot has come or has become free, or a while has gone by.
    void pump() {
        elsewhere_.ask_anew();
        look();
    }

    // A bot has left. If it sits in a game, its absence begins now: the next game doesn't wait for
    // it as long as if it had been there up to then.
    void left(const lobby::Bot& bot);

    // A bot has logged in: games that waited for it may begin. Where it was withdrawn because it
    // was away or silent, it plays again, unless the referee launches it: such a bot comes back
    // only by order.
    void welcome_back(const lobby::Bot& bot) {
        for (const auto& scheduled : contests_) scheduled->attendance.came(bot);
        pump();
    }
    // The same of a bot for which another program is launched now.
    void welcome_anew(const lobby::Bot& bot) {
        for (const auto& scheduled : contests_) scheduled->attendance.came_anew(bot);
        pump();
    }

    // What the calendar says from now on. Nobody is blamed for having been away while the
    // tournament was closed. Requires: it is there.
    void keep_to(std::string_view tournament, Timetable timetable);
    // A ladder draws no match any more, and ends when those that are drawn are played. False where
    // that can't be now: try again. Requires: it is there and has begun.
    bool end_ladder(std::string_view tournament);

    // The journal takes no more: all ends, as where it was a record of a tournament.
    void end_not_recorded(const records::JournalFailure& failure) {
        end(EndKind::not_recorded, failure.message);
    }

    // Orders of an instructor.
    TournamentOrders& orders() { return orders_; }

    // All that does not go on at present, tournament by tournament.
    std::vector<Wait> waits();
    // How the tournaments stand, in the order in which they were added.
    std::vector<contests::ContestStatus> statuses() const;
    // The same of one tournament; nothing where there is none of that id.
    std::optional<contests::ContestStatus> status_of(std::string_view tournament) const;
    // words_of_ruling() of the game's match; empty where the match isn't known any more.
    std::string ruling_of(const GameKey& key) const;
    // What is played. Requires: it is there.
    const contests::Contest& contest(std::string_view tournament) const {
        return *at(tournament).contest;
    }
    std::size_t games_running() const { return tables_.size(); }
    std::size_t games_running(std::string_view tournament) const { return tables_.of(tournament); }
    // Matches that other machines have, whether they are played yet or not.
    std::size_t matches_elsewhere() const { return elsewhere_.size(); }
    std::size_t matches_elsewhere(std::string_view tournament) const {
        return elsewhere_.of(tournament);
    }
    std::size_t turns_running() const { return tables_.turns_running(); }
    bool stopping() const { return phase_.cut_short(); }
    const std::string& store_trouble() const { return store_trouble_; }

 private:
    // Requires: it is there.
    ScheduledContest& at(std::string_view tournament) const;
    void end_cut_off(ScheduledContest& scheduled);
    // As pump() does, where only something was recorded since the last look.
    void look();
    void begin_games();
    void begin_games_of(ScheduledContest& scheduled, bool only_alone);
    bool draw(ScheduledContest& scheduled);
    bool drop_deserted(ScheduledContest& scheduled, std::size_t i);
    // Begins the i-th game that waits, if it can begin now.
    bool try_begin(ScheduledContest& scheduled, std::size_t i);
    void seat(ScheduledContest& scheduled, contests::GamePlan plan, Seating seating);
    void on_started(Tables::Id id);
    void on_finished(Tables::Id id);
    void on_recorded(Tables::Id id, const contests::GameEnd& end);
    void on_store_trouble(const records::JournalTrouble& told);
    void tell_waits() {
        if (!phase_.ended()) news_.look();
    }
    // Looks for the next games, or whether all has ended.
    void go_on();
    bool is_settled() const;
    void check_stopped();
    void check_over();
    void finish(ScheduledContest& scheduled);
    void bound_writing();
    void end(EndKind kind, std::string message);

    Settings settings_;
    SchedulerContext context_;
    Observers observers_;
    OnEnded on_ended_;
    SchedulerPhase phase_;
    loop::EarliestLook looks_;
    WaitNews news_;
    Absences absences_;
    ScheduledContests contests_;
    Tables tables_;
    contests::ContestJournal records_;
    DisplayNames display_names_{settings_, context_.lobby, contests_};
    Notices notices_{context_, observers_, display_names_};
    MatchesElsewhere elsewhere_;
    TournamentOrders orders_;
    std::string store_trouble_;
    loop::Life life_;
};

}  // namespace referee::scheduler

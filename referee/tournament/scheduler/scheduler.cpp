#include "referee/tournament/scheduler/scheduler.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/net/lobby/lobby.h"

namespace referee::scheduler {

// When a referee that was stopped has ended its games, and what is left to be written is not
// written after this long, it ends without: a full disk must not keep it.
constexpr std::chrono::seconds last_writing_max{2};

using records::TournamentState;

Scheduler::Scheduler(Settings settings, SchedulerContext context, OnEnded on_ended)
    : settings_(settings),
      context_(context),
      on_ended_(std::move(on_ended)),
      phase_(context.timers),
      looks_(context.timers, [this] { pump(); }),
      news_(
          context.timers, [this] { return waits(); },
          [this](const auto& waiting) { observers_.tell(&Observer::on_waits, waiting); }),
      records_(
          context.journal, [this](const auto& failure) { end_not_recorded(failure); },
          [this] { check_stopped(); }),
      elsewhere_(
          context.executor, context.supply, records_, notices_,
          [this](const GameKey& game) {
              const auto* scheduled = scheduled_named(contests_, game.tournament);
              return scheduled != nullptr &&
                     !scheduled->contest->matches().machine_of(game).empty();
          },
          [this] { go_on(); }),
      orders_({contests_, tables_, elsewhere_, phase_, records_, notices_}, [this] { pump(); }) {
    context_.journal.watch(life_.while_it_lasts(
        [this](const records::JournalTrouble& told) { on_store_trouble(told); }));
}

void Scheduler::add(std::unique_ptr<contests::Contest> contest,
                    std::vector<records::Record> opening, std::optional<Instant> began) {
    auto& scheduled = *contests_.emplace_back(std::make_unique<ScheduledContest>(
        std::move(contest), SharedByContests{absences_, tables_, looks_, settings_, context_}));
    scheduled.began = began;
    if (!opening.empty())
        records_.write(*scheduled.contest, std::move(opening), [this] { pump(); });
    end_cut_off(scheduled);
}

void Scheduler::start() {
    phase_.start();
    pump();
}

// Plays that a former run did not play to their end are recorded as interrupted.
void Scheduler::end_cut_off(ScheduledContest& scheduled) {
    std::vector<records::Record> records;
    for (const auto& plan : scheduled.contest->cut_off()) {
        if (elsewhere_.goes_on(scheduled, plan)) continue;
        auto game = scheduled.contest->interrupted(
            plan, "the referee ended abruptly while the game was played; it is played again");
        scheduled.contest->finished(game.result);
        records.emplace_back(std::move(game));
    }
    if (!records.empty())
        records_.write(*scheduled.contest, std::move(records), [this] { pump(); });
}

void Scheduler::on_store_trouble(const records::JournalTrouble& told) {
    if (told.trouble == store_trouble_) return;
    store_trouble_ = told.trouble;
    observers_.tell(&Observer::on_store_trouble, store_trouble_);
    if (!store_trouble_.empty()) return tell_waits();
    for (const auto& scheduled : contests_) scheduled->attendance.excuse();
    pump();
}

void Scheduler::look() {
    if (!phase_.playing() || !store_trouble_.empty()) return;
    // The look that goes on may already have passed what is new, so another one follows it.
    if (looks_.held()) return looks_.wake_by(context_.timers.now());
    begin_games();
    // Where nobody plays, who comes in slows nobody down.
    context_.lobby.strangers_time().set_share(tables_.empty() ? 1 : lobby::strangers_share);
    tell_waits();
    check_over();
}

void Scheduler::begin_games() {
    const loop::EarliestLook::Hold hold(looks_);
    absences_.forget_present(context_.lobby);
    const bool only_alone = std::ranges::any_of(
        contests_, [](const auto& scheduled) { return scheduled->holds_others_back(); });
    for (const bool ladders : {false, true}) {
        for (const auto& scheduled : contests_)
            if (scheduled->ladder.pairs_who_is_free() == ladders && !tables_.plays_alone())
                begin_games_of(*scheduled, only_alone);
    }
}

void Scheduler::begin_games_of(ScheduledContest& scheduled, bool only_alone) {
    auto& contest = *scheduled.contest;
    if (contest.state() != TournamentState::running || scheduled.drawing_in_background) return;
    scheduled.end_by_time();
    for (const auto& entry : scheduled.attendance.back())
        orders_.admit({contest.config().id}, entry);
    const bool closed = scheduled.timetable.closed;
    if (!closed && !scheduled.attendance.gather()) return;
    scheduled.ladder.end_deserted_games();
    if (!closed && !draw(scheduled)) return;
    scheduled.aside.note();
    if (!closed) elsewhere_.give(scheduled);
    if (elsewhere_.are_all_for_it(scheduled)) return;
    for (std::size_t i = 0; i < contest.waiting().size() &&
                            tables_.size() < settings_.games_at_once && !tables_.plays_alone();) {
        const auto& plan = contest.waiting()[i];
        const bool match_has_begun = plan.key.number > 1 || plan.key.attempt > 1;
        const bool held =
            (only_alone && !scheduled.aside.has(plan)) || (closed && !match_has_begun);
        if (held || (!drop_deserted(scheduled, i) && !try_begin(scheduled, i))) ++i;
    }
}

void Scheduler::keep_to(std::string_view tournament, Timetable timetable) {
    auto& scheduled = at(tournament);
    if (scheduled.timetable == timetable) return;
    const bool opens = scheduled.timetable.closed && !timetable.closed;
    scheduled.timetable = std::move(timetable);
    observers_.tell(&Observer::on_timetable, scheduled.status());
    if (opens) scheduled.attendance.wait_anew();
    pump();
}

bool Scheduler::end_ladder(std::string_view tournament) {
    auto& scheduled = at(tournament);
    if (scheduled.drawing_in_background) return false;
    scheduled.contest->end_by_time();
    pump();
    return true;
}

// Drops the match of the i-th game that waits, if bots of it are gone.
bool Scheduler::drop_deserted(ScheduledContest& scheduled, std::size_t i) {
    auto dropped = scheduled.ladder.drop_deserted(scheduled.contest->waiting()[i]);
    if (!dropped) return false;
    records_.write(*scheduled.contest, std::move(dropped->records),
                   [this, &scheduled, reason = std::move(dropped->reason)] {
                       observers_.tell(&Observer::on_dropped, scheduled.contest->config().id,
                                       reason);
                       pump();
                   });
    return true;
}

// False while the next round is being drawn on another thread.
bool Scheduler::draw(ScheduledContest& scheduled) {
    auto& contest = *scheduled.contest;
    if (contest.drawing_due() && contest.entrants() > field_drawn_on_the_loop_max) {
        scheduled.draw_beside([this] { go_on(); });
        return false;
    }
    if (scheduled.ladder.pairs_who_is_free())
        scheduled.ladder.offer(elsewhere_.bots_wanted_here(contests_));
    auto drawn = contest.draw(scheduled.drawn_ahead());
    if (!drawn.empty()) records_.write(*scheduled.contest, std::move(drawn), [this] { look(); });
    return true;
}

bool Scheduler::try_begin(ScheduledContest& scheduled, std::size_t i) {
    const auto& plan = scheduled.contest->waiting()[i];
    if (elsewhere_.is_for_it(scheduled, plan)) return false;
    const bool alone = scheduled.aside.has(plan);
    if (alone && !scheduled.aside.may_try(plan)) return false;
    const bool full = tables_.with_launched() >= settings_.launched_games_at_once;
    if (full && scheduled.has_launched(plan)) return false;
    auto seating = scheduled.seating_for(plan);
    if (!seating) return false;
    scheduled.aside.begun(plan);
    auto taken = scheduled.contest->take(i);
    if (!alone) taken.try_alone = 0;
    seat(scheduled, std::move(taken), std::move(*seating));
    return true;
}

// The bots sit down at once, so that no other game takes them; the game begins when that is
// recorded.
void Scheduler::seat(ScheduledContest& scheduled, contests::GamePlan plan, Seating seating) {
    auto setup = scheduled.setup_of(plan, seating);
    const table::MatchFacts facts{match_id(plan.key.tournament, plan.key.match), plan.games_max,
                                  plan.try_alone > 0, display_names_.in(plan.key.tournament)};
    std::vector<records::Record> records{contests::Contest::start_of(plan, setup.bots)};
    const bool launched = scheduled.has_launched(plan);
    const auto id = tables_.open(std::move(plan), launched);
    auto& running = tables_.at(id);
    running.scheduled = &scheduled;
    running.absent = std::move(seating.absent);
    running.table = std::make_unique<table::Table>(std::move(setup), facts, std::move(seating.bots),
                                                   context_.timers, context_.stalls, context_.cores,
                                                   [this, id](table::Table&) { on_finished(id); });
    records_.write(*scheduled.contest, std::move(records), [this, id] { on_started(id); });
}

void Scheduler::on_started(Tables::Id id) {
    auto* running = tables_.find(id);
    if (running == nullptr || running->table->play().finished()) return;
    observers_.tell(&Observer::on_game_started, running->scheduled->contest->config().id,
                    *running->table);
    running->table->start(running->absent);
}

void Scheduler::on_finished(Tables::Id id) {
    auto& running = tables_.at(id);
    tables_.await_record(id);
    const auto game = std::make_shared<const records::GameRecord>(
        records::GameRecord{running.table->play().result(), running.table->play().replay()});
    running.scheduled->ladder.note_unready(running);
    records_.write_end(*running.scheduled->contest, {}, game,
                       [this, id](const contests::GameEnd& end) { on_recorded(id, end); });
}

void Scheduler::on_recorded(Tables::Id id, const contests::GameEnd& end) {
    const auto& contest = *tables_.at(id).scheduled->contest;
    notices_.recorded(contest, end.withdrawn);
    const auto running = tables_.close(id);
    running.table->announce();
    notices_.ended(contest, end, running.table.get());
    if (end.match) running.scheduled->ladder.rest(*end.match);
    {
        // Some bots leave when their game or match is over, and each of these events asks for a
        // look. Here it would begin games with the bots that are yet to leave.
        const loop::EarliestLook::Hold hold(looks_);
        const bool match_over =
            end.match.has_value() || contest.state() == TournamentState::aborted;
        for (auto* bot : running.table->bots()) context_.supply.game_over(*bot, match_over);
    }
    go_on();
}

void Scheduler::left(const lobby::Bot& bot) {
    for (const auto& scheduled : contests_) {
        if (!bot.places().empty())
            absences_.begin(bot, scheduled->contest->config().game, context_.timers.now());
    }
    pump();
}

std::vector<Wait> Scheduler::waits() {
    std::vector<Wait> found;
    if (!phase_.playing() && !phase_.stopping()) return found;
    if (!store_trouble_.empty())
        found.push_back({.kind = Wait::Kind::for_disk, .detail = store_trouble_});
    if (phase_.stopping()) {
        if (!tables_.empty())
            found.push_back({.kind = Wait::Kind::for_end,
                             .count = tables_.size(),
                             .until = phase_.grace_ends()});
    } else {
        for (const auto& scheduled : contests_) {
            elsewhere_.add_waits(*scheduled, found);
            scheduled->add_waits(found);
        }
    }
    tables_.add_returns(found);
    return found;
}

std::vector<contests::ContestStatus> Scheduler::statuses() const {
    std::vector<contests::ContestStatus> all;
    for (const auto& scheduled : contests_) all.push_back(scheduled->status());
    return all;
}

std::optional<contests::ContestStatus> Scheduler::status_of(std::string_view tournament) const {
    const auto* scheduled = scheduled_named(contests_, tournament);
    if (scheduled == nullptr) return std::nullopt;
    return scheduled->status();
}

ScheduledContest& Scheduler::at(std::string_view tournament) const {
    auto* scheduled = scheduled_named(contests_, tournament);
    REFEREE_ASSERT(scheduled != nullptr);
    return *scheduled;
}

std::string Scheduler::ruling_of(const GameKey& key) const {
    const auto* scheduled = scheduled_named(contests_, key.tournament);
    return scheduled == nullptr ? std::string() : words_of_ruling(*scheduled->contest, key.match);
}

void Scheduler::check_over() {
    if (phase_.ended()) return;
    if (phase_.stopping()) return check_stopped();
    bool all = true;
    std::string missing;
    for (const auto& scheduled : contests_) {
        const auto state = scheduled->contest->state();
        if (!scheduled->drawing_in_background && state == TournamentState::running &&
            scheduled->contest->over())
            finish(*scheduled);
        const bool lost = !scheduled->drawing_in_background && scheduled->aside.hopeless();
        if (lost)
            missing += (missing.empty() ? "" : "; ") + scheduled->contest->matches().set_aside();
        all = all &&
              (lost || state == TournamentState::finished || state == TournamentState::aborted);
    }
    if (settings_.stays || !all || !is_settled()) return;
    end(missing.empty() ? EndKind::finished : EndKind::set_aside, missing);
}

void Scheduler::finish(ScheduledContest& scheduled) {
    const auto reason = scheduled.contest->end_reason();
    auto finished = scheduled.contest->set_state(TournamentState::finished, reason).value();
    scheduled.contest->carry_out(finished);
    records_.write(*scheduled.contest, std::move(finished), [this, &scheduled, reason] {
        notices_.state(*scheduled.contest, reason);
        check_over();
    });
}

void Scheduler::stop(const std::string& reason, Duration grace) {
    const auto end_games = [this](const std::string& why) {
        tables_.stop("the referee was stopped" + why);
        check_over();
        bound_writing();
    };
    const auto grace_over = [end_games] {
        end_games(", and the game did not end within the time that was left to it");
    };
    if (!phase_.stop(reason, grace, grace_over)) return;
    // Nobody waits for what other machines play: it may take long.
    elsewhere_.take_back("the referee was stopped");
    if (grace > Duration::zero() && !tables_.empty()) return check_over();
    end_games("");
}

// A disk that takes nothing doesn't hold up the end.
void Scheduler::bound_writing() {
    if (phase_.ended()) return;
    const auto reason = phase_.stop_reason();
    phase_.stop(reason, last_writing_max, [this, reason] {
        if (records_.due() > 0)
            end(EndKind::not_recorded,
                fmt::format("{}, and {} steps of the tournaments are not written down yet: what "
                            "the disk takes no more is played again",
                            reason, records_.due()));
    });
}

void Scheduler::drain(const std::string& reason) {
    if (!phase_.drain(reason)) return;
    elsewhere_.take_unbegun_back("the referee ends before a machine took it");
    check_over();
}

void Scheduler::go_on() {
    phase_.playing() ? look() : check_stopped();
}

// Nothing is being played, drawn or written.
bool Scheduler::is_settled() const {
    return tables_.empty() && elsewhere_.size() == 0 && records_.due() == 0 &&
           std::ranges::none_of(
               contests_, [](const auto& scheduled) { return scheduled->drawing_in_background; });
}

void Scheduler::check_stopped() {
    if (phase_.stopping() && is_settled()) end(EndKind::stopped, phase_.stop_reason());
}

void Scheduler::end(EndKind kind, std::string message) {
    if (!phase_.end(kind)) return;
    looks_.cancel();
    news_.cancel();
    on_ended_({kind, std::move(message)});
}

}  // namespace referee::scheduler

#include "referee/tournament/scheduler/scheduler.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "referee/contest/formats/round_table.h"
#include "referee/limits.h"

namespace referee::scheduler {

using records::TournamentState;

Scheduler::Scheduler(Settings settings, SchedulerContext context, OnEnded on_ended)
    : settings_(settings),
      context_(context),
      on_ended_(std::move(on_ended)),
      phase_(context.timers),
      wakeups_(context.timers, [this] { pump(); }),
      news_(
          context.timers, [this] { return waiting(); },
          [this](const auto& waiting) { observers_.tell(&Observer::on_waiting, waiting); }),
      records_(
          context.journal,
          [this](const auto& failure) { end(EndKind::not_recorded, failure.message); },
          [this] { check_stopped(); }),
      executor_matches_(
          context.executor, context.supply, records_, observers_,
          [this](const GameKey& game) {
              return std::any_of(slots_.begin(), slots_.end(), [&](const auto& slot) {
                  return slot->contest->config().id == game.tournament &&
                         slot->contest->was_played_by_a_host(game);
              });
          },
          [this] { go_on(); }),
      orders_({slots_, tables_, executor_matches_, phase_, records_, notices_},
              [this] { pump(); }) {
    context_.journal.watch(life_.while_it_lasts(
        [this](const records::JournalTrouble& told) { on_store_trouble(told); }));
}

void Scheduler::add(std::unique_ptr<contests::Contest> contest,
                    std::vector<records::Record> opening, std::optional<Instant> began) {
    auto& slot = *slots_.emplace_back(std::make_unique<Slot>(std::move(contest), absences_, tables_,
                                                             wakeups_, settings_, context_));
    slot.began = began;
    if (!opening.empty()) records_.write(*slot.contest, std::move(opening), [this] { pump(); });
    end_cut_off(slot);
}

void Scheduler::start() {
    phase_.start();
    pump();
}

// Plays that a former run did not play to their end are recorded as interrupted.
void Scheduler::end_cut_off(Slot& slot) {
    std::vector<records::Record> records;
    for (const auto& plan : slot.contest->cut_off()) {
        if (executor_matches_.goes_on(slot, plan)) continue;
        auto game = slot.contest->interrupted(
            plan, "the referee ended abruptly while the game was played; it is played again");
        slot.contest->finished(game.result);
        records.emplace_back(std::move(game));
    }
    if (!records.empty()) records_.write(*slot.contest, std::move(records), [this] { pump(); });
}

void Scheduler::on_store_trouble(const records::JournalTrouble& told) {
    if (told.trouble == store_trouble_) return;
    store_trouble_ = told.trouble;
    observers_.tell(&Observer::on_store_trouble, store_trouble_);
    if (!store_trouble_.empty()) return tell_waiting();
    for (const auto& slot : slots_) slot->attendance.excuse();
    pump();
}

void Scheduler::look() {
    if (!phase_.playing() || !store_trouble_.empty()) return;
    // The look that goes on may already have passed what is new, so another one follows it.
    if (wakeups_.held()) return wakeups_.wake_by(context_.timers.now());
    begin_games();
    // Where nobody plays, who comes in slows nobody down.
    context_.lobby.strangers_time().set_share(tables_.empty() ? 1 : limits::strangers_share);
    tell_waiting();
    check_over();
}

void Scheduler::begin_games() {
    const Wakeups::Hold hold(wakeups_);
    absences_.forget_present(context_.lobby);
    const bool only_alone = std::any_of(slots_.begin(), slots_.end(), [](const auto& slot) {
        return slot->contest->state() == TournamentState::running && !slot->drawing_in_background &&
               slot->aside.hold_others_back();
    });
    for (const bool ladders : {false, true}) {
        for (const auto& slot : slots_)
            if (slot->ladder.pairs_who_is_free() == ladders && !tables_.plays_alone())
                begin_games_of(*slot, only_alone);
    }
}

void Scheduler::begin_games_of(Slot& slot, bool only_alone) {
    auto& contest = *slot.contest;
    if (contest.state() != TournamentState::running || slot.drawing_in_background) return;
    end_by_time(slot);
    for (const auto& entry : slot.attendance.back()) orders_.admit({contest.config().id}, entry);
    const bool closed = slot.timetable.closed;
    if (!closed && !slot.attendance.gather()) return;
    slot.ladder.end_deserted_games();
    if (!closed && !draw(slot)) return;
    slot.aside.note();
    if (!closed) executor_matches_.give(slot);
    if (executor_matches_.are_all_for_it(slot)) return;
    for (std::size_t i = 0; i < contest.waiting().size() &&
                            tables_.size() < settings_.games_at_once && !tables_.plays_alone();) {
        const auto& plan = contest.waiting()[i];
        const bool match_has_begun = plan.key.number > 1 || plan.key.attempt > 1;
        const bool held = (only_alone && !slot.aside.has(plan)) || (closed && !match_has_begun);
        if (held || (!drop_deserted(slot, i) && !try_begin(slot, i))) ++i;
    }
}

// A restart comes to the same: what was drawn before the time was over is on record.
void Scheduler::end_by_time(Slot& slot) {
    const auto time = formats::time_of(slot.contest->config().format);
    if (time <= time.zero() || !slot.contest->begun()) return;
    if (!slot.began) slot.began = context_.timers.now();
    if (context_.timers.now() - *slot.began >= time) slot.contest->end_by_time();
}

void Scheduler::keep_to(std::string_view tournament, Timetable timetable) {
    auto* slot = slot_named(slots_, tournament);
    REFEREE_ASSERT(slot != nullptr);
    if (slot->timetable == timetable) return;
    const bool opens = slot->timetable.closed && !timetable.closed;
    slot->timetable = std::move(timetable);
    observers_.tell(&Observer::on_timetable, status_of(*slot));
    if (opens) slot->attendance.wait_anew();
    pump();
}

bool Scheduler::end_ladder(std::string_view tournament) {
    auto* slot = slot_named(slots_, tournament);
    REFEREE_ASSERT(slot != nullptr);
    if (slot->drawing_in_background) return false;
    slot->contest->end_by_time();
    pump();
    return true;
}

// Drops the match of the i-th game that waits, if bots of it are gone.
bool Scheduler::drop_deserted(Slot& slot, std::size_t i) {
    auto dropped = slot.ladder.drop_deserted(slot.contest->waiting()[i]);
    if (!dropped) return false;
    records_.write(*slot.contest, std::move(dropped->records),
                   [this, &slot, reason = std::move(dropped->reason)] {
                       observers_.tell(&Observer::on_dropped, slot.contest->config().id, reason);
                       pump();
                   });
    return true;
}

// False while the next round is being drawn on another thread.
bool Scheduler::draw(Slot& slot) {
    auto& contest = *slot.contest;
    if (contest.drawing_due() && contest.entrants() > limits::field_drawn_on_the_loop_max) {
        slot.drawing_in_background = true;
        // If this ends meanwhile, the drawing outlives the contest. It may: they share nothing.
        const auto drawing = std::make_shared<contests::Drawing>(contest.drawing());
        context_.background.run([drawing] { drawing->run(); },
                                life_.while_it_lasts([this, &slot, drawing] {
                                    slot.contest->adopt(std::move(*drawing));
                                    slot.drawing_in_background = false;
                                    go_on();
                                }));
        return false;
    }
    if (slot.ladder.pairs_who_is_free())
        slot.ladder.offer(bots_wanted(slots_, executor_matches_, context_.supply));
    auto drawn = contest.draw(drawn_ahead(slot));
    if (!drawn.empty()) records_.write(*slot.contest, std::move(drawn), [this] { look(); });
    return true;
}

// How many games may wait to begin. What is drawn is played; so a format that ends as soon as it is
// decided draws no more games than can begin now.
std::size_t Scheduler::drawn_ahead(Slot& slot) {
    const auto& contest = *slot.contest;
    if (!formats::traits_of(contest.config().format).may_end_any_time)
        return contest.entrants() * limits::games_drawn_per_bot;
    return std::max<std::size_t>(1, slot.field.bot(formats::gauntlet_candidate).free_seats());
}

bool Scheduler::try_begin(Slot& slot, std::size_t i) {
    const auto& plan = slot.contest->waiting()[i];
    if (executor_matches_.is_for_it(slot, plan)) return false;
    const bool alone = slot.aside.has(plan);
    if (alone && !slot.aside.may_try(plan)) return false;
    const bool full = tables_.with_launched() >= settings_.launched_games_at_once;
    if (full && has_launched(slot, plan, context_.supply)) return false;
    auto seating = seating_for(slot, plan, tables_, wakeups_, context_);
    if (!seating) return false;
    slot.aside.begun(plan);
    auto taken = slot.contest->take(i);
    if (!alone) taken.try_alone = 0;
    seat(slot, std::move(taken), std::move(*seating));
    return true;
}

// The bots sit down at once, so that no other game takes them; the game begins when that is
// recorded.
void Scheduler::seat(Slot& slot, contests::GamePlan plan, Seating seating) {
    auto setup = setup_of(*slot.contest, plan, seating, context_.supply);
    const table::MatchFacts facts{match_id(plan.key.tournament, plan.key.match), plan.games_max,
                                  plan.try_alone > 0, display_names_.in(plan.key.tournament)};
    std::vector<records::Record> records{contests::Contest::start_of(plan, setup.bots)};
    const bool launched = has_launched(slot, plan, context_.supply);
    const auto id = tables_.open(std::move(plan), launched);
    auto& running = tables_.at(id);
    running.slot = &slot;
    running.absent = std::move(seating.absent);
    running.table = std::make_unique<table::Table>(std::move(setup), facts, std::move(seating.bots),
                                                   context_.timers, context_.stalls, context_.cores,
                                                   [this, id](table::Table&) { on_finished(id); });
    records_.write(*slot.contest, std::move(records), [this, id] { on_started(id); });
}

void Scheduler::on_started(Tables::Id id) {
    auto* running = tables_.find(id);
    if (running == nullptr || running->table->play().finished()) return;
    observers_.tell(&Observer::on_game_started, running->slot->contest->config().id,
                    *running->table);
    running->table->start(running->absent);
}

void Scheduler::on_finished(Tables::Id id) {
    auto& running = tables_.at(id);
    tables_.await_record(id);
    const auto game = std::make_shared<const records::GameRecord>(
        records::GameRecord{running.table->play().result(), running.table->play().replay()});
    running.match = running.slot->contest->finished(game->result);
    running.slot->ladder.note_unready(running);
    std::vector<records::Record> records;
    records.emplace_back(*game);
    auto& slot = *running.slot;
    auto withdrawn = slot.contest->withdraw_idle();
    records.insert(records.end(), withdrawn.begin(), withdrawn.end());
    records_.write(*slot.contest, std::move(records),
                   [this, id, game, &slot, withdrawn = std::move(withdrawn)] {
                       for (const auto& one : withdrawn)
                           notices_.withdrawn(*slot.contest,
                                              std::get<records::WithdrawalRecord>(one));
                       on_recorded(id, game);
                   });
}

void Scheduler::on_recorded(Tables::Id id, const std::shared_ptr<const records::GameRecord>& game) {
    const auto running = tables_.close(id);
    const auto& contest = *running.slot->contest;
    running.table->announce();
    observers_.tell(&Observer::on_game, game, running.table.get());
    if (running.match) {
        notices_.match(contest, *running.match);
        running.slot->ladder.rest(*running.match);
    }
    {
        // Some bots leave when their game or match is over, and each of these events asks for a
        // look. Here it would begin games with the bots that are yet to leave.
        const Wakeups::Hold hold(wakeups_);
        const bool match_over =
            running.match.has_value() || contest.state() == TournamentState::aborted;
        for (auto* bot : running.table->bots()) context_.supply.game_over(*bot, match_over);
    }
    const auto& key = game->result.key;
    if (game->result.status == GameStatus::annulled &&
        contest.matches().aside().contains({key.match, key.number}))
        observers_.tell(&Observer::on_set_aside, contest.config().id);
    go_on();
}

void Scheduler::left(const lobby::Bot& bot) {
    for (const auto& slot : slots_) {
        if (!bot.places().empty())
            absences_.begin(bot, slot->contest->config().game, context_.timers.now());
    }
    pump();
}

void Scheduler::welcome_back(const lobby::Bot& bot) {
    for (const auto& slot : slots_) slot->attendance.came(bot);
    pump();
}

void Scheduler::welcome_anew(const lobby::Bot& bot) {
    for (const auto& slot : slots_) slot->attendance.came_anew(bot);
    pump();
}

std::vector<Waiting> Scheduler::waiting() {
    std::vector<Waiting> found;
    if (!phase_.playing() && !phase_.stopping()) return found;
    if (!store_trouble_.empty())
        found.push_back({.kind = Waiting::Kind::for_disk, .detail = store_trouble_});
    if (phase_.stopping()) {
        if (!tables_.empty())
            found.push_back({.kind = Waiting::Kind::for_end,
                             .count = tables_.size(),
                             .until = phase_.grace_ends()});
    } else {
        for (const auto& slot : slots_) {
            add_far_waits(*slot, executor_matches_, found);
            add_waits(*slot, tables_, settings_, found);
        }
    }
    tables_.add_returns(found);
    return found;
}

std::vector<contests::ContestStatus> Scheduler::statuses() const {
    std::vector<contests::ContestStatus> all;
    for (const auto& slot : slots_) all.push_back(status_of(*slot));
    return all;
}

std::optional<contests::ContestStatus> Scheduler::status_of(std::string_view tournament) const {
    const auto* slot = slot_named(slots_, tournament);
    if (slot == nullptr) return std::nullopt;
    return status_of(*slot);
}

contests::ContestStatus Scheduler::status_of(const Slot& slot) const {
    auto status = slot.contest->status();
    status.comes_next = slot.timetable.comes_next;
    const auto time = formats::time_of(status.config->format);
    if (time > time.zero() && slot.began)
        status.time_left = std::max(Duration(0), time - (context_.timers.now() - *slot.began));
    return status;
}

const contests::Contest& Scheduler::contest(std::string_view tournament) const {
    const auto* slot = slot_named(slots_, tournament);
    REFEREE_ASSERT(slot != nullptr);
    return *slot->contest;
}

std::string Scheduler::ruling_of(const GameKey& key) const {
    const auto* slot = slot_named(slots_, key.tournament);
    return slot == nullptr ? std::string() : words_of_ruling(*slot->contest, key.match);
}

void Scheduler::tell_waiting() {
    if (!phase_.ended()) news_.look();
}

void Scheduler::check_over() {
    if (phase_.ended()) return;
    if (phase_.stopping()) return check_stopped();
    bool all = true;
    std::string missing;
    for (const auto& slot : slots_) {
        const auto state = slot->contest->state();
        if (!slot->drawing_in_background && state == TournamentState::running &&
            slot->contest->over())
            finish(*slot);
        const bool lost = !slot->drawing_in_background && slot->aside.hopeless();
        if (lost) missing += (missing.empty() ? "" : "; ") + slot->contest->matches().set_aside();
        all = all &&
              (lost || state == TournamentState::finished || state == TournamentState::aborted);
    }
    if (settings_.stays || !all || !is_settled()) return;
    end(missing.empty() ? EndKind::finished : EndKind::stuck, missing);
}

void Scheduler::finish(Slot& slot) {
    const auto reason = slot.contest->end_reason();
    auto finished = slot.contest->set_state(TournamentState::finished, reason).value();
    slot.contest->carry_out(finished);
    records_.write(*slot.contest, std::move(finished), [this, &slot, reason] {
        notices_.state(*slot.contest, reason);
        check_over();
    });
}

void Scheduler::end(EndKind kind, std::string message) {
    if (!phase_.end(kind)) return;
    wakeups_.cancel();
    news_.cancel();
    on_ended_({kind, std::move(message)});
}

}  // namespace referee::scheduler

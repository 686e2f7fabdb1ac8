#include "referee/arena/scheduler/contest.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/overloaded.h"
#include "referee/contests/tournament/ladder.h"
#include "referee/contests/tournament/terms.h"
#include "referee/limits.h"

namespace referee::scheduler {
namespace {

// What matches are folded from, without what only files need: a long tournament is kept in memory.
GameResult for_folding(const GameResult& result) {
    GameResult kept;
    kept.key = result.key;
    kept.status = result.status;
    kept.outcome = result.outcome;
    kept.turns = result.turns;
    kept.used_us = result.used_us;
    kept.fingerprint = result.fingerprint;
    kept.valid_moves = result.valid_moves;
    for (const auto& fault : result.faults) {
        const bool first =
            std::none_of(kept.faults.begin(), kept.faults.end(),
                         [&](const auto& other) { return other.seat == fault.seat; });
        if (first || fault.code == FaultCode::disconnected) kept.faults.push_back(fault);
    }
    return kept;
}

}  // namespace

Contest::Contest(const config::TournamentConfig& config, const engines::Game& game)
    : kept_config_(std::make_shared<const config::TournamentConfig>(config)), game_(game) {}

std::vector<journal::Record> Contest::begin(std::vector<tournament::Entry> entries,
                                            std::string config_text, std::string version) {
    REFEREE_ASSERT(!begun_ && entries_.empty());
    std::vector<journal::Record> records;
    records.emplace_back(
        journal::OpeningRecord{config_.id, std::move(config_text), std::move(version)});
    for (const auto& entry : entries) {
        records.emplace_back(journal::EntryRecord{config_.id, entry.name, entry.rating, entry.team,
                                                  entry.first_round, entry.last_round,
                                                  entry.half_point_byes});
    }
    entries_ = std::move(entries);
    begun_ = true;
    field_changed();
    return records;
}

// As late as can be: whoever enters before the first draw is simply one of the field.
void Contest::make_schedule() {
    if (schedule_ == nullptr)
        schedule_ = tournament::make_schedule(config_.format, entries_, config_.seed);
}

void Contest::offer(std::vector<Entrant> free, std::size_t here) {
    make_schedule();
    schedule_->offer(std::move(free), here);
}

bool Contest::drawing_due() const {
    return begun_ && !drawn_out_ && !prepared_ &&
           (schedule_ == nullptr || schedule_->drawing_due());
}

Drawing Contest::drawing() const {
    REFEREE_ASSERT(drawing_due());
    Drawing drawing;
    drawing.changes_ = changes_;
    if (schedule_ != nullptr) {
        drawing.schedule_ = schedule_->copy();
    } else {
        drawing.format_ = config_.format;
        drawing.entries_ = entries_;
        drawing.seed_ = config_.seed;
    }
    return drawing;
}

void Contest::adopt(Drawing drawing) {
    REFEREE_ASSERT(drawing.next_.has_value());
    if (drawing.changes_ != changes_) return;
    schedule_ = std::move(drawing.schedule_);
    prepared_ = std::move(drawing.next_);
}

std::vector<journal::Record> Contest::draw(std::size_t window) {
    std::vector<journal::Record> records;
    if (!begun_) return records;
    make_schedule();
    while (!drawn_out_ && waiting_.size() + plans_due_ < window) {
        if (!prepared_ && !records.empty() && schedule_->drawing_due())
            break;  // the next round is prepared first
        auto next = prepared_ ? *std::exchange(prepared_, std::nullopt) : schedule_->next();
        if (std::holds_alternative<tournament::Schedule::Wait>(next)) break;
        if (auto record = take_drawn(std::move(next))) records.emplace_back(std::move(*record));
    }
    matches_total_ = schedule_->matches_total();
    return records;
}

// The record of what was drawn; nothing where all is drawn.
std::optional<journal::PairingRecord> Contest::take_drawn(tournament::Schedule::Next next) {
    changed();
    journal::PairingRecord record;
    record.tournament = config_.id;
    if (const auto* bye = std::get_if<tournament::Bye>(&next)) {
        record.round = bye->round;
        record.bots = {name(bye->entrant)};
        drawn_round_ = std::max(drawn_round_, bye->round);
        show(*bye);
        return record;
    }
    if (!std::holds_alternative<tournament::Pairing>(next)) {
        drawn_out_ = true;
        return std::nullopt;
    }
    const auto& pairing = std::get<tournament::Pairing>(next);
    record.match = pairing.match;
    record.round = pairing.round;
    for (const auto entrant : pairing.seats) record.bots.push_back(name(entrant));
    drawn_round_ = std::max(drawn_round_, pairing.round);
    auto& match = matches_[pairing.match];
    match.pairing = pairing;
    const auto& format = tournament::stage_of(config_.format, schedule_->stage());
    match.terms = tournament::terms_of(format, config_.seed);
    match.games_due = tournament::games_planned(config_.match, pairing.seats.size());
    opened(match);
    show(pairing);
    plan_games(match);
    return record;
}

void Contest::opened(const Match& match) {
    ++open_matches_;
    for (const auto entrant : match.pairing.seats) open_matches_of_.insert(entrant);
}

void Contest::closed(const Match& match) {
    --open_matches_;
    for (const auto entrant : match.pairing.seats)
        open_matches_of_.erase(open_matches_of_.find(entrant));
}

// The games of a match are played one after the other, for a match may be decided early; solo
// games don't wait for one another.
void Contest::plan_games(Match& match) {
    const auto at_once = config_.match.solo ? match.games_due : 1;
    while (match.next_number <= match.games_due && match.in_play < at_once) {
        show(plan(match, match.next_number, 1));
        ++match.next_number;
        ++match.in_play;
    }
}

GamePlan Contest::plan(const Match& match, std::uint32_t number, std::uint32_t attempt) const {
    const auto planned =
        tournament::planned_game(config_.match, match.pairing, number, config_.seed, match.terms);
    GamePlan plan;
    plan.key = {config_.id, match.pairing.match, number, attempt};
    plan.round = match.pairing.round;
    plan.games_max = match.games_due;
    plan.setup = planned.setup;
    plan.seed = planned.seed;
    plan.entrants = planned.seats;
    return plan;
}

// The same game once more, before all others.
void Contest::plan_again(Match& match, std::uint32_t number) {
    std::uint32_t attempt = 0;
    for (const auto& result : match.results) {
        if (result.key.number == number) attempt = std::max(attempt, result.key.attempt);
    }
    auto again = plan(match, number, attempt + 1);
    const auto annulled = match.annulled[number];
    if (annulled > limits::replays_max) again.try_alone = annulled - limits::replays_max;
    show(std::move(again), annulled <= limits::replays_max);
}

GamePlan Contest::take(std::size_t i) {
    auto plan = std::move(waiting_[i]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    running_.emplace(plan.key, plan);
    changed();
    return plan;
}

journal::StartRecord Contest::start_of(const GamePlan& plan, std::vector<std::string> bots) {
    return {plan.key, plan.seed, std::move(bots)};
}

std::optional<tournament::MatchResult> Contest::finished(const GameResult& result) {
    const auto ended = running_.erase(result.key);
    REFEREE_ASSERT(ended == 1);
    changed();
    auto& match = matches_.at(result.key.match);
    match.results.push_back(for_folding(result));
    const auto game = std::pair(result.key.match, result.key.number);
    if (counts(result.status)) {
        --match.in_play;
        match.annulled.erase(result.key.number);
        aside_.erase(game);
        return settle(match);
    }
    if (result.status == GameStatus::annulled) {
        const auto annulled = ++match.annulled[result.key.number];
        if (annulled > limits::replays_max) aside_[game] = {result.key, annulled, result.reason};
    }
    plan_again(match, result.key.number);
    return std::nullopt;
}

std::optional<tournament::MatchResult> Contest::settle(Match& match) {
    // A game that waits for being played again may decide the match while the next is on.
    if (match.in_play > 0) return std::nullopt;
    const auto tally =
        tournament::fold_match(config_.match, match.pairing, match.results, game_, match.terms);
    if (!tally.over) {
        match.games_due = tally.games_due;
        plan_games(match);
        return std::nullopt;
    }
    match.over = true;
    closed(match);
    note_presence(match, tally.result);
    schedule_->record(tally.result);
    for (std::size_t seat = 0; seat < tally.result.seats.size(); ++seat) {
        if (!tally.result.absent[seat]) left_in_a_row_.erase(tally.result.seats[seat]);
    }
    show(tally.result);
    return tally.result;
}

void Contest::show(
    std::variant<GamePlan, tournament::MatchResult, tournament::Bye, tournament::Pairing> what,
    bool first) {
    if (std::holds_alternative<GamePlan>(what)) ++plans_due_;
    effects_.push_back({changes_, first, std::move(what)});
}

void Contest::committed(std::uint64_t changes) {
    for (; !effects_.empty() && effects_.front().change <= changes; effects_.pop_front()) {
        auto& effect = effects_.front();
        std::visit(base::Overloaded{
                       [&](GamePlan& plan) {
                           --plans_due_;
                           if (!matches_.contains(plan.key.match)) return;  // dropped meanwhile
                           if (effect.first) {
                               waiting_.push_front(std::move(plan));
                           } else {
                               waiting_.push_back(std::move(plan));
                           }
                       },
                       [&](tournament::MatchResult& result) {
                           if (!matches_.at(result.match).over) return;  // taken back meanwhile
                           games_played_ += result.games;
                           ++matches_played_;
                           open_.erase(result.match);
                           results_.put(std::move(result));
                       },
                       [&](const tournament::Bye& bye) {
                           byes_.push_back(bye);
                           round_ = std::max(round_, bye.round);
                       },
                       [&](const tournament::Pairing& pairing) {
                           // Not one that was dropped meanwhile.
                           if (matches_.contains(pairing.match)) open_.insert(pairing.match);
                           round_ = std::max(round_, pairing.round);
                       },
                   },
                   effect.what);
    }
    forget_what_lies_far_back();
}

bool Contest::over() const {
    return drawn_out_ && open_matches_ == 0 && effects_.empty();
}

// A ladder goes on for weeks: its last matches are kept, the others are in the store.
void Contest::forget_what_lies_far_back() {
    if (config_.format.kind != tournament::FormatKind::ladder) return;
    while (results_.size() > tournament::ladder_matches_kept) {
        const auto oldest = results_.front().match;
        matches_.erase(oldest);
        results_.erase(oldest);
    }
}

std::string Contest::set_aside() const {
    std::string text;
    for (const auto& [game, aside] : aside_) {
        text += (text.empty() ? "game " : "; game ") + game_id(aside.key) +
                " is set aside: it was annulled " + std::to_string(aside.annulled) +
                " times; the last time because " + aside.why;
    }
    return text;
}

void Contest::forget_annulments() {
    aside_.clear();
    for (auto& plan : waiting_) plan.try_alone = 0;
    for (auto& effect : effects_) {
        if (auto* plan = std::get_if<GamePlan>(&effect.what)) plan->try_alone = 0;
    }
    for (auto& [ordinal, match] : matches_) match.annulled.clear();
}

std::optional<Entrant> Contest::entrant_named(std::string_view bot) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [bot](const auto& entry) { return entry.name == bot; });
    if (found == entries_.end()) return std::nullopt;
    return static_cast<Entrant>(found - entries_.begin());
}

std::vector<GameKey> Contest::games_of(std::uint64_t match) const {
    std::map<std::uint32_t, GameKey> by_number;
    const auto found = matches_.find(match);
    if (found == matches_.end()) return {};
    for (const auto& result : found->second.results) {
        if (counts(result.status)) by_number[result.key.number] = result.key;
    }
    std::vector<GameKey> keys;
    for (auto& [number, key] : by_number) keys.push_back(std::move(key));
    return keys;
}

std::vector<tournament::Pairing> Contest::open_matches() const {
    std::vector<tournament::Pairing> open;
    open.reserve(open_.size());
    for (const auto ordinal : open_) open.push_back(matches_.at(ordinal).pairing);
    return open;
}

std::optional<std::vector<std::size_t>> Contest::places() const {
    return schedule_ == nullptr ? std::nullopt : schedule_->places();
}

std::string Contest::ended_early() const {
    return schedule_ == nullptr ? std::string() : schedule_->ended_early();
}

}  // namespace referee::scheduler

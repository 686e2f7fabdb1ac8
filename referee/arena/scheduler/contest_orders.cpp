#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/overloaded.h"
#include "referee/arena/scheduler/contest.h"

// What may happen to a contest besides its games: orders from outside, and its own past.

namespace referee::scheduler {
namespace {

using journal::TournamentState;

std::string names_of(const std::vector<std::string>& bots) {
    std::string text;
    for (const auto& bot : bots) text += (text.empty() ? "" : " - ") + bot;
    return text;
}

}  // namespace

Contest::Ordered Contest::withdraw(const std::string& bot, const std::string& reason) {
    const auto entrant = entrant_named(bot);
    if (!entrant) return bot + " does not take part in " + config_.id;
    if (withdrawn(*entrant)) return bot + " is withdrawn from " + config_.id + " already";
    if (ended(state_)) return config_.id + " is over";
    apply_withdrawal(*entrant, next_round(), reason);
    return std::vector<journal::Record>{
        journal::WithdrawalRecord{config_.id, bot, next_round(), reason}};
}

Contest::Ordered Contest::admit(const tournament::Entry& entry) {
    if (ended(state_)) return config_.id + " is over";
    if (!begun_) return config_.id + " has not begun; its field is taken when it does";
    if (const auto there = entrant_named(entry.name); there && !withdrawn(*there)) {
        return entry.name + " takes part in " + config_.id + " already";
    }
    journal::EntryRecord record{config_.id, entry.name, entry.rating, entry.team, next_round()};
    if (const auto refused = apply_entry(record)) return *refused;
    return std::vector<journal::Record>{std::move(record)};
}

Contest::Ordered Contest::annul(const GameKey& key, const std::string& reason) {
    const auto found = matches_.find(key.match);
    if (found == matches_.end())
        return config_.id + " has no match " + std::to_string(key.match) +
               ", or it lies too far back";
    const auto& results = found->second.results;
    const auto play = std::find_if(results.begin(), results.end(),
                                   [&](const auto& result) { return result.key == key; });
    if (play == results.end())
        return game_id(key) +
               " has no result yet; expected the id of a game that was played, such as " +
               config_.id + "/1.1";
    if (!counts(play->status))
        return game_id(key) + " does not count: it was " + std::string(name_of(play->status));
    if (state_ == TournamentState::aborted) return config_.id + " was aborted";
    if (found->second.over && !schedule_->reopen(key.match)) {
        return "the result of " + game_id(key) +
               " has been built upon: what was drawn since depends on it";
    }
    apply_annulment(key);
    std::vector<journal::Record> records{journal::AnnulmentRecord{key, reason}};
    if (state_ == TournamentState::finished) {
        apply_state(TournamentState::running, "game " + game_id(key) + " is played again");
        records.emplace_back(journal::StateRecord{config_.id, state_, state_reason_});
    }
    return records;
}

Contest::Ordered Contest::set_state(TournamentState state, const std::string& reason) {
    const bool undone = state_ == TournamentState::aborted &&
                        state == (begun_ ? TournamentState::running : TournamentState::waiting);
    if (ended(state_) && !undone) return config_.id + " is " + std::string(name_of(state_));
    const bool frees = state == TournamentState::running && !aside_.empty();
    if (state == state_ && !frees)
        return config_.id + " is " + std::string(name_of(state_)) + " already";
    if (state == TournamentState::paused && state_ == TournamentState::waiting)
        return config_.id + " has not begun";
    apply_state(state, reason);
    return std::vector<journal::Record>{journal::StateRecord{config_.id, state, reason}};
}

void Contest::apply_state(TournamentState state, const std::string& reason) {
    changed();
    state_ = state;
    state_reason_ = reason;
    if (state == TournamentState::running) forget_annulments();
}

bool Contest::droppable(std::uint64_t match) const {
    const auto found = matches_.find(match);
    if (found == matches_.end() || found->second.over || found->second.reopened ||
        config_.format.kind != tournament::FormatKind::ladder)
        return false;
    const auto& results = found->second.results;
    return std::none_of(results.begin(), results.end(),
                        [](const auto& result) { return counts(result.status); });
}

std::vector<journal::Record> Contest::drop(std::uint64_t match, const std::vector<Entrant>& left,
                                           const std::string& reason) {
    journal::DroppedRecord record{config_.id, match, {}, reason};
    for (const auto entrant : left) record.left.push_back(name(entrant));
    REFEREE_ASSERT(!apply_drop(record));
    return {std::move(record)};
}

unsigned Contest::left_in_a_row(Entrant entrant) const {
    const auto found = left_in_a_row_.find(entrant);
    return found == left_in_a_row_.end() ? 0 : found->second;
}

std::optional<std::string> Contest::apply_drop(const journal::DroppedRecord& record) {
    const bool is_played = std::any_of(running_.begin(), running_.end(), [&](const auto& plan) {
        return plan.first.match == record.match;
    });
    if (is_played || !droppable(record.match))
        return "match " + match_id(config_.id, record.match) +
               " is dropped on record, and can't be: it was never drawn, is being played, or "
               "counts";
    changed();
    for (const auto& bot : record.left) {
        if (const auto entrant = entrant_named(bot)) ++left_in_a_row_[*entrant];
    }
    const auto found = matches_.find(record.match);
    schedule_->drop(found->second.pairing);
    closed(found->second);
    std::erase_if(waiting_, [&](const auto& plan) { return plan.key.match == record.match; });
    std::erase_if(aside_, [&](const auto& game) { return game.first.first == record.match; });
    open_.erase(record.match);
    matches_.erase(found);
    return std::nullopt;
}

bool Contest::plays_no_more(Entrant entrant, std::uint32_t round) const {
    return withdrawn(entrant) &&
           (withdrawn_as_idle(entrant) || round > entries_[entrant].last_round);
}

bool Contest::left_early(Entrant entrant) const {
    const auto& leave = leaves_.at(entrant);
    if (!over() || leave.in_match || drawn_round_ > entries_[entrant].last_round) return true;
    // A list of matches that is fixed has those of the withdrawn too.
    return std::any_of(matches_.upper_bound(leave.matches_drawn), matches_.end(),
                       [entrant](const auto& match) {
                           const auto& seats = match.second.pairing.seats;
                           return std::find(seats.begin(), seats.end(), entrant) != seats.end();
                       });
}

// One entry a bot for the whole match: the best that it made of any game.
void Contest::note_presence(const Match& match, const tournament::MatchResult& result) {
    std::map<Entrant, tournament::Presence> best;
    for (const auto& played : match.results) {
        const bool counted =
            std::any_of(result.counted.begin(), result.counted.end(), [&](const auto& game) {
                return game.number == played.key.number && game.attempt == played.key.attempt;
            });
        if (!counted) continue;
        const auto planned = tournament::planned_game(config_.match, match.pairing,
                                                      played.key.number, config_.seed, match.terms);
        for (std::size_t seat = 0; seat < planned.seats.size(); ++seat) {
            const auto presence = tournament::presence_in(played, seat);
            const auto known = best.emplace(planned.seats[seat], presence).first;
            known->second = std::min(known->second, presence);
        }
    }
    for (const auto& [entrant, presence] : best) idle_.add(entrant, presence);
}

std::vector<journal::Record> Contest::withdraw_idle() {
    std::vector<journal::Record> records;
    if (ended(state_)) return records;
    for (Entrant entrant = 0; entrant < entries_.size(); ++entrant) {
        if (withdrawn(entrant) || !idle_.too_many(entrant, config_.withdraw_after)) continue;
        const auto round = next_round();
        const auto reason = idle_.reason(entrant);
        apply_withdrawal(entrant, round, reason);
        records.emplace_back(journal::WithdrawalRecord{config_.id, name(entrant), round, reason});
    }
    return records;
}

void Contest::apply_withdrawal(Entrant entrant, std::uint32_t round, const std::string& reason) {
    field_changed();
    entries_[entrant].last_round = round - 1;
    if (gone_.emplace(entrant, reason).second)
        leaves_[entrant] = {in_match(entrant), matches_.empty() ? 0 : matches_.rbegin()->first};
    if (idle_.too_many(entrant, config_.withdraw_after)) idle_.go(entrant);
    if (schedule_ != nullptr) schedule_->withdraw(entrant, round);
}

std::optional<std::string> Contest::apply_entry(const journal::EntryRecord& record) {
    field_changed();
    tournament::Entry entry{record.bot,   record.rating,     record.team,
                            record.round, record.last_round, record.half_point_byes};
    const auto there = entrant_named(record.bot);
    if (schedule_ == nullptr) {
        if (there) {
            entries_[*there].last_round = UINT32_MAX;
            gone_.erase(*there);
            idle_.forget(*there);
        } else {
            entries_.push_back(std::move(entry));
        }
        return std::nullopt;
    }
    if (there) {
        if (!schedule_->come_back(*there, record.round))
            return config_.id +
                   " takes nobody back: its matches are drawn from the field that began";
        entries_[*there].last_round = UINT32_MAX;
        gone_.erase(*there);
        idle_.forget(*there);
        return std::nullopt;
    }
    const auto entrant = schedule_->enter(entry, record.round);
    if (!entrant)
        return config_.id +
               " takes no late entries: its matches are drawn from the field that began";
    REFEREE_ASSERT(*entrant == entries_.size());
    entries_.push_back(std::move(entry));
    return std::nullopt;
}

void Contest::apply_annulment(const GameKey& key) {
    changed();
    auto& match = matches_.at(key.match);
    for (auto& result : match.results) {
        if (result.key == key) result.status = GameStatus::annulled;
    }
    for (const auto entrant : match.pairing.seats) idle_.annulled(entrant);
    if (match.over) {
        match.over = false;
        match.reopened = true;
        opened(match);
        drawn_out_ = false;
        if (const auto* shown = results_.find(key.match)) {
            games_played_ -= shown->games;
            --matches_played_;
            results_.erase(key.match);
            open_.insert(key.match);
        }
    }
    ++match.in_play;
    plan_again(match, key.number);
}

// Rounds left out are what orders made of a field that was whole.
std::optional<std::string> Contest::cannot_be_drawn() const {
    if (!begun_ || schedule_ != nullptr) return std::nullopt;
    auto field = entries_;
    for (auto& entry : field) {
        entry.first_round = 1;
        entry.last_round = UINT32_MAX;
        entry.half_point_byes.clear();
    }
    const auto& game = game_.info();
    for (const auto& error : tournament::check_format(
             config_.format, field, {game.seats_min, game.seats_max, game.seats_max == 1}))
        return "it has " + std::to_string(entries_.size()) + " entries on record, and " +
               error.message;
    return std::nullopt;
}

std::optional<std::string> Contest::apply_pairing(const journal::PairingRecord& record) {
    if (auto wrong = cannot_be_drawn()) return wrong;
    make_schedule();
    tournament::Pairing drawn{record.match, record.round, {}};
    for (const auto& bot : record.bots) {
        const auto entrant = entrant_named(bot);
        if (!entrant)
            return "the match " + names_of(record.bots) + " is recorded, and " + bot +
                   " never entered";
        drawn.seats.push_back(*entrant);
    }
    auto next = schedule_->draw_again(drawn);
    // What ended the drawing in the former run was recorded nowhere; here it is passed again.
    const auto again = take_drawn(std::move(next));
    if (!again || again->match != record.match || again->round != record.round ||
        again->bots != record.bots) {
        return "round " + std::to_string(record.round) + " has the match " + names_of(record.bots) +
               " on record, and this version of the program draws " +
               (again ? names_of(again->bots) : std::string("none")) +
               " from the same results; go on with the version that began, which the store names";
    }
    return std::nullopt;
}

std::optional<std::string> Contest::apply_start(const journal::StartRecord& record) {
    const auto plan = std::find_if(waiting_.begin(), waiting_.end(),
                                   [&](const auto& one) { return one.key == record.key; });
    if (plan == waiting_.end())
        return "game " + game_id(record.key) + " began on record, and is not to be played now";
    take(static_cast<std::size_t>(plan - waiting_.begin()));
    return std::nullopt;
}

// A tournament can be aborted before it begins; all else comes behind its opening.
std::optional<std::string> Contest::apply(const journal::Record& record) {
    const bool opens = std::holds_alternative<journal::OpeningRecord>(record);
    if (opens == begun_ && !std::holds_alternative<journal::StateRecord>(record))
        return std::string(opens ? "it is opened a second time on record"
                                 : "it has records before its opening; the opening is missing");
    auto wrong = applied(record);
    committed(changes_);
    return wrong;
}

std::optional<std::string> Contest::applied(const journal::Record& record) {
    return std::visit(
        base::Overloaded{
            [this](const journal::OpeningRecord& /*opening*/) -> std::optional<std::string> {
                begun_ = true;
                return std::nullopt;
            },
            [this](const journal::EntryRecord& entry) { return apply_entry(entry); },
            [this](const journal::WithdrawalRecord& withdrawal) -> std::optional<std::string> {
                const auto entrant = entrant_named(withdrawal.bot);
                if (!entrant) return withdrawal.bot + " is withdrawn on record, and never entered";
                apply_withdrawal(*entrant, withdrawal.round, withdrawal.reason);
                return std::nullopt;
            },
            [this](const journal::PairingRecord& pairing) { return apply_pairing(pairing); },
            [this](const journal::DroppedRecord& dropped) { return apply_drop(dropped); },
            [this](const journal::StartRecord& start) { return apply_start(start); },
            [this](const journal::GameRecord& game) -> std::optional<std::string> {
                if (!running_.contains(game.result.key))
                    return "game " + game_id(game.result.key) +
                           " has a result on record, and never began";
                finished(game.result);
                return std::nullopt;
            },
            [this](const journal::AnnulmentRecord& annulment) -> std::optional<std::string> {
                const auto found = matches_.find(annulment.key.match);
                if (found == matches_.end())
                    return "game " + game_id(annulment.key) +
                           " is annulled on record, and was never drawn";
                if (found->second.over && !schedule_->reopen(annulment.key.match))
                    return "game " + game_id(annulment.key) + " can't be annulled any more";
                apply_annulment(annulment.key);
                return std::nullopt;
            },
            [this](const journal::StateRecord& state) -> std::optional<std::string> {
                apply_state(state.state, state.reason);
                drawn_out_ = drawn_out_ || state_ == TournamentState::finished;
                return std::nullopt;
            },
            [](const journal::TokenRecord& /*token*/) -> std::optional<std::string> {
                return std::nullopt;
            },
        },
        record);
}

std::vector<GamePlan> Contest::cut_off() const {
    std::vector<GamePlan> plans;
    for (const auto& [key, plan] : running_) plans.push_back(plan);
    return plans;
}

}  // namespace referee::scheduler

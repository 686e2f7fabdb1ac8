#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/tournament/contests/arbiter.h"
#include "referee/tournament/contests/contest.h"

// What is recorded of a contest, and shown once it is committed.

namespace referee::contests {
namespace {

formats::Entry entry_of(const records::EntryRecord& record) {
    return {record.bot,   record.rating,     record.team,
            record.round, record.last_round, record.half_point_byes};
}

}  // namespace

using records::TournamentState;

void Contest::committed(std::uint64_t changes) {
    view_.committed(changes, matches_);
    // A contest that goes on for weeks keeps its last matches; the others are in the store.
    const auto kept = formats::traits_of(config_.format).matches_kept;
    while (kept && results().size() > *kept) {
        const auto oldest = view_.forget_oldest();
        matches_.forget(oldest);
        std::erase_if(annulled_.change(),
                      [oldest](const auto& game) { return game.first.match == oldest; });
    }
}

Contest::Fits Contest::apply(const records::Record& record) {
    auto fits = change_by(record);
    committed(changes_);
    return fits;
}

Contest::Fits Contest::change_by(const records::Record& record) {
    const bool opens = std::holds_alternative<records::OpeningRecord>(record);
    // A tournament can be aborted before it begins; all else comes behind its opening.
    if (opens == begun_ && !std::holds_alternative<records::StateRecord>(record))
        return base::failure(
            std::string(opens ? "it is opened a second time on record"
                              : "it has records before its opening; the opening is missing"));
    return std::visit([this](const auto& one) { return this->enact(one); }, record);
}

// The rounds for which single bots are entered don't matter here: orders made them, of a field
// that was whole.
Contest::Fits Contest::drawable() const {
    if (!begun() || rounds_.schedule() != nullptr) return {};
    const auto wrong = unfit(entries());
    if (wrong.empty()) return {};
    return base::failure(fmt::format("it has {} entries on record, and {}", entrants(), wrong));
}

Contest::Fits Contest::enact(const records::OpeningRecord& /*opening*/) {
    begun_ = true;
    return {};
}

Contest::Fits Contest::take_in(formats::Schedule* schedule,
                               const records::EntryRecord& record) const {
    if (schedule == nullptr) return {};
    if (const auto there = entrant_named(record.bot)) {
        if (!schedule->come_back(*there, record.round))
            return base::failure(
                config_.id + " takes nobody back: its matches are drawn from the field that began");
        return {};
    }
    const auto entrant = schedule->enter(entry_of(record), record.round);
    if (!entrant)
        return base::failure(
            config_.id + " takes no late entries: its matches are drawn from the field that began");
    REFEREE_ASSERT(*entrant == entrants_.size());
    return {};
}

Contest::Fits Contest::enact(const records::EntryRecord& record) {
    changed();
    auto* schedule = rounds_.schedule();
    if (auto taken = take_in(schedule, record); !taken) return taken;
    if (const auto there = entrant_named(record.bot)) {
        entrants_.come_back(*there);
        return {};
    }
    if (schedule != nullptr) ++late_entries_;
    entrants_.add(entry_of(record));
    return {};
}

Contest::Fits Contest::enact(const records::WithdrawalRecord& record) {
    const auto entrant = entrant_named(record.bot);
    if (!entrant) return base::failure(record.bot + " is withdrawn on record, and never entered");
    changed();
    entrants_.withdraw(*entrant, record.round, record.reason,
                       {matches_.in_open_match(*entrant), matches_.last()});
    if (auto* schedule = rounds_.schedule()) schedule->withdraw(*entrant, record.round);
    return {};
}

Contest::Fits Contest::enact(const records::PairingRecord& record) {
    if (auto fits = drawable(); !fits) return fits;
    rounds_.make_schedule(entries());
    formats::Pairing drawn{record.match, record.round, {}};
    for (const auto& bot : record.bots) {
        const auto entrant = entrant_named(bot);
        if (!entrant)
            return base::failure("the match " + base::joined(record.bots, " - ") +
                                 " is recorded, and " + bot + " never entered");
        drawn.seats.push_back(*entrant);
    }
    const auto again = take_drawn(rounds_.schedule()->draw_again(drawn));
    if (again && again->match == record.match && again->round == record.round &&
        again->bots == record.bots)
        return {};
    return base::failure(fmt::format(
        "round {} has the match {} on record, and this version of the program draws {} from the "
        "same results; go on with the version that began, which the store names",
        record.round, base::joined(record.bots, " - "),
        again ? base::joined(again->bots, " - ") : std::string("none")));
}

Contest::Fits Contest::enact(const records::DroppedRecord& record) {
    const auto match = record.match;
    if (matches_.in_play(match) || !matches_.droppable(match))
        return base::failure("match " + match_id(config().id, match) +
                             " is dropped on record, and can't be: it was never drawn, is being "
                             "played, or counts");
    changed();
    for (const auto& bot : record.left) {
        if (const auto entrant = entrant_named(bot)) entrants_.left_match(*entrant);
    }
    formats::ladder_of(rounds_.schedule())->drop(matches_.pairing(match));
    view_.drop(match);
    matches_.drop(match);
    return {};
}

Contest::Fits Contest::enact(const records::StartRecord& record) {
    const auto place = view_.waiting_place(record.key);
    if (!place)
        return base::failure("game " + game_id(record.key) +
                             " began on record, and is not to be played now");
    take(*place);
    return {};
}

Contest::Fits Contest::enact(const records::GameRecord& record) {
    const auto& key = record.result.key;
    if (!matches_.in_play().contains(key))
        return base::failure("game " + game_id(key) + " has a result on record, and never began");
    finished(record.result);
    return {};
}

bool Contest::reopen(std::uint64_t match) {
    if (!matches_.over(match)) return true;
    if (!rounds_.schedule()->reopen(match)) return false;
    rounds_.go_on();
    out_of_time_ = false;
    return true;
}

Contest::Fits Contest::enact(const records::AnnulmentRecord& record) {
    const auto& key = record.key;
    if (!matches_.known(key.match))
        return base::failure("game " + game_id(key) +
                             " is annulled on record, and was never drawn");
    if (const auto* play = matches_.play(key); play == nullptr || !counts(play->status))
        return base::failure("game " + game_id(key) +
                             " is annulled on record, and has no result that counts");
    if (!reopen(key.match))
        return base::failure("game " + game_id(key) + " can't be annulled any more");
    changed();
    for (const auto entrant : matches_.pairing(key.match).seats) entrants_.annulled(entrant);
    view_.take_back(key.match);
    view_.post(changes_, CommittedView::GamesCounted{-1});
    view_.post(changes_, GameAnnulled{key, record.reason});
    annulled_.change()[key] = record.reason;
    post_again(matches_.annul(key));
    return {};
}

Contest::Fits Contest::enact(const records::RestorationRecord& record) {
    const auto& key = record.key;
    const auto can =
        matches_.known(key.match) ? matches_.restorable(key.match) : std::vector<GameKey>{};
    if (!base::contains(can, key))
        return base::failure("game " + game_id(key) +
                             " counts again on record, and was not annulled by order, or was "
                             "played again since");
    changed();
    view_.take_game_off(key.match, key.number);
    view_.post(changes_, CommittedView::GamesCounted{1});
    view_.post(changes_, CommittedView::GameRestored{key});
    annulled_.change().erase(key);
    follow(matches_.restore(key));
    return {};
}

Contest::Fits Contest::enact(const records::RulingRecord& record) {
    const auto id = match_id(config().id, record.match);
    if (auto wrong = ruling_error(*this, record); !wrong.empty()) return base::failure(wrong);
    const auto seats = matches_.pairing(record.match).seats.size();
    if (!record.placing.empty() && record.placing.size() != seats)
        return base::failure(
            fmt::format("match {} has a result of an arbiter on record, and its places are not "
                        "those of its {} bots",
                        id, seats));
    if (matches_.in_play(record.match))
        return base::failure("match " + id +
                             " has a result of an arbiter on record, and is being played");
    if (!reopen(record.match))
        return base::failure("the result of match " + id + " can't be changed any more");
    changed();
    arbiter_.change().rulings.push_back(record);
    view_.clear(record.match);
    Matches::AfterGame after;
    if (record.placing.empty()) {
        after = matches_.take_ruling_back(record.match);
    } else {
        after.result = matches_.rule(record.match, {record.placing.begin(), record.placing.end()});
    }
    follow(after);
    return {};
}

Contest::Fits Contest::takes_wish(const std::vector<std::string>& bots) {
    const auto known = [this](const auto& bot) { return entrant_named(bot).has_value(); };
    if (!std::ranges::all_of(bots, known))
        return base::failure("an arbiter's order on record names a bot that never entered");
    if (auto fits = drawable(); !fits) return fits;
    rounds_.make_schedule(entries());
    if (!rounds_.schedule()->takes_wishes())
        return base::failure(
            "an arbiter's order on record is about rounds of a swiss, which this is not");
    changed();
    return {};
}

Contest::Fits Contest::enact(const records::ForbiddenPairsRecord& pairs) {
    if (auto fits = takes_wish(pairs.bots); !fits) return fits;
    arbiter_.change().forbidden.push_back(pairs);
    rounds_.schedule()->forbid(pairs_of(pairs), pairs.order == records::PairOrder::lifted);
    return {};
}

Contest::Fits Contest::enact(const records::RequestedByeRecord& bye) {
    std::optional<formats::ByeKind> kind;
    if (bye.order == records::ByeOrder::half_point) kind = formats::ByeKind::half_point;
    if (bye.order == records::ByeOrder::zero_point) kind = formats::ByeKind::zero_point;
    const auto entrant = entrant_named(bye.bot);
    if (entrant && bye.by == records::ordered_by_config) {
        changed();
        entrants_.wish_bye(*entrant, bye.round, kind);
        return {};
    }
    if (auto fits = takes_wish({bye.bot}); !fits) return fits;
    arbiter_.change().byes.push_back(bye);
    rounds_.schedule()->wish_bye(*entrant, bye.round, kind);
    return {};
}

Contest::Fits Contest::enact(const records::HandPairingRecord& pairing) {
    if (pairing.bots.size() != 2 || pairing.bots[0] == pairing.bots[1] ||
        pairing.round <= rounds_.last())
        return base::failure(
            "a match that an arbiter set is on record, and is not one of two bots in a round "
            "to come");
    if (auto fits = takes_wish(pairing.bots); !fits) return fits;
    arbiter_.change().by_hand.push_back(pairing);
    rounds_.schedule()->pair_by_hand(hand_pairing_of(*this, pairing),
                                     pairing.order == records::HandPairingOrder::taken_back);
    return {};
}

Contest::Fits Contest::enact(const records::StateRecord& record) {
    changed();
    // An end that no change of a result took back is itself undone: what could not be drawn is
    // tried again.
    if (state_ == TournamentState::finished && record.state == TournamentState::running &&
        rounds_.drawn_out()) {
        rounds_.go_on();
        rounds_.schedule()->go_on();
        out_of_time_ = false;
    }
    state_ = record.state;
    state_reason_ = record.reason;
    if (state_ == TournamentState::running) {
        matches_.forget_annulments();
        view_.play_among_others();
    }
    if (state_ != TournamentState::finished) return {};
    // It had drawn to its end: only in being asked for more does a format take in the last results,
    // or find that it ended early.
    // A format that would draw more had no more time.
    if (formats::time_of(config().format).count() > 0) end_by_time();
    // Nothing may be on record that was drawn.
    if (begun_ && drawable()) rounds_.make_schedule(entries());
    if (rounds_.schedule() != nullptr && !rounds_.drawn_out()) rounds_.note(rounds_.next());
    rounds_.end();
    if (rounds_.schedule() != nullptr) rounds_.count_matches();
    return {};
}

}  // namespace referee::contests

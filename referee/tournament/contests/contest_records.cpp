
#include "protocol/base/find.h"
#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"
#include "referee/store/records/forget_in_record.h"
#include "referee/tournament/contests/arbiter.h"
#include "referee/tournament/contests/contest.h"

// What is recorded of a contest, and shown once it is committed.

namespace referee::contests {

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
    return std::visit(
        base::Overloaded{
            [this](const records::OpeningRecord& /*opening*/) {
                begun_ = true;
                return Fits();
            },
            [this](const records::EntryRecord& entry) { return enter(entry); },
            [this](const records::WithdrawalRecord& one) { return apply_withdrawal(one); },
            [this](const records::PairingRecord& pairing) { return apply_pairing(pairing); },
            [this](const records::DroppedRecord& dropped) { return apply_drop(dropped); },
            [this](const records::StartRecord& start) { return apply_start(start); },
            [this](const records::GameRecord& game) { return apply_game(game); },
            [this](const records::AnnulmentRecord& one) { return apply_annulment(one); },
            [this](const records::RestorationRecord& one) { return apply_restoration(one); },
            [this](const records::StateRecord& state) { return apply_state(state); },
            [this](const records::RulingRecord& ruling) { return apply_ruling(ruling); },
            [this](const records::ForbiddenPairsRecord& pairs) { return apply_wish(pairs); },
            [this](const records::RequestedByeRecord& bye) { return apply_wish(bye); },
            [this](const records::HandPairingRecord& pairing) { return apply_wish(pairing); },
            [](const auto& /*of no tournament*/) { return Fits(); },
        },
        record);
}

// The rounds for which single bots are entered don't matter here: orders made them, of a field
// that was whole.
Contest::Fits Contest::drawable() const {
    if (!begun() || rounds_.schedule() != nullptr) return {};
    const auto wrong = unfit(entries());
    if (wrong.empty()) return {};
    return base::failure(fmt::format("it has {} entries on record, and {}", entrants(), wrong));
}

Contest::Fits Contest::apply_withdrawal(const records::WithdrawalRecord& record) {
    const auto entrant = entrant_named(record.bot);
    if (!entrant) return base::failure(record.bot + " is withdrawn on record, and never entered");
    leave(*entrant, record.round, record.reason);
    return {};
}

Contest::Fits Contest::apply_pairing(const records::PairingRecord& record) {
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

Contest::Fits Contest::apply_drop(const records::DroppedRecord& record) {
    if (matches_.in_play(record.match) || !matches_.droppable(record.match))
        return base::failure("match " + match_id(config().id, record.match) +
                             " is dropped on record, and can't be: it was never drawn, is being "
                             "played, or counts");
    std::vector<Entrant> left;
    for (const auto& bot : record.left) {
        if (const auto entrant = entrant_named(bot)) left.push_back(*entrant);
    }
    take_off(record.match, left);
    return {};
}

Contest::Fits Contest::apply_start(const records::StartRecord& record) {
    const auto place = view_.waiting_place(record.key);
    if (!place)
        return base::failure("game " + game_id(record.key) +
                             " began on record, and is not to be played now");
    take(*place);
    return {};
}

Contest::Fits Contest::apply_game(const records::GameRecord& record) {
    const auto& key = record.result.key;
    if (!matches_.in_play().contains(key))
        return base::failure("game " + game_id(key) + " has a result on record, and never began");
    finished(record.result);
    return {};
}

Contest::Fits Contest::apply_annulment(const records::AnnulmentRecord& record) {
    const auto& key = record.key;
    if (!matches_.known(key.match))
        return base::failure("game " + game_id(key) +
                             " is annulled on record, and was never drawn");
    if (const auto* play = matches_.play(key); play == nullptr || !counts(play->status))
        return base::failure("game " + game_id(key) +
                             " is annulled on record, and has no result that counts");
    if (matches_.over(key.match) && !rounds_.schedule()->reopen(key.match))
        return base::failure("game " + game_id(key) + " can't be annulled any more");
    play_again(key, record.reason);
    return {};
}

Contest::Fits Contest::apply_restoration(const records::RestorationRecord& record) {
    const auto& key = record.key;
    const auto can =
        matches_.known(key.match) ? matches_.restorable(key.match) : std::vector<GameKey>{};
    if (!base::contains(can, key))
        return base::failure("game " + game_id(key) +
                             " counts again on record, and was not annulled by order, or was "
                             "played again since");
    count_again(key);
    return {};
}

Contest::Fits Contest::apply_ruling(const records::RulingRecord& record) {
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
    if (matches_.over(record.match) && !rounds_.schedule()->reopen(record.match))
        return base::failure("the result of match " + id + " can't be changed any more");
    obey(record);
    return {};
}

template <typename Wish>
Contest::Fits Contest::apply_wish(const Wish& record) {
    bool known = true;
    records::for_each_name(
        record, [&](const auto& bot) { known = known && entrant_named(bot).has_value(); });
    if (!known) return base::failure("an arbiter's order on record names a bot that never entered");
    if constexpr (std::is_same_v<Wish, records::HandPairingRecord>) {
        if (record.bots.size() != 2 || record.bots[0] == record.bots[1] ||
            record.round <= rounds_.last())
            return base::failure(
                "a match that an arbiter set is on record, and is not one of two bots in a round "
                "to come");
    }
    bool of_config = false;
    if constexpr (std::is_same_v<Wish, records::RequestedByeRecord>)
        of_config = record.by == records::ordered_by_config;
    if (!of_config) {
        if (auto fits = drawable(); !fits) return fits;
        rounds_.make_schedule(entries());
        if (!rounds_.schedule()->takes_wishes())
            return base::failure(
                "an arbiter's order on record is about rounds of a swiss, which this is not");
    }
    obey(record);
    return {};
}

Contest::Fits Contest::apply_state(const records::StateRecord& record) {
    change_state(record.state, record.reason);
    if (record.state != records::TournamentState::finished) return {};
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

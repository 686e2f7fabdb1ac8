#include "referee/tournament/contests/contest_records.h"

#include <algorithm>
#include <utility>

#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"
#include "referee/store/records/forget_in_record.h"
#include "referee/tournament/contests/arbiter.h"

namespace referee::contests {

ContestJournal::ContestJournal(records::Journal& journal, OnFailed on_failed,
                               std::function<void()> on_committed)
    : journal_(journal), on_failed_(std::move(on_failed)), on_committed_(std::move(on_committed)) {}

void ContestJournal::write(Contest& contest, std::vector<records::Record> records,
                           std::function<void()> then) {
    ++due_;
    const auto committed = [this, &contest, changes = contest.changes(), lasts = life_.watch(),
                            then = std::move(then)](const records::Committed& told) {
        --due_;
        if (!told) return on_failed_(told.error());
        contest.committed(changes);
        then();
        if (lasts()) on_committed_();
    };
    journal_.append(std::move(records), life_.while_it_lasts(committed));
}

RecordedPast::Fits RecordedPast::apply(const records::Record& record) {
    auto fits = take_in(record);
    contest_.committed(contest_.changes());
    return fits;
}

RecordedPast::Fits RecordedPast::take_in(const records::Record& record) {
    const bool opens = std::holds_alternative<records::OpeningRecord>(record);
    // A tournament can be aborted before it begins; all else comes behind its opening.
    if (opens == contest_.begun_ && !std::holds_alternative<records::StateRecord>(record))
        return base::failure(
            std::string(opens ? "it is opened a second time on record"
                              : "it has records before its opening; the opening is missing"));
    return std::visit(
        base::Overloaded{
            [this](const records::OpeningRecord& /*opening*/) {
                contest_.begun_ = true;
                return Fits();
            },
            [this](const records::EntryRecord& entry) { return contest_.enter(entry); },
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
RecordedPast::Fits RecordedPast::drawable() const {
    if (!contest_.begun() || contest_.rounds_.schedule() != nullptr) return {};
    const auto wrong = contest_.unfit(contest_.entries());
    if (wrong.empty()) return {};
    return base::failure(
        fmt::format("it has {} entries on record, and {}", contest_.entrants(), wrong));
}

RecordedPast::Fits RecordedPast::apply_withdrawal(const records::WithdrawalRecord& record) {
    const auto entrant = contest_.entrant_named(record.bot);
    if (!entrant) return base::failure(record.bot + " is withdrawn on record, and never entered");
    contest_.leave(*entrant, record.round, record.reason);
    return {};
}

RecordedPast::Fits RecordedPast::apply_pairing(const records::PairingRecord& record) {
    if (auto fits = drawable(); !fits) return fits;
    auto& rounds = contest_.rounds_;
    rounds.make_schedule(contest_.entries());
    formats::Pairing drawn{record.match, record.round, {}};
    for (const auto& bot : record.bots) {
        const auto entrant = contest_.entrant_named(bot);
        if (!entrant)
            return base::failure("the match " + base::joined(record.bots, " - ") +
                                 " is recorded, and " + bot + " never entered");
        drawn.seats.push_back(*entrant);
    }
    const auto again = contest_.take_drawn(rounds.schedule()->draw_again(drawn));
    if (again && again->match == record.match && again->round == record.round &&
        again->bots == record.bots)
        return {};
    return base::failure(fmt::format(
        "round {} has the match {} on record, and this version of the program draws {} from the "
        "same results; go on with the version that began, which the store names",
        record.round, base::joined(record.bots, " - "),
        again ? base::joined(again->bots, " - ") : std::string("none")));
}

RecordedPast::Fits RecordedPast::apply_drop(const records::DroppedRecord& record) {
    if (contest_.matches_.in_play(record.match) || !contest_.matches_.droppable(record.match))
        return base::failure("match " + match_id(contest_.config().id, record.match) +
                             " is dropped on record, and can't be: it was never drawn, is being "
                             "played, or counts");
    std::vector<Entrant> left;
    for (const auto& bot : record.left) {
        if (const auto entrant = contest_.entrant_named(bot)) left.push_back(*entrant);
    }
    contest_.take_off(record.match, left);
    return {};
}

RecordedPast::Fits RecordedPast::apply_start(const records::StartRecord& record) {
    const auto place = contest_.waiting_place(record.key);
    if (!place)
        return base::failure("game " + game_id(record.key) +
                             " began on record, and is not to be played now");
    contest_.take(*place);
    return {};
}

RecordedPast::Fits RecordedPast::apply_game(const records::GameRecord& record) {
    const auto& key = record.result.key;
    if (!contest_.matches_.in_play().contains(key))
        return base::failure("game " + game_id(key) + " has a result on record, and never began");
    contest_.finished(record.result);
    return {};
}

RecordedPast::Fits RecordedPast::apply_annulment(const records::AnnulmentRecord& record) {
    const auto& key = record.key;
    const auto& matches = contest_.matches_;
    if (!matches.known(key.match))
        return base::failure("game " + game_id(key) +
                             " is annulled on record, and was never drawn");
    if (const auto* play = matches.play(key); play == nullptr || !counts(play->status))
        return base::failure("game " + game_id(key) +
                             " is annulled on record, and has no result that counts");
    if (matches.over(key.match) && !contest_.rounds_.schedule()->reopen(key.match))
        return base::failure("game " + game_id(key) + " can't be annulled any more");
    contest_.play_again(key, record.reason);
    return {};
}

RecordedPast::Fits RecordedPast::apply_restoration(const records::RestorationRecord& record) {
    const auto& key = record.key;
    const auto& matches = contest_.matches_;
    const auto can =
        matches.known(key.match) ? matches.restorable(key.match) : std::vector<GameKey>{};
    if (std::find(can.begin(), can.end(), key) == can.end())
        return base::failure("game " + game_id(key) +
                             " counts again on record, and was not annulled by order, or was "
                             "played again since");
    contest_.count_again(key);
    return {};
}

RecordedPast::Fits RecordedPast::apply_ruling(const records::RulingRecord& record) {
    const auto& matches = contest_.matches_;
    const auto id = match_id(contest_.config().id, record.match);
    if (auto wrong = ruling_error(contest_, record); !wrong.empty()) return base::failure(wrong);
    const auto seats = matches.pairing(record.match).seats.size();
    if (!record.placing.empty() && record.placing.size() != seats)
        return base::failure(
            fmt::format("match {} has a result of an arbiter on record, and its places are not "
                        "those of its {} bots",
                        id, seats));
    if (matches.in_play(record.match))
        return base::failure("match " + id +
                             " has a result of an arbiter on record, and is being played");
    if (matches.over(record.match) && !contest_.rounds_.schedule()->reopen(record.match))
        return base::failure("the result of match " + id + " can't be changed any more");
    contest_.apply(record);
    return {};
}

template <typename Wish>
RecordedPast::Fits RecordedPast::apply_wish(const Wish& record) {
    bool known = true;
    records::for_each_name(
        record, [&](const auto& bot) { known = known && contest_.entrant_named(bot).has_value(); });
    if (!known) return base::failure("an arbiter's order on record names a bot that never entered");
    if constexpr (std::is_same_v<Wish, records::HandPairingRecord>) {
        if (record.bots.size() != 2 || record.bots[0] == record.bots[1] ||
            record.round <= contest_.rounds_.last())
            return base::failure(
                "a match that an arbiter set is on record, and is not one of two bots in a round "
                "to come");
    }
    bool of_config = false;
    if constexpr (std::is_same_v<Wish, records::RequestedByeRecord>)
        of_config = record.by == records::ordered_by_config;
    if (!of_config) {
        if (auto fits = drawable(); !fits) return fits;
        contest_.rounds_.make_schedule(contest_.entries());
        if (!contest_.rounds_.schedule()->takes_wishes())
            return base::failure(
                "an arbiter's order on record is about rounds of a swiss, which this is not");
    }
    contest_.apply(record);
    return {};
}

RecordedPast::Fits RecordedPast::apply_state(const records::StateRecord& record) {
    contest_.change_state(record.state, record.reason);
    if (record.state != records::TournamentState::finished) return {};
    // It had drawn to its end: only in being asked for more does a format take in the last results,
    // or find that it ended early.
    // A format that would draw more had no more time.
    auto& rounds = contest_.rounds_;
    if (formats::time_of(contest_.config().format).count() > 0) contest_.end_by_time();
    if (rounds.schedule() != nullptr && !rounds.drawn_out()) rounds.note(rounds.next());
    rounds.end();
    if (rounds.schedule() != nullptr) rounds.count_matches();
    return {};
}

}  // namespace referee::contests

#include <algorithm>
#include <set>

#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/tournament/contests/contest.h"

// What an arbiter may order of a contest: results, pairs that don't meet, rounds that are sat
// out, matches that are set by hand.

namespace referee::contests {

using formats::PairingObstacle;
using records::HandPairingRecord;
using records::ManualPairingOrder;
using records::TournamentState;

base::Result<std::vector<std::uint32_t>, std::string> Contest::placing_of(
    std::uint64_t match, const BotsByPlace& places) const {
    if (auto wrong = unknown_match(match); !wrong.empty()) return base::failure(std::move(wrong));
    const auto id = match_id(config_.id, match);
    std::vector<std::string> seated;
    for (const auto entrant : matches_.pairing(match).seats) seated.push_back(name(entrant));
    if (seated.size() < 2)
        return base::failure(id + " has no opponents who could be placed: " + seated.front() +
                             " plays alone; `replay-game` plays a game of it again");
    std::vector<std::uint32_t> placing(seated.size(), 0);
    std::uint32_t place = 1;
    for (const auto& level : places) {
        for (const auto& bot : level) {
            const auto seat = std::find(seated.begin(), seated.end(), bot) - seated.begin();
            if (bot.empty()) return base::failure(unknown_bot(bot));
            if (seat == static_cast<std::ptrdiff_t>(seated.size()))
                return base::failure(bot + " does not play in " + id + "; expected " +
                                     base::joined(seated, ", ") + " in the order of their places");
            auto& its = placing[static_cast<std::size_t>(seat)];
            if (its != 0) return base::failure(bot + " is named twice");
            its = place;
        }
        place += static_cast<std::uint32_t>(level.size());
    }
    if (std::find(placing.begin(), placing.end(), 0U) != placing.end())
        return base::failure("expected a place for each bot of " + id + ": " +
                             base::joined(seated, ", ") + " in their order, or " +
                             base::joined(seated, "=") + " where they are level");
    if (matches_.terms(match).one_goes_on && places.size() < 2)
        return base::failure(id + " can't end level: one of the two goes on; expected " +
                             base::joined(seated, " ") + ", or the other way round");
    return placing;
}

std::string Contest::unknown_match(std::uint64_t match) const {
    if (matches_.known(match)) return {};
    return fmt::format("{} has no match {}, or it lies too far back{}", config_.id, match,
                       matches_.last() == 0
                           ? "; none is drawn yet"
                           : "; its last is " + match_id(config_.id, matches_.last()));
}

std::string Contest::ruling_error(const records::RulingRecord& ruling) const {
    if (auto wrong = unknown_match(ruling.match); !wrong.empty()) return wrong;
    if (state_ == TournamentState::aborted) return config_.id + " was aborted";
    if (ruling.placing.empty() && !matches_.ruled(ruling.match))
        return "the result of match " + match_id(config_.id, ruling.match) +
               " is not an arbiter's: there is nothing to take back";
    return {};
}

Ordered Contest::rule(const records::RulingRecord& ruling) const {
    if (auto wrong = ruling_error(ruling); !wrong.empty()) return base::failure(std::move(wrong));
    if (built_upon(ruling.match))
        return base::failure("the result of match " + match_id(config_.id, ruling.match) +
                             " has been built upon: what was drawn since depends on it");
    std::vector<records::Record> records{ruling};
    go_on_after(records,
                "the arbiter changed the result of match " + match_id(config_.id, ruling.match));
    return records;
}

// Requires: a match that was over is reopened in the schedule.
void Contest::apply(const records::RulingRecord& ruling) {
    changed();
    arbiter_.change().rulings.push_back(ruling);
    // What comes next may depend on it.
    if (matches_.over(ruling.match)) {
        rounds_.go_on();
        out_of_time_ = false;
    }
    view_.clear(ruling.match);
    Matches::AfterGame after;
    if (ruling.placing.empty()) {
        after = matches_.take_ruling_back(ruling.match);
    } else {
        after.result = matches_.rule(ruling.match, {ruling.placing.begin(), ruling.placing.end()});
    }
    follow(after);
}

std::shared_ptr<const formats::Schedule> Contest::likely_schedule() const {
    if (const auto* made = rounds_.schedule()) return {std::shared_ptr<void>(), made};
    return formats::make_schedule(config_.format, entrants_.entries(), config_.seed);
}

std::string Contest::bye_error(std::uint32_t first_round, std::uint32_t last_round) const {
    if (ended(state_)) return config_.id + " is over";
    if (!begun_)
        return config_.id +
               " has not begun, and its field is taken when it does: order it after `start " +
               config_.id +
               "`, which leaves time where the tournament waits for bots, or let its " +
               "config say it";
    const auto known = likely_schedule();
    const auto& schedule = *known;
    if (!schedule.takes_wishes())
        return "only rounds of a swiss are drawn so that they can be asked for, and " + config_.id +
               " has the format " + std::string(formats::name_of(config_.format.kind())) +
               (config_.format.as<formats::StagesOptions>() != nullptr ? " in another stage" : "");
    if (last_round < first_round)
        return fmt::format("expected rounds such as 2-4, found {}-{}", first_round, last_round);
    const auto planned = schedule.rounds_planned().value_or(UINT32_MAX);
    if (first_round > planned)
        return fmt::format("{} has {} rounds, and no round {}", config_.id, planned, first_round);
    if (next_round() > planned) return "all rounds of " + config_.id + " are drawn";
    if (last_round < next_round())
        return fmt::format("round {} of {} has begun; the next is round {}", last_round, config_.id,
                           next_round());
    return {};
}

std::string Contest::pairing_error(const records::ForbiddenPairsRecord& pairs) const {
    const auto next = next_round();
    if (pairs.order == records::PairOrder::lifted || pairs.first_round > next) return {};
    for (const auto& set : arbiter_->by_hand_in(next)) {
        const auto named = [&pairs](const std::string& bot) {
            return std::find(pairs.bots.begin(), pairs.bots.end(), bot) != pairs.bots.end();
        };
        if (std::all_of(set.bots.begin(), set.bots.end(), named))
            return set_by_hand(set.bots.front(), next);
    }
    const auto trial = before_next_round();
    if (trial == nullptr) return {};
    trial->forbid({pairs.bots, pairs.first_round, pairs.last_round}, false);
    static_cast<void>(trial->next());
    if (trial->ended_early().empty()) return {};
    return fmt::format("then round {} of {} could not be drawn: {}; expected fewer pairs", next,
                       config_.id, trial->ended_early());
}

bool Contest::lifts_anything(const records::ForbiddenPairsRecord& pairs) const {
    std::vector<formats::ForbiddenPairs> all;
    const bool of_stage = config_.format.as<formats::StagesOptions>() != nullptr;
    const auto stage = rounds_.schedule() == nullptr ? 0 : rounds_.schedule()->stage();
    const auto& format = formats::stage_of(config_.format, stage);
    if (const auto* swiss = format.as<formats::SwissOptions>()) {
        all = swiss->forbidden_pairs;
        // A stage counts its rounds from its own first: all of them may be meant.
        for (auto& each : all)
            if (of_stage) each = {each.bots};
    }
    for (const auto& order : arbiter_->forbidden) {
        const formats::ForbiddenPairs ordered{order.bots, order.first_round, order.last_round};
        order.order == records::PairOrder::lifted ? formats::lift(all, ordered)
                                                  : formats::forbid(all, ordered);
    }
    auto left = all;
    formats::lift(left, {pairs.bots, pairs.first_round, pairs.last_round});
    return left != all;
}

Ordered Contest::forbid(records::ForbiddenPairsRecord pairs) const {
    const std::set<std::string> different(pairs.bots.begin(), pairs.bots.end());
    if (pairs.bots.size() < 2 || different.size() != pairs.bots.size())
        return base::failure("expected two different bots or more, such as alice bob");
    if (auto wrong = bye_error(pairs.first_round, pairs.last_round); !wrong.empty())
        return base::failure(std::move(wrong));
    for (const auto& bot : pairs.bots) {
        if (!entrant_named(bot)) return base::failure(unknown_bot(bot));
    }
    pairs.first_round = std::max(pairs.first_round, next_round());
    if (pairs.order == records::PairOrder::lifted && !lifts_anything(pairs))
        return base::failure("nothing keeps " + base::joined(pairs.bots, " and ") + " apart in " +
                             config_.id + " in rounds that are to come; expected bots that " +
                             "`forbid` or the config's \"forbidden_pairs\" names");
    if (auto wrong = pairing_error(pairs); !wrong.empty()) return base::failure(std::move(wrong));
    return std::vector<records::Record>{std::move(pairs)};
}

void Contest::apply(const records::ForbiddenPairsRecord& pairs) {
    changed();
    arbiter_.change().forbidden.push_back(pairs);
    rounds_.make_schedule(entrants_.entries());
    rounds_.schedule()->forbid({pairs.bots, pairs.first_round, pairs.last_round},
                               pairs.order == records::PairOrder::lifted);
}

Ordered Contest::wish_bye(const records::RequestedByeRecord& bye) const {
    if (auto wrong = bye_error(bye.round, bye.round); !wrong.empty())
        return base::failure(std::move(wrong));
    const auto entrant = entrant_named(bye.bot);
    if (!entrant) return base::failure(unknown_bot(bye.bot));
    if (auto set = set_by_hand(bye.bot, bye.round);
        !set.empty() && bye.order != records::ByeOrder::taken_back)
        return base::failure(std::move(set));
    const auto& its = entry(*entrant);
    if (withdrawn(*entrant) || bye.round < its.first_round || bye.round > its.last_round)
        return base::failure(fmt::format("{} does not play round {} anyway", bye.bot, bye.round));
    return std::vector<records::Record>{bye};
}

void Contest::apply(const records::RequestedByeRecord& bye) {
    changed();
    const auto entrant = *entrant_named(bye.bot);
    std::optional<formats::ByeKind> kind;
    if (bye.order == records::ByeOrder::half_point) kind = formats::ByeKind::half_point;
    if (bye.order == records::ByeOrder::zero_point) kind = formats::ByeKind::zero_point;
    if (bye.by == records::ordered_by_config) return entrants_.wish_bye(entrant, bye.round, kind);
    arbiter_.change().byes.push_back(bye);
    rounds_.make_schedule(entrants_.entries());
    rounds_.schedule()->wish_bye(entrant, bye.round, kind);
}

void Contest::apply(const records::HandPairingRecord& pairing) {
    changed();
    arbiter_.change().by_hand.push_back(pairing);
    rounds_.make_schedule(entrants_.entries());
    rounds_.schedule()->pair_by_hand(hand_pairing_of(pairing),
                                     pairing.order == records::ManualPairingOrder::taken_back);
}

// Matches that an arbiter sets before their round is drawn, and what the round would look like.

formats::HandPairing Contest::hand_pairing_of(const HandPairingRecord& pairing) const {
    return {pairing.round, *entrant_named(pairing.bots[0]), *entrant_named(pairing.bots[1])};
}

// Who may still meet whom hardly depends on how the matches that are on will end, so they are taken
// as level. What the schedule knows counts here, and not what shows: that waits for the journal.
std::unique_ptr<formats::Schedule> Contest::before_next_round() const {
    if (next_round() != rounds_.last() + 1) return nullptr;
    auto trial = likely_schedule()->copy();
    for (const auto& pairing : matches_.open()) {
        const std::vector<int> level(pairing.seats.size(), 1);
        trial->record(formats::ruled_result(pairing, level, matches_.terms(pairing.match)));
    }
    return trial;
}

Contest::RoundOutlook Contest::drawn_of(formats::Schedule& schedule) const {
    RoundOutlook outlook;
    outlook.round = next_round();
    outlook.open = matches_.open_count();
    for (;;) {
        const auto next = schedule.next();
        if (const auto* bye = std::get_if<formats::Bye>(&next)) {
            if (bye->round > outlook.round) return outlook;
            if (bye->round == outlook.round) outlook.byes.push_back(*bye);
        } else if (const auto* pairing = std::get_if<formats::Pairing>(&next)) {
            if (pairing->round > outlook.round) return outlook;
            if (pairing->round == outlook.round) {
                outlook.boards.push_back(*pairing);
                continue;
            }
            // The last of the round that is being handed out.
            const std::vector<int> level(pairing->seats.size(), 1);
            schedule.record(formats::ruled_result(*pairing, level, rounds_.terms()));
        } else {
            return outlook;
        }
    }
}

base::Result<Contest::RoundOutlook, std::string> Contest::outlook() const {
    if (auto wrong = bye_error(next_round(), next_round()); !wrong.empty())
        return base::failure(std::move(wrong));
    const auto trial = before_next_round();
    if (trial == nullptr)
        return base::failure(fmt::format("round {} of {} is being drawn; try again in a moment",
                                         next_round() - 1, config_.id));
    auto outlook = drawn_of(*trial);
    if (!trial->ended_early().empty()) return base::failure(trial->ended_early());
    return outlook;
}

std::string Contest::set_by_hand(const std::string& bot, std::uint32_t round) const {
    for (const auto& set : arbiter_->by_hand_in(round)) {
        if (std::find(set.bots.begin(), set.bots.end(), bot) == set.bots.end()) continue;
        return fmt::format(
            "{} and {} are paired by hand in round {} of {}; take that back first: `pair {} {} "
            "--round {} --take-back`",
            set.bots[0], set.bots[1], round, config_.id, set.bots[0], set.bots[1], round);
    }
    return {};
}

std::optional<std::uint32_t> Contest::met_in(const std::vector<std::string>& bots) const {
    for (const auto& match :
         matches_.meetings_of(*entrant_named(bots[0]), *entrant_named(bots[1]))) {
        const auto* result = results().find(match.match);
        if (result == nullptr || !result->forfeit()) return match.round;
    }
    return std::nullopt;
}

std::string Contest::unpairable(const HandPairingRecord& pairing, bool anyway) const {
    const auto& bots = pairing.bots;
    const auto two = bots[0] + " and " + bots[1];
    const auto round = "round " + std::to_string(pairing.round);
    const auto obstacle = likely_schedule()->obstacle_of(hand_pairing_of(pairing));
    if (obstacle == PairingObstacle::no_pairs)
        return config_.id + " is drawn in pods, not in pairs: only pairs can be set by hand";
    for (const auto& bot : bots) {
        if (withdrawn(*entrant_named(bot))) return bot + " is withdrawn from " + config_.id;
    }
    if (obstacle == PairingObstacle::sits_out)
        return "one of " + two + " does not play " + round +
               ": it asked for a bye, comes later or is out; `bye BOT --take-back` lets it play";
    if (anyway) return {};
    if (obstacle == PairingObstacle::forbidden)
        return two + " are to be kept apart in " + round + "; --anyway pairs them all the same";
    if (const auto met = met_in(bots))
        return fmt::format(
            "{} meet in round {} already, and a swiss pairs nobody twice; --anyway pairs them all "
            "the same",
            two, *met);
    return {};
}

Ordered Contest::pair_by_hand(HandPairingRecord pairing, bool anyway) const {
    const auto& bots = pairing.bots;
    if (bots.size() != 2 || bots[0] == bots[1])
        return base::failure(
            "expected two different bots, the first seat first, such as alice bob");
    if (auto wrong = bye_error(pairing.round, pairing.round); !wrong.empty())
        return base::failure(std::move(wrong));
    if (pairing.round != next_round())
        return base::failure(
            fmt::format("only the next round of {} can be paired by hand, {}: who will have met by "
                        "a later one is not known yet",
                        config_.id, next_round()));
    for (const auto& bot : bots) {
        if (!entrant_named(bot)) return base::failure(unknown_bot(bot));
    }
    const auto standing = arbiter_->by_hand_in(pairing.round);
    const auto set = std::find_if(standing.begin(), standing.end(), [&](const auto& one) {
        return std::is_permutation(one.bots.begin(), one.bots.end(), bots.begin());
    });
    if (pairing.order == ManualPairingOrder::taken_back) {
        if (set == standing.end())
            return base::failure(fmt::format(
                "{} and {} are not paired by hand in round {}: there is nothing to take back",
                bots[0], bots[1], pairing.round));
        pairing.bots = set->bots;  // by its seats
        return std::vector<records::Record>{std::move(pairing)};
    }
    for (const auto& bot : bots) {
        if (auto wrong = set_by_hand(bot, pairing.round); !wrong.empty())
            return base::failure(std::move(wrong));
    }
    if (auto wrong = unpairable(pairing, anyway); !wrong.empty())
        return base::failure(std::move(wrong));
    if (const auto trial = before_next_round(); trial != nullptr) {
        trial->pair_by_hand(hand_pairing_of(pairing), false);
        const auto boards = drawn_of(*trial).boards;
        const std::vector<Entrant> seats{*entrant_named(bots[0]), *entrant_named(bots[1])};
        if (std::none_of(boards.begin(), boards.end(),
                         [&](const auto& board) { return board.seats == seats; }))
            return base::failure(
                fmt::format("then the others could not be paired in round {} of {}", pairing.round,
                            config_.id));
    }
    return std::vector<records::Record>{std::move(pairing)};
}

}  // namespace referee::contests

#include "referee/tournament/contests/arbiter.h"

#include <algorithm>
#include <set>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match_fold.h"
#include "referee/tournament/contests/contest.h"

namespace referee::contests {

using formats::PairingObstacle;
using records::HandPairingOrder;
using records::HandPairingRecord;
using records::TournamentState;

namespace {

// The schedule; before the first drawing one that is like it.
std::shared_ptr<const formats::Schedule> likely_schedule(const Contest& contest) {
    if (const auto* made = contest.rounds().schedule()) return {std::shared_ptr<void>(), made};
    return formats::make_schedule(contest.config().format, contest.entries(),
                                  contest.config().seed);
}

// Why pairings can't be wished for now; empty: they can, from that round to that on.
std::string bye_error(const Contest& contest, std::uint32_t first_round, std::uint32_t last_round) {
    if (ended(contest.state())) return contest.config().id + " is over";
    if (!contest.begun())
        return contest.config().id +
               " has not begun, and its field is taken when it does: order it after `start " +
               contest.config().id + "`, which leaves time where the tournament waits for bots" +
               (contest.config().field_from ? "; its config may have \"forbidden_pairs\""
                                            : ", or let its config say it");
    const auto known = likely_schedule(contest);
    const auto& schedule = *known;
    if (!schedule.takes_wishes())
        return "only rounds of a swiss are drawn so that they can be asked for, and " +
               contest.config().id + " has the format " +
               std::string(formats::name_of(contest.config().format.kind())) +
               (contest.config().format.as<formats::StagesOptions>() != nullptr
                    ? " in another stage"
                    : "");
    if (last_round < first_round)
        return fmt::format("expected rounds such as 2-4, found {}-{}", first_round, last_round);
    const auto planned = schedule.rounds_planned().value_or(UINT32_MAX);
    if (first_round > planned)
        return fmt::format("{} has {} rounds, and no round {}", contest.config().id, planned,
                           first_round);
    if (contest.next_round() > planned)
        return "all rounds of " + contest.config().id + " are drawn";
    if (last_round < contest.next_round())
        return fmt::format("round {} of {} has begun; the next is round {}", last_round,
                           contest.config().id, contest.next_round());
    return {};
}

// Of that round, so that no other order may say otherwise; empty: none names the bot.
std::string set_by_hand(const Contest& contest, const std::string& bot, std::uint32_t round) {
    for (const auto& set : contest.arbiter().by_hand_in(round)) {
        if (!base::contains(set.bots, bot)) continue;
        return fmt::format(
            "{0} and {1} are paired by hand in round {2} of {3}; take that back first: `pair {3} "
            "{0} {1} --round {2} --take-back`",
            set.bots[0], set.bots[1], round, contest.config().id);
    }
    return {};
}

// A schedule of its own that has come to the drawing of the next round; null where the round before
// isn't handed out yet.
//
// Who may still meet whom hardly depends on how the matches that are on will end, so they are taken
// as level. What the schedule knows counts here, and not what shows: that waits for the journal.
std::unique_ptr<formats::Schedule> before_next_round(const Contest& contest) {
    if (contest.next_round() != contest.rounds().last() + 1) return nullptr;
    auto trial = likely_schedule(contest)->copy();
    for (const auto& pairing : contest.matches().open()) {
        const std::vector<int> level(pairing.seats.size(), 1);
        trial->record(
            formats::ruled_result(pairing, level, contest.matches().terms(pairing.match)));
    }
    return trial;
}

// Why the next round could not be drawn with these forbidden; empty: it could.
std::string pairing_error(const Contest& contest, const records::ForbiddenPairsRecord& pairs) {
    const auto next = contest.next_round();
    if (pairs.order == records::PairOrder::lifted || pairs.first_round > next) return {};
    for (const auto& set : contest.arbiter().by_hand_in(next)) {
        const auto named = [&pairs](const std::string& bot) {
            return base::contains(pairs.bots, bot);
        };
        if (std::ranges::all_of(set.bots, named))
            return set_by_hand(contest, set.bots.front(), next);
    }
    const auto trial = before_next_round(contest);
    if (trial == nullptr) return {};
    trial->forbid(pairs_of(pairs), false);
    static_cast<void>(trial->next());
    if (trial->ended_early().empty()) return {};
    return fmt::format("then round {} of {} could not be drawn: {}; expected fewer pairs", next,
                       contest.config().id, trial->ended_early());
}

// Whether any two of these are kept apart in rounds of these that are to come.
bool lifts_anything(const Contest& contest, const records::ForbiddenPairsRecord& pairs) {
    std::vector<formats::ForbiddenPairs> all;
    const bool of_stage = contest.config().format.as<formats::StagesOptions>() != nullptr;
    const auto stage =
        contest.rounds().schedule() == nullptr ? 0 : contest.rounds().schedule()->stage();
    const auto& format = formats::stage_of(contest.config().format, stage);
    if (const auto* swiss = format.as<formats::SwissOptions>()) {
        all = swiss->forbidden_pairs;
        // A stage counts its rounds from its own first: all of them may be meant.
        for (auto& each : all)
            if (of_stage) each = {each.bots};
    }
    all = contest.arbiter().forbidden_after(std::move(all));
    auto left = all;
    formats::lift(left, pairs_of(pairs));
    return left != all;
}

// What that draws, to the end of the round.
RoundOutlook drawn_of(const Contest& contest, formats::Schedule& schedule) {
    RoundOutlook outlook;
    outlook.round = contest.next_round();
    outlook.open = contest.matches().open_count();
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
            schedule.record(formats::ruled_result(*pairing, level, contest.rounds().terms()));
        } else {
            return outlook;
        }
    }
}

std::optional<std::uint32_t> met_in(const Contest& contest, const std::vector<std::string>& bots) {
    for (const auto& match : contest.matches().meetings_of(*contest.entrant_named(bots[0]),
                                                           *contest.entrant_named(bots[1]))) {
        const auto* result = contest.results().find(match.match);
        if (result == nullptr || !result->forfeit()) return match.round;
    }
    return std::nullopt;
}

std::string unpairable(const Contest& contest, const HandPairingRecord& pairing, bool anyway) {
    const auto& bots = pairing.bots;
    const auto two = bots[0] + " and " + bots[1];
    const auto round = "round " + std::to_string(pairing.round);
    const auto obstacle = likely_schedule(contest)->obstacle_of(hand_pairing_of(contest, pairing));
    if (obstacle == PairingObstacle::no_pairs)
        return contest.config().id +
               " is drawn in pods, not in pairs: only pairs can be set by hand";
    for (const auto& bot : bots) {
        if (contest.withdrawn(*contest.entrant_named(bot)))
            return bot + " is withdrawn from " + contest.config().id;
    }
    if (obstacle == PairingObstacle::sits_out)
        return "one of " + two + " does not play " + round +
               ": it asked for a bye, comes later or is out; `bye BOT --take-back` lets it play";
    if (anyway) return {};
    if (obstacle == PairingObstacle::forbidden)
        return two + " are to be kept apart in " + round + "; --anyway pairs them all the same";
    if (const auto met = met_in(contest, bots))
        return fmt::format(
            "{} meet in round {} already, and a swiss pairs nobody twice; --anyway pairs them all "
            "the same",
            two, *met);
    return {};
}

}  // namespace

std::vector<formats::ForbiddenPairs> ArbiterLog::forbidden_after(
    std::vector<formats::ForbiddenPairs> by_config) const {
    for (const auto& order : forbidden)
        order.order == records::PairOrder::lifted ? formats::lift(by_config, pairs_of(order))
                                                  : formats::forbid(by_config, pairs_of(order));
    return by_config;
}

std::vector<HandPairingRecord> ArbiterLog::by_hand_in(std::uint32_t round) const {
    std::vector<HandPairingRecord> standing;
    for (const auto& pairing : by_hand) {
        if (pairing.round != round) continue;
        std::erase_if(standing, [&](const auto& one) {
            return std::ranges::is_permutation(one.bots, pairing.bots);
        });
        if (pairing.order == HandPairingOrder::paired) standing.push_back(pairing);
    }
    return standing;
}

const records::RulingRecord* ArbiterLog::ruling_of(std::uint64_t match) const {
    const records::RulingRecord* last = nullptr;
    for (const auto& ruling : rulings) {
        if (ruling.match == match) last = ruling.placing.empty() ? nullptr : &ruling;
    }
    return last;
}

base::Result<std::vector<std::uint32_t>, std::string> placing_of(const Contest& contest,
                                                                 std::uint64_t match,
                                                                 const BotsByPlace& places) {
    if (auto wrong = contest.unknown_match(match); !wrong.empty())
        return base::failure(std::move(wrong));
    const auto id = match_id(contest.config().id, match);
    std::vector<std::string> seated;
    for (const auto entrant : contest.matches().pairing(match).seats)
        seated.push_back(contest.name(entrant));
    if (seated.size() < 2)
        return base::failure(id + " has no opponents who could be placed: " + seated.front() +
                             " plays alone; `replay-game` plays a game of it again");
    std::vector<std::uint32_t> placing(seated.size(), 0);
    std::uint32_t place = 1;
    for (const auto& level : places) {
        for (const auto& bot : level) {
            const auto seat = std::ranges::find(seated, bot) - seated.begin();
            if (bot.empty()) return base::failure(contest.unknown_bot(bot));
            if (seat == static_cast<std::ptrdiff_t>(seated.size()))
                return base::failure(bot + " does not play in " + id + "; expected " +
                                     base::joined(seated, ", ") + " in the order of their places");
            auto& its = placing[static_cast<std::size_t>(seat)];
            if (its != 0) return base::failure(bot + " is named twice");
            its = place;
        }
        place += static_cast<std::uint32_t>(level.size());
    }
    if (base::contains(placing, 0U))
        return base::failure("expected a place for each bot of " + id + ": " +
                             base::joined(seated, ", ") + " in their order, or " +
                             base::joined(seated, "=") + " where they are level");
    if (contest.matches().terms(match).one_goes_on && places.size() < 2)
        return base::failure(id + " can't end level: one of the two goes on; expected " +
                             base::joined(seated, " ") + ", or the other way round");
    return placing;
}

std::string ruling_error(const Contest& contest, const records::RulingRecord& ruling) {
    if (auto wrong = contest.unknown_match(ruling.match); !wrong.empty()) return wrong;
    if (contest.state() == TournamentState::aborted) return contest.config().id + " was aborted";
    if (ruling.placing.empty() && !contest.matches().ruled(ruling.match))
        return "the result of match " + match_id(contest.config().id, ruling.match) +
               " is not an arbiter's: there is nothing to take back";
    return {};
}

Ordered rule(const Contest& contest, const records::RulingRecord& ruling) {
    if (auto wrong = ruling_error(contest, ruling); !wrong.empty())
        return base::failure(std::move(wrong));
    if (contest.built_upon(ruling.match))
        return base::failure("the result of match " + match_id(contest.config().id, ruling.match) +
                             " has been built upon: what was drawn since depends on it");
    std::vector<records::Record> records{ruling};
    contest.go_on_after(records, "the arbiter changed the result of match " +
                                     match_id(contest.config().id, ruling.match));
    return records;
}

Ordered forbid(const Contest& contest, records::ForbiddenPairsRecord pairs) {
    const std::set<std::string> different(pairs.bots.begin(), pairs.bots.end());
    if (pairs.bots.size() < 2 || different.size() != pairs.bots.size())
        return base::failure("expected two different bots or more, such as alice bob");
    if (auto wrong = bye_error(contest, pairs.first_round, pairs.last_round); !wrong.empty())
        return base::failure(std::move(wrong));
    for (const auto& bot : pairs.bots) {
        if (!contest.entrant_named(bot)) return base::failure(contest.unknown_bot(bot));
    }
    pairs.first_round = std::max(pairs.first_round, contest.next_round());
    if (pairs.order == records::PairOrder::lifted && !lifts_anything(contest, pairs))
        return base::failure("nothing keeps " + base::joined(pairs.bots, " and ") + " apart in " +
                             contest.config().id +
                             " in rounds that are to come; expected bots that " +
                             "`forbid` or the config's \"forbidden_pairs\" names");
    if (auto wrong = pairing_error(contest, pairs); !wrong.empty())
        return base::failure(std::move(wrong));
    return std::vector<records::Record>{std::move(pairs)};
}

formats::ForbiddenPairs pairs_of(const records::ForbiddenPairsRecord& order) {
    return {order.bots, order.first_round, order.last_round};
}

Ordered wish_bye(const Contest& contest, const records::RequestedByeRecord& bye) {
    if (auto wrong = bye_error(contest, bye.round, bye.round); !wrong.empty())
        return base::failure(std::move(wrong));
    const auto entrant = contest.entrant_named(bye.bot);
    if (!entrant) return base::failure(contest.unknown_bot(bye.bot));
    if (auto set = set_by_hand(contest, bye.bot, bye.round);
        !set.empty() && bye.order != records::ByeOrder::taken_back)
        return base::failure(std::move(set));
    const auto& its = contest.entry(*entrant);
    if (contest.withdrawn(*entrant) || bye.round < its.first_round || bye.round > its.last_round)
        return base::failure(fmt::format("{} does not play round {} anyway", bye.bot, bye.round));
    return std::vector<records::Record>{bye};
}

formats::HandPairing hand_pairing_of(const Contest& contest, const HandPairingRecord& pairing) {
    return {pairing.round, *contest.entrant_named(pairing.bots[0]),
            *contest.entrant_named(pairing.bots[1])};
}

base::Result<RoundOutlook, std::string> outlook_of(const Contest& contest) {
    if (auto wrong = bye_error(contest, contest.next_round(), contest.next_round()); !wrong.empty())
        return base::failure(std::move(wrong));
    const auto trial = before_next_round(contest);
    if (trial == nullptr)
        return base::failure(fmt::format("round {} of {} is being drawn; try again in a moment",
                                         contest.next_round() - 1, contest.config().id));
    auto outlook = drawn_of(contest, *trial);
    if (!trial->ended_early().empty()) return base::failure(trial->ended_early());
    return outlook;
}

Ordered pair_by_hand(const Contest& contest, HandPairingRecord pairing, bool anyway) {
    const auto& bots = pairing.bots;
    if (bots.size() != 2 || bots[0] == bots[1])
        return base::failure(
            "expected two different bots, the first seat first, such as alice bob");
    if (auto wrong = bye_error(contest, pairing.round, pairing.round); !wrong.empty())
        return base::failure(std::move(wrong));
    if (pairing.round != contest.next_round())
        return base::failure(
            fmt::format("only the next round of {} can be paired by hand, {}: who will have met by "
                        "a later one is not known yet",
                        contest.config().id, contest.next_round()));
    for (const auto& bot : bots) {
        if (!contest.entrant_named(bot)) return base::failure(contest.unknown_bot(bot));
    }
    const auto standing = contest.arbiter().by_hand_in(pairing.round);
    const auto set = std::ranges::find_if(
        standing, [&](const auto& one) { return std::ranges::is_permutation(one.bots, bots); });
    if (pairing.order == HandPairingOrder::taken_back) {
        if (set == standing.end())
            return base::failure(fmt::format(
                "{} and {} are not paired by hand in round {}: there is nothing to take back",
                bots[0], bots[1], pairing.round));
        pairing.bots = set->bots;  // by its seats
        return std::vector<records::Record>{std::move(pairing)};
    }
    for (const auto& bot : bots) {
        if (auto wrong = set_by_hand(contest, bot, pairing.round); !wrong.empty())
            return base::failure(std::move(wrong));
    }
    if (auto wrong = unpairable(contest, pairing, anyway); !wrong.empty())
        return base::failure(std::move(wrong));
    if (const auto trial = before_next_round(contest); trial != nullptr) {
        trial->pair_by_hand(hand_pairing_of(contest, pairing), false);
        const auto boards = drawn_of(contest, *trial).boards;
        const std::vector<Entrant> seats{*contest.entrant_named(bots[0]),
                                         *contest.entrant_named(bots[1])};
        if (!base::contains(boards, seats, &formats::Pairing::seats))
            return base::failure(
                fmt::format("then the others could not be paired in round {} of {}", pairing.round,
                            contest.config().id));
    }
    return std::vector<records::Record>{std::move(pairing)};
}

}  // namespace referee::contests

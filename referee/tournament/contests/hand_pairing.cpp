// Matches that an arbiter sets before their round is drawn, and what the round would look like.

#include <algorithm>

#include "referee/contest/formats/match.h"
#include "referee/tournament/contests/contest.h"

namespace referee::contests {

using formats::PairingObstacle;
using records::HandPairingRecord;
using records::ManualPairingOrder;

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
        return base::failure("round " + std::to_string(next_round() - 1) + " of " + config_.id +
                             " is being drawn; try again in a moment");
    auto outlook = drawn_of(*trial);
    if (!trial->ended_early().empty()) return base::failure(trial->ended_early());
    return outlook;
}

std::string Contest::set_by_hand(const std::string& bot, std::uint32_t round) const {
    for (const auto& set : arbiter_->by_hand_in(round)) {
        if (std::find(set.bots.begin(), set.bots.end(), bot) == set.bots.end()) continue;
        return set.bots[0] + " and " + set.bots[1] + " are paired by hand in round " +
               std::to_string(round) + " of " + config_.id + "; take that back first: `pair " +
               set.bots[0] + " " + set.bots[1] + " --round " + std::to_string(round) +
               " --take-back`";
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
        return two + " meet in round " + std::to_string(*met) +
               " already, and a swiss pairs nobody twice; --anyway pairs them all the same";
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
        return base::failure("only the next round of " + config_.id + " can be paired by hand, " +
                             std::to_string(next_round()) +
                             ": who will have met by a later one is not known yet");
    for (const auto& bot : bots) {
        if (!entrant_named(bot)) return base::failure(unknown_bot(bot));
    }
    const auto standing = arbiter_->by_hand_in(pairing.round);
    const auto set = std::find_if(standing.begin(), standing.end(), [&](const auto& one) {
        return std::is_permutation(one.bots.begin(), one.bots.end(), bots.begin());
    });
    if (pairing.order == ManualPairingOrder::taken_back) {
        if (set == standing.end())
            return base::failure(bots[0] + " and " + bots[1] + " are not paired by hand in round " +
                                 std::to_string(pairing.round) + ": there is nothing to take back");
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
            return base::failure("then the others could not be paired in round " +
                                 std::to_string(pairing.round) + " of " + config_.id);
    }
    return std::vector<records::Record>{std::move(pairing)};
}

}  // namespace referee::contests

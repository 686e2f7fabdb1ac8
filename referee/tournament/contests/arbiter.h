#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/contest/formats/schedule.h"
#include "referee/store/records/records.h"

// What an arbiter may order of a contest, and has ordered: results, pairs that don't meet, rounds
// that are sat out, matches that are set by hand. Each order comes to records with its reason and
// who gave it, or is refused. None changes anything by itself: Contest::carry_out() does.

namespace referee::contests {

class Contest;

// The records of an order, or why it is refused.
using Ordered = base::Result<std::vector<records::Record>, std::string>;

// What was ordered of a tournament, in order; what was taken back or lifted is here too.
struct ArbiterLog {
    std::vector<records::RulingRecord> rulings;
    std::vector<records::ForbiddenPairsRecord> forbidden;
    std::vector<records::RequestedByeRecord> byes;
    std::vector<records::HandPairingRecord> by_hand;

    bool empty() const {
        return rulings.empty() && forbidden.empty() && byes.empty() && by_hand.empty();
    }
    // Who is kept apart when these orders follow what the config says.
    std::vector<formats::ForbiddenPairs> forbidden_after(
        std::vector<formats::ForbiddenPairs> by_config) const;
    // What stands of that round: matches that were set by hand and not taken back.
    std::vector<records::HandPairingRecord> by_hand_in(std::uint32_t round) const;
    // The last ruling about the match, where it stands; else null.
    const records::RulingRecord* ruling_of(std::uint64_t match) const;
};

// The bots of each place, the best first; those of one place are level.
using BotsByPlace = std::vector<std::vector<std::string>>;
// The places of a match's seats, or why it can't end so.
base::Result<std::vector<std::uint32_t>, std::string> placing_of(const Contest& contest,
                                                                 std::uint64_t match,
                                                                 const BotsByPlace& places);
// Games of the match that are being played don't hinder it; carry_out() requires that there are
// none.
Ordered rule(const Contest& contest, const records::RulingRecord& ruling);
// Why a match can't have that result, or none can be taken back; empty: it can.
std::string ruling_error(const Contest& contest, const records::RulingRecord& ruling);

// Of rounds that are not drawn yet: those that are drawn are left out of them.
Ordered forbid(const Contest& contest, records::ForbiddenPairsRecord pairs);
formats::ForbiddenPairs pairs_of(const records::ForbiddenPairsRecord& order);
Ordered wish_bye(const Contest& contest, const records::RequestedByeRecord& bye);

// Of the next round, whose other matches are drawn around it. `anyway`: although they have met, or
// are to be kept apart.
Ordered pair_by_hand(const Contest& contest, records::HandPairingRecord pairing, bool anyway);
// Requires: both take part.
formats::HandPairing hand_pairing_of(const Contest& contest,
                                     const records::HandPairingRecord& pairing);

// How the next round would be drawn as it stands, with the matches that are on taken as level; or
// why that can't be told.
struct RoundOutlook {
    std::uint32_t round = 1;
    std::size_t open = 0;  // matches that are on
    std::vector<formats::Pairing> boards;
    std::vector<formats::Bye> byes;
};
base::Result<RoundOutlook, std::string> outlook_of(const Contest& contest);

}  // namespace referee::contests

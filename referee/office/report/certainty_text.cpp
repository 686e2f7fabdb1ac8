#include <algorithm>
#include <cmath>

#include "referee/office/report/cells.h"
#include "referee/office/report/certainty.h"

// What is said of certainty to people.

namespace referee::report {
namespace {

using certainty::EffectKind;
using certainty::PairRecord;

constexpr int percent_decimals = 1;
constexpr double whole_share = 100;
constexpr double percent_least = 0.1;

std::string percent_text(double share) {
    return fixed_text(share * whole_share, percent_decimals) + '%';
}

// In points of a whole_share, with a sign.
std::string signed_percent(double share) {
    const auto text = percent_text(share);
    return text.front() == '-' ? text : '+' + text;
}

std::string chance_text(double p) {
    return p * whole_share < percent_least ? "below 0.1%" : "at most " + percent_text(p);
}

// "b (9-1)": who is beaten, with matches won and lost.
std::string beaten_text(const Ledger& ledger, const std::vector<PairRecord>& pairs,
                        std::size_t winner, std::size_t loser) {
    const auto& [low, high] = std::minmax(winner, loser);
    const auto found = std::lower_bound(pairs.begin(), pairs.end(), std::pair{low, high},
                                        [](const auto& pair, const auto& key) {
                                            return std::pair{pair.a, pair.b} < key;
                                        });
    const auto won = found->a == winner ? found->won : found->lost;
    const auto lost = found->a == winner ? found->lost : found->won;
    return ledger.entries[loser].name + " (" + std::to_string(won) + '-' + std::to_string(lost) +
           (found->settled ? ", and would again" : "") + ')';
}

std::string what_is_told(const certainty::SeatEffect& effect) {
    if (effect.kind == EffectKind::first_move) return "Who moves first";
    const auto seat = "Seat " + std::to_string(effect.seat);
    if (effect.kind == EffectKind::seat) return seat;
    return seat + " on setup " + std::to_string(effect.setup);
}

std::string rotation_text(const Ledger& ledger, const certainty::SeatLeft& left) {
    const bool of_seats = left.kind == EffectKind::seat;
    std::string text = of_seats ? "Rotation of seats: " : "Rotation of first moves: ";
    if (left.alike)
        return text + "everybody had them alike, so that nothing of this stays in the standings.";
    if (std::abs(left.gained) * whole_share < percent_least)
        return text + "not everybody had them alike, but with nobody stays more than " +
               percent_text(percent_least / whole_share) + " of a game's points.";
    return text + "for who always had the one " + percent_text(left.alone) +
           " of a game's points would be at stake; as they were given, most stays with " +
           ledger.entries[left.player].name + ": " + signed_percent(left.gained) + '.';
}

}  // namespace

constexpr std::size_t cycle_of_three = 3;

std::string cycles_sentence(const Ledger& ledger, const Ratings& ratings,
                            const Certainty& certainty) {
    const auto& search = certainty.cycles;
    if (!ratings.elo || (search.triples == 0 && search.found == 0)) return {};
    if (search.too_few())
        return "Cycles (a beats b beats c beats a): there are too few matches to tell any. It "
               "takes "
               "at least " +
               std::to_string(search.needed) +
               " distinct matches that aren't drawn of each of three pairs, if one wins them all; "
               "no pair has more than " +
               std::to_string(search.undrawn) + '.';
    if (search.found == 0)
        return "Cycles (a beats b beats c beats a): none among " + std::to_string(search.triples) +
               " triples that all met is beyond chance.";
    const auto length = search.cycles.front().players.size();
    std::string text = "Cycles beyond chance: " + std::to_string(search.found);
    text += length == cycle_of_three
                ? " among " + std::to_string(search.triples) + " triples that all met. "
                : " of " + std::to_string(length) + " bots, and none of fewer. ";
    for (const auto& cycle : search.cycles) {
        for (std::size_t i = 0; i < length; ++i) {
            const auto winner = cycle.players[i];
            text += (i == 0 ? ledger.entries[winner].name : std::string(", who")) + " beats " +
                    beaten_text(ledger, certainty.pairs, winner, cycle.players[(i + 1) % length]);
        }
        text += "; by chance: " + chance_text(cycle.p) + ". ";
    }
    if (search.found > search.cycles.size())
        text += "The surest " + std::to_string(search.cycles.size()) + " are listed. ";
    return text + "No order of the field is right for all of them.";
}

std::string effect_text(const certainty::SeatEffect& effect) {
    std::string text = what_is_told(effect) + ": ";
    const auto of = std::to_string(effect.games) +
                    (effect.games == 1 ? " game of " : " games of ") +
                    std::to_string(effect.matches) + (effect.matches == 1 ? " match" : " matches");
    if (!effect.advantage) {
        if (effect.matches < certainty::effect_matches_min)
            return text + "too few, " + of + "; it takes " +
                   std::to_string(certainty::effect_matches_min) + " matches at least.";
        return text + "can't be told from " + of +
               ": bots hardly changed seats, or there are fewer than two matches for each bot.";
    }
    text += signed_percent(*effect.advantage) +
            " of a game's points (95%: " + signed_percent(effect.interval.low) + " to " +
            signed_percent(effect.interval.high) + "), " + of +
            (effect.paired ? ", seats swapped" : ", adjusted for strengths") + "; ";
    if (effect.real) return text + "beyond chance (by chance: " + chance_text(effect.p) + ").";
    text += "no more than chance.";
    if (effect.needed > effect.matches)
        text += " About " + std::to_string(effect.needed) + " matches would find " +
                percent_text(certainty::advantage_of_note) + '.';
    return text;
}

std::string seats_sentence(const Ledger& ledger, const Certainty& certainty) {
    const auto& table = certainty.seats;
    if (table.games == 0) return {};
    std::string text;
    bool any = false;
    for (const auto& effect : table.effects) {
        any = any || effect.real;
        // Of many setups those that matter are said; the JSON has all.
        if (effect.kind == EffectKind::setup && !effect.real) continue;
        text += '\n' + effect_text(effect);
    }
    text = (any ? "Warning: where a bot sits matters." : "What seats are worth:") + text;
    for (const auto& left : table.left) text += '\n' + rotation_text(ledger, left);
    return text;
}

}  // namespace referee::report

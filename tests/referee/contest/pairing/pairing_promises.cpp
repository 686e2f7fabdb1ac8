#include "tests/referee/contest/pairing/pairing_promises.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "protocol/base/find.h"
#include "tests/referee/contest/pairing/exhaustive.h"

namespace referee::pairing {
namespace {

using Answer = base::Result<RoundPairing, NoLegalPairing>;
using Pairs = std::set<std::pair<int, int>>;

Pairs pairs_of(const Answer& answer) {
    Pairs pairs;
    if (!answer) return pairs;
    for (const auto& board : answer->boards) pairs.insert(std::minmax({board.white, board.black}));
    if (answer->bye != nobody) pairs.emplace(nobody, answer->bye);
    return pairs;
}

std::string check_once_each(const PairingField& field, const RoundPairing& pairing) {
    std::map<int, int> times;
    for (const auto& board : pairing.boards) {
        ++times[board.white];
        ++times[board.black];
    }
    if (pairing.bye != nobody) ++times[pairing.bye];
    std::size_t here = 0;
    for (const auto& entrant : field.entrants) {
        const int expected = entrant.absent ? 0 : 1;
        if (times[entrant.number] != expected)
            return "player " + std::to_string(entrant.number) + " is paired " +
                   std::to_string(times[entrant.number]) + " times";
        if (!entrant.absent) ++here;
    }
    const auto seats = pairing.boards.size() * 2 + (pairing.bye == nobody ? 0 : 1);
    if (seats != here) return "somebody is paired who isn't there";
    return (here % 2 == 1) == (pairing.bye != nobody) ? "" : "a bye too many or too few";
}

bool have_met(const Entrant& entrant, int other) {
    return std::ranges::any_of(entrant.games, [other](const Game& game) {
        return is_played(game.outcome) && game.opponent == other;
    });
}

bool is_forbidden(const PairingField& field, int one, int other) {
    const int round = field.rounds_played + 1;
    return std::ranges::any_of(field.forbidden, [&](const auto& group) {
        const auto holds = [&](int number) { return base::contains(group.numbers, number); };
        return group.first_round <= round && round <= group.last_round && holds(one) &&
               holds(other);
    });
}

std::string check_legal(const PairingField& field, const RoundPairing& pairing) {
    for (const auto& entrant : field.entrants) {
        for (const auto& board : pairing.boards) {
            if (entrant.number != board.white && entrant.number != board.black) continue;
            const int other = entrant.number == board.white ? board.black : board.white;
            const auto both = std::to_string(entrant.number) + " and " + std::to_string(other);
            if (have_met(entrant, other)) return both + " meet again";
            if (is_forbidden(field, entrant.number, other)) return both + " may not meet";
        }
        if (entrant.number != pairing.bye || field.bye_goes_round) continue;
        const bool second = std::ranges::any_of(entrant.games, [](const auto& game) {
            return game.outcome == PairingOutcome::allocated_bye;
        });
        if (second) return std::to_string(entrant.number) + " has a second bye";
    }
    return {};
}

// The colours that a player must have: that of which there were two less, and the other one than in
// the last two games. No past that was paired by the rules asks for both.
struct Need {
    bool white = false;
    bool black = false;
    bool operator==(const Need&) const = default;
};

Need need_of(const Entrant& entrant) {
    constexpr int difference_max = 1;
    int difference = 0;  // White less Black
    std::vector<Colour> colours;
    for (const auto& game : entrant.games) {
        if (!is_played(game.outcome)) continue;
        colours.push_back(*game.colour);
        difference += *game.colour == Colour::white ? 1 : -1;
    }
    const auto games = colours.size();
    const bool twice = games >= 2 && colours[games - 1] == colours[games - 2];
    return {difference < -difference_max || (twice && colours.back() == Colour::black),
            difference > difference_max || (twice && colours.back() == Colour::white)};
}

std::string check_colours(const PairingField& field, const RoundPairing& pairing) {
    if (!field.colours) return {};
    std::map<int, Need> needs;
    for (const auto& entrant : field.entrants) needs[entrant.number] = need_of(entrant);
    for (const auto& board : pairing.boards) {
        const auto& white = needs[board.white];
        const auto& black = needs[board.black];
        const bool ask_for_both = (white.white && white.black) || (black.white && black.black);
        if (ask_for_both || white == black) continue;
        if (white.black || black.white)
            return "a colour too often: " + std::to_string(board.white) + " against " +
                   std::to_string(board.black);
    }
    return {};
}

}  // namespace

std::string broken_promise(const PairingField& field, const Answer& answer,
                           std::size_t players_by_the_letter_max) {
    if (!answer && answer.error().reason.empty()) return "no pairing, and no reason";
    if (answer) {
        if (auto wrong = check_once_each(field, *answer); !wrong.empty()) return wrong;
        if (auto wrong = check_legal(field, *answer); !wrong.empty()) return wrong;
        if (auto wrong = check_colours(field, *answer); !wrong.empty()) return wrong;
    }
    const auto thorough = pair_round(field, Effort::thorough);
    if (thorough.has_value() != answer.has_value() || pairs_of(thorough) != pairs_of(answer))
        return "a thorough search gives another pairing";
    if (field.bye_goes_round) return {};  // the letter of the rules knows no such thing
    const auto here =
        std::ranges::count_if(field.entrants, [](const auto& entrant) { return !entrant.absent; });
    if (static_cast<std::size_t>(here) > players_by_the_letter_max) return {};
    return pair_exhaustively(field) == pairs_of(answer) ? ""
                                                        : "by the letter it is another pairing";
}

}  // namespace referee::pairing

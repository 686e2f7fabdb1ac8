#include "referee/contest/pairing/dutch.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/pairing/cover.h"
#include "referee/contest/pairing/scope.h"

namespace referee::pairing {
namespace {

// C3: both want the same colour absolutely, and neither is a topscorer.
bool colours_bar(const Profile& a, const Profile& b) {
    return !a.topscorer && !b.topscorer && prefer_the_same(a, b) &&
           a.preference.strength == Strength::absolute &&
           b.preference.strength == Strength::absolute;
}

// All edges of legal pairs; the bye's come later.
Graph legal_pairs(const PairingField& field, const std::vector<Profile>& players) {
    const int n = static_cast<int>(players.size());
    Graph allowed(n + 1);
    const auto player = [&](int v) -> const Profile& { return players[at(v)]; };
    allowed.add_where([&](int u, int v) {
        return v < n && (!field.colours || !colours_bar(player(u), player(v)));
    });

    std::map<int, int> index;
    for (int v = 0; v < n; ++v) index.emplace(player(v).number, v);
    const auto bar = [&](int number, int other) {
        const int* u = base::find_in(index, number);
        const int* v = base::find_in(index, other);
        if (u != nullptr && v != nullptr && u != v) allowed.remove(*u, *v);
    };
    for (const Profile& one : players)
        for (const int number : one.met) bar(one.number, number);
    const int round = field.rounds_played + 1;
    for (const ForbiddenGroup& group : field.forbidden) {
        if (round < group.first_round || round > group.last_round) continue;
        for (const int number : group.numbers)
            for (const int other : group.numbers) bar(number, other);
    }
    return allowed;
}

std::string too_few(int paired, int players, bool colours) {
    return fmt::format(
        "at most {} of the {} players can be paired without a second meeting{}", paired, players,
        colours ? ", a forbidden pair or a colour that must not be given" : " or a forbidden pair");
}

// The fewest times that any of those who could be left over had points without a game.
int least_given(const Lineup& lineup, const VertexSet& possible) {
    int least = std::numeric_limits<int>::max();
    for (int v = 0; v < lineup.bye(); ++v)
        if (possible.has(v)) least = std::min(least, lineup.player(v).given_points);
    return least;
}

// Who may get the bye of an odd round (C5): settles the score that they have, and adds their edges.
// `possible`: without whom all others can be paired.
base::Result<void, NoLegalPairing> settle_bye(Lineup& lineup, const VertexSet& possible) {
    const int n = lineup.bye();
    const int given_most = lineup.field.bye_goes_round ? least_given(lineup, possible) : 0;
    int chosen = Cover::none;
    for (int v = 0; v < n; ++v)
        if (possible.has(v) && lineup.player(v).given_points <= given_most) chosen = v;
    if (chosen == Cover::none)
        return base::failure(NoLegalPairing{
            "the number of players is odd, and nobody who could be left over may get the "
            "pairing-allocated bye"});
    lineup.bye_score_tenths = lineup.score(chosen);
    for (int v = 0; v < n; ++v)
        if (lineup.score(v) == lineup.bye_score_tenths &&
            lineup.player(v).given_points <= given_most)
            lineup.allowed.add(v, lineup.bye());
    return {};
}

// Whether the round can be paired at all; if a bye is due, settles it.
base::Result<void, NoLegalPairing> open_round(Lineup& lineup) {
    const int n = lineup.bye();
    lineup.odd = n % 2 == 1;
    Cover cover(lineup.allowed);
    const int exposed = cover.maximise() - 1;  // the bye has no edges yet
    if (exposed > (lineup.odd ? 1 : 0))
        return base::failure(NoLegalPairing{too_few(n - exposed, n, lineup.field.colours)});
    if (!lineup.odd) return {};

    int alone = 0;
    while (cover.covers(alone)) ++alone;
    return settle_bye(lineup, cover.exposable(alone));
}

std::vector<std::vector<int>> scoregroups(const Lineup& lineup) {
    std::vector<std::vector<int>> groups;
    for (int v = 0; v < lineup.bye(); ++v) {
        if (v == 0 || lineup.score(v) != lineup.score(v - 1)) groups.emplace_back();
        groups.back().push_back(v);
    }
    return groups;
}

// General Handling Rules, 3.6, by points without acceleration.
void sort_boards(const Lineup& lineup, std::vector<std::pair<int, int>>& pairs) {
    const auto key = [&](const std::pair<int, int>& pair) {
        const Profile& a = lineup.player(pair.first);
        const Profile& b = lineup.player(pair.second);
        const auto rank = [](const Profile& p) { return std::tuple(-p.score_tenths, p.number); };
        const auto [high, low] = std::minmax({rank(a), rank(b)});
        return std::tuple(std::get<0>(high), std::get<0>(low), std::get<1>(high));
    };
    std::ranges::sort(pairs, [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

Board seat(const Lineup& lineup, const std::pair<int, int>& pair) {
    const Profile& higher = lineup.player(pair.first);
    const Profile& lower = lineup.player(pair.second);
    const Colour colour = colour_of_higher(higher, lower, lineup.field.initial_colour);
    return colour == Colour::white ? Board{higher.number, lower.number}
                                   : Board{lower.number, higher.number};
}

struct PlayedBoard {
    Board board;
    bool coloured = true;
};

struct PlayedRound {
    std::map<std::pair<int, int>, PlayedBoard> boards;  // by numbers, the smaller first
    int bye = nobody;
};

std::pair<int, int> key_of(const Board& board) {
    return std::minmax({board.white, board.black});
}

PlayedRound played_round(const PairingField& field, int round) {
    PlayedRound played;
    for (const Entrant& entrant : field.entrants) {
        const Game game = game_of(entrant, round);
        if (game.outcome == PairingOutcome::allocated_bye) played.bye = entrant.number;
        if (game.opponent == nobody) continue;
        PlayedBoard board{{entrant.number, game.opponent}, game.colour.has_value()};
        if (game.colour == Colour::black) std::swap(board.board.white, board.board.black);
        auto& entry = played.boards.try_emplace(key_of(board.board), board).first->second;
        if (board.coloured) entry = board;
    }
    return played;
}

void compare(PlayedRound played, const RoundPairing& derived, RoundCheck& check) {
    for (const Board& board : derived.boards) {
        const auto found = played.boards.find(key_of(board));
        const bool same = found != played.boards.end() &&
                          (!found->second.coloured || found->second.board == board);
        if (same)
            played.boards.erase(found);
        else
            check.derived.push_back(board);
    }
    for (const auto& [key, board] : played.boards) check.played.push_back(board.board);
    if (played.bye == derived.bye) return;
    check.bye_played = played.bye;
    check.bye_derived = derived.bye;
}

std::string list_of(const std::vector<Board>& boards, int bye) {
    std::string list;
    for (const Board& board : boards) list += fmt::format(" {}-{}", board.white, board.black);
    if (bye != nobody) list += " bye:" + std::to_string(bye);
    return list.empty() ? " nothing" : list;
}

}  // namespace

base::Result<RoundPairing, NoLegalPairing> pair_round(const PairingField& field, Effort effort) {
    std::vector<Profile> players = profiles_of(field);
    Graph allowed = legal_pairs(field, players);
    Lineup lineup{field, std::move(players), std::move(allowed)};
    if (auto open = open_round(lineup); !open) return base::failure(std::move(open.error()));

    std::vector<std::vector<int>> groups = scoregroups(lineup);
    std::vector<std::pair<int, int>> pairs;
    Bracket bracket;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        bracket.residents = groups[i];
        bracket.next = i + 1 < groups.size() ? groups[i + 1] : std::vector<int>{};
        bracket.later.clear();
        for (std::size_t j = i + 2; j < groups.size(); ++j)
            bracket.later.insert(bracket.later.end(), groups[j].begin(), groups[j].end());
        BracketPairing paired = pair_bracket(lineup, bracket, effort);
        pairs.insert(pairs.end(), paired.pairs.begin(), paired.pairs.end());
        bracket.moved_down = std::move(paired.downfloaters);
    }

    RoundPairing round;
    if (!bracket.moved_down.empty()) round.bye = lineup.player(bracket.moved_down.front()).number;
    sort_boards(lineup, pairs);
    for (const auto& pair : pairs) round.boards.push_back(seat(lineup, pair));
    return round;
}

bool RoundCheck::agrees() const {
    return played.empty() && derived.empty() && bye_played == bye_derived &&
           no_legal_pairing.empty();
}

std::vector<RoundCheck> check_rounds(const PairingField& field) {
    std::vector<RoundCheck> checks;
    for (int round = 1; round <= field.rounds_played; ++round) {
        PairingField earlier = before_round(field, round);
        if (earlier.rounds_total == 0) earlier.rounds_total = field.rounds_played;
        earlier.bye_goes_round = true;
        RoundCheck& check = checks.emplace_back();
        check.round = round;
        const auto answer = pair_round(earlier);
        if (!answer)
            check.no_legal_pairing = answer.error().reason;
        else
            compare(played_round(field, round), *answer, check);
    }
    return checks;
}

std::string report_of(const std::vector<RoundCheck>& checks) {
    std::string report;
    int differ = 0;
    for (const RoundCheck& check : checks) {
        if (check.agrees()) continue;
        ++differ;
        const std::string head = fmt::format("round {}: ", check.round);
        if (!check.no_legal_pairing.empty()) {
            report += head + "no legal pairing: " + check.no_legal_pairing + "\n";
            continue;
        }
        report += head + "played" + list_of(check.played, check.bye_played) + "; derived" +
                  list_of(check.derived, check.bye_derived) + "  (white-black)\n";
    }
    return fmt::format("{}rounds checked: {}, different: {}\n", report, checks.size(), differ);
}

}  // namespace referee::pairing

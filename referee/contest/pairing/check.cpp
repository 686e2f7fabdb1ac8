#include "referee/contest/pairing/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace referee::pairing {

namespace {

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
    for (const Board& board : boards)
        list += " " + std::to_string(board.white) + "-" + std::to_string(board.black);
    if (bye != nobody) list += " bye:" + std::to_string(bye);
    return list.empty() ? " nothing" : list;
}

}  // namespace

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
        const std::string head = "round " + std::to_string(check.round) + ": ";
        if (!check.no_legal_pairing.empty()) {
            report += head + "no legal pairing: " + check.no_legal_pairing + "\n";
            continue;
        }
        report += head + "played" + list_of(check.played, check.bye_played) + "; derived" +
                  list_of(check.derived, check.bye_derived) + "  (white-black)\n";
    }
    return report + "rounds checked: " + std::to_string(checks.size()) +
           ", different: " + std::to_string(differ) + "\n";
}

}  // namespace referee::pairing

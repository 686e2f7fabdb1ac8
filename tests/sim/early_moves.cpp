#include "tests/sim/early_moves.h"

#include <algorithm>
#include <charconv>

#include "protocol/base/find.h"
#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

// The turn of a move that is refused, from the error's text: "turn 21 has not begun".
std::optional<std::int64_t> turn_in(const std::string& text) {
    constexpr std::string_view before = "turn ";
    const auto at = text.find(before);
    if (at == std::string::npos) return std::nullopt;
    std::int64_t turn = 0;
    const auto digits = std::string_view(text).substr(at + before.size());
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), turn);
    return read.ec == std::errc() ? std::optional(turn) : std::nullopt;
}

}  // namespace

void EarlyMoves::to_bot(const Link* link, std::string_view line) {
    const auto is = [line](std::string_view type) {
        return line.starts_with(R"({"type":")" + std::string(type) + '"');
    };
    if (!is("start") && !is("end") && !is("note") && !is("error")) return;
    const auto message = Json::parse(line);
    const auto game = message.value("game_id", std::string());
    const auto code = message.value("code", std::string());
    auto& seat = seats_[link];
    const auto forget = [&seat](auto which) {
        const auto found = std::ranges::find_if(seat.moves, which);
        if (found != seat.moves.end()) seat.moves.erase(found);
    };
    if (is("start")) {
        seat.games.push_back(game);
    } else if (is("end") || code == "annulled" || code == "interrupted") {
        std::erase(seat.games, game);
        std::erase_if(seat.moves, [&](const auto& one) { return one.first == game; });
    } else if (code == "old_turn") {
        forget([&](const auto& one) {
            return one.first == game && one.second.turn == message["turn"];
        });
    } else if (code == "future_turn" || code == "not_to_move") {
        const auto turn = turn_in(message["message"]);
        forget([turn](const auto& one) { return one.second.turn == turn; });
    }
}

void EarlyMoves::arrived(const Link* link, const std::string& game_id, std::int64_t turn,
                         Instant at) {
    auto& seat = seats_[link];
    if (!base::contains(seat.games, game_id)) return;
    seat.moves.emplace_back(game_id, Move{turn, at});
}

std::optional<Instant> EarlyMoves::take(const Link* link, const std::string& game_id,
                                        std::int64_t turn) {
    auto& moves = seats_[link].moves;
    const auto found = std::ranges::find_if(
        moves, [&](const auto& one) { return one.first == game_id && one.second.turn == turn; });
    if (found == moves.end()) return std::nullopt;
    const auto at = found->second.arrived;
    moves.erase(found);
    return at;
}

}  // namespace tests::sim

#include "sample_bots/cpp/walls/reading.h"

#include <string>
#include <utility>

namespace bots::walls {
namespace {

namespace json = protocol::json;
namespace rules = engines::walls;

std::optional<int> small(json::View view, int below) {
    const auto value = view.integer();
    if (!value || *value < 0 || *value >= below) return {};
    return static_cast<int>(*value);
}

std::optional<rules::Pawn> read_pawn(json::View view, int size) {
    const auto row = small(view.find("at").at(0), size);
    const auto column = small(view.find("at").at(1), size);
    const auto idle = small(view.find("idle"), rules::idle_max + 1);
    const auto letter = view.find("facing").string().value_or("");
    const auto facing = letter.size() == 1 ? rules::facing_letters.find(letter) : std::string::npos;
    if (!row || !column || !idle || facing == std::string::npos) return {};
    rules::Pawn pawn;
    pawn.at = {*row, *column};
    pawn.facing = static_cast<rules::Facing>(facing);
    pawn.idle = *idle;
    pawn.stalled = *idle == rules::idle_max;
    return pawn;
}

}  // namespace

std::optional<rules::Position> read_position(json::View state) {
    const auto size = small(state.find("size"), rules::size_max + 1);
    const auto to_move = small(state.find("to_move"), rules::players);
    if (!size || !to_move) return {};
    std::string squares;
    for (const auto row : state.find("board").elements()) squares += row.string().value_or("");
    const auto a = read_pawn(state.find("players").at(0), *size);
    const auto b = read_pawn(state.find("players").at(1), *size);
    if (!a || !b || squares.size() != static_cast<std::size_t>(*size * *size)) return {};
    return rules::Position(*size, std::move(squares), {*a, *b}, *to_move);
}

std::string text_of(engines::walls::Move move) {
    switch (move) {
        case engines::walls::Move::left:
            return "\"L\"";
        case engines::walls::Move::right:
            return "\"R\"";
        default:
            return "\"F\"";
    }
}

}  // namespace bots::walls

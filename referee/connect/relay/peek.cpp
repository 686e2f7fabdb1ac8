#include "referee/connect/relay/peek.h"

#include <charconv>

namespace referee::relay {
namespace {

constexpr std::string_view turn_beginning = R"({"type":"turn","game_id":")";
constexpr std::string_view before_number = R"(","turn":)";

}  // namespace

std::optional<TurnPeek> peek_at_turn(std::string_view line) {
    if (!line.starts_with(turn_beginning)) return std::nullopt;
    line.remove_prefix(turn_beginning.size());
    const auto id_end = line.find_first_of("\"\\");
    if (id_end == std::string_view::npos || line[id_end] != '"') return std::nullopt;
    TurnPeek peek;
    peek.game_id = line.substr(0, id_end);
    line.remove_prefix(id_end);
    if (!line.starts_with(before_number)) return std::nullopt;
    line.remove_prefix(before_number.size());
    const auto* const end = line.data() + line.size();
    const auto [behind, error] = std::from_chars(line.data(), end, peek.turn);
    if (error != std::errc() || behind == end || (*behind != ',' && *behind != '}'))
        return std::nullopt;
    return peek;
}

}  // namespace referee::relay

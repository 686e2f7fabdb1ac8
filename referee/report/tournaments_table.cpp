#include "referee/report/tournaments_table.h"

#include "referee/report/text_table.h"

namespace referee::report {
namespace {

std::string part_of(std::uint64_t part, const std::optional<std::uint64_t>& whole) {
    return std::to_string(part) + (whole ? " of " + std::to_string(*whole) : std::string());
}

}  // namespace

std::string tournaments_table(std::span<const TournamentLine> tournaments, std::size_t width) {
    TextTable table(
        {"tournament", "game", "format", "state", "bots", "round", "matches", "games", "running"});
    for (const auto& one : tournaments) {
        table.add({one.id, one.game, one.format, one.state, std::to_string(one.bots),
                   part_of(one.round, one.rounds), part_of(one.matches, one.matches_total),
                   std::to_string(one.games), std::to_string(one.running)});
    }
    return table.text(width);
}

}  // namespace referee::report

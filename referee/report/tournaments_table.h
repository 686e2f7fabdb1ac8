#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace referee::report {

// How far a tournament is.
struct TournamentLine {
    std::string id;
    std::string game;
    std::string format;
    std::string state;
    std::uint64_t bots = 0;
    std::uint64_t round = 0;
    std::optional<std::uint64_t> rounds{};  // in all, where that is known
    std::uint64_t matches = 0;
    std::optional<std::uint64_t> matches_total{};
    std::uint64_t games = 0;
    std::uint64_t running = 0;
};

// A line for each tournament, below a heading; as wide as TextTable makes it.
std::string tournaments_table(std::span<const TournamentLine> tournaments, std::size_t width);

}  // namespace referee::report

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "referee/contest/formats/format.h"

namespace referee::formats {

std::vector<Entry> field_of(std::size_t size);

inline FormatConfig config_of(FormatOptions options) {
    FormatConfig config;
    config.options = std::move(options);
    return config;
}

// Greater is stronger; equal is a draw.
using Strength = std::function<double(const Pairing&, std::size_t seat)>;

// The stronger entrant wins: lower numbers are stronger.
double by_number(const Pairing& pairing, std::size_t seat);

// Some strength that a seed gives; draws happen.
Strength lots(std::uint64_t seed);

// A result by strengths: 1, 1/2, 0 for two; one point for each that is outscored in a pod.
MatchResult result_of(const Pairing& pairing, const Strength& strength);
inline MatchResult result_by_number(const Pairing& pairing) {
    return result_of(pairing, by_number);
}

// Games of a match, known by their fingerprints alone.
inline standings::CountedGames games_with(const std::vector<std::string>& fingerprints) {
    std::vector<standings::CountedGame> games;
    for (const auto& one : fingerprints) games.push_back({.fingerprint = one});
    return standings::CountedGames(std::move(games));
}

struct Played {
    std::vector<MatchResult> matches;
    std::vector<Bye> byes;
    bool finished = false;
};

using Match = std::function<MatchResult(const Pairing&)>;

// Plays a schedule to its end, or until it waits for the round after the last one given. Results
// are told in the order of matches, or from the last to the first of those that are open.
enum class Order { first_to_last, last_to_first };
Played play(Schedule& schedule, const Match& match, Order order = Order::first_to_last,
            std::uint32_t last_round = UINT32_MAX);
Played play(Schedule& schedule, const Strength& strength, Order order = Order::first_to_last);

// "1-4 2-3 | 4-3 ..." by rounds, numbers from 1; byes as single numbers in brackets.
std::string text_of(const Played& played);

}  // namespace referee::formats

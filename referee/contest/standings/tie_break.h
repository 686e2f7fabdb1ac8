#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "protocol/base/enum_names.h"

// Tie-breaks of individual tournaments by FIDE's definitions (C.07, 2026), carried over to pods;
// README.md says each exactly.

namespace referee::standings {

enum class TieBreak : std::uint8_t {
    points,
    direct_encounter,
    buchholz,
    buchholz_cut_1,
    median_buchholz,
    sonneborn_berger,
    sonneborn_berger_cut_1,
    progressive,
    wins,
    games_won,
    second_seat_games,
    second_seat_wins,
    rounds_played,
    average_opponent_buchholz,
    fore_buchholz,
    koya,
    average_opponent_rating,
    performance_rating,
    scores,
    average,
    time_used,
};

// What decides where a config doesn't say it, as the handouts have it: points and then scores; in a
// Swiss opponents come next.
inline constexpr std::array usual_order{TieBreak::points, TieBreak::scores};
inline constexpr std::array usual_order_of_swiss{TieBreak::points, TieBreak::scores,
                                                 TieBreak::buchholz_cut_1, TieBreak::buchholz,
                                                 TieBreak::sonneborn_berger};
// Who goes on from one stage to the next: opponents come before scores, unlike in a Swiss alone.
inline constexpr std::array usual_order_of_stage{TieBreak::points, TieBreak::buchholz_cut_1,
                                                 TieBreak::buchholz, TieBreak::sonneborn_berger,
                                                 TieBreak::scores};

struct TieBreakName {
    TieBreak value;
    std::string_view name;  // in configs and reports
    std::string_view code;  // FIDE's, or ours in its manner
};
// In the order of FIDE's table.
inline constexpr std::array<TieBreakName, 21> tie_break_names{{
    {TieBreak::points, "points", "PTS"},
    {TieBreak::direct_encounter, "direct_encounter", "DE"},
    {TieBreak::buchholz, "buchholz", "BH"},
    {TieBreak::buchholz_cut_1, "buchholz_cut_1", "BH/C1"},
    {TieBreak::median_buchholz, "median_buchholz", "BH/M1"},
    {TieBreak::sonneborn_berger, "sonneborn_berger", "SB"},
    {TieBreak::sonneborn_berger_cut_1, "sonneborn_berger_cut_1", "SB/C1"},
    {TieBreak::progressive, "progressive", "PS"},
    {TieBreak::wins, "wins", "WIN"},
    {TieBreak::games_won, "games_won", "WON"},
    {TieBreak::second_seat_games, "second_seat_games", "BPG"},
    {TieBreak::second_seat_wins, "second_seat_wins", "BWG"},
    {TieBreak::rounds_played, "rounds_played", "REP"},
    {TieBreak::average_opponent_buchholz, "average_opponent_buchholz", "AOB"},
    {TieBreak::fore_buchholz, "fore_buchholz", "FB"},
    {TieBreak::koya, "koya", "KS"},
    {TieBreak::average_opponent_rating, "average_opponent_rating", "ARO"},
    {TieBreak::performance_rating, "performance_rating", "TPR"},
    {TieBreak::scores, "scores", "SCORES"},
    {TieBreak::average, "average", "AVG"},
    {TieBreak::time_used, "time_used", "TIME"},
}};
static_assert(base::in_order(tie_break_names));

// By name or by code.
constexpr std::optional<TieBreak> tie_break_named(std::string_view text) {
    for (const auto& entry : tie_break_names) {
        if (entry.name == text || entry.code == text) return entry.value;
    }
    return std::nullopt;
}
constexpr std::string_view name_of(TieBreak tie_break) {
    return base::row_of(tie_break_names, tie_break).name;
}
constexpr std::string_view code_of(TieBreak tie_break) {
    return base::row_of(tie_break_names, tie_break).code;
}
// Whether less is better.
constexpr bool lower_is_better(TieBreak tie_break) {
    return tie_break == TieBreak::direct_encounter || tie_break == TieBreak::time_used;
}

}  // namespace referee::standings

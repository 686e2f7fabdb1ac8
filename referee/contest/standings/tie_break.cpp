#include "referee/contest/standings/tie_break.h"

#include <array>

#include "protocol/base/assertion.h"

namespace referee::standings {

namespace {

constexpr std::array<TieBreakName, 21> names{{
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

const TieBreakName& entry_of(TieBreak tie_break) {
    for (const auto& entry : names) {
        if (entry.tie_break == tie_break) return entry;
    }
    REFEREE_ASSERT(false);
    return names.front();
}

}  // namespace

std::span<const TieBreakName> tie_break_names() {
    return names;
}

std::optional<TieBreak> tie_break_named(std::string_view text) {
    for (const auto& entry : names) {
        if (entry.name == text || entry.code == text) return entry.tie_break;
    }
    return std::nullopt;
}

std::string_view name_of(TieBreak tie_break) {
    return entry_of(tie_break).name;
}

std::string_view code_of(TieBreak tie_break) {
    return entry_of(tie_break).code;
}

bool lower_is_better(TieBreak tie_break) {
    return tie_break == TieBreak::direct_encounter || tie_break == TieBreak::time_used;
}

std::string text_of(Value value) {
    if (!value) return "-0";
    constexpr std::int64_t parts_per_hundredth = parts_per_unit / 100;
    const bool negative = *value < 0;
    const std::int64_t size = negative ? -*value : *value;
    const std::int64_t hundredths = (size + parts_per_hundredth / 2) / parts_per_hundredth;
    std::string text = negative && hundredths != 0 ? "-" : "";
    text += std::to_string(hundredths / 100);
    const std::int64_t rest = hundredths % 100;
    if (rest == 0) return text;
    text += '.';
    text += static_cast<char>('0' + rest / 10);
    if (rest % 10 != 0) text += static_cast<char>('0' + rest % 10);
    return text;
}

}  // namespace referee::standings

#include "referee/contest/formats/match_terms.h"

#include <algorithm>

#include "protocol/base/assertion.h"

namespace referee::formats {

namespace {

using engines::Score;

constexpr standings::Tenths tenths_per_half = 5;

std::int64_t others_of(const FormatConfig& format) {
    return static_cast<std::int64_t>(std::max<std::size_t>(seats_of(format), 2) - 1);
}

}  // namespace

const FormatConfig& stage_of(const FormatConfig& format, std::size_t stage) {
    const auto* stages = format.as<StagesOptions>();
    if (stages == nullptr) return format;
    REFEREE_ASSERT(stage < stages->stages.size());
    return stages->stages[stage].format;
}

MatchTerms terms_of(const FormatConfig& format, std::uint64_t seed) {
    REFEREE_ASSERT(format.as<StagesOptions>() == nullptr);
    MatchTerms terms;
    terms.behind = format.win_points;
    terms.level = format.draw_points;
    const auto* knockout = format.as<KnockoutOptions>();
    terms.one_goes_on = knockout != nullptr;
    terms.extra_games = knockout != nullptr ? knockout->extra_games : 0;
    terms.seed = seed;
    return terms;
}

Score win_of_match(const FormatConfig& format) {
    return Score::halves(format.win_points.in_halves() * others_of(format));
}

Score draw_of_match(const FormatConfig& format) {
    return Score::halves(format.draw_points.in_halves() * others_of(format));
}

standings::PointSystem points_of(const FormatConfig& format) {
    if (const auto stages = stages_of(format); !stages.empty())
        return points_of(stages.front().format);
    standings::PointSystem points;
    points.win = win_of_match(format).in_halves() * tenths_per_half;
    points.draw = draw_of_match(format).in_halves() * tenths_per_half;
    points.others = others_of(format);
    return points;
}

}  // namespace referee::formats

#include "referee/grading/rubric/rubric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "protocol/json/document.h"

namespace referee::rubric {

std::string_view name_of(const Rule& rule) {
    return rule_names()[rule.index()];
}

std::span<const std::string_view> rule_names() {
    static constexpr std::array<std::string_view, std::variant_size_v<Rule>> names{
        "faultless", "wins",       "each_win", "average_score", "score_of",  "share_of",
        "always",    "is_as_good", "place",    "right",         "each_right"};
    return names;
}

bool is_of_runs(const Rule& rule) {
    return std::visit([](const auto& kind) { return judges_runs<std::decay_t<decltype(kind)>>; },
                      rule);
}

std::uint32_t games_of(const Series& series) {
    protocol::json::Document document;
    if (!document.parse(series.tournament)) return 0;
    const auto match = document.root().find("match");
    const auto games = match.find("best_of") ? match.find("best_of") : match.find("games");
    return static_cast<std::uint32_t>(games.unsigned_integer().value_or(0));
}

const Series* Rubric::series_named(std::string_view id) const {
    const auto found =
        std::find_if(series.begin(), series.end(), [&](const Series& one) { return one.id == id; });
    return found == series.end() ? nullptr : &*found;
}

std::vector<const Series*> Rubric::judged_by(const Step& step) const {
    std::vector<const Series*> judged;
    for (const auto& id : step.series) {
        if (const auto* const one = series_named(id)) judged.push_back(one);
    }
    return judged;
}

bool Rubric::has_games() const {
    return std::any_of(series.begin(), series.end(), [](const Series& one) { return !one.runs; });
}

double Rubric::points() const {
    double sum = 0;
    std::map<std::string_view, double> best;
    for (const auto& step : steps) {
        if (step.extra) continue;
        if (step.group.empty()) {
            sum += step.points;
        } else {
            best[step.group] = std::max(best[step.group], step.points);
        }
    }
    for (const auto& [group, points] : best) sum += points;
    return hundredths(sum);
}

double hundredths(double points) {
    constexpr double parts = 100;
    return std::round(points * parts) / parts;
}

}  // namespace referee::rubric

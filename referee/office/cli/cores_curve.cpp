#include "referee/office/cli/cores_curve.h"

#include <algorithm>
#include <utility>

namespace referee::cli {
namespace {

// What twice as many cores save at least while they help.
constexpr double saved_least = 0.1;
// Lengths that stand for all from nothing to twice the mean.
constexpr std::size_t lengths_assumed = 64;

std::string matches_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " match" : " matches");
}

struct Useful {
    std::size_t cores = 0;
    std::string why;
};

Useful useful_cores(const TournamentLoad& load, const CurveTerms& terms) {
    const bool by_jobs = terms.machine.job_cores.has_value();
    Useful useful;
    for (const auto& round : load.rounds) {
        const auto at_once = by_jobs ? round.matches : std::min(round.matches, round.together_most);
        const auto cores = at_once * (by_jobs ? *terms.machine.job_cores : terms.thinks_at_once);
        if (cores <= useful.cores) continue;
        useful.cores = cores;
        useful.why = (load.rounds.size() > 1 ? "a round has only " : "there are only ") +
                     matches_text(round.matches);
        if (at_once < round.matches)
            useful.why = "no bot plays two games at a time, so only " + matches_text(at_once) +
                         " can be played at once";
        if (by_jobs && *terms.machine.job_cores > 1)
            useful.why += ", and a job has " + std::to_string(*terms.machine.job_cores) + " cores";
        if (!by_jobs && terms.thinks_at_once > 1)
            useful.why +=
                ", each of " + std::to_string(terms.thinks_at_once) + " bots that think at once";
    }
    return useful;
}

CurvePoint point_at(const CurveTerms& terms, std::size_t cores) {
    const auto machine = with_cores(terms.machine, cores);
    CurvePoint point;
    point.cores = cores;
    if (terms.expected) point.expected = time_of(*terms.expected, machine);
    if (terms.longest) point.longest = time_of(*terms.longest, machine);
    return point;
}

// By chance, or by how jobs are filled, more cores may come out as a little worse.
void never_up(CurvePoint& point, const CurvePoint& before) {
    if (point.expected) point.expected = std::min(*point.expected, *before.expected);
    if (point.longest) point.longest = std::min(*point.longest, *before.longest);
}

double told_seconds(const CurvePoint& point) {
    return in_seconds(point.expected ? *point.expected : *point.longest);
}

void add_own_point(CoresCurve& curve, const CurveTerms& terms) {
    const auto own = terms.machine.cores;
    const auto place = std::find_if(curve.points.begin(), curve.points.end(),
                                    [own](const auto& point) { return point.cores >= own; });
    if (place != curve.points.end() && place->cores == own) return;
    curve.points.insert(place, point_at(terms, own));
    for (std::size_t i = 1; i < curve.points.size(); ++i)
        never_up(curve.points[i], curve.points[i - 1]);
}

}  // namespace

std::vector<double> assumed_spread() {
    std::vector<double> shares(lengths_assumed);
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[i] = (2.0 * static_cast<double>(i) + 1) / static_cast<double>(shares.size());
    return shares;
}

CoresCurve curve_of(const CurveTerms& terms) {
    CoresCurve curve;
    curve.basis = terms.basis;
    if (!terms.expected && !terms.longest) return curve;
    auto useful = useful_cores(terms.longest ? *terms.longest : *terms.expected, terms);
    curve.useful_most = useful.cores;
    curve.why = std::move(useful.why);
    for (auto cores = terms.machine.job_cores.value_or(1);; cores *= 2) {
        auto point = point_at(terms, std::min(cores, curve.useful_most));
        const bool last = cores >= curve.useful_most;
        if (!curve.points.empty()) {
            never_up(point, curve.points.back());
            const auto before = told_seconds(curve.points.back());
            if (!last && told_seconds(point) > (1 - saved_least) * before)
                curve.enough = curve.points.back().cores;
        }
        curve.points.push_back(point);
        if (last || curve.enough > 0) break;
    }
    add_own_point(curve, terms);
    return curve;
}

}  // namespace referee::cli

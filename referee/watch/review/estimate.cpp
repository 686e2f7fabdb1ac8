#include "referee/watch/review/estimate.h"

#include <algorithm>

#include "protocol/base/assertion.h"

namespace referee::review {

Worth worth_of(const engines::Outcome& outcome) {
    if (outcome.scores.size() == 1)
        return {static_cast<double>(outcome.scores.front().in_halves()) / 2};
    Worth worth;
    const auto others = static_cast<double>(outcome.placing.size() - 1);
    for (const auto place : outcome.placing) {
        const auto behind = std::count_if(outcome.placing.begin(), outcome.placing.end(),
                                          [&](int other) { return other > place; });
        const auto beside = std::count(outcome.placing.begin(), outcome.placing.end(), place) - 1;
        worth.push_back((static_cast<double>(behind) + static_cast<double>(beside) / 2) / others);
    }
    return worth;
}

std::vector<double> Sample::of(engines::Seat seat) const {
    std::vector<double> values;
    for (const auto& worth : worths) values.push_back(worth[seat]);
    return values;
}

Estimate estimate_of(const Sample& sample, engines::Seat seat, Scale scale) {
    const auto values = sample.of(seat);
    REFEREE_ASSERT(!values.empty());
    Estimate estimate;
    estimate.mean = mean_of(values);
    estimate.best = *std::max_element(values.begin(), values.end());
    estimate.value = scale == Scale::share ? estimate.mean : middle_of(values);
    if (sample.over) {
        estimate.interval = {estimate.value, estimate.value};
    } else {
        estimate.interval = scale == Scale::share ? mean_interval(values) : middle_interval(values);
    }
    return estimate;
}

Difference difference_of(const Sample& a, const Sample& b, engines::Seat seat, Scale scale) {
    auto of_a = a.of(seat);
    auto of_b = b.of(seat);
    if (a.over) of_a.resize(of_b.size(), of_a.front());
    if (b.over) of_b.resize(of_a.size(), of_b.front());
    std::vector<double> differences;
    for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()); ++i)
        differences.push_back(of_a[i] - of_b[i]);
    Difference difference;
    difference.value = scale == Scale::share ? mean_of(differences) : middle_of(differences);
    if (a.over && b.over) {
        difference.interval = {difference.value, difference.value};
    } else {
        difference.interval =
            scale == Scale::share ? difference_interval(differences) : middle_interval(differences);
    }
    return difference;
}

}  // namespace referee::review

#include "referee/watch/review/playout_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "protocol/base/assertion.h"

namespace referee::review {

Worth worth_of(const engines::Outcome& outcome) {
    if (outcome.scores.size() == 1)
        return {static_cast<double>(outcome.scores.front().in_halves()) / 2};
    Worth worth;
    const auto others = static_cast<double>(outcome.placing.size() - 1);
    for (const auto place : outcome.placing) {
        const auto behind =
            std::ranges::count_if(outcome.placing, [&](int other) { return other > place; });
        const auto beside = std::ranges::count(outcome.placing, place) - 1;
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
    estimate.best = *std::ranges::max_element(values);
    estimate.value = scale == Scale::share ? estimate.mean : middle_of(values);
    if (sample.over) {
        estimate.interval = {estimate.value, estimate.value};
    } else {
        estimate.interval = scale == Scale::share ? mean_interval(values) : middle_interval(values);
    }
    return estimate;
}

Difference difference_of(const Sample& a, const Sample& b, engines::Seat seat, Scale scale,
                         double covered) {
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
        difference.interval = scale == Scale::share ? difference_interval(differences, covered)
                                                    : middle_interval(differences, covered);
        // So few scores may all lie on one side of their middle by chance.
        const bool few = std::ldexp(2.0, -static_cast<int>(differences.size())) > 1 - covered;
        if (scale == Scale::score && few)
            difference.interval = {std::min(difference.interval.low, 0.0),
                                   std::max(difference.interval.high, 0.0)};
    }
    return difference;
}

namespace {

constexpr int halvings = 60;  // more than a double has digits

// How badly a coin of `truth` explains a mean of `seen`, a throw: the relative entropy.
double misfit(double seen, double truth) {
    const auto part = [](double a, double b) { return a > 0 ? a * std::log(a / b) : 0.0; };
    return part(seen, truth) + part(1 - seen, 1 - truth);
}

// The farthest from `seen` towards `end` that still explains it.
double bound_towards(double end, double seen, double misfit_max) {
    double inside = seen;
    double outside = end;
    for (int step = 0; step < halvings; ++step) {
        const double between = (inside + outside) / 2;
        (misfit(seen, between) <= misfit_max ? inside : outside) = between;
    }
    return outside;
}

// That at most `successes` of `throws` of a fair coin succeed.
double chance_of_at_most(std::size_t successes, std::size_t throws) {
    const auto n = static_cast<double>(throws);
    double sum = 0;
    for (std::size_t i = 0; i <= successes; ++i) {
        const auto k = static_cast<double>(i);
        sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) -
                        n * std::log(2.0));
    }
    return sum;
}

}  // namespace

double mean_of(std::span<const double> values) {
    REFEREE_ASSERT(!values.empty());
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double middle_of(std::span<const double> values) {
    REFEREE_ASSERT(!values.empty());
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

WorthInterval mean_interval(std::span<const double> values, double covered) {
    const double seen = std::clamp(mean_of(values), 0.0, 1.0);
    const double misfit_max = std::log(2 / (1 - covered)) / static_cast<double>(values.size());
    return {bound_towards(0, seen, misfit_max), bound_towards(1, seen, misfit_max)};
}

double level_of_each(std::size_t intervals) {
    return 1 - (1 - level) / static_cast<double>(intervals);
}

WorthInterval difference_interval(std::span<const double> values, double covered) {
    const double covered_each = 1 - (1 - covered) / 2;
    std::vector<double> gained;
    std::vector<double> lost;
    for (const auto value : values) {
        gained.push_back(std::max(value, 0.0));
        lost.push_back(std::max(-value, 0.0));
    }
    const auto gain = mean_interval(gained, covered_each);
    const auto loss = mean_interval(lost, covered_each);
    return {gain.low - loss.high, gain.high - loss.low};
}

WorthInterval middle_interval(std::span<const double> values, double covered) {
    REFEREE_ASSERT(!values.empty());
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    std::size_t left_out = 0;  // at each end
    while (2 * (left_out + 1) < sorted.size() &&
           chance_of_at_most(left_out + 1, sorted.size()) <= (1 - covered) / 2)
        ++left_out;
    return {sorted[left_out], sorted[sorted.size() - 1 - left_out]};
}

std::size_t playouts_to_see(double loss) {
    constexpr std::size_t step = 10;
    constexpr double even = 0.5;
    const double lost_in = even * (1 - (even - loss));  // of pairs, in which only the first won
    const double gained_in = (1 - even) * (even - loss);
    for (std::size_t count = step; count < playouts_max; count += step) {
        const auto part = [count](double share) {
            return static_cast<std::size_t>(std::lround(share * static_cast<double>(count)));
        };
        std::vector<double> pairs(count, 0.0);
        const auto won = std::fill_n(pairs.begin(), part(lost_in), 1.0);
        std::fill_n(won, part(gained_in), -1.0);
        if (!difference_interval(pairs, level_of_each(2 * turns_told)).has(0)) return count;
    }
    return playouts_max;
}

}  // namespace referee::review

#include "referee/contest/certainty/machine_effect.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "protocol/base/split_mix.h"
#include "referee/contest/rating/triangle.h"

namespace referee::certainty {
namespace {

constexpr std::array measures{MachineMeasure::time, MachineMeasure::faults};
static_assert(measures.size() == machine_measures);
constexpr std::uint64_t seed_of_deals = 20261;
// So many deals at least; and so many for each test that the corrected chance of the rarest is well
// below the level.
constexpr std::size_t deals_least = 2'000;
constexpr std::size_t deals_of_test = 60;
// Who has no bot that played elsewhere has no weight in a comparison, but for rounding.
constexpr double weight_least = 1e-6;
// Fewer matches don't bound an interval, even where each machine has half of each bot's.
constexpr std::size_t matches_least = 8;
constexpr double outside_of_machines = 0.05;

// What was played of a match on one machine.
struct Part {
    std::size_t machine = 0;
    std::vector<const MachineSeat*> seats;
};

std::optional<double> value_of(const MachineSeat& seat, MachineMeasure measure) {
    if (measure == MachineMeasure::time) return seat.log_us;
    return seat.faulty ? 1 : 0;
}

std::vector<Part> parts_of(std::span<const MachineGame> games) {
    std::map<std::pair<std::uint64_t, std::size_t>, Part> parts;
    for (const auto& game : games) {
        auto& part = parts[{game.match, game.machine}];
        part.machine = game.machine;
        for (const auto& seat : game.seats) part.seats.push_back(&seat);
    }
    std::vector<Part> all;
    for (auto& [place, part] : parts) all.push_back(std::move(part));
    return all;
}

// The mean of a value in each part, beside the means of its bots over all parts. The sum of all is
// 0; so is that of a part without any value.
template <typename Value>
std::vector<double> scores_of(std::size_t players, std::span<const Part* const> parts,
                              const Value& value) {
    std::vector<double> sums(players);
    std::vector<double> counts(players);
    for (const auto* part : parts) {
        for (const auto* seat : part->seats) {
            if (const auto its = value(*part, *seat)) {
                sums[seat->player] += *its;
                counts[seat->player] += 1;
            }
        }
    }
    std::vector<double> scores(parts.size());
    std::vector<bool> known(parts.size());
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        double of_part = 0;
        double seats = 0;
        for (const auto* seat : parts[i]->seats) {
            const auto its = value(*parts[i], *seat);
            if (!its) continue;
            of_part += *its - sums[seat->player] / counts[seat->player];
            seats += 1;
        }
        if (seats == 0) continue;
        known[i] = true;
        scores[i] = of_part / seats;
        sum += scores[i];
        count += 1;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (known[i]) scores[i] -= sum / count;
    }
    return scores;
}

// Machines that are compared with each other.
class Comparison {
 public:
    Comparison(std::size_t players, std::vector<std::size_t> machines,
               const std::vector<Part>& parts)
        : players_(players), machines_(std::move(machines)), matches_(machines_.size()) {
        for (const auto& part : parts) {
            const auto found = std::ranges::find(machines_, part.machine);
            if (found == machines_.end()) continue;
            parts_.push_back(&part);
            places_.push_back(static_cast<std::size_t>(found - machines_.begin()));
            ++matches_[places_.back()];
        }
        for (std::size_t m = 0; m < measures.size(); ++m) {
            scores_[m] = scores_of(players_, parts_, [&](const Part& /*part*/, const auto& seat) {
                return value_of(seat, measures[m]);
            });
            squares_[m] = rating::dot(scores_[m], scores_[m]);
            for (const auto* part : parts_) {
                for (const auto* seat : part->seats)
                    any_[m] = any_[m] || value_of(*seat, measures[m]).value_or(0) != 0;
            }
        }
    }

    // By machine, and by measure.
    std::vector<MachineEffect> effects() {
        std::vector<MachineEffect> effects;
        for (std::size_t place = 0; place < machines_.size(); ++place) {
            for (std::size_t m = 0; m < measures.size(); ++m) effects.push_back(effect(place, m));
        }
        note_chances(effects);
        return effects;
    }

    // How far a machine's matches are from those of all, in spreads of such sums.
    double distance(const MachineEffect& effect) const {
        const auto place = place_of(effect.machine);
        const auto m = static_cast<std::size_t>(effect.measure);
        const double variance = factor(place) * squares_[m];
        return variance > 0 ? std::abs(sum_at(place, scores_[m])) / std::sqrt(variance) : 0;
    }

 private:
    std::size_t place_of(std::size_t machine) const {
        return static_cast<std::size_t>(std::ranges::find(machines_, machine) - machines_.begin());
    }

    double sum_at(std::size_t place, const std::vector<double>& scores) const {
        double sum = 0;
        for (std::size_t i = 0; i < parts_.size(); ++i) sum += places_[i] == place ? scores[i] : 0;
        return sum;
    }

    // The variance of a sum of as many scores as the machine has, dealt by lot, is so much of the
    // sum of all their squares.
    double factor(std::size_t place) const {
        const auto all = static_cast<double>(parts_.size());
        const auto its = static_cast<double>(matches_[place]);
        return parts_.size() < 2 ? 0 : its * (all - its) / (all * (all - 1));
    }

    // Two machines are one test: what the one has more the other has less.
    std::size_t tests() const {
        std::size_t measured = 0;
        for (const double squares : squares_) measured += squares > 0 ? 1 : 0;
        return measured * (machines_.size() == 2 ? 1 : machines_.size());
    }

    // Whether, however the matches of a machine had gone, so many deals would place them so that no
    // chance is small enough.
    bool too_few(std::size_t place) const {
        const auto all = static_cast<double>(parts_.size());
        const auto its = static_cast<double>(matches_[place]);
        const double deals =
            std::lgamma(all + 1) - std::lgamma(its + 1) - std::lgamma(all - its + 1);
        return parts_.size() < matches_least ||
               deals < std::log(static_cast<double>(std::max<std::size_t>(1, tests())) /
                                machines_alpha);
    }

    MachineEffect effect(std::size_t place, std::size_t m) const {
        MachineEffect effect;
        effect.machine = machines_[place];
        effect.measure = measures[m];
        note_share(place, effect);
        if (machines_.size() < 2) return effect;
        effect.untold = !any_[m]         ? NoComparison::nothing
                        : too_few(place) ? NoComparison::few
                                         : NoComparison::told;
        if (effect.untold == NoComparison::told) note_difference(place, m, effect);
        return effect;
    }

    void note_share(std::size_t place, MachineEffect& effect) const {
        PairRecord shares;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            if (places_[i] != place || effect.measure == MachineMeasure::time) continue;
            double sum = 0;
            for (const auto* seat : parts_[i]->seats) sum += *value_of(*seat, effect.measure);
            const double share = sum / static_cast<double>(parts_[i]->seats.size());
            ++shares.distinct;
            shares.share += share;
            shares.squares += share * share;
        }
        shares.matches = shares.distinct;
        if (shares.distinct == 0) return;
        effect.share = shares.share / static_cast<double>(shares.distinct);
        effect.share_interval = share_interval(shares);
    }

    // Each difference d that the test would bear: of what is left when d is taken off the machine's
    // matches, the sum over the machine's is within t spreads of 0. Both sides' squares are
    // quadratic in d.
    void note_difference(std::size_t place, std::size_t m, MachineEffect& effect) const {
        const auto weights = scores_of(players_, parts_, [&](const Part& part, const auto& seat) {
            return value_of(seat, measures[m])
                       ? std::optional<double>(part.machine == effect.machine ? 1 : 0)
                       : std::nullopt;
        });
        const double sum = sum_at(place, scores_[m]);
        const double weight = sum_at(place, weights);
        if (weight <= weight_least * static_cast<double>(matches_[place])) {
            effect.untold = NoComparison::apart;
            return;
        }
        const double t =
            student_quantile(outside_of_machines, static_cast<double>(parts_.size()) - 2);
        const double most = t * t * factor(place);
        const double a = weight * weight - most * rating::dot(weights, weights);
        const double b = sum * weight - most * rating::dot(scores_[m], weights);
        const double c = sum * sum - most * squares_[m];
        if (a <= 0) {
            effect.untold = NoComparison::apart;
            return;
        }
        const double half = std::sqrt(std::max(0.0, b * b - a * c));
        effect.difference = sum / weight;
        effect.interval = {(b - half) / a, (b + half) / a};
        if (measures[m] == MachineMeasure::time) return;
        effect.interval.low = std::max(-1.0, effect.interval.low);
        effect.interval.high = std::min(1.0, effect.interval.high);
    }

    // Of each machine and measure, how many deals give the machine a sum at least as far from 0.
    std::vector<std::size_t> deals_as_far(std::size_t deals) const {
        constexpr double rounding = 1e-9;
        std::vector<double> seen(machines_.size() * measures.size());
        for (std::size_t i = 0; i < seen.size(); ++i)
            seen[i] = std::abs(sum_at(i / measures.size(), scores_[i % measures.size()])) *
                      (1 - rounding);
        std::vector<std::size_t> as_far(seen.size());
        std::vector<double> sums(seen.size());
        auto dealt = places_;
        base::SplitMix lots(seed_of_deals);
        for (std::size_t deal = 0; deal < deals; ++deal) {
            std::ranges::fill(sums, 0);
            for (std::size_t i = dealt.size(); i > 0; --i) {
                std::swap(dealt[i - 1], dealt[lots.below(i)]);
                for (std::size_t m = 0; m < measures.size(); ++m)
                    sums[dealt[i - 1] * measures.size() + m] += scores_[m][i - 1];
            }
            for (std::size_t i = 0; i < sums.size(); ++i)
                as_far[i] += std::abs(sums[i]) >= seen[i] ? 1 : 0;
        }
        return as_far;
    }

    void note_chances(std::vector<MachineEffect>& effects) const {
        if (machines_.size() < 2 || tests() == 0) return;
        const auto deals = std::max(deals_least, deals_of_test * tests()) - 1;
        const auto as_far = deals_as_far(deals);
        const bool is_pair = machines_.size() == 2;
        std::vector<std::size_t> tested;
        std::vector<double> p;
        for (std::size_t i = 0; i < effects.size(); ++i) {
            if (squares_[i % measures.size()] <= 0 || (is_pair && i >= measures.size())) continue;
            tested.push_back(i);
            p.push_back(static_cast<double>(as_far[i] + 1) / static_cast<double>(deals + 1));
        }
        p = holm_corrected(std::move(p));
        for (std::size_t i = 0; i < tested.size(); ++i) {
            note_chance(effects[tested[i]], p[i]);
            if (is_pair) note_chance(effects[tested[i] + measures.size()], p[i]);
        }
    }

    static void note_chance(MachineEffect& effect, double p) {
        effect.p = p;
        const auto least =
            effect.measure == MachineMeasure::time ? machine_time_least : machine_share_least;
        effect.real = p <= machines_alpha && effect.untold == NoComparison::told &&
                      std::abs(effect.difference) >= least;
    }

    std::size_t players_;
    std::vector<std::size_t> machines_;
    std::vector<std::uint64_t> matches_;  // by place among the machines
    std::vector<const Part*> parts_;
    std::vector<std::size_t> places_;  // of their machines
    std::array<std::vector<double>, machine_measures> scores_;
    std::array<double, machine_measures> squares_{};  // their sums
    std::array<bool, machine_measures> any_{};        // not all values are 0
};

}  // namespace

std::vector<MachineEffect> compare_machines(std::size_t players, std::size_t machines,
                                            std::span<const MachineGame> games) {
    const auto parts = parts_of(games);
    std::vector<bool> plays(machines);
    for (const auto& part : parts) plays[part.machine] = true;
    std::vector<std::size_t> left;
    for (std::size_t machine = 0; machine < machines; ++machine) {
        if (plays[machine]) left.push_back(machine);
    }
    std::vector<MachineEffect> all;
    while (!left.empty()) {
        Comparison comparison(players, left, parts);
        const auto effects = comparison.effects();
        const MachineEffect* surest = nullptr;
        for (const auto& effect : effects) {
            if (!effect.real) continue;
            const auto sure = std::pair(-effect.p, comparison.distance(effect));
            if (surest == nullptr || sure > std::pair(-surest->p, comparison.distance(*surest)))
                surest = &effect;
        }
        // Of two that differ nobody knows which one is as it should be.
        const bool goes_on = surest != nullptr && left.size() > 2;
        for (const auto& effect : effects) {
            if (!goes_on || effect.machine == surest->machine) all.push_back(effect);
        }
        if (!goes_on) break;
        std::erase(left, surest->machine);
    }
    std::ranges::stable_sort(all, {}, &MachineEffect::machine);
    return all;
}

}  // namespace referee::certainty

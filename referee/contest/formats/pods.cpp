#include "referee/contest/formats/pods.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {
namespace {

std::int64_t seat_cost(const PodField& field, Entrant entrant, std::size_t seat) {
    const auto excess = seat_excess(field, entrant, seat);
    return excess * excess;
}

// How different the seats are that two had.
std::int64_t unlikeness(const PodField& field, Entrant a, Entrant b) {
    std::int64_t sum = 0;
    for (std::size_t seat = 0; seat < field.seats; ++seat) {
        const auto more = seat_excess(field, a, seat) - seat_excess(field, b, seat);
        sum += more * more;
    }
    return sum;
}

}  // namespace

PodSizes pod_sizes(std::size_t entrants, std::size_t seats, std::size_t seats_min) {
    REFEREE_ASSERT(seats >= 2 && seats_min >= 1 && seats_min <= seats);
    PodSizes result;
    for (; result.byes <= entrants; ++result.byes) {
        const std::size_t seated = entrants - result.byes;
        const std::size_t pods = (seated + seats - 1) / seats;
        if (seated == 0 || seated < pods * seats_min) continue;
        for (std::size_t pod = 0; pod < pods; ++pod) {
            const std::size_t missing = pods * seats - seated;
            const std::size_t share = missing / pods + (pod < missing % pods ? 1 : 0);
            result.sizes.push_back(seats - share);
        }
        std::sort(result.sizes.rbegin(), result.sizes.rend());
        return result;
    }
    return {{}, entrants};
}

PodJudgement& PodJudgement::operator+=(const PodJudgement& other) {
    company += other.company;
    spread_halves += other.spread_halves;
    seats += other.seats;
    unlike += other.unlike;
    return *this;
}

PodJudgement& PodJudgement::operator-=(const PodJudgement& other) {
    company -= other.company;
    spread_halves -= other.spread_halves;
    seats -= other.seats;
    unlike -= other.unlike;
    return *this;
}

std::int64_t seat_excess(const PodField& field, Entrant entrant, std::size_t seat) {
    const auto& had = field.seats_had[entrant];
    return had[seat] - *std::ranges::min_element(had);
}

std::int64_t order_by_seat(const PodField& field, std::vector<Entrant>& pod) {
    const std::size_t size = pod.size();
    const std::size_t sets = std::size_t{1} << size;
    constexpr auto never = std::numeric_limits<std::int64_t>::max() / 2;
    std::vector<std::int64_t> cost(sets, never);
    std::vector<std::size_t> last(sets, 0);
    cost[0] = 0;
    for (std::size_t set = 0; set + 1 < sets; ++set) {
        const auto seat = static_cast<std::size_t>(std::popcount(set));
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t with = set | std::size_t{1} << i;
            if (with == set) continue;
            const auto sum = cost[set] + seat_cost(field, pod[i], seat);
            if (sum < cost[with]) {
                cost[with] = sum;
                last[with] = i;
            }
        }
    }
    std::vector<Entrant> seated(size);
    for (std::size_t set = sets - 1; set != 0;) {
        const std::size_t i = last[set];
        set &= ~(std::size_t{1} << i);
        seated[static_cast<std::size_t>(std::popcount(set))] = pod[i];
    }
    pod = std::move(seated);
    return cost[sets - 1];
}

PodJudgement judged(const PodField& field, const std::vector<std::vector<Entrant>>& pods) {
    PodJudgement sum;
    for (const auto& pod : pods) {
        auto least = std::numeric_limits<std::int64_t>::max();
        auto most = std::numeric_limits<std::int64_t>::min();
        for (std::size_t a = 0; a < pod.size(); ++a) {
            least = std::min(least, field.points_halves[pod[a]]);
            most = std::max(most, field.points_halves[pod[a]]);
            sum.seats += seat_cost(field, pod[a], a);
            if (pod.size() < field.seats) sum.company += field.smaller_pods[pod[a]];
            for (std::size_t b = 0; b < a; ++b) {
                sum.company += field.company(pod[a], pod[b]);
                sum.unlike += unlikeness(field, pod[a], pod[b]);
            }
        }
        if (!pod.empty()) sum.spread_halves += most - least;
    }
    return sum;
}

namespace {

// By points; lots decide between equals.
std::vector<Entrant> standing_order(const PodField& field, std::uint64_t seed) {
    std::vector<Entrant> order;
    for (Entrant entrant = 0; entrant < field.entrants(); ++entrant) {
        if (field.plays[entrant]) order.push_back(entrant);
    }
    rating::Random lots(seed);
    lots.shuffle(std::span<Entrant>(order));
    std::ranges::stable_sort(order, [&](Entrant a, Entrant b) {
        return field.points_halves[a] > field.points_halves[b];
    });
    return order;
}

// The lowest of those that had the fewest byes.
std::vector<Entrant> take_byes(const PodField& field, std::vector<Entrant>& order,
                               std::size_t count) {
    std::vector<Entrant> byes;
    while (byes.size() < count) {
        auto chosen = order.end() - 1;
        for (auto candidate = order.end() - 1;; --candidate) {
            if (field.byes[*candidate] < field.byes[*chosen]) chosen = candidate;
            if (candidate == order.begin()) break;
        }
        byes.push_back(*chosen);
        order.erase(chosen);
    }
    return byes;
}

// A word of memory for each set of entrants.
constexpr std::size_t entrants_most = 22;
// Choices of a pod out of a rest that are worth looking at: some tenths of a second.
constexpr double choices_most = 20'000'000;

using Pods = std::vector<std::vector<Entrant>>;
// Entrants by their place in the standings.
using Set = std::uint32_t;

Set only(std::size_t place) {
    return Set{1} << place;
}

double ways_to_choose(std::size_t some, std::size_t of) {
    double ways = 1;
    for (std::size_t i = 1; i <= some; ++i)
        ways = ways * static_cast<double>(of - some + i) / static_cast<double>(i);
    return ways;
}

// Which pods are still to be made of a rest of the field, by the number of entrants in the rest.
class PodsLeft {
 public:
    using BySize = std::map<std::size_t, std::size_t>;

    PodsLeft(std::size_t entrants, std::span<const std::size_t> sizes) : left_(entrants + 1) {
        BySize all;
        for (const auto size : sizes) ++all[size];
        note(entrants, all);
    }

    const BySize& of(std::size_t rest) const { return left_[rest]; }

    // An upper bound: for each rest that can come up, the pods that its first entrant can have.
    double choices() const {
        const auto entrants = left_.size() - 1;
        double sum = 0;
        for (std::size_t rest = 1; rest <= entrants; ++rest) {
            const double rests =
                rest == entrants ? 1 : ways_to_choose(entrants - rest - 1, entrants - 1);
            for (const auto& [size, pods] : left_[rest])
                sum += rests * ways_to_choose(size - 1, rest - 1);
        }
        return sum;
    }

 private:
    void note(std::size_t rest, const BySize& left) {
        if (!left_[rest].empty()) {
            REFEREE_ASSERT(left_[rest] == left);
            return;
        }
        left_[rest] = left;
        for (const auto& [size, pods] : left) {
            BySize then = left;
            if (--then[size] == 0) then.erase(size);
            note(rest - size, then);
        }
    }

    std::vector<BySize> left_;
};

// The best split of a rest doesn't depend on the pods that were made so far, so each rest is split
// once. Of equal splits the first in the order of the standings is best.
class Splits {
 public:
    Splits(const PodField& field, std::span<const Entrant> entrants, PodsLeft left)
        : field_(field),
          entrants_(entrants),
          left_(std::move(left)),
          known_(std::size_t{1} << entrants.size(), 0),
          splits_(1) {}

    Pods best() {
        Pods pods;
        auto rest = static_cast<Set>(known_.size() - 1);
        while (rest != 0) {
            const auto first = splits_[best_of(rest)].first;
            pods.push_back(pod_of(first));
            order_by_seat(field_, pods.back());
            rest &= ~first;
        }
        return pods;
    }

 private:
    // How a set is split: its best placed entrant's pod, and how that pod and those of the others
    // are judged together.
    struct Split {
        PodJudgement judgement;
        Set first = 0;
    };

    // Where in splits_ the best of a set is.
    std::uint32_t best_of(Set set) {
        if (known_[set] == 0) {
            const auto found = find_best(set);
            splits_.push_back(found);
            known_[set] = static_cast<std::uint32_t>(splits_.size() - 1);
        }
        return known_[set];
    }

    Split find_best(Set set) {
        const auto& left = left_.of(static_cast<std::size_t>(std::popcount(set)));
        if (left.empty() || (left.size() == 1 && left.begin()->second == 1)) {
            auto pod = pod_of(set);
            order_by_seat(field_, pod);
            return {judged(field_, {pod}), set};
        }
        Split best;
        const Set first = set & (~set + 1);
        for (const auto& [size, pods] : left) choose(set, first, set & ~first, size - 1, best);
        return best;
    }

    // Fills a pod of a set's best placed entrant with so many of those who may still come in.
    void choose(Set set, Set pod, Set may_come, std::size_t missing, Split& best) {
        if (missing == 0) {
            look_at(set, pod, best);
            return;
        }
        for (; static_cast<std::size_t>(std::popcount(may_come)) >= missing;) {
            const Set next = may_come & (~may_come + 1);
            may_come &= ~next;
            choose(set, pod | next, may_come, missing - 1, best);
        }
    }

    void look_at(Set set, Set pod, Split& best) {
        const auto is_better = [&best](const PodJudgement& judgement) {
            return best.first == 0 || judgement < best.judgement;
        };
        auto judgement = splits_[best_of(pod)].judgement;
        if (!is_better(judgement)) return;
        judgement += splits_[best_of(set & ~pod)].judgement;
        if (is_better(judgement)) best = {judgement, pod};
    }

    std::vector<Entrant> pod_of(Set set) const {
        std::vector<Entrant> pod;
        for (std::size_t place = 0; place < entrants_.size(); ++place) {
            if ((set & only(place)) != 0) pod.push_back(entrants_[place]);
        }
        return pod;
    }

    const PodField& field_;
    std::span<const Entrant> entrants_;
    PodsLeft left_;
    std::vector<std::uint32_t> known_;  // by set: where in splits_; 0: not yet
    std::vector<Split> splits_;
};

}  // namespace

PodRound pair_pods(const PodField& field, std::uint64_t seed) {
    PodRound round;
    auto order = standing_order(field, seed);
    const auto sizes = pod_sizes(order.size(), field.seats, field.seats_min);
    round.byes = take_byes(field, order, sizes.byes);
    auto best = best_split(field, order, sizes.sizes);
    round.pods = best ? std::move(*best) : search_pods(field, order, sizes.sizes, seed);
    for (auto& pod : round.pods) order_by_seat(field, pod);
    round.judgement = judged(field, round.pods);
    return round;
}

std::optional<Pods> best_split(const PodField& field, std::span<const Entrant> by_standing,
                               std::span<const std::size_t> sizes) {
    if (by_standing.empty() || by_standing.size() > entrants_most) return std::nullopt;
    PodsLeft left(by_standing.size(), sizes);
    if (left.choices() > choices_most) return std::nullopt;
    return Splits(field, by_standing, std::move(left)).best();
}

}  // namespace referee::formats

#include "referee/contest/formats/pods.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "protocol/base/assertion.h"
#include "referee/contest/formats/pod_search.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {

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
    forbidden += other.forbidden;
    repeats += other.repeats;
    spread_halves += other.spread_halves;
    seats += other.seats;
    unlike += other.unlike;
    return *this;
}

std::int64_t seat_excess(const PodField& field, Entrant entrant, std::size_t seat) {
    const auto& had = field.seats_had[entrant];
    return had[seat] - *std::min_element(had.begin(), had.end());
}

std::int64_t seat_cost(const PodField& field, Entrant entrant, std::size_t seat) {
    const auto excess = seat_excess(field, entrant, seat);
    return excess * excess;
}

std::int64_t unlikeness(const PodField& field, Entrant a, Entrant b) {
    std::int64_t sum = 0;
    for (std::size_t seat = 0; seat < field.seats; ++seat) {
        const auto more = seat_excess(field, a, seat) - seat_excess(field, b, seat);
        sum += more * more;
    }
    return sum;
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
            if (pod.size() < field.seats) sum.repeats += field.smaller_pods[pod[a]];
            for (std::size_t b = 0; b < a; ++b) {
                sum.repeats += field.times_met(pod[a], pod[b]);
                sum.unlike += unlikeness(field, pod[a], pod[b]);
                if (field.kept_apart(pod[a], pod[b])) ++sum.forbidden;
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
    std::stable_sort(order.begin(), order.end(), [&](Entrant a, Entrant b) {
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

}  // namespace referee::formats

#include "tests/referee/contest/formats/pod_oracle.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace referee::formats {
namespace {

using Bits = std::uint32_t;

PodVerdict plus(const PodVerdict& one, const PodVerdict& other) {
    PodVerdict sum{};
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = one[i] + other[i];
    return sum;
}

// The rarest seat of somebody is worth 0, every other one how much more often it was had.
std::vector<std::int64_t> excess_of(const PodField& field, Entrant entrant) {
    std::vector<std::int64_t> excess(field.seats_had[entrant].begin(),
                                     field.seats_had[entrant].end());
    const auto rarest = *std::min_element(excess.begin(), excess.end());
    for (auto& seat : excess) seat -= rarest;
    return excess;
}

// Tries every order of the members.
std::int64_t cheapest_seats(const std::vector<std::vector<std::int64_t>>& excess) {
    std::vector<std::size_t> order(excess.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto cheapest = std::numeric_limits<std::int64_t>::max();
    do {
        std::int64_t sum = 0;
        for (std::size_t seat = 0; seat < order.size(); ++seat) {
            sum += excess[order[seat]][seat] * excess[order[seat]][seat];
        }
        cheapest = std::min(cheapest, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    return cheapest;
}

PodVerdict verdict_of(const PodField& field, const std::vector<Entrant>& pod) {
    std::int64_t forbidden = 0;
    std::int64_t repeats = 0;
    std::int64_t unlike = 0;
    auto least = field.points_halves[pod.front()];
    auto most = least;
    std::vector<std::vector<std::int64_t>> excess;
    for (std::size_t i = 0; i < pod.size(); ++i) {
        least = std::min(least, field.points_halves[pod[i]]);
        most = std::max(most, field.points_halves[pod[i]]);
        if (pod.size() < field.seats) repeats += field.smaller_pods[pod[i]];
        excess.push_back(excess_of(field, pod[i]));
        for (std::size_t k = 0; k < i; ++k) {
            const auto team = field.team[pod[i]];
            forbidden += team > 0 && team == field.team[pod[k]] ? 1 : 0;
            repeats += field.met[pod[i] * field.entrants() + pod[k]];
            for (std::size_t seat = 0; seat < field.seats; ++seat) {
                const auto more = excess[i][seat] - excess[k][seat];
                unlike += more * more;
            }
        }
    }
    return {forbidden, repeats, most - least, cheapest_seats(excess), unlike};
}

class BranchAndBound {
 public:
    BranchAndBound(const PodField& field, std::span<const Entrant> entrants,
                   std::span<const std::size_t> sizes)
        : field_(field), entrants_(entrants), candidates_(entrants.size()) {
        left_.assign(field.seats + 1, 0);
        for (const auto size : sizes) ++left_[size];
        std::vector<Entrant> pod;
        list(0, 0, pod);
        for (auto& of_first : candidates_) {
            std::sort(of_first.begin(), of_first.end(),
                      [](const auto& a, const auto& b) { return a.verdict < b.verdict; });
        }
        best_.fill(std::numeric_limits<std::int64_t>::max());
    }

    PodVerdict search() {
        branch(0, {});
        return best_;
    }

 private:
    struct Candidate {
        Bits members = 0;
        std::size_t size = 0;
        PodVerdict verdict{};
    };

    // Every pod of a size that there is, by its first member.
    void list(std::size_t from, Bits members, std::vector<Entrant>& pod) {
        if (!pod.empty() && left_[pod.size()] > 0) {
            const auto first = static_cast<std::size_t>(
                std::find(entrants_.begin(), entrants_.end(), pod.front()) - entrants_.begin());
            candidates_[first].push_back({members, pod.size(), verdict_of(field_, pod)});
        }
        if (pod.size() == field_.seats) return;
        for (std::size_t next = from; next < entrants_.size(); ++next) {
            pod.push_back(entrants_[next]);
            list(next + 1, members | Bits{1} << next, pod);
            pod.pop_back();
        }
    }

    void branch(Bits seated, const PodVerdict& so_far) {
        std::size_t first = 0;
        while (first < entrants_.size() && (seated >> first & 1) != 0) ++first;
        if (first == entrants_.size()) {
            best_ = so_far;
            return;
        }
        for (const auto& candidate : candidates_[first]) {
            const auto sum = plus(so_far, candidate.verdict);
            // A verdict has nothing negative, and all later candidates cost as much or more: so
            // none of them can be better.
            if (sum >= best_) return;
            if ((candidate.members & seated) != 0 || left_[candidate.size] == 0) continue;
            --left_[candidate.size];
            branch(seated | candidate.members, sum);
            ++left_[candidate.size];
        }
    }

    const PodField& field_;
    std::span<const Entrant> entrants_;
    std::vector<std::vector<Candidate>> candidates_;  // by first member, cheapest first
    std::vector<std::size_t> left_;                   // pods to come, by size
    PodVerdict best_{};
};

}  // namespace

PodVerdict best_verdict(const PodField& field, std::span<const Entrant> entrants,
                        std::span<const std::size_t> sizes) {
    return BranchAndBound(field, entrants, sizes).search();
}

}  // namespace referee::formats

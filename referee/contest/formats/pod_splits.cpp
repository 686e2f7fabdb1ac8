#include <bit>
#include <map>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contest/formats/pod_search.h"

namespace referee::formats {

namespace {

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
    for (std::size_t i = 1; i <= some; ++i) {
        ways = ways * static_cast<double>(of - some + i) / static_cast<double>(i);
    }
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
            for (const auto& [size, pods] : left_[rest]) {
                sum += rests * ways_to_choose(size - 1, rest - 1);
            }
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

std::optional<Pods> best_split(const PodField& field, std::span<const Entrant> by_standing,
                               std::span<const std::size_t> sizes) {
    if (by_standing.empty() || by_standing.size() > entrants_most) return std::nullopt;
    PodsLeft left(by_standing.size(), sizes);
    if (left.choices() > choices_most) return std::nullopt;
    return Splits(field, by_standing, std::move(left)).best();
}

}  // namespace referee::formats

#include <map>
#include <utility>

#include "referee/tournament/pod_search.h"

namespace referee::tournament {

namespace {

constexpr double splits_most = 10'000;

using Pods = std::vector<std::vector<Entrant>>;

// How many ways there are to split so many into pods of these sizes.
double splits_of(std::span<const std::size_t> sizes) {
    double ways = 1;
    std::size_t seated = 0;
    std::map<std::size_t, int> alike;
    for (const auto size : sizes) {
        for (std::size_t seat = 1; seat <= size; ++seat) {
            ++seated;
            ways = ways * static_cast<double>(seated) / static_cast<double>(seat);
        }
        ways /= ++alike[size];
    }
    return ways;
}

class Splits {
 public:
    Splits(const PodField& field, std::span<const Entrant> entrants,
           std::span<const std::size_t> sizes)
        : field_(field), entrants_(entrants), taken_(entrants.size(), false) {
        for (const auto size : sizes) ++left_[size];
        first_free(0);
    }

    Pods best() const { return best_; }

 private:
    // The pod of the best entrant that has none yet may have any size that is left.
    void first_free(std::size_t from) {
        while (from < taken_.size() && taken_[from]) ++from;
        if (from == taken_.size()) {
            Pods pods = pods_;
            for (auto& pod : pods) order_by_seat(field_, pod);
            const auto judgement = judged(field_, pods);
            if (best_.empty() || judgement < judgement_) {
                judgement_ = judgement;
                best_ = std::move(pods);
            }
            return;
        }
        for (auto& [size, left] : left_) {
            if (left == 0) continue;
            --left;
            pods_.push_back({entrants_[from]});
            taken_[from] = true;
            fill(from, from + 1, size);
            taken_[from] = false;
            pods_.pop_back();
            ++left;
        }
    }

    void fill(std::size_t first, std::size_t from, std::size_t size) {
        if (pods_.back().size() == size) {
            first_free(first + 1);
            return;
        }
        for (std::size_t next = from; next < taken_.size(); ++next) {
            if (taken_[next]) continue;
            taken_[next] = true;
            pods_.back().push_back(entrants_[next]);
            fill(first, next + 1, size);
            pods_.back().pop_back();
            taken_[next] = false;
        }
    }

    const PodField& field_;
    std::span<const Entrant> entrants_;
    std::map<std::size_t, std::size_t> left_;  // pods to come, by size
    std::vector<bool> taken_;
    Pods pods_;
    Pods best_;
    PodJudgement judgement_;
};

}  // namespace

std::optional<Pods> best_split(const PodField& field, std::span<const Entrant> by_standing,
                               std::span<const std::size_t> sizes) {
    if (by_standing.empty() || splits_of(sizes) > splits_most) return std::nullopt;
    return Splits(field, by_standing, sizes).best();
}

}  // namespace referee::tournament

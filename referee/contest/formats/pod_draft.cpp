#include "referee/contest/formats/pod_draft.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace referee::formats {

namespace {

// Forbidden company outweighs any number of repeats that a field can have.
constexpr std::int64_t forbidden_weight = 1'000'000;

}  // namespace

PodCost& PodCost::operator+=(const PodCost& other) {
    company += other.company;
    spread += other.spread;
    seats += other.seats;
    unlike += other.unlike;
    return *this;
}

PodCost& PodCost::operator-=(const PodCost& other) {
    company -= other.company;
    spread -= other.spread;
    seats -= other.seats;
    unlike -= other.unlike;
    return *this;
}

PodDraft::PodDraft(const PodField& field, std::span<const Entrant> by_standing,
                   std::span<const std::size_t> sizes)
    : field_(field), by_standing_(by_standing) {
    for (const auto entrant : by_standing) {
        points_.push_back(field.points_halves[entrant]);
        smaller_pods_.push_back(field.smaller_pods[entrant]);
    }
    copy_seats();
    copy_pairs();
    cut(sizes);
    judge(false);
}

std::vector<std::vector<Entrant>> PodDraft::entrants_by_pod() const {
    std::vector<std::vector<Entrant>> result;
    for (std::size_t i = 0; i < pods(); ++i) {
        auto& pod = result.emplace_back();
        for (const auto member : pod_of(i)) pod.push_back(by_standing_[member]);
    }
    return result;
}

void PodDraft::back_to_best() {
    members_ = best_members_;
    index();
}

std::int64_t PodDraft::step_of_points() const {
    std::int64_t step = 0;
    for (const auto points : points_) step = std::gcd(step, points - points_.front());
    return std::max<std::int64_t>(1, step);
}

void PodDraft::copy_seats() {
    for (const auto entrant : by_standing_) {
        for (std::size_t seat = 0; seat < field_.seats; ++seat) {
            seat_excess_.push_back(seat_excess(field_, entrant, seat));
            seat_costs_.push_back(seat_cost(field_, entrant, seat));
        }
    }
}

void PodDraft::copy_pairs() {
    const std::size_t n = points_.size();
    pairs_.reserve(n * n);
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
            const bool forbidden = field_.kept_apart(by_standing_[a], by_standing_[b]);
            const auto company = field_.times_met(by_standing_[a], by_standing_[b]) +
                                 (forbidden ? forbidden_weight : 0);
            std::int64_t unlike = 0;
            for (std::size_t seat = 0; seat < field_.seats; ++seat) {
                const auto more =
                    seat_excess_[a * field_.seats + seat] - seat_excess_[b * field_.seats + seat];
                unlike += more * more;
            }
            pairs_.push_back(
                {static_cast<std::int32_t>(company), static_cast<std::int32_t>(unlike)});
        }
    }
}

void PodDraft::cut(std::span<const std::size_t> sizes) {
    std::vector<bool> taken(points_.size(), false);
    std::size_t first = 0;
    begins_.push_back(0);
    for (const auto size : sizes) {
        while (first < taken.size() && taken[first]) ++first;
        const std::size_t end = members_.size() + size;
        for (const bool pass_over : {true, false}) {
            for (auto i = static_cast<Place>(first); i < taken.size() && members_.size() < end;
                 ++i) {
                const Pod so_far = std::span(members_).subspan(begins_.back());
                if (taken[i] || (pass_over && known(so_far, i))) continue;
                members_.push_back(i);
                taken[i] = true;
            }
        }
        begins_.push_back(members_.size());
    }
    slot_of_.resize(members_.size());
    pod_at_.resize(members_.size());
    index();
}

void PodDraft::index() {
    for (std::size_t i = 0; i < pods(); ++i) {
        for (std::size_t slot = begins_[i]; slot < begins_[i + 1]; ++slot) {
            slot_of_[members_[slot]] = slot;
            pod_at_[slot] = i;
        }
    }
}

bool PodDraft::known(Pod pod, Place place) const {
    return std::any_of(pod.begin(), pod.end(),
                       [&](Place other) { return pair(other, place).company > 0; });
}

PodCost PodDraft::cost_of(std::size_t index) const {
    const Pod pod = pod_of(index);
    PodCost cost;
    auto least = points_[pod.front()];
    auto most = least;
    for (std::size_t a = 0; a < pod.size(); ++a) {
        const auto points = points_[pod[a]];
        least = std::min(least, points);
        most = std::max(most, points);
        if (pod.size() < field_.seats) cost.company += smaller_pods_[pod[a]];
        for (std::size_t b = 0; b < a; ++b) {
            cost.company += pair(pod[a], pod[b]).company;
            if (with_seats_) cost.unlike += pair(pod[a], pod[b]).unlike;
        }
    }
    cost.spread = most - least;
    return cost;
}

std::int64_t PodDraft::spread_with(std::size_t index, std::size_t slot, Place other) const {
    auto least = points_[other];
    auto most = least;
    for (std::size_t at = begins_[index]; at < begins_[index + 1]; ++at) {
        if (at == slot) continue;
        const auto points = points_[members_[at]];
        least = std::min(least, points);
        most = std::max(most, points);
    }
    return most - least;
}

PodCost PodDraft::cost_with(std::size_t index, std::size_t slot, Place other,
                            std::int64_t spread) const {
    const auto leaves = members_[slot];
    PodCost cost{costs_[index].company, spread, 0, costs_[index].unlike};
    if (begins_[index + 1] - begins_[index] < field_.seats) {
        cost.company += static_cast<std::int64_t>(smaller_pods_[other]) - smaller_pods_[leaves];
    }
    for (std::size_t at = begins_[index]; at < begins_[index + 1]; ++at) {
        if (at == slot) continue;
        const auto& comes_beside = pair(members_[at], other);
        const auto& left_beside = pair(members_[at], leaves);
        cost.company += comes_beside.company - left_beside.company;
        if (with_seats_) cost.unlike += comes_beside.unlike - left_beside.unlike;
    }
    return cost;
}

// What the cheapest order by seat costs: sets of members take the first seats.
std::int64_t PodDraft::seats_of(std::size_t index) {
    const Pod pod = pod_of(index);
    const std::size_t sets = std::size_t{1} << pod.size();
    std::fill_n(seating_.begin(), sets, std::numeric_limits<std::int64_t>::max() / 2);
    seating_[0] = 0;
    for (std::size_t set = 0; set + 1 < sets; ++set) {
        const auto seat = static_cast<std::size_t>(std::popcount(set));
        for (std::size_t i = 0; i < pod.size(); ++i) {
            const std::size_t with = set | std::size_t{1} << i;
            if (with == set) continue;
            const auto sum = seating_[set] + seat_costs_[pod[i] * field_.seats + seat];
            seating_[with] = std::min(seating_[with], sum);
        }
    }
    return seating_[sets - 1];
}

void PodDraft::judge(bool with_seats) {
    with_seats_ = with_seats;
    costs_.clear();
    now_ = {};
    for (std::size_t i = 0; i < pods(); ++i) {
        costs_.push_back(cost_of(i));
        if (with_seats) costs_.back().seats = seats_of(i);
        now_ += costs_.back();
    }
    best_ = now_;
    best_members_ = members_;
}

}  // namespace referee::formats

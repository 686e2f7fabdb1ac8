#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/game.h"
#include "referee/contest/formats/pods.h"

namespace referee::formats {

// What pods cost: PodJudgement's order with forbidden company as very many repeats.
struct PodCost {
    std::int64_t company = 0;  // forbidden pairs, repeats, smaller pods again
    std::int64_t spread = 0;
    std::int64_t seats = 0;
    std::int64_t unlike = 0;

    friend auto operator<=>(const PodCost&, const PodCost&) = default;
    PodCost& operator+=(const PodCost& other);
    PodCost& operator-=(const PodCost& other);
    friend PodCost operator+(PodCost one, const PodCost& other) { return one += other; }
};

// The pods of a round while a search exchanges entrants between them; keeps the best that they
// were. Entrants are known by their place in the standings here.
class PodDraft {
 public:
    using Place = std::uint32_t;

    // The standings cut into pods of these sizes from the top, passing over those who met already
    // where that leaves somebody. The field must outlive the draft.
    PodDraft(const PodField& field, std::span<const Entrant> by_standing,
             std::span<const std::size_t> sizes);

    std::size_t entrants() const { return points_.size(); }
    std::size_t pods() const { return begins_.size() - 1; }
    // All differences of points are multiples of this.
    std::int64_t step_of_points() const;
    std::vector<std::vector<Entrant>> entrants_by_pod() const;

    // Judges the pods as they are, from now on with seats and unlikeness or without either: they
    // become the best.
    void judge(bool with_seats);
    const PodCost& best() const { return best_; }
    void back_to_best();

    // What the pod of an entrant costs.
    const PodCost& cost_at(Place place) const { return costs_[pod_at_[slot_of_[place]]]; }

    // Exchanges two if `accepts(before, after)` says so of the cost of their pods; says whether it
    // did. `accepts` is asked with lower bounds of `after` first, so what it refuses it must refuse
    // at any higher cost too.
    template <typename Accepts>
    bool exchange(Place one, Place other, const Accepts& accepts);

 private:
    using Pod = std::span<const Place>;
    // What two bring into a pod.
    struct Pair {
        std::int32_t company = 0;
        std::int32_t unlike = 0;
    };

    void copy_seats();
    void copy_pairs();
    void cut(std::span<const std::size_t> sizes);
    void index();
    Pod pod_of(std::size_t index) const {
        return std::span(members_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
    }
    const Pair& pair(Place a, Place b) const { return pairs_[a * points_.size() + b]; }
    bool known(Pod pod, Place place) const;
    // All but the seats; unlikeness where seats count.
    PodCost cost_of(std::size_t index) const;
    // What the cheapest order by seat costs.
    std::int64_t seats_of(std::size_t index);
    // The spread of a pod with somebody else in one of its slots; and with that all but the seats.
    std::int64_t spread_with(std::size_t index, std::size_t slot, Place other) const;
    PodCost cost_with(std::size_t index, std::size_t slot, Place other, std::int64_t spread) const;

    const PodField& field_;
    std::span<const Entrant> by_standing_;
    std::vector<std::int64_t> points_;
    std::vector<std::int64_t> smaller_pods_;
    std::vector<Pair> pairs_;                // row after row
    std::vector<std::int64_t> seat_excess_;  // by place and seat
    std::vector<std::int64_t> seat_costs_;   // likewise
    std::vector<std::size_t> begins_;        // of the pods in members_, and the end
    std::vector<Place> members_;             // pod after pod
    std::vector<Place> best_members_;
    std::vector<std::size_t> slot_of_;  // where in members_ somebody is
    std::vector<std::size_t> pod_at_;   // which pod a slot of members_ is in
    std::vector<PodCost> costs_;        // by pod
    PodCost now_;
    PodCost best_;
    bool with_seats_ = false;
    std::array<std::int64_t, std::size_t{1} << engines::seats_max> seating_{};
};

template <typename Accepts>
bool PodDraft::exchange(Place one, Place other, const Accepts& accepts) {
    const auto slot = slot_of_[one];
    const auto other_slot = slot_of_[other];
    const auto a = pod_at_[slot];
    const auto b = pod_at_[other_slot];
    if (a == b) return false;
    const auto before = costs_[a] + costs_[b];
    // What is cheap to know comes first; the rest is taken to cost nothing, as it does at best.
    PodCost cost_a{0, spread_with(a, slot, other), 0, 0};
    PodCost cost_b{0, spread_with(b, other_slot, one), 0, 0};
    if (!accepts(before, cost_a + cost_b)) return false;
    cost_a = cost_with(a, slot, other, cost_a.spread);
    cost_b = cost_with(b, other_slot, one, cost_b.spread);
    if (!accepts(before, cost_a + cost_b)) return false;
    members_[slot] = other;
    members_[other_slot] = one;
    if (with_seats_) {
        cost_a.seats = seats_of(a);
        cost_b.seats = seats_of(b);
        if (!accepts(before, cost_a + cost_b)) {
            members_[slot] = one;
            members_[other_slot] = other;
            return false;
        }
    }
    now_ -= before;
    now_ += cost_a + cost_b;
    slot_of_[one] = other_slot;
    slot_of_[other] = slot;
    costs_[a] = cost_a;
    costs_[b] = cost_b;
    if (now_ < best_) {
        best_ = now_;
        best_members_ = members_;
    }
    return true;
}

}  // namespace referee::formats

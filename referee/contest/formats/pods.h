#pragma once

// The pods of one round of a Swiss tournament for more than two seats.
//
// What a round's pods are judged by, each only where those before it are equal:
//   1. forbidden company (two in a pod who are kept apart), then repeats: pairs that met before,
//      counted as often as they met, and entrants that sit in a smaller pod again;
//   2. spread: the sum over all pods of the difference between the most and the least points in
//      it;
//   3. seats: how far everybody is from having had every seat equally often;
//   4. unlike: how different the seats are that the members of a pod had so far. Members of a
//      pod won't meet again if that can be avoided. So they should lack the same seats, and
//      those who can still meet should lack different ones.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/game.h"
#include "referee/contest/formats/schedule.h"

namespace referee::formats {

struct PodField {
    std::size_t seats = 4;
    std::size_t seats_min = 4;
    // By entrant.
    std::vector<std::int64_t> points_halves;
    std::vector<std::vector<std::uint32_t>> seats_had;  // by entrant and seat
    std::vector<std::uint32_t> smaller_pods;            // how many each had
    std::vector<std::uint32_t> byes;                    // how many each had
    std::vector<std::uint32_t> team;                    // equal: never in one pod; 0: none
    // Who must not be in one pod: row after row, for all pairs in both orders; empty: nobody.
    std::vector<bool> apart{};
    // How often two met: row after row, for all pairs in both orders.
    std::vector<std::uint16_t> met;
    // The entrants that play this round; the others are passed over.
    std::vector<bool> plays;

    std::size_t entrants() const { return points_halves.size(); }
    // Whether the two are never to be in one pod.
    bool kept_apart(std::size_t a, std::size_t b) const {
        if (a == b) return false;
        const bool one_team = team[a] != 0 && team[a] == team[b];
        return one_team || (!apart.empty() && apart[a * entrants() + b]);
    }
    std::uint16_t times_met(std::size_t a, std::size_t b) const { return met[a * entrants() + b]; }
};

struct PodJudgement {
    std::int64_t forbidden = 0;
    std::int64_t repeats = 0;
    std::int64_t spread_halves = 0;
    std::int64_t seats = 0;
    std::int64_t unlike = 0;

    // Better is less.
    friend auto operator<=>(const PodJudgement&, const PodJudgement&) = default;
    // Of the pods of both.
    PodJudgement& operator+=(const PodJudgement& other);
};

struct PodRound {
    std::vector<std::vector<Entrant>> pods;  // by seat; best standing first
    std::vector<Entrant> byes;
    PodJudgement judgement;
};

// Sizes of the pods for so many: as few pods as possible below `seats`, none below seats_min.
// Entrants that can't be seated that way have a bye.
struct PodSizes {
    std::vector<std::size_t> sizes;  // largest first
    std::size_t byes = 0;
};
PodSizes pod_sizes(std::size_t entrants, std::size_t seats, std::size_t seats_min);

// How a set of pods is judged; seats as given.
PodJudgement judged(const PodField& field, const std::vector<std::vector<Entrant>>& pods);

// How much more often than its rarest seat an entrant had a seat.
std::int64_t seat_excess(const PodField& field, Entrant entrant, std::size_t seat);

// What it costs an entrant to get a seat: nothing for one that it had least often.
std::int64_t seat_cost(const PodField& field, Entrant entrant, std::size_t seat);

// How different the seats are that two had: over all seats, the squares of differences of excess.
std::int64_t unlikeness(const PodField& field, Entrant a, Entrant b);

// The cheapest order by seat of a pod's members.
std::int64_t order_by_seat(const PodField& field, std::vector<Entrant>& pod);

// The best of all splits in small fields (up to twenty entrants in fours), else a search whose
// length depends only on the size of the field. The same field and seed give the same pods on every
// machine.
PodRound pair_pods(const PodField& field, std::uint64_t seed);

// ---- pod_search.cpp -----------------------------------------------------------------------------

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

// The best of all splits of the entrants into pods of these sizes, as pods.h judges them. Nothing
// where finding it takes too long. Requires: sizes of which so many entrants always make the same
// pods, as pod_sizes gives them.
std::optional<std::vector<std::vector<Entrant>>> best_split(const PodField& field,
                                                            std::span<const Entrant> by_standing,
                                                            std::span<const std::size_t> sizes);

// Splits the entrants, given by standing, into pods of these sizes, as pods.h judges them; at equal
// seats they are not always the least unlike.
std::vector<std::vector<Entrant>> search_pods(const PodField& field,
                                              std::span<const Entrant> by_standing,
                                              std::span<const std::size_t> sizes,
                                              std::uint64_t seed);

}  // namespace referee::formats

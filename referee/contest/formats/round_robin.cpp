#include "referee/contest/formats/round_table.h"

#include <algorithm>
#include <tuple>

#include "protocol/base/assertion.h"

namespace referee::formats::berger {
namespace {

std::uint32_t even(std::uint32_t players) {
    return players + players % 2;
}

}  // namespace

std::uint32_t rounds(std::uint32_t players) {
    return even(players) - 1;
}

std::uint32_t boards(std::uint32_t players) {
    return even(players) / 2;
}

Pair pair(std::uint32_t players, std::uint32_t round, std::uint32_t board) {
    REFEREE_ASSERT(players >= 2 && round < rounds(players) && board < boards(players));
    // The last number stays; all others stand in a ring. The place of the last number's opponent
    // moves half a ring on with each round, and the other boards pair the numbers at equal distance
    // from it.
    const std::uint32_t last = even(players);
    const std::uint32_t ring = last - 1;
    const auto half = static_cast<std::uint64_t>(last / 2);
    const auto pivot = static_cast<std::uint32_t>(round * half % ring);
    if (board == 0) {
        const bool last_is_black = round % 2 == 0;
        return last_is_black ? Pair{pivot + 1, last} : Pair{last, pivot + 1};
    }
    return {(pivot + board) % ring + 1, (pivot + ring - board) % ring + 1};
}

}  // namespace referee::formats::berger

namespace referee::formats {
namespace {

using Pod = std::vector<std::uint32_t>;

class GreedyCover {
 public:
    GreedyCover(std::uint32_t members, std::uint32_t seats)
        : members_(members),
          seats_(seats),
          met_(std::size_t{members} * members, 0),
          open_(members, 0),
          matches_(members, 0) {}

    // From now on every two shall have met so often.
    void raise_goal(std::uint32_t meetings) {
        goal_ = meetings;
        std::fill(open_.begin(), open_.end(), 0);
        for (std::uint32_t a = 0; a < members_; ++a) {
            for (std::uint32_t b = 0; b < members_; ++b) {
                if (a != b && met(a, b) < goal_) ++open_[a];
            }
        }
        open_pairs_ = 0;
        for (const auto open : open_) open_pairs_ += open;
    }

    bool goal_reached() const { return open_pairs_ == 0; }

    bool even() const {
        const auto [least, most] = std::minmax_element(matches_.begin(), matches_.end());
        return *most - *least <= 1;
    }

    // Once all pairs have met, it takes those with the fewest matches.
    Pod next() {
        Pod pod;
        std::vector<bool> taken(members_, false);
        std::vector<std::uint32_t> to_meet = open_;  // in the pod; at first: at all
        std::vector<std::uint32_t> met_before(members_, 0);
        while (pod.size() < seats_) {
            const auto chosen = best(taken, to_meet, met_before);
            if (pod.empty()) std::fill(to_meet.begin(), to_meet.end(), 0);
            pod.push_back(chosen);
            taken[chosen] = true;
            const auto* const often = &met(chosen, 0);
            for (std::uint32_t other = 0; other < members_; ++other) {
                to_meet[other] += often[other] < goal_ ? 1U : 0U;
                met_before[other] += often[other];
            }
        }
        note(pod);
        return pod;
    }

 private:
    std::uint32_t& met(std::uint32_t a, std::uint32_t b) {
        return met_[std::size_t{a} * members_ + b];
    }

    std::uint32_t best(const std::vector<bool>& taken, const std::vector<std::uint32_t>& to_meet,
                       const std::vector<std::uint32_t>& met_before) const {
        std::uint32_t chosen = members_;
        for (std::uint32_t member = 0; member < members_; ++member) {
            if (taken[member]) continue;
            if (chosen != members_ && to_meet[member] < to_meet[chosen]) continue;
            if (chosen == members_ ||
                std::tuple(to_meet[chosen], matches_[member], met_before[member]) <
                    std::tuple(to_meet[member], matches_[chosen], met_before[chosen]))
                chosen = member;
        }
        return chosen;
    }

    void note(const Pod& pod) {
        for (const auto a : pod) {
            ++matches_[a];
            for (const auto b : pod) {
                if (a == b || ++met(a, b) != goal_) continue;
                --open_[a];
                --open_pairs_;
            }
        }
    }

    std::uint32_t members_;
    std::uint32_t seats_;
    std::uint32_t goal_ = 0;
    std::vector<std::uint32_t> met_;      // by two members
    std::vector<std::uint32_t> open_;     // whom a member still has to meet, by member
    std::vector<std::uint32_t> matches_;  // by member
    std::uint64_t open_pairs_ = 0;        // each counted from both sides
};

}  // namespace

std::vector<Pod> pod_cover(std::uint32_t members, std::uint32_t seats, std::uint32_t meetings) {
    REFEREE_ASSERT(seats >= 2 && seats <= members);
    GreedyCover cover(members, seats);
    std::vector<Pod> pods;
    for (std::uint32_t goal = 1; goal <= meetings; ++goal) {
        cover.raise_goal(goal);
        while (!cover.goal_reached()) pods.push_back(cover.next());
    }
    // This ends: whoever is in such a pod had no more matches than whoever isn't.
    while (!cover.even()) pods.push_back(cover.next());
    return pods;
}

std::uint64_t pods_least(std::uint64_t members, std::uint64_t seats, std::uint64_t meetings) {
    const auto of_one = (meetings * (members - 1) + seats - 2) / (seats - 1);
    return (members * of_one + seats - 1) / seats;
}

std::vector<std::vector<Pod>> rounds_of_pods(const std::vector<Pod>& pods, std::uint32_t members) {
    std::vector<std::vector<Pod>> rounds;
    std::vector<std::size_t> free_from(members, 0);  // the first round after a member's last
    for (const auto& pod : pods) {
        std::size_t round = 0;
        for (const auto member : pod) round = std::max(round, free_from[member]);
        for (const auto member : pod) free_from[member] = round + 1;
        if (round == rounds.size()) rounds.emplace_back();
        rounds[round].push_back(pod);
    }
    return rounds;
}

}  // namespace referee::formats

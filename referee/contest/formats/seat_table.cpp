#include "referee/contest/formats/seat_table.h"

#include "protocol/base/assertion.h"

namespace referee::formats {

namespace {

// Colours the edges of a graph between pods and turns with `seats` colours, none twice at a pod or
// at a turn. A turn is a stretch of `seats` pods of one member: it holds each seat once, so that
// whole turns are even and the last one is within one.
class Colouring {
 public:
    Colouring(std::size_t pods, std::size_t turns, std::uint32_t seats)
        : seats_(seats), turn_at_(pods * seats, none), pod_at_(turns * seats, none) {}

    void add(std::size_t pod, std::size_t turn) {
        const auto seat = free_seat(turn_at_, pod);
        const auto other = free_seat(pod_at_, turn);
        if (pod_at_[turn * seats_ + seat] != none) exchange(turn, seat, other);
        turn_at_[pod * seats_ + seat] = turn;
        pod_at_[turn * seats_ + seat] = pod;
    }
    // Who sits there.
    std::size_t turn_at(std::size_t pod, std::uint32_t seat) const {
        return turn_at_[pod * seats_ + seat];
    }

 private:
    static constexpr std::size_t none = SIZE_MAX;

    std::uint32_t free_seat(const std::vector<std::size_t>& at, std::size_t node) const {
        for (std::uint32_t seat = 0; seat < seats_; ++seat) {
            if (at[node * seats_ + seat] == none) return seat;
        }
        REFEREE_ASSERT(false);
        return 0;
    }

    // Exchanges two seats along the path that starts at the turn with `seat`; at its start `other`
    // is free, so that afterwards `seat` is.
    void exchange(std::size_t turn, std::uint32_t seat, std::uint32_t other) {
        struct Edge {
            std::size_t pod;
            std::size_t turn;
            std::uint32_t seat;
        };
        std::vector<Edge> path;
        bool at_turn = true;
        std::uint32_t now = seat;
        std::size_t node = turn;
        for (;;) {
            const std::size_t next =
                at_turn ? pod_at_[node * seats_ + now] : turn_at_[node * seats_ + now];
            if (next == none) break;
            path.push_back(at_turn ? Edge{next, node, now} : Edge{node, next, now});
            node = next;
            at_turn = !at_turn;
            now = now == seat ? other : seat;
        }
        for (const auto& edge : path) {
            turn_at_[edge.pod * seats_ + edge.seat] = none;
            pod_at_[edge.turn * seats_ + edge.seat] = none;
        }
        for (const auto& edge : path) {
            const std::uint32_t changed = edge.seat == seat ? other : seat;
            turn_at_[edge.pod * seats_ + changed] = edge.turn;
            pod_at_[edge.turn * seats_ + changed] = edge.pod;
        }
    }

    std::uint32_t seats_;
    std::vector<std::size_t> turn_at_;  // by pod and seat
    std::vector<std::size_t> pod_at_;   // by turn and seat
};

}  // namespace

void even_seats(std::vector<std::vector<std::uint32_t>>& pods, std::uint32_t seats,
                std::uint32_t members) {
    std::vector<std::uint32_t> played(members, 0);
    std::vector<std::size_t> turn_of(members, 0);
    std::vector<std::uint32_t> member_of;  // by turn
    std::vector<std::vector<std::size_t>> turns_of_pods;
    for (const auto& pod : pods) {
        REFEREE_ASSERT(pod.size() == seats);
        auto& turns = turns_of_pods.emplace_back();
        for (const auto member : pod) {
            if (played[member]++ % seats == 0) {
                turn_of[member] = member_of.size();
                member_of.push_back(member);
            }
            turns.push_back(turn_of[member]);
        }
    }
    Colouring colouring(pods.size(), member_of.size(), seats);
    for (std::size_t pod = 0; pod < pods.size(); ++pod) {
        for (const auto turn : turns_of_pods[pod]) colouring.add(pod, turn);
    }
    for (std::size_t pod = 0; pod < pods.size(); ++pod) {
        for (std::uint32_t seat = 0; seat < seats; ++seat) {
            pods[pod][seat] = member_of[colouring.turn_at(pod, seat)];
        }
    }
}

}  // namespace referee::formats

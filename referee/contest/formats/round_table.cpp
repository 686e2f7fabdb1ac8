#include "referee/contest/formats/round_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/gauntlet.h"

namespace referee::formats::berger {

std::uint32_t boards(std::uint32_t players) {
    return (players + 1) / 2;
}

std::uint32_t rounds(std::uint32_t players) {
    return 2 * boards(players) - 1;
}

Pair pair(std::uint32_t players, std::uint32_t round, std::uint32_t board) {
    REFEREE_ASSERT(players >= 2 && round < rounds(players) && board < boards(players));
    // The last number stays; all others stand in a ring. The place of the last number's opponent
    // moves half a ring on with each round, and the other boards pair the numbers at equal distance
    // from it.
    const std::uint32_t last = 2 * boards(players);
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
        std::ranges::fill(open_, 0);
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
            if (pod.empty()) std::ranges::fill(to_meet, 0);
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

// Colours the edges of a graph between pods and turns with `seats` colours, none twice at a pod or
// at a turn. A turn is a stretch of `seats` pods of one member: it holds each seat once, so that
// whole turns are even and the last one is within one.
class Colouring {
 public:
    Colouring(std::size_t pods, std::size_t turns, std::uint32_t seats)
        : seats_(seats), turn_at_(pods * seats, none), pod_at_(turns * seats, none) {}

    // The edge takes a seat that is free at the pod. Whoever has it at the turn takes one that is
    // free there instead, and so on along a path on which the two seats alternate.
    void add(std::size_t pod, std::size_t turn) {
        const auto seat = free_seat(turn_at_, pod);
        const auto other = free_seat(pod_at_, turn);
        for (;;) {
            turn_at_[pod * seats_ + seat] = turn;
            const auto next_pod = std::exchange(pod_at_[turn * seats_ + seat], pod);
            if (next_pod == none) return;
            turn_at_[next_pod * seats_ + seat] = none;
            const auto next_turn = std::exchange(turn_at_[next_pod * seats_ + other], turn);
            pod_at_[turn * seats_ + other] = next_pod;
            if (next_turn == none) return;
            pod_at_[next_turn * seats_ + other] = none;
            pod = next_pod;
            turn = next_turn;
        }
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

    std::uint32_t seats_;
    std::vector<std::size_t> turn_at_;  // by pod and seat
    std::vector<std::size_t> pod_at_;   // by turn and seat
};

// Orders the members of each pod by seat so that everybody has every seat equally often, or within
// one of that, over all the pods. Always possible; the pods are kept in their order.
// Requires: every pod has `seats` different members, numbered below `members`.
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
        for (std::uint32_t seat = 0; seat < seats; ++seat)
            pods[pod][seat] = member_of[colouring.turn_at(pod, seat)];
    }
}

// A greedy cover, as pod_table() promises it. It ends when all have met and no member has more than
// one match more than another.
std::vector<Pod> pod_cover(std::uint32_t members, std::uint32_t seats, std::uint32_t meetings) {
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

// Puts the pods into rounds in which nobody plays twice, everybody's pods in their order.
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

class TableSchedule final : public Schedule {
 public:
    TableSchedule(RoundTable table, std::vector<Entrant> numbers,
                  const std::optional<SprtBounds>& test)
        : table_(std::make_shared<const RoundTable>(std::move(table))),
          numbers_(std::move(numbers)) {
        if (test) decision_.emplace(*test);
    }

    std::unique_ptr<Schedule> copy() const override {
        return std::make_unique<TableSchedule>(*this);
    }

    Next next() override {
        std::vector<Entrant> seats;
        const bool decided = decision_ && decision_->state().over();
        while (!decided && round_ < table_->rounds) {
            seats = table_->seats(round_, place_++);
            if (!seats.empty()) break;
            ++round_;
            place_ = 0;
        }
        if (seats.empty()) {
            if (recorded_ == handed_out_) return Finished{};
            return Wait{};
        }
        for (auto& seat : seats) seat = numbers_[seat];
        const auto round = static_cast<std::uint32_t>(round_ + 1);
        if (seats.size() == 1 && table_->alone_is_bye)
            return Bye{round, seats.front(), {}, ByeKind::pairing};
        return Pairing{++handed_out_, round, std::move(seats)};
    }

    void record(const MatchResult& result) override {
        REFEREE_ASSERT(result.match >= 1 && result.match <= handed_out_);
        ++recorded_;
        REFEREE_ASSERT(recorded_ <= handed_out_);
        if (decision_) decision_->record(result);
    }

    bool reopen(std::uint64_t match) override {
        if (match == 0 || match > handed_out_ || recorded_ == 0) return false;
        --recorded_;
        if (decision_) decision_->forget(match);
        return true;
    }

    std::string ended_early() const override {
        if (!decision_ || !decision_->state().gave_up()) return {};
        return fmt::format(
            "the last {} matches brought nothing new: they repeated games that were played before, "
            "or somebody didn't come",
            repeats_most);
    }
    // Nothing to do: its matches were handed out all the time.
    bool come_back(Entrant /*entrant*/, std::uint32_t /*round*/) override { return true; }

    std::optional<std::uint64_t> matches_total() const override {
        if (decision_) return std::nullopt;
        return table_->matches;
    }

 private:
    std::shared_ptr<const RoundTable> table_;  // copies share it
    std::vector<Entrant> numbers_;
    std::uint64_t round_ = 0;
    std::size_t place_ = 0;
    std::uint64_t handed_out_ = 0;
    std::uint64_t recorded_ = 0;
    std::optional<GauntletDecision> decision_;
};

}  // namespace

std::uint64_t pods_least(std::uint64_t members, std::uint64_t seats, std::uint64_t meetings) {
    const auto of_one = (meetings * (members - 1) + seats - 2) / (seats - 1);
    return (members * of_one + seats - 1) / seats;
}

RoundTable berger_table(std::size_t entrants, std::uint32_t cycles, bool swap_last_rounds) {
    REFEREE_ASSERT(entrants >= 2);
    const auto players = static_cast<std::uint32_t>(entrants);
    const std::uint32_t in_cycle = berger::rounds(players);
    const std::uint32_t boards = berger::boards(players);
    const bool swap = swap_last_rounds && cycles > 1;
    const auto seats = [=](std::uint64_t round, std::size_t place) -> std::vector<Entrant> {
        if (place == boards) return {};
        const std::uint64_t cycle = round / in_cycle;
        auto row = static_cast<std::uint32_t>(round % in_cycle);
        const bool among_last_two = in_cycle >= 2 && row + 2 >= in_cycle;
        if (swap && cycle == 0 && among_last_two) row = 2 * in_cycle - 3 - row;
        // The bye of an odd field is the last place of its round rather than the first.
        const auto board = static_cast<std::uint32_t>((place + players % 2) % boards);
        auto [white, black] = berger::pair(players, row, board);
        if (cycle % 2 == 1) std::swap(white, black);
        if (white > players) return {black - 1};
        if (black > players) return {white - 1};
        return {white - 1, black - 1};
    };
    const auto of_cycle = std::uint64_t{players} * (players - 1) / 2;
    return {std::uint64_t{in_cycle} * cycles, of_cycle * cycles, seats};
}

RoundTable pod_table(std::size_t entrants, std::size_t seats, std::uint32_t cycles) {
    REFEREE_ASSERT(seats >= 2 && seats <= entrants);
    const auto members = static_cast<std::uint32_t>(entrants);
    const auto width = static_cast<std::uint32_t>(seats);
    const auto rounds = rounds_of_pods(pod_cover(members, width, cycles), members);
    std::vector<Pod> pods;  // by seat, round after round
    std::vector<std::size_t> first_of_round{0};
    for (const auto& of_round : rounds) {
        pods.insert(pods.end(), of_round.begin(), of_round.end());
        first_of_round.push_back(pods.size());
    }
    even_seats(pods, width, members);
    const auto in_place = [=](std::uint64_t round, std::size_t place) {
        const auto at = first_of_round[round] + place;
        if (at == first_of_round[round + 1]) return std::vector<Entrant>{};
        return std::vector<Entrant>(pods[at].begin(), pods[at].end());
    };
    return {rounds.size(), pods.size(), in_place};
}

RoundTable leaderboard_table(const std::vector<Entrant>& opponents, std::size_t entrants) {
    std::vector<Entrant> ranked;
    for (Entrant entrant = 0; entrant < entrants; ++entrant)
        if (!base::contains(opponents, entrant)) ranked.push_back(entrant);
    const auto seats = [=](std::uint64_t /*round*/, std::size_t place) {
        if (place == ranked.size()) return std::vector<Entrant>{};
        std::vector<Entrant> its{ranked[place]};
        its.insert(its.end(), opponents.begin(), opponents.end());
        return its;
    };
    return {1, ranked.size(), seats, false};
}

std::unique_ptr<Schedule> table_schedule(RoundTable table, std::vector<Entrant> numbers,
                                         const std::optional<SprtBounds>& test) {
    return std::make_unique<TableSchedule>(std::move(table), std::move(numbers), test);
}

}  // namespace referee::formats

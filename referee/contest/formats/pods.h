#pragma once

// The pods of one round of a Swiss tournament for more than two seats.
//
// What a round's pods are judged by, each only where those before it are equal:
//   1. company: forbidden company (two in a pod who are kept apart), then repeats: pairs that met
//      before, counted as often as they met, and entrants that sit in a smaller pod again;
//   2. spread: the sum over all pods of the difference between the most and the least points in
//      it;
//   3. seats: how far everybody is from having had every seat equally often;
//   4. unlike: how different the seats are that the members of a pod had so far. Members of a
//      pod won't meet again if that can be avoided. So they should lack the same seats, and
//      those who can still meet should lack different ones.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "referee/contest/formats/schedule.h"

namespace referee::formats {

// Two who are kept apart count as so many repeats: more than a field can have.
inline constexpr std::int64_t forbidden_company = 1'000'000;

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
    // What two bring into a pod, as PodJudgement counts it.
    std::int64_t company(std::size_t a, std::size_t b) const {
        return times_met(a, b) + (kept_apart(a, b) ? forbidden_company : 0);
    }
};

struct PodJudgement {
    std::int64_t company = 0;
    std::int64_t spread_halves = 0;
    std::int64_t seats = 0;
    std::int64_t unlike = 0;

    bool forbidden() const { return company >= forbidden_company; }
    // Better is less.
    friend auto operator<=>(const PodJudgement&, const PodJudgement&) = default;
    // Of the pods of both, or of those that are left.
    PodJudgement& operator+=(const PodJudgement& other);
    PodJudgement& operator-=(const PodJudgement& other);
    friend PodJudgement operator+(PodJudgement one, const PodJudgement& other) {
        return one += other;
    }
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

// How much more often than its rarest seat an entrant had a seat; to get it costs the square.
std::int64_t seat_excess(const PodField& field, Entrant entrant, std::size_t seat);

// The cheapest order by seat of a pod's members.
std::int64_t order_by_seat(const PodField& field, std::vector<Entrant>& pod);

// The best of all splits in small fields (up to twenty entrants in fours), else a search whose
// length depends only on the size of the field. The same field and seed give the same pods on every
// machine.
PodRound pair_pods(const PodField& field, std::uint64_t seed);

// The best of all splits of the entrants into pods of these sizes, as pods.h judges them. Nothing
// where finding it takes too long. Requires: sizes of which so many entrants always make the same
// pods, as pod_sizes gives them.
std::optional<std::vector<std::vector<Entrant>>> best_split(const PodField& field,
                                                            std::span<const Entrant> by_standing,
                                                            std::span<const std::size_t> sizes);

// ---- pod_search.cpp -----------------------------------------------------------------------------

// Splits the entrants, given by standing, into pods of these sizes, as pods.h judges them; at equal
// seats they are not always the least unlike.
std::vector<std::vector<Entrant>> search_pods(const PodField& field,
                                              std::span<const Entrant> by_standing,
                                              std::span<const std::size_t> sizes,
                                              std::uint64_t seed);

}  // namespace referee::formats

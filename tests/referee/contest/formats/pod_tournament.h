#pragma once

#include <cstdint>
#include <vector>

#include "referee/contest/formats/pods.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {

using Pods = std::vector<std::vector<Entrant>>;

// A field with nothing played yet.
PodField fresh_pod_field(std::size_t entrants, std::size_t seats);

// Plays a round among bots of which higher numbers are a little stronger: a point for each that is
// outscored, and one and a half for a bye.
void play_pods(PodField& field, const PodRound& round, rating::Random& luck);

// A Swiss of pods that are played so.
class PodTournament {
 public:
    PodTournament(std::size_t entrants, std::size_t seats, std::uint64_t seed);

    // The pods that are drawn for the next round.
    Pods drawn_pods() const;

    void play(const Pods& pods);

    const PodField& field() const { return field_; }
    std::uint64_t repeats() const { return repeats_; }  // pairs that met again
    // Of points, of all pods so far.
    double mean_spread() const { return spread_sum_ / pods_; }
    // The share of the entrants who sat in every seat about equally often: each differs by one at
    // most from rounds / seats.
    double even_share() const;

 private:
    PodField field_;
    std::uint64_t seed_;
    rating::Random luck_;
    std::uint32_t round_ = 0;
    std::uint64_t repeats_ = 0;
    double spread_sum_ = 0;
    double pods_ = 0;
};

}  // namespace referee::formats

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "referee/watch/review/review.h"

namespace referee::review {

// Each use of playouts has numbers of its own, so that what was found by some is measured by
// others.
enum class Use : std::uint8_t { curve, measure, attempts, comparison };

// The positions of a game, and samples of what they come to.
class Sampler {
 public:
    Sampler(showing::ReplayFrames& replay_frames, Playouts& playouts, std::size_t count);

    // Turns that were played; a forfeit behind the last is none.
    std::int64_t turns() const { return turns_; }
    // The position in which the turn was to be played, also that behind the last one.
    const engines::State& before(std::int64_t turn);
    bool moved(std::int64_t turn, engines::Seat seat);
    // By seat, as JSON text.
    const std::vector<std::string>& moves(std::int64_t turn) const;

    base::Result<Sample, std::string> sample(const Branch& branch, Use use);
    // More playouts of what was sampled before, as many as are played of each branch now.
    base::Result<void, std::string> add_to(Sample& sample, const Branch& branch, Use use);
    // From now on so many are played of each branch.
    void play(std::size_t count) { count_ = count; }
    std::size_t count() const { return count_; }
    // Whether all samples of games that went on were alike.
    bool all_alike() const { return all_alike_; }

 private:
    std::unique_ptr<engines::State> position(const Branch& branch);

    showing::ReplayFrames& replay_frames_;
    Playouts& playouts_;
    std::size_t count_;
    std::int64_t turns_ = 0;
    bool all_alike_ = true;
};

// Whether there is time for twice as many playouts of each branch, while less than `until` of it is
// spent.
bool may_double(const Sampler& sampler, const ReviewOptions& terms, double until);

// What turns of the seat cost.
class Measures {
 public:
    Measures(Sampler& sampler, const ReviewOptions& terms, Scale scale)
        : sampler_(sampler), terms_(terms), scale_(scale) {}

    // Each by as many playouts as are played of a branch, or as many as fit.
    base::Result<std::vector<CostlyTurn>, std::string> of(const std::vector<std::int64_t>& turns);
    // What the playouts would have had the seat play instead.
    base::Result<void, std::string> try_moves(CostlyTurn& lost);

 private:
    struct Measured {
        std::int64_t turn = 1;
        Sample before;
        Sample after;
    };
    base::Result<void, std::string> add_to(Measured& measured);

    Sampler& sampler_;
    const ReviewOptions& terms_;
    Scale scale_;
};

}  // namespace referee::review

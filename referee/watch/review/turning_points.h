#pragma once

#include <cstdint>
#include <memory>
#include <string>

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

// What a turn of the seat cost, and what the playouts would have had it play.
base::Result<CostlyTurn, std::string> look_at_turn(Sampler& sampler, std::int64_t turn,
                                                   const ReviewOptions& terms, Scale scale);

}  // namespace referee::review

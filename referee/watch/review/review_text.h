#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "referee/watch/review/review.h"

namespace referee::review {

// What is told of a review beside what it found.
struct About {
    std::string game_id;
    std::string game;               // "walls"
    std::vector<std::string> bots;  // by seat
    engines::Seat seat = 0;
    std::uint64_t seed = 1;
    std::vector<std::string> played_by;  // by seat: the commands
    // By which messages those were told what came before; empty: they see positions alone.
    std::vector<std::string> past_told_by;
    // What holds of these playouts beside what holds of all, a sentence each.
    std::vector<std::string> assumed;
    // Which game it is of, as replay_mark() has it.
    std::string replay{};
    // What the record tells otherwise than the engine does now: the moves were played by other
    // rules, or the replay was changed since.
    std::vector<std::string> differences{};
    // Says moves in the game's own short words; without it, or a word of it, moves are JSON.
    const engines::Game* rules = nullptr;
};

// All that was assumed, and how sure it is, a sentence each.
std::vector<std::string> assumptions(const Review& review, const About& about);

// What a turn cost, in a sentence or two.
std::string told(const CostlyTurn& lost, const Review& review, const About& about);

// Which turn cost most, how much and how sure that is; or that no single turn did.
std::string verdict(const Review& review, const About& about);

// What is said of all turns, a sentence each: first the verdict, then what it takes to see more,
// and why numbers differ from the curve's.
std::vector<std::string> remarks(const Review& review, const About& about);

// How the last position came to the recorded end, where no move led there; else empty.
std::string told_end(const Review& review);

// For a terminal: the verdict and the curve; all of it where that is asked for.
std::string text_of(const Review& review, const About& about, bool verbose);

// As configs/schemas/review.json has it.
std::string json_of(const Review& review, const About& about);

}  // namespace referee::review

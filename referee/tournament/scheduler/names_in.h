#pragma once

#include <string>
#include <vector>

namespace referee::config {
struct TournamentConfig;
}

namespace referee::scheduler {

// "ann, bob and eve"; of many the first few, and how many more there are.
std::string names_in(const std::vector<std::string>& bots);

// "ann takes part in friday from the next round on"; a ladder has no rounds.
std::string takes_part(const std::string& bot, const config::TournamentConfig& tournament);

}  // namespace referee::scheduler

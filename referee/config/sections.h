#pragma once

#include "engines/registry.h"
#include "referee/config/member_reader.h"

// The parts of a config, each read from its object into plain data. What is wrong goes to the
// reader's errors.

namespace referee::config {

void read_bots(json::View list, const std::string& directory, Config& config, std::vector<ConfigError>& errors);

// `config.bots` is complete.
void read_tournaments(json::View list, const std::string& directory, Config& config, std::vector<ConfigError>& errors);

void read_clock(MemberReader& tournament, const engines::GameInfo& game, clock::ClockConfig& clock);
void read_faults(MemberReader& tournament, play::FaultPolicy& faults);
void read_format(MemberReader& tournament, const engines::GameInfo& game, TournamentConfig& config);
void read_match(MemberReader& tournament, const engines::GameInfo& game, TournamentConfig& config);
// The params of each setup, as JSON text, checked by the game.
void read_setups(MemberReader& tournament, const engines::Game& game, TournamentConfig& config);

}  // namespace referee::config

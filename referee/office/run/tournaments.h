#pragma once

#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engines/registry.h"
#include "referee/arena/scheduler/contest.h"
#include "referee/config/config.h"
#include "referee/memory/store/store.h"

namespace referee::run {

// A tournament to play, with the records that open it where it is new.
struct OpenTournament {
    std::unique_ptr<engines::Registry> registry;
    std::unique_ptr<scheduler::Contest> contest;
    std::vector<journal::Record> opening;
};

// The tournaments of a config as a store left them, and what else the store holds.
struct OpenTournaments {
    std::vector<OpenTournament> all;  // in the order of the config
    std::vector<journal::TokenRecord> tokens;
    std::vector<GameKey> games;      // all plays that ended, whose replays the store holds
    std::set<std::string> resting;   // tournaments of the store that the config doesn't name
    std::vector<std::string> notes;  // for whoever began this: what he should know
    bool went_on = false;            // the store held something
};

// Why these tournaments can't go on from that store; for a person.
struct CannotGoOn {
    std::string message;
};

// One tournament that is new: begun where it is to begin at once.
std::variant<OpenTournament, CannotGoOn> open_tournament(
    const config::TournamentConfig& tournament, const std::vector<config::BotConfig>& bots);

// `others_may_be`: the store may hold tournaments that the config doesn't name; they rest.
std::variant<OpenTournaments, CannotGoOn> open_tournaments(const config::Config& config,
                                                           store::Store& store, bool others_may_be);

}  // namespace referee::run

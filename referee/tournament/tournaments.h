#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/contest.h"

namespace referee::tournament {

// A tournament to play; where it is new, with the records that open it.
struct OpenTournament {
    std::unique_ptr<engines::Registry> registry;
    std::unique_ptr<contests::Contest> contest;
    std::vector<records::Record> opening;
};

// Hands over each record of a former run, in its order. Says what is wrong with them where they
// can't be read.
using Past = std::function<base::Result<void, std::string>(
    const std::function<void(const records::Record&)>& take)>;

// What a former run had reached.
struct Recovery {
    bool went_on = false;            // it had recorded something
    std::vector<GameKey> games;      // all plays that have ended
    std::vector<std::string> notes;  // for the person who started this run
};

// The tournaments of a config in the state that the records give them, and what else the records
// hold.
struct OpenTournaments : Recovery {
    std::vector<OpenTournament> all;  // in the order of the config
    std::vector<records::TokenRecord> tokens;
    std::set<std::string> unnamed;  // recorded tournaments that the config doesn't name
};

// Opens one new tournament; it begins where it is to begin at once. Otherwise says why not, for a
// person. `version`: of the program, for the record.
base::Result<OpenTournament, std::string> open_tournament(
    const config::TournamentConfig& tournament, const std::vector<config::BotConfig>& bots,
    const std::string& version);

// `others_may_be`: there may be records of tournaments that the config doesn't name. These
// stay as they are.
base::Result<OpenTournaments, std::string> open_tournaments(const config::Config& config,
                                                            const std::string& version,
                                                            bool others_may_be, const Past& past);

}  // namespace referee::tournament

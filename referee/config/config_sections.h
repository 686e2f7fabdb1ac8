#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "referee/config/config.h"
#include "referee/config/read_values.h"

// The parts of a config, each read from its object into plain data. What is wrong goes to the
// reader's mistakes.

namespace referee::config {

// ---- read_network.cpp ----------------------------------------------------------------------

// "names": whether pages show bots' names.
void read_names(json::Reader& root, Config& config);
// "listen": where bots dial in, in plain and by TLS, and where pages are served to browsers.
// Requires: the names are read.
void read_listen(json::Reader& root, const std::string& directory, Config& config);
// Where a daemon takes orders.
void read_control(json::Reader& root, const std::string& directory, Config& config);

// Ranges of addresses, each with what may be allowed for the way to its bots.
void read_network(const json::Placed& list, Config& config);
// Warns of budgets that are shorter than what may be allowed for a bot's way. All else is read.
void warn_of_short_budgets(Config& config);

// ---- read_registration.cpp -----------------------------------------------------------------

// "registration"; opens nothing.
void read_registration(json::Reader& root, const std::string& directory, Config& config);
// Reads the roster that the config names, if any, and holds it against the config's bots.
// `config.bots` is complete.
void read_class_roster(json::Reader& root, Config& config);
// Warns of files with secrets that every user of the machine can read: the config's own, and its
// roster.
void warn_of_open_secrets(const std::string& file, Config& config);
// "submissions": whether bots' owners may hand in programs, which the referee builds and launches.
// Requires: the tournaments and who may register are read.
void read_submissions(json::Reader& root, Config& config);

// ---- read_bots.cpp -------------------------------------------------------------------------

// `config.file` and `config.control` are known.
void read_bots(const json::Placed& list, const std::string& directory, Config& config);
// "start_within": from a bot's launch to its login.
void read_start_within(json::Reader& reader, BotConfig& bot);
// What a bot may take in the sandbox: "memory_mb", "processes", "disk_mb".
void read_limits(json::Reader& reader, BotConfig& bot);

// ---- read_tournament.cpp -------------------------------------------------------------------

// `config.bots` is complete.
void read_tournaments(const json::Placed& list, const std::string& directory, Config& config);

// ---- read_format.cpp -----------------------------------------------------------------------

// Requires: the tournament's bots, and who may register, are read.
void read_format(json::Reader& tournament, const engines::GameInfo& game, const Config& all,
                 TournamentConfig& config);
// The greatest number of seats of a match in any stage.
std::size_t seats_most(const formats::FormatConfig& format);
// A list of names of tie-breaks; nothing where it is not there.
std::optional<std::vector<standings::TieBreak>> read_tie_break_names(json::Reader& reader,
                                                                     std::string_view member);

// ---- read_match.cpp ------------------------------------------------------------------------

void read_match(json::Reader& tournament, const engines::GameInfo& game, TournamentConfig& config);
// The params of each setup, as JSON text, checked by the game; and what a match is worth where the
// config doesn't say. Requires: format and match are read.
void read_setups(json::Reader& tournament, const engines::Game& game, TournamentConfig& config);

void read_clock(json::Reader& tournament, const engines::GameInfo& game, clock::ClockConfig& clock);
void read_faults(json::Reader& tournament, play::FaultPolicy& faults);
// How long a match waits for a bot, when a bot is withdrawn, and what becomes of its matches then.
// Requires: the format is read.
void read_withdrawal(json::Reader& tournament, TournamentConfig& config);
// Warns of budgets that are no time to think, as a number without a unit has them.
void warn_of_tiny_budgets(Config& config);

// ---- read_machines.cpp ---------------------------------------------------------------------

// "machines": whether other machines play matches, and how these get there. All else is read.
void read_machines(json::Reader& root, const std::string& directory, Config& config);

}  // namespace referee::config

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "protocol/json/reader.h"
#include "referee/config/config.h"
#include "referee/roster/kinds/kind.h"

namespace referee::config {

// Reads and checks a config. All errors are found at once, in the order of the file. Opens nothing
// but what the text names (maps directories, a roster); paths in it are relative to `directory`.
base::Result<Config, std::vector<ConfigError>> read_config(std::string_view text,
                                                           const std::string& file,
                                                           const std::string& directory);

// The same for a file on disk; also warns where everybody can read the secrets in it.
base::Result<Config, std::vector<ConfigError>> read_config_file(const std::string& file);

// "class.json:12: tournaments[0].clock.budget: expected a time such as "1s", found 5"
std::string describe(const ConfigError& error, const std::string& file);

// The file of a folder of maps that has their version, and is none of them.
inline constexpr std::string_view maps_version_file = "maps_version";

// The games as a tournament has them: with its own maps.
base::Result<std::unique_ptr<engines::Registry>, ConfigError> registry_for(
    const TournamentConfig& tournament);

// What an instructor should know of a tournament whose games begin by chance, where anybody can
// compute how: its seed is the one that configs have by themselves. Empty where all is well, or
// where the game begins alike from any seed.
std::string remark_on_seed(const TournamentConfig& tournament);

// That there is no game of this id: which one was meant, if one is near, and which there are.
std::string unknown_game(const engines::Registry& registry, std::string_view id);

namespace json = protocol::json;

// The member "program" of a bot; nothing where there is none, or where it is wrong.
std::optional<kinds::KindProgram> read_program(json::Reader& bot);

// Has the bot launched with the adapter of the program's kind. Requires: its directory, and
// whatever else it reads, are known.
void set_program(BotConfig& bot, const kinds::KindProgram& program);

}  // namespace referee::config

#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"

namespace referee::cli {

// Adds --unsandboxed, which every command that launches bots understands alike.
void add_unsandboxed(CLI::App& command, bool& unsandboxed);

// Reads the config and prints its warnings on standard error. Nothing where it has mistakes; these
// are printed there too.
std::optional<config::Config> read_config(const std::string& file);

// "0 alice, 1 bob"
std::string seats_told(const std::vector<std::string>& bots);

// A seat of a recorded game that --seat names, by its number or its bot. An error says which there
// are. Requires: something is given.
base::Result<std::size_t, std::string> seat_named(const std::string& given,
                                                  const std::vector<std::string>& bots);

}  // namespace referee::cli

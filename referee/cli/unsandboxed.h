#pragma once

#include <CLI/CLI.hpp>

namespace referee::cli {

// Adds --unsandboxed, which every command that launches bots understands alike.
void add_unsandboxed(CLI::App& command, bool& unsandboxed);

}  // namespace referee::cli

#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "referee/launch/program/trouble.h"

namespace referee::program {

// Every interpreter that we know says its version in a tenth of a second; the rest is for a machine
// on which a whole class starts its bots.
inline constexpr std::chrono::seconds version_time_max{2};
// "openjdk 17.0.16 2025-07-15" has 27.
inline constexpr std::size_t version_line_bytes_max = 200;
// A program that knows no --version may do its work instead, and print.
inline constexpr std::size_t version_output_bytes_max = 64 * 1024;

// The first line of what `PROGRAM --version` prints, cut to version_line_bytes_max; nothing where
// it prints none, ends with an error or prints too much. It runs without a shell, in /, with an
// empty input and an environment of its own; where the referee is root, as nobody. Blocks for
// version_time_max at most; then all of its process group is killed.
base::Result<std::optional<std::string>, Trouble> version_line(const std::string& program);

}  // namespace referee::program

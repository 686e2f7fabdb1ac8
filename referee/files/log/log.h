#pragma once

#include <spdlog/spdlog.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

// The log: goes to standard error, as lines or as JSON lines. Code that runs in every turn logs at
// debug level at most.

namespace referee::log {

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

inline constexpr std::array<std::string_view, 6> levels{"trace", "debug", "info",
                                                        "warn",  "error", "off"};

struct LogOptions {
    std::string level = "warn";
    bool json = false;  // one JSON object for each line
};

// Call it once, at the start of the program. An error says what is wrong with the options.
base::Result<void, std::string> start(const LogOptions& options);

// From now on the log goes to the end of this file, and no more to standard error: where what the
// screen shows is read by others than those who may read the log. An error says why not.
base::Result<void, std::string> go_on_in(const std::string& file);

// From now on each line, as people read it, is given to this instead of standard error. Call what
// is returned to end that.
std::function<void()> show_by(std::function<void(const std::string& line)> show);

// For later changes. Requires: one of the levels.
void set_level(const std::string& level);

// A text in which each "referee ctl ORDER" can be pasted as it stands: between the two words and
// the order come the options that lead to the daemon, such as "--out class". Empty: the text as it
// is.
std::string complete_orders(std::string text, std::string_view to_daemon);

// From now on orders in lines of the log are complete by these options.
void complete_orders_by(std::string to_daemon);

}  // namespace referee::log

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/base/result.h"
#include "sample_bots/cpp/bot/bot.h"

namespace bots {

// Where and as whom a bot plays.
struct Options {
    std::string name;
    std::string token;
    std::string password;  // of the class
    std::string version;   // of the bot; empty: not told
    std::string address;   // HOST:PORT or tls://...; empty: standard input and output
    std::int64_t parallel = 1;
    bool delta = false;             // ask for changes of the state instead of the whole
    bool trace = false;             // show all lines on standard error
    bool asks_games = false;        // for the list of its games, instead of playing
    std::string asked_game{};       // the same for the story of this one
    std::chrono::seconds wait{10};  // for a referee that isn't there yet
};

struct UsageError {
    std::string message;
};

struct HelpWanted {};

// Looks up an environment variable; nothing where it isn't set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

// From `arguments` (without the program's name), then the environment, then `info`.
base::Result<std::variant<Options, HelpWanted>, UsageError> read_options(
    std::span<const std::string_view> arguments, const Environment& environment,
    const BotInfo& info);

std::string help_text(std::string_view program, const BotInfo& info);

}  // namespace bots

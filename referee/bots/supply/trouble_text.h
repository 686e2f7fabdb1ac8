#pragma once

// What is told of a launched bot that came too late or has ended.

#include <optional>
#include <string>

#include "protocol/messages.h"
#include "referee/config/config.h"
#include "referee/connections/lobby/bot.h"

namespace referee::supply {

// "1500 ms", "30 s".
std::string text_of(Duration time);

// The end of what it printed on standard error, with advice where that is a known mistake; empty
// where it printed nothing.
std::string printed(const config::BotConfig& bot, const std::string& tail, bool sandboxed);

protocol::Evidence evidence_of(const std::optional<lobby::Process::Exit>& exit,
                               const std::string& tail);

}  // namespace referee::supply

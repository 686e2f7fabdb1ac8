#pragma once

// What is told of a launched bot that came too late or has ended.

#include <optional>
#include <string>
#include <string_view>

#include "protocol/messages.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/net/lobby/bot.h"
#include "referee/net/loop/timers.h"

namespace referee::supply {

// "1500 ms", "30 s".
std::string text_of(Duration time);

// "; it printed: " and the end of what it printed on standard error; empty where it printed
// nothing.
std::string printed(const std::string& tail);

// The words with what may help behind them.
std::string with_hint(std::string words, const std::string& hint);

// Whether a process ended because nobody read any more what it wrote, as its signal or its last
// words on standard error tell.
bool died_of_closed_pipe(const process::ExitStatus& status, std::string_view tail);

protocol::Evidence evidence_of(const std::optional<lobby::Process::Exit>& exit,
                               const std::string& tail);

}  // namespace referee::supply

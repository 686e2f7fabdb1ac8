#pragma once

// What is told of a launched bot that came too late or has ended, and what may help.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/messages.h"
#include "referee/config/config.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/net/lobby/bot.h"

namespace referee::supply {

// "; it printed: " and the end of what it printed on standard error; empty where it printed
// nothing.
std::string printed_tail(const std::string& tail);

// The words with what may help behind them.
std::string with_hint(std::string words, const std::string& hint);

// Whether it answers a login, and no other line.
bool refuses_login(const protocol::ProtocolError& error);
// Why a bot didn't come, and what helps: how what it said first was answered.
std::string told_of(const protocol::ProtocolError& error);

// Whether a process ended because nobody read any more what it wrote, as its signal or its last
// words on standard error tell.
bool died_of_closed_pipe(const process::ExitStatus& status, std::string_view tail);

protocol::Evidence evidence_of(const std::optional<lobby::Process::Exit>& exit,
                               const std::string& tail);

// Of a process that the kernel ended for want of memory elsewhere: no doing of its program.
inline constexpr std::string_view no_memory_left = "the whole machine had no memory left";

// How a bot's process ended, or that it still runs: then only what it printed is known.
struct ProcessEnding {
    std::optional<int> signal = std::nullopt;
    process::LimitsMet met{};
    std::string_view printed{};  // the end of its standard error
};

// Which limit it met, with its number, and what gives more, in words that its author and the
// instructor can act on; empty where nothing tells. What was printed is only a sign: a program may
// print such words for another reason. `tier`: none for a bot without a sandbox.
std::string hint_of(const config::BotConfig& bot, sandbox::Tier tier, const ProcessEnding& ending);

// What would be told of one bot again and again, launch after launch.
class RepeatedWords {
 public:
    // `what`: what happened, in a line. `details`: all else, as what the bot printed. The words in
    // full where they are new; where they were told last, nothing, but for the tenth, hundredth,
    // ... time, which are a few words.
    std::optional<std::string> once(const std::string& what, const std::string& details);

 private:
    std::string last_;
    std::uint64_t times_ = 0;
    std::uint64_t told_next_ = 1;
};

}  // namespace referee::supply

#pragma once

// What a launched bot ran into that its sandbox withholds or limits.

#include <optional>
#include <string>
#include <string_view>

#include "referee/config/config.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::supply {

// How a bot's process ended, or that it still runs: then only what it printed is known.
struct ProcessEnding {
    std::optional<int> signal = std::nullopt;
    // The kernel killed one of its processes for the limit on the memory of all of them.
    bool out_of_memory = false;
    // The kernel refused it a process or thread for the limit on them.
    bool out_of_processes = false;
    // It runs no more, but has not ended: a signal stopped it, and the referee sent none.
    bool stopped = false;
    // The kernel killed some process on the machine because no memory was left.
    bool machine_out_of_memory = false;
    std::string_view printed;  // the end of its standard error
};

// Which limit it met, with its number, and what gives more, in words that its author and the
// instructor can act on; empty where nothing tells. What was printed is only a sign: a program may
// print such words for another reason. `tier`: none for a bot without a sandbox.
std::string hint_of(const config::BotConfig& bot, sandbox::Tier tier, const ProcessEnding& ending);

}  // namespace referee::supply

#pragma once

// How much of the sandbox a machine can give. SECURITY.md says what each tier holds against.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/enum_names.h"

namespace referee::sandbox {

// From the weakest to the strongest, so that they can be compared.
enum class Tier {
    none,  // bots run with all the rights of the user that they run as
    c,     // no namespaces: Landlock, a filter of system calls, limits on each process
    b,     // namespaces and a filter, but limits only on each process
    a,     // namespaces, a filter, and limits on all of a bot's processes together
};

inline constexpr std::array<base::Named<Tier>, 4> tier_names = {
    {{Tier::none, "none"}, {Tier::c, "C"}, {Tier::b, "B"}, {Tier::a, "A"}}};
static_assert(base::in_order(tier_names));
constexpr std::string_view name_of(Tier tier) {
    return base::row_of(tier_names, tier).name;
}

// Why a machine doesn't give a better tier, and how to get it.
struct SkippedTier {
    Tier tier = Tier::none;
    std::string found;   // "bubblewrap is not installed"
    std::string advice;  // "install it: apt install bubblewrap"
};

// What a machine was found to give.
struct Offer {
    Tier tier = Tier::none;
    std::vector<SkippedTier> passed_over;  // the best tier first
};

// What a bot in the sandbox may have beyond its own folder and the system's programs.
struct SandboxAllowance {
    // A small virtual machine and its heap; thirty bots that play at once on a laptop are not
    // meant.
    static constexpr std::uint64_t memory_bytes_default = std::uint64_t{1} << 30;
    // Logs and tables of one run.
    static constexpr std::uint64_t disk_bytes_default = std::uint64_t{64} << 20;
    // The threads of a virtual machine; and few enough that thirty bots don't fill the machine's
    // table.
    static constexpr std::uint64_t processes_default = 128;

    // Of all its processes together in tier A, what they keep in /tmp included; of each process
    // below A.
    std::uint64_t memory_bytes = memory_bytes_default;
    // What it may keep in /tmp. It is lost when the process ends.
    std::uint64_t disk_bytes = disk_bytes_default;
    // Processes and threads together.
    std::uint64_t processes = processes_default;
    // Files and folders that it may read and run, absolute, at the same place as outside.
    std::vector<std::string> reads;
};

}  // namespace referee::sandbox

#pragma once

// What a bot in the sandbox may have beyond its own folder and the system's programs.

#include <cstdint>
#include <string>
#include <vector>

namespace referee::sandbox {

struct SandboxAllowance {
    // A small virtual machine and its heap; thirty bots that play at once on a laptop are not
    // meant.
    static constexpr std::uint64_t memory_bytes_default = std::uint64_t{1} << 30;
    static constexpr std::uint64_t memory_bytes_min = std::uint64_t{16} << 20;
    // Logs and tables of one run.
    static constexpr std::uint64_t disk_bytes_default = std::uint64_t{64} << 20;
    static constexpr std::uint64_t disk_bytes_min = std::uint64_t{1} << 20;
    // The threads of a virtual machine; and few enough that thirty bots don't fill the machine's
    // table.
    static constexpr std::uint64_t processes_default = 128;
    static constexpr std::uint64_t processes_min = 1;

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

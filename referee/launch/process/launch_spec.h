#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/enum_names.h"
#include "protocol/base/result.h"
#include "referee/config/bot_launch.h"
#include "referee/launch/process/shim_spec.h"
#include "referee/launch/sandbox/tier.h"

// What is to be launched, and the two ways in which a launch ends: it failed, or the bot ran.

namespace referee::process {

// The means by which a bot's processor time is measured and its processes are held together, best
// first. README.md says what each one needs.
enum class Accounting {
    control_group_v2,  // exact, sees all, frozen and killed by the kernel
    control_group_v1,  // exact, sees all; freezing by the freezer, or by signals
    subreaper,         // clocks of the living, rusage of the reaped; freezing by signals
    proc,              // the same, its processes found by a scan of /proc: slow
};

// As results and logs name it.
inline constexpr std::array<base::Named<Accounting>, 4> accounting_names = {{
    {Accounting::control_group_v2, "cgroup-v2"},
    {Accounting::control_group_v1, "cgroup-v1"},
    {Accounting::subreaper, "subreaper"},
    {Accounting::proc, "proc"},
}};
static_assert(base::in_order(accounting_names));
inline constexpr auto all_accountings = base::values_in(accounting_names);
constexpr std::string_view name_of(Accounting accounting) {
    return base::row_of(accounting_names, accounting).name;
}

// Limits on one bot. No value: the same limit as the referee's own. Where the machine already has a
// stricter limit, that one stays. Core files are never written.
struct LaunchLimits {
    // The least memory in which a program can be loaded; a smaller limit is refused as a bad spec.
    static constexpr std::uint64_t address_space_bytes_min = std::uint64_t{16} << 20;
    // The threads of a virtual machine; and few enough that thirty bots don't fill the machine's
    // table.
    static constexpr std::uint64_t processes_default = 128;

    // Of each process. No limit by default: some runtimes reserve far more than they use.
    std::optional<std::uint64_t> address_space_bytes;
    // Enough for any runtime's libraries, and few enough that 300 bots don't empty the machine.
    std::optional<std::uint64_t> open_files = 256;
    // Of each file written; a bot that logs its games needs less.
    std::optional<std::uint64_t> file_size_bytes = std::uint64_t{256} << 20;
    // Processes and threads of the whole bot. The limit works where
    // Launcher::holds_process_limit(), and in a sandbox where the bot has a user, or a namespace of
    // users, of its own.
    std::optional<std::uint64_t> processes = processes_default;
};

// What a bot in the sandbox may have beyond its own folder and the system's programs.
struct SandboxAllowance {
    // A small virtual machine and its heap; thirty bots that play at once on a laptop are not
    // meant.
    static constexpr std::uint64_t memory_bytes_default = std::uint64_t{1} << 30;
    // Logs and tables of one run.
    static constexpr std::uint64_t disk_bytes_default = std::uint64_t{64} << 20;

    // Of all its processes together in tier A, what they keep in /tmp included; of each process
    // below A.
    std::uint64_t memory_bytes = memory_bytes_default;
    // What it may keep in /tmp. It is lost when the process ends.
    std::uint64_t disk_bytes = disk_bytes_default;
    // Files and folders that it may read and run, absolute, at the same place as outside.
    std::vector<std::string> reads;
};

using config::Speaks;
using config::StandardOutput;

struct LaunchSpec {
    // Program and arguments. A program without a slash is looked for in the PATH; the path of one
    // with a slash begins at the working directory.
    std::vector<std::string> command;
    // Empty: the referee's own.
    std::string working_directory;
    // Added to PATH, HOME and LANG, which it may replace; nothing else is inherited.
    std::vector<std::pair<std::string, std::string>> environment;
    // The PATH that the bot gets, where its environment has none. Nothing: the one in which its own
    // program is looked for.
    std::optional<std::string> path = std::nullopt;
    LaunchLimits limits;
    Speaks speaks = Speaks::stdio;
    StandardOutput output = StandardOutput::socket;
    // Where it is given, the bot runs in the best sandbox that the launcher offers, made for this
    // launch alone. It sees the system's programs, what the allowance names and nothing else, all
    // of it only to read, and an empty /tmp of its own to write in. So a working directory that it
    // shall see stands among the allowance's `reads`; else it is empty. The limit on memory comes
    // from the allowance, and the launcher gives it a user of its own where it can.
    std::optional<SandboxAllowance> sandbox;
    // Dial-in mode: the port of this machine that the bot is told to dial. In a sandbox it reaches
    // no other, and where it has a network of its own it must dial 127.0.0.1.
    std::uint16_t dial_in_port = 0;
};

// Why nothing was started. `message` names the command and says what to do.
struct LaunchError {
    enum class Kind {
        bad_spec,             // an empty command, a NUL, a name with '='
        not_found,            // no such program
        interpreter_missing,  // a script whose first line names a program that isn't there
        not_executable,       // no permission, or no program format
        arguments_too_long,
        other,  // the command may well be started elsewhere
    };
    Kind kind = Kind::other;
    std::string message;
    // Where the sandbox could not be made: the same in parts.
    std::optional<sandbox::SkippedTier> refused = std::nullopt;

    // Whether the command itself is no program that can be started; else the machine, the sandbox
    // or the launcher failed.
    bool is_of_the_command() const { return kind != Kind::other; }
};

// What a bot ran into, since its launch.
struct LimitsMet {
    // The kernel killed one of its processes, because together they needed more memory than the
    // sandbox allows.
    bool memory = false;
    // It was refused a process or thread. Both are known where a control group holds the limit.
    bool processes = false;
    // Its first process is stopped now, and not because it is frozen.
    bool stopped = false;
    // The kernel killed one of its processes for want of memory elsewhere; where no control group
    // counts its memory: some process of the machine.
    bool machine_memory = false;
};

// How a bot's first process ended.
struct ExitStatus {
    enum class How {
        exited,     // code: what it returned
        signalled,  // code: the signal
        lost,       // its supervisor was killed; the bot died with it
    };
    How how = How::exited;
    int code = 0;
    // "exit status 3", "killed by signal 11 (Segmentation fault)"; nothing of memory.
    std::string text() const;
};

// An error is the first mistake in the spec itself.
base::Result<void, LaunchError> check_spec(const LaunchSpec& spec);

// An error is what would stop a launch as things are now, as far as that can be seen without
// launching: no such program or folder, no permission, nothing there that it is to see.
// `search_path`: as in LauncherOptions.
base::Result<void, LaunchError> foresee_launch(const LaunchSpec& spec,
                                               const std::string& search_path);

// Turns an errno at a stage of the launch into an error that a person can act on. `search_path`:
// where programs without a slash are looked for.
LaunchError launch_error(const LaunchSpec& spec, const std::string& search_path, LaunchStage stage,
                         int error);

// An error names the first path that the bot is to see in the sandbox and that can't be reached.
base::Result<void, LaunchError> can_show(const LaunchSpec& spec);

// No sandbox at all, and no sandbox for this bot.
LaunchError no_sandbox(const LaunchSpec& spec, const sandbox::Offer& offer);
LaunchError sandbox_refused(const LaunchSpec& spec, const sandbox::SkippedTier& refused);

// The same for trouble before the shim ran: with pipes, with memory, with the shim itself.
LaunchError system_error(const LaunchSpec& spec, const std::string& what, int error);

}  // namespace referee::process

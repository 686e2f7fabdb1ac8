#pragma once

// The parts of a launch that are prepared before it: the exec shim and what it is told, pipes,
// limits, environment.

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/process/shim_spec.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::process {

// The memory that the launcher shares with one exec shim.
class ShimPageMapping {
 public:
    // Makes the memory and writes the spec into it. Empty on failure, with errno set.
    explicit ShimPageMapping(const ShimSpec& spec);
    ~ShimPageMapping();
    ShimPageMapping(ShimPageMapping&& other) noexcept;
    ShimPageMapping& operator=(ShimPageMapping&&) = delete;

    explicit operator bool() const { return page_ != nullptr; }

    // For the shim; may be closed once the shim has been started.
    int descriptor() const { return file_.get(); }
    void close_descriptor() { file_.reset(); }

    const ShimPage& page() const { return *page_; }

 private:
    Descriptor file_;
    std::size_t size_ = 0;
    ShimPage* page_ = nullptr;
};

inline constexpr const char* shim_is_missing =
    "the program referee-exec-shim is missing (expected beside the referee or in "
    "../libexec/referee); install it again";

// The exec shim as a file, and how it is started. The file is held open, so that an upgrade of the
// package doesn't change it under a running referee. Safe in a process with many threads.
class ShimProgram {
 public:
    // Empty: the one beside the running program, or in ../libexec/referee from there. Nothing where
    // the file can't be read; errno tells why.
    static std::optional<ShimProgram> open(std::string path = {});

    // Starts it with these descriptors as 0, 1, 2 ... and at most one argument. Other descriptors
    // that close on exec are closed. Fails with an errno.
    struct Failed {
        int error = 0;
    };
    base::Result<pid_t, Failed> spawn(std::span<const int> descriptors,
                                      const char* argument = nullptr) const;

    const std::string& path() const { return path_; }

 private:
    ShimProgram(Descriptor file, std::string path)
        : file_(std::move(file)), path_(std::move(path)) {}

    Descriptor file_;
    std::string path_;
};

// ---- output_socket.cpp: also in the shim ----------------------------------------------------

// A bot's standard output as a connection on this machine: the kernel stamps what arrives on one,
// in the moment in which the bot writes it. It stamps nothing on a pipe or a local socket.
//
// To the bot it is like a pipe: it blocks when about as much waits as in a pipe, reading from it
// gives the end at once, and when our end closes, or we are killed, its next write is a broken
// pipe. But a path to it (/dev/stdout, /proc/self/fd/1) can't be opened.
struct OutputSocket {
    Descriptor ours;  // to read from; doesn't block
    Descriptor bots;
};

struct NoSocket {
    std::string why;
    int error = 0;  // errno
};

// Both ends close on exec. Waits a moment at most, and only where the machine refuses to connect.
base::Result<OutputSocket, NoSocket> make_output_socket();

// ---- launch_parts.cpp -----------------------------------------------------------------------

// The launcher's ends of a bot's standard streams.
struct BotPipes {
    Descriptor input;   // the launcher writes
    Descriptor output;  // the launcher reads
    Descriptor error;   // the launcher reads
};

// Both ends of the pipes and the socket between the launcher and the bot with its supervisor. All
// close on exec; our ends don't block.
struct LaunchParts {
    // Nothing on failure, with errno set.
    static std::optional<LaunchParts> make(Speaks speaks, StandardOutput output);

    // In the order in which the shim expects them: 0, 1, 2 and control.
    std::vector<int> given_to_shim() const;
    // Lets this user open the pipes by their paths, as programs do that write to /dev/stdout.
    void give_to(uid_t user) const;

    BotPipes bot;
    // Why the output is a pipe where a socket was asked for.
    std::optional<NoSocket> no_socket;
    Descriptor control;
    Descriptor shim_input;
    Descriptor shim_output;
    Descriptor shim_error;
    Descriptor shim_control;
};

// A control group that is made for a bot; removed again unless it is kept.
class GroupEntry {
 public:
    GroupEntry() = default;
    ~GroupEntry();
    GroupEntry(const GroupEntry&) = delete;
    GroupEntry& operator=(const GroupEntry&) = delete;

    // Makes the group with its limits, and the inner one below where that is wanted. Returns 0 or
    // an errno.
    int make(const GroupPlace& place, bool with_inner, const LaunchSpec& spec);

    // The files through which a process enters the group, in the order of place.directories(), and
    // behind them that of the inner one.
    const std::vector<Descriptor>& joins() const { return joins_; }

    // From now on somebody else removes it.
    void keep() { place_.reset(); }

 private:
    std::optional<GroupPlace> place_;
    std::vector<Descriptor> joins_;
};

// `tier`: of the sandbox that the bot gets. `user`: its own; 0: it has the referee's.
// `group_holds_processes`: the control group limits the number of processes. Otherwise the limit is
// set by user, and only where all processes of that user are the bot's: it has a user of its own,
// or a namespace of users.
std::vector<ResourceLimit> resource_limits(const LaunchSpec& spec, sandbox::Tier tier, uid_t user,
                                           bool group_holds_processes);

// NAME=value, sorted by name.
std::vector<std::string> bot_environment(const LaunchSpec& spec, const std::string& search_path,
                                         const std::string& home);

}  // namespace referee::process

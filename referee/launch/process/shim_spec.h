#pragma once

// What the launcher tells the exec shim and what it hears back. Both are built from one tree and
// run on one machine; this is no protocol for anybody else.
//
// The shim is started with these descriptors:
//   0, 1, 2   the bot's standard input, output and error
//   3         control: a SOCK_SEQPACKET; reports go up, some with a descriptor; commands come
//             down; its end means that the referee is gone, and then everything is killed
//   4         the page: a memory file with ShimPage and the encoded ShimSpec behind it
//   5 ...     cgroup.procs files that the bot writes itself into
//
// In a sandbox with namespaces the shim runs a second time, as the first process inside. It has
// descriptors 0 to 4 again, 5 is the file of the bot's own group where there is one, and reports on
// control itself.

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/launch/process/control_group.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/process_tree.h"
#include "referee/launch/sandbox/kernel_rules.h"

namespace referee::process {

constexpr int shim_control_descriptor = 3;
constexpr int shim_page_descriptor = 4;
constexpr int shim_first_join_descriptor = 5;
constexpr int shim_joins_max = 4;

// The start of the memory file, shared while the shim lives.
struct ShimPage {
    std::uint64_t spec_bytes;
    // Processor time of all processes that the supervisor has reaped, and of the children that
    // these had waited for.
    std::atomic<std::uint64_t> reaped_us;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

struct ResourceLimit {
    int resource = 0;
    std::uint64_t value = 0;
};

// How the shim shuts the bot in. Where `filter` is empty it doesn't.
struct ShimSandbox {
    std::string filter;  // the kernel's program of struct sock_filter
    // With namespaces: bubblewrap's command, which runs the shim again inside.
    std::vector<std::string> bubblewrap;
    // Landlock's, where its `reads` aren't empty.
    sandbox::FileRules rules;
    // What the shim, as root, puts where the bot's user can reach it: the n-th at staged_path(n).
    std::vector<std::string> staged;
    std::vector<std::string> places;  // what is seen inside, by its path there
    std::uint64_t disk_bytes = 0;
    // The port that it listens on inside for a bot that dials in; 0: there is none.
    std::uint16_t listens_at = 0;
    bool output_socket = false;
};

// Where the shim puts the n-th of `staged`.
std::string staged_path(std::size_t number);

// Everything that the shim must know, ready to use.
struct ShimSpec {
    pid_t referee = 0;
    std::vector<std::string> command;
    std::vector<std::string> environment;     // NAME=value
    std::vector<std::string> search_folders;  // of the PATH, for a command without a slash
    std::string working_directory;
    std::vector<ResourceLimit> limits;
    // It is no bot, but a command of the instructor's, and may do what the referee may.
    bool keeps_rights = false;
    // Of its own, in a group of the same number; 0: it has the referee's.
    uid_t user = 0;
    bool has_group = false;
    GroupPlace group;
    GroupPlace run_group;
    ShimSandbox sandbox;
    Walk walk = Walk::children_files;

    // Whether the bot has a group of its own below that of its sandbox.
    bool has_inner_group() const {
        return has_group && group.unified && !sandbox.bubblewrap.empty();
    }
};

std::string encode(const ShimSpec& spec);
std::optional<ShimSpec> decode(std::string_view text);

// The step between the fork and the command's first instruction at which something failed.
enum class LaunchStage : std::int32_t {
    supervise,
    fork,
    join_group,
    limits,
    identity,
    working_directory,
    execute,
    stage,       // what the bot is to see can't be shown to its user
    sandbox,     // value of the report: a wait status of bubblewrap, or an errno inside
    bubblewrap,  // it could not be executed at all
};

struct ShimReport {
    enum class Kind : std::int32_t {
        started,   // value: process id
        failed,    // stage, value: errno
        exited,    // value: wait status of the bot's first process
        output,    // from inside, with a descriptor: the end to read the bot's output from
        listener,  // from inside, with a descriptor: a socket that listens for the bot
    };
    Kind kind = Kind::started;
    LaunchStage stage = LaunchStage::supervise;
    std::int32_t value = 0;
};

// The commands: kill everything below; leave what is below to itself.
constexpr char shim_command_kill = 'k';
constexpr char shim_command_leave = 'l';

// Only asks whether the shim can write itself into the group on descriptor 3; the exit status is
// the errno.
constexpr const char* shim_join_probe = "--join-probe";

// Runs as the first process inside a sandbox.
constexpr const char* shim_inside = "--inside";

// Ends at once, with 0: what is launched to see whether a sandbox can be made.
constexpr const char* shim_nothing = "--nothing";

// The shim's reports on its control socket. Some of them bring a descriptor. Who has nobody to
// report to any more goes on: that the referee is gone is seen elsewhere.
void send_report(int control, const ShimReport& report, const Descriptor& given);

// Never waits. Returns what recv() returns, with its errno; the descriptor is put into `given`
// where one came, and is closed on exec.
ssize_t receive_report(int control, ShimReport& report, Descriptor& given);

}  // namespace referee::process

#pragma once

// What the kernel keeps a bot in the sandbox from, in all tiers: system calls by a filter, and
// where there are no namespaces (tier C) files and connections by Landlock, which lets a process
// give up rights itself.

#include <linux/filter.h>

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::sandbox {

// ---- landlock.cpp: called by the exec shim, so it uses system calls alone -------------------

// What isn't there, or nobody may look into, is left out.
struct FileRules {
    std::vector<std::string> reads;   // files and folders to read and to run
    std::vector<std::string> writes;  // folders to write in, and devices such as /dev/null
    // The only port that it may connect to by TCP, where it dials in; 0: there is none.
    std::uint16_t connects_to = 0;
};

// The version of Landlock in this kernel; 0 where there is none or it is switched off.
int landlock_version();

// From this version on Landlock holds connections by TCP (4), signals and abstract sockets (6).
constexpr int landlock_version_of_ports = 4;
constexpr int landlock_version_of_scopes = 6;

// Gives up all other rights, for this process and its children, for good. Requires no_new_privs.
// Returns 0 or an errno.
int give_up_rights(const FileRules& rules);

// ---- system_call_filter.cpp -----------------------------------------------------------------

// Whom a bot speaks to.
enum class SandboxNetwork {
    none,      // messages over standard input and output: no socket but AF_UNIX's, no connecting
    loopback,  // it dials in: TCP over IPv4, and no other socket
};

// What else is in a bot's namespaces.
enum class Surroundings {
    own,     // it has its own: other processes and others' files are out of sight
    shared,  // tier C: calls that touch other processes or files, and that Landlock lets pass, are
             // denied too: modes and owners of files, limits and priorities of other processes,
             // System V's shared memory
};

// The program for the kernel (SECCOMP_SET_MODE_FILTER), the same for every launch. A denied call
// returns EPERM (a socket EAFNOSUPPORT; clone3 ENOSYS so that libraries fall back to clone; ENOSYS,
// too, a call that is newer than the filter's table); a call of another architecture ends the
// process. Two ends of socketpair may always be had, as streams. An error says why there is none.
base::Result<std::vector<sock_filter>, std::string> system_call_filter(SandboxNetwork network,
                                                                       Surroundings surroundings);

}  // namespace referee::sandbox

#pragma once

// The filter of system calls that every bot in the sandbox runs under, in all tiers.

#include <linux/filter.h>

#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::sandbox {

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

#pragma once

// The filter of system calls that every bot in the sandbox runs under, in all tiers.

#include <linux/filter.h>

#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::sandbox {

// Whom a bot speaks to.
enum class Network {
    none,  // messages over standard input and output: no socket but AF_UNIX's, and no connecting
    loopback,  // it dials in: TCP over IPv4 too
};

struct NoFilter {
    std::string why;
};

// The program for the kernel (SECCOMP_SET_MODE_FILTER), the same for every launch. A denied call
// returns EPERM (a socket EAFNOSUPPORT, clone3 ENOSYS so that libraries fall back to clone); a call
// of another architecture ends the process.
base::Result<std::vector<sock_filter>, NoFilter> system_call_filter(Network network);

}  // namespace referee::sandbox

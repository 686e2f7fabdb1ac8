#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <functional>
#include <vector>

#include "tests/referee/launch/sandbox/filters.h"

namespace referee::sandbox {
namespace {

// A bot that is frozen by SIGSTOP must not wake itself.
TEST(SystemCallFilter, NobodyIsWoken) {
    const auto wake = [](int signal) {
        return std::vector<std::function<int()>>{
            [=] { return errno_of(SYS_kill, ::getpid(), signal); },
            [=] { return errno_of(SYS_tkill, ::getpid(), signal); },
            [=] { return errno_of(SYS_tgkill, ::getpid(), ::getpid(), signal); },
            [=] { return errno_of(SYS_prctl, PR_SET_PDEATHSIG, signal); },
            [=] {
                const int file = ::open("/dev/null", O_RDONLY);
                return errno_of(SYS_fcntl, file, F_SETSIG, signal);
            }};
    };
    for (const Walls::Filter& filter : all_filters) {
        for (const auto& attempt : wake(SIGCONT)) EXPECT_EQ(EPERM, filtered(filter, attempt));
        for (const auto& attempt : wake(SIGWINCH)) EXPECT_NE(EPERM, filtered(filter, attempt));
        EXPECT_EQ(EINVAL,
                  filtered(filter, [] { return errno_of(SYS_prctl, PR_SET_DUMPABLE, SIGCONT); }));
    }
}

}  // namespace
}  // namespace referee::sandbox

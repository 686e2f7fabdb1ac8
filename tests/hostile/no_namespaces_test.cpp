// A machine that makes no namespaces: what the launcher offers there, and why nothing better. That
// it holds is seen by all attempts in tier C, which makes none.

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "referee/launch/process/launcher.h"

namespace hostile {

namespace {

using referee::process::Launcher;
using referee::sandbox::Tier;

// As containers and some distributions do it. False where that failed.
bool deny_namespaces() {
    constexpr std::uint32_t number = offsetof(seccomp_data, nr);
    constexpr std::uint32_t flags = offsetof(seccomp_data, args);
    std::array<sock_filter, 9> program = {{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER | CLONE_NEWNS, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    }};
    const sock_fprog loaded = {static_cast<unsigned short>(program.size()), program.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &loaded) == 0;
}

// What the launcher offers in a process that can make no namespaces: the tier, and what it says of
// tier B.
struct Found {
    Tier tier = Tier::none;
    std::string why_not_b;
};

Found look(Tier tier_most) {
    boost::asio::io_context context;
    referee::process::LauncherOptions options{.sandbox = true, .tier_most = tier_most};
    const auto launcher = Launcher::create(context.get_executor(), options);
    if (!launcher) return {Tier::none, launcher.error().message};
    Found found{(*launcher)->sandbox().tier, ""};
    for (const auto& passed : (*launcher)->sandbox().passed_over) {
        if (passed.tier == Tier::b) found.why_not_b = passed.found + ": " + passed.advice;
    }
    return found;
}

// In a child, since the filter stays for good. First the tier's letter, then the reason.
std::string found_without_namespaces() {
    std::array<int, 2> ends = {};
    if (::pipe(ends.data()) != 0) return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) {
        const Found found = deny_namespaces() ? look(Tier::a) : Found{Tier::none, "no filter"};
        const std::string text = std::string(name_of(found.tier)) + " " + found.why_not_b;
        ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    ::close(ends[1]);
    std::string text(4096, '\0');
    const ssize_t got = ::read(ends[0], text.data(), text.size());
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return text;
}

TEST(NoNamespaces, TierCIsOfferedAndWhyIsTold) {
    if (look(Tier::c).tier != Tier::c) GTEST_SKIP() << "this machine doesn't give tier C";
    const std::string found = found_without_namespaces();
    EXPECT_TRUE(found.starts_with("C ")) << found;
    EXPECT_NE(std::string::npos, found.find("namespace")) << found;
}

}  // namespace

}  // namespace hostile

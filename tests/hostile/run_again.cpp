#include "tests/hostile/run_again.h"

#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

namespace hostile {

namespace {

// Nobody's number on any system that we know of.
constexpr uid_t ordinary_user = 64999;

// They say where the results of the run that calls this go, and which shard of it is wanted.
void forget_settings_of_the_first_run() {
    std::vector<std::string> names;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text(*variable);
        if (text.starts_with("GTEST_")) names.emplace_back(text.substr(0, text.find('=')));
    }
    for (const std::string& name : names) ::unsetenv(name.c_str());
}

[[noreturn]] void become(const std::string& filter, const std::function<bool()>& prepare,
                         int output) {
    const std::string option = "--gtest_filter=" + filter;
    forget_settings_of_the_first_run();
    if (::dup2(output, STDOUT_FILENO) >= 0 && prepare())
        ::execl("/proc/self/exe", "hostile_test", option.c_str(), nullptr);
    ::_exit(EXIT_FAILURE);
}

// Line by line, so that a run that hangs has shown how far it came. Returns how many tests passed.
int pass_on(int input) {
    const std::unique_ptr<FILE, int (*)(FILE*)> file(::fdopen(input, "r"), &::fclose);
    std::array<char, 4096> part = {};
    int passed = 0;
    while (::fgets(part.data(), part.size(), file.get()) != nullptr) {
        const std::string_view line(part.data());
        passed += line.starts_with("[       OK ]") ? 1 : 0;
        std::cout << line << std::flush;
    }
    return passed;
}

}  // namespace

std::string trouble_of_another_run(const std::string& filter,
                                   const std::function<bool()>& prepare) {
    std::array<int, 2> ends = {};
    if (::pipe(ends.data()) != 0) return "no pipe";
    std::cout << std::flush;
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        become(filter, prepare, ends[1]);
    }
    ::close(ends[1]);
    const int passed = pass_on(ends[0]);
    int status = -1;
    ::waitpid(child, &status, 0);
    if (status != 0) return "it failed, as its output above tells";
    return passed == 0 ? "no test of " + filter + " passed in it" : "";
}

bool become_ordinary_user() {
    return ::setgroups(0, nullptr) == 0 &&
           ::setresgid(ordinary_user, ordinary_user, ordinary_user) == 0 &&
           ::setresuid(ordinary_user, ordinary_user, ordinary_user) == 0;
}

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

}  // namespace hostile

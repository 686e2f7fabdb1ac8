#include "tests/referee/launch/sandbox/child.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <map>
#include <utility>
#include <vector>

namespace referee::sandbox {

namespace {

// It takes a while to draw one up, so all children have the same.
std::vector<sock_filter>& program_of(const Walls::Filter& filter) {
    static std::map<std::pair<SandboxNetwork, Surroundings>, std::vector<sock_filter>> programs;
    auto& program = programs[{filter.network, filter.surroundings}];
    if (program.empty()) program = *system_call_filter(filter.network, filter.surroundings);
    return program;
}

bool shut_in(const Walls& walls) {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    if (walls.rules && give_up_rights(*walls.rules) != 0) return false;
    if (!walls.filter) return true;
    auto& filter = program_of(*walls.filter);
    const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace

int in_child(const Walls& walls, const std::function<int()>& attempt) {
    if (walls.filter) program_of(*walls.filter);
    const pid_t child = ::fork();
    if (child == 0) ::_exit(shut_in(walls) ? attempt() : no_walls);
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) return no_walls;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace referee::sandbox

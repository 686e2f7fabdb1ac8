// What a program leaves behind.

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>

#include "sample_bots/cpp/adapter/child_program.h"
#include "sample_bots/cpp/adapter/running_group.h"

namespace bots::adapter {
namespace {

// A signal's handler reaches nothing else.
std::atomic<pid_t> running{0};

// Children that die leave theirs to us, so some rounds find all of them; a program that forks as
// fast as we kill is left to the limits of the sandbox.
constexpr int rounds_max = 100;

// More than one program of a student's starts; a further round takes the rest.
constexpr std::size_t list_bytes_max = 4096;

// Ends those of our children that the kernel lists; false where there are none. A signal's handler
// comes here, so there is nothing in it but calls of the system.
bool end_listed_children() {
    const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) return false;
    std::array<char, list_bytes_max> text;
    const auto got = ::read(list, text.data(), text.size());
    ::close(list);
    bool any = false;
    pid_t pid = 0;
    for (ssize_t i = 0; i < got; ++i) {
        const char c = text[static_cast<std::size_t>(i)];
        if (c >= '0' && c <= '9') {
            pid = pid * 10 + (c - '0');
            continue;
        }
        if (pid > 0) {
            ::kill(pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
            any = true;
        }
        pid = 0;
    }
    return any;
}

void end_children() {
    for (int round = 0; round < rounds_max && end_listed_children(); ++round) {
    }
}

void on_end(int signal) {
    const auto group = running.load();
    if (group > 0) ::kill(-group, SIGKILL);
    end_children();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

}  // namespace

void note_running_group(pid_t group) {
    running.store(group);
}

void take_care_of_descendants() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    struct sigaction action = {};
    action.sa_handler = on_end;
    ::sigemptyset(&action.sa_mask);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

void end_all_descendants() {
    end_children();
}

}  // namespace bots::adapter

#include "referee/bots/program/version_line.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>
#include <vector>

#include "referee/bots/launcher/descriptor.h"

namespace referee::program {
namespace {

using Clock = std::chrono::steady_clock;
using launcher::Descriptor;

// Of Debian's util-linux, which is always there.
constexpr const char* setpriv = "/usr/bin/setpriv";
// How long the end of a process may be behind the end of its output, between two looks.
constexpr std::chrono::milliseconds look_pause{1};

std::vector<std::string> command_for(const std::string& program) {
    if (geteuid() != 0) return {program, "--version"};
    return {setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs",
            "--",    program,         "--version"};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (auto& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

// A process that leads a group of its own; killed with it at the end.
class Asked {
 public:
    Asked(const std::string& program, int output) {
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        posix_spawn_file_actions_addchdir_np(&actions, "/");
        sigset_t every;
        sigset_t none;
        sigfillset(&every);
        sigemptyset(&none);
        posix_spawnattr_setsigdefault(&attributes, &every);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes,
                                 static_cast<short>(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                    POSIX_SPAWN_SETSIGMASK));
        auto command = command_for(program);
        std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/",
                                             "LC_ALL=C"};
        if (posix_spawn(&pid_, command[0].c_str(), &actions, &attributes, pointers(command).data(),
                        pointers(environment).data()) != 0)
            pid_ = -1;
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
    }
    ~Asked() {
        if (pid_ < 0) return;
        kill(-pid_, SIGKILL);  // nobody else can have that number: it is reaped only now
        waitpid(pid_, nullptr, 0);
    }
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    Asked(Asked&&) = delete;
    Asked& operator=(Asked&&) = delete;

    bool runs() const { return pid_ >= 0; }
    // Its exit status, or -1 where a signal ended it; nothing where it still runs then.
    std::optional<int> wait_until(Clock::time_point end) const {
        while (true) {
            siginfo_t ended{};
            waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
            if (ended.si_pid == pid_) return ended.si_code == CLD_EXITED ? ended.si_status : -1;
            if (Clock::now() >= end) return std::nullopt;
            std::this_thread::sleep_for(look_pause);
        }
    }

 private:
    pid_t pid_ = -1;
};

// All that comes until the end, or version_output_bytes_max of it; nothing where the end does not
// come in time.
std::optional<std::string> read_until(int output, Clock::time_point end) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (text.size() < version_output_bytes_max) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd watched{output, POLLIN, 0};
        const int ready = left <= 0 ? 0 : poll(&watched, 1, static_cast<int>(left));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return std::nullopt;
        const auto count = ::read(output, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
}

Trouble too_slow(const std::string& program) {
    return {Trouble::Kind::version_too_slow,
            "`" + program + " --version` did not end within " +
                std::to_string(version_time_max.count()) +
                " s; expected a line with its version; try it in a terminal, or see what keeps the "
                "machine busy"};
}

}  // namespace

base::Result<std::optional<std::string>, Trouble> version_line(const std::string& program) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
    const Descriptor from(ends[0]);
    Descriptor to(ends[1]);
    const auto end = Clock::now() + version_time_max;
    Asked asked(program, to.get());
    to.reset();
    if (!asked.runs()) return std::nullopt;
    auto text = read_until(from.get(), end);
    if (!text) return base::failure(too_slow(program));
    if (text->size() >= version_output_bytes_max) return std::nullopt;
    const auto status = asked.wait_until(end);
    if (!status) return base::failure(too_slow(program));
    text->resize(std::min(text->find('\n'), text->size()));
    if (*status != 0 || text->empty()) return std::nullopt;
    text->resize(std::min(text->size(), version_line_bytes_max));
    return text;
}

}  // namespace referee::program

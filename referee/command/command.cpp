#include "referee/command/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/files/descriptor.h"
#include "referee/files/own_files.h"

namespace referee::command {
namespace {

using SteadyClock = std::chrono::steady_clock;
using files::Descriptor;

constexpr std::size_t read_bytes = 4096;

CommandTrouble not_started(const Command& command, int error) {
    return {CommandTrouble::Kind::not_started,
            "can't be started" + (command.folder == "/" ? "" : " in " + command.folder) + ": " +
                std::strerror(error)};
}

CommandTrouble too_slow(const Command& command, std::string errors) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(command.time_max);
    return {CommandTrouble::Kind::too_slow,
            "did not end within " +
                (seconds == command.time_max ? std::to_string(seconds.count()) + " s"
                                             : std::to_string(command.time_max.count()) + " ms") +
                ", and was killed",
            std::move(errors)};
}

CommandTrouble too_long(const Command& command) {
    return {
        CommandTrouble::Kind::too_long,
        "wrote more than " + std::to_string(command.output_bytes_max) + " bytes, and was killed"};
}

std::string_view name_of(std::string_view variable) {
    return variable.substr(0, variable.find('='));
}

// This process' environment, and what the command has beside it or instead.
std::vector<std::string> environment_of(const Command& command) {
    auto all = command.environment;
    if (command.bare) return all;
    for (char** held = environ; *held != nullptr; ++held) {
        const auto same = [name = name_of(*held)](const auto& own) { return name_of(own) == name; };
        if (std::none_of(command.environment.begin(), command.environment.end(), same))
            all.emplace_back(*held);
    }
    return all;
}

std::vector<char*> as_pointers(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (auto& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

// What the command reads: a file without a name, so that nobody waits until it has read.
Descriptor input_of(const std::string& text) {
    Descriptor file(memfd_create("input", MFD_CLOEXEC));
    if (file && !files::write_all(file.get(), text)) return {};
    if (file) lseek(file.get(), 0, SEEK_SET);
    return file;
}

// One stream of the command's, as far as it was read.
struct Stream {
    Descriptor from;
    std::string text;

    // Reads once what is there. False: there is nothing now, or nothing any more.
    bool take() {
        std::array<char, read_bytes> buffer{};
        const auto count = ::read(from.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) return true;
        if (count < 0 && errno == EAGAIN) return false;
        if (count <= 0) {
            from.reset();
            return false;
        }
        text.append(buffer.data(), static_cast<std::size_t>(count));
        return true;
    }
};

// A pipe whose reading end is the stream's and never waits; gives the other end.
Descriptor open_stream(Stream& stream) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    stream.from.reset(ends[0]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return Descriptor(ends[1]);
}

// What a child of vfork() needs to become the command: it shares our memory, so all is made before.
struct Becoming {
    const char* folder;
    std::array<int, 3> streams;
    char* const* words;
    char* const* environment;
    pid_t parent;
    pid_t group;  // 0: it leads one of its own, and outlives its parent
    volatile int error = 0;
};

[[noreturn, gnu::noinline]] void become(Becoming& command) {
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
    // It dies with the thread that waits for it, so however this process ends.
    if (command.group != 0) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (::getppid() == command.parent && ::setpgid(0, command.group) == 0 &&
        ::chdir(command.folder) == 0 && ::dup2(command.streams[0], STDIN_FILENO) >= 0 &&
        ::dup2(command.streams[1], STDOUT_FILENO) >= 0 &&
        ::dup2(command.streams[2], STDERR_FILENO) >= 0 &&
        ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0)
        ::execvpe(command.words[0], command.words, command.environment);
    command.error = errno;
    ::_exit(EXIT_FAILURE);
}

// The child's number, or -1. Without a call of its own, the compiler doubts what the child leaves.
[[gnu::noinline]] pid_t begin(Becoming& command) {
    sigset_t every;
    sigset_t before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);  // no handler of ours runs in the child
    const pid_t child = ::vfork();
    if (child == 0) become(command);
    if (child < 0) command.error = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return child;
}

struct Begun {
    pid_t pid = 0;  // 0: there is no child
    int error = 0;
};

Begun begin(std::vector<std::string> words, std::vector<std::string> environment,
            const std::string& folder, const std::array<int, 3>& streams, pid_t group) {
    const auto word_pointers = as_pointers(words);
    const auto environment_pointers = as_pointers(environment);
    Becoming becoming{folder.c_str(), streams, word_pointers.data(), environment_pointers.data(),
                      ::getpid(),     group};
    const pid_t child = begin(becoming);
    return {std::max(child, 0), becoming.error};
}

void reap(pid_t child) {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

// Leads the group of a command and of what that starts, and kills the group when this process is
// gone: then nobody has the other end of what it reads any more. Ended, alone, and reaped at the
// end.
class Guard {
 public:
    Guard() {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            begun_.error = errno;
            return;
        }
        const Descriptor read(ends[0]);
        ours_.reset(ends[1]);
        begun_ = begin({"/bin/sh", "-c", "read -r nothing; kill -KILL 0"}, {}, "/",
                       {read.get(), read.get(), read.get()}, 0);
    }
    ~Guard() {
        if (begun_.pid == 0) return;
        kill(begun_.pid, SIGKILL);
        reap(begun_.pid);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    Guard(Guard&&) = delete;
    Guard& operator=(Guard&&) = delete;

    int error() const { return begun_.error; }
    pid_t group() const { return begun_.pid; }

 private:
    Descriptor ours_;
    Begun begun_;
};

// The process of a command, in its guard's group. It is reaped at the end.
class Started {
 public:
    Started(const Command& command, int input, int output, int errors)
        : leaves_nothing_(command.leaves_nothing) {
        begun_.error = guard_.error();
        if (begun_.error != 0) return;
        begun_ = begin(command.words, environment_of(command), command.folder,
                       {input, output, errors}, guard_.group());
        if (begun_.error != 0) return;
        watched_.reset(static_cast<int>(::syscall(SYS_pidfd_open, begun_.pid, 0)));
        if (!watched_) begun_.error = errno;
    }
    ~Started() {
        if (begun_.pid == 0) return;
        if (!is_over_ || leaves_nothing_) kill(-guard_.group(), SIGKILL);
        reap(begun_.pid);
    }
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;
    Started(Started&&) = delete;
    Started& operator=(Started&&) = delete;

    int error() const { return begun_.error; }
    // Readable when it has ended.
    int watched() const { return watched_.get(); }
    std::optional<int> status() const {
        siginfo_t end{};
        waitid(P_PID, static_cast<id_t>(begun_.pid), &end, WEXITED | WNOHANG | WNOWAIT);
        if (end.si_pid != begun_.pid) return std::nullopt;
        return end.si_code == CLD_EXITED ? end.si_status : status_of_signals + end.si_status;
    }
    // It ended as it should; what it left behind may live on.
    void is_over() { is_over_ = true; }

 private:
    Guard guard_;
    Begun begun_;
    bool is_over_ = false;
    bool leaves_nothing_ = false;
    Descriptor watched_;
};

// A running command and what it says.
class Conversation {
 public:
    Conversation(const Command& command, SteadyClock::time_point end)
        : command_(command), end_(end) {}

    // Reads both streams until the command is over. Nothing: it wasn't in time, or wrote too much.
    std::optional<int> follow(const Started& started) {
        std::optional<int> status;
        while (!is_too_long()) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end_ - SteadyClock::now());
            if (left.count() <= 0) return std::nullopt;
            std::array<pollfd, 3> news{{{status ? -1 : started.watched(), POLLIN, 0},
                                        {output.from.get(), POLLIN, 0},
                                        {errors.from.get(), POLLIN, 0}}};
            if (poll(news.data(), news.size(), static_cast<int>(left.count())) <= 0) continue;
            if (!status) status = started.status();  // before the last look at what it wrote
            read_all();
            const bool waits =
                command_.over == Command::Over::with_its_streams && (output.from || errors.from);
            if (status && !waits && !is_too_long()) return status;
        }
        return std::nullopt;
    }
    bool is_too_long() const { return output.text.size() > command_.output_bytes_max; }

    Stream output;
    Stream errors;

 private:
    // What is there now.
    void read_all() {
        while (output.from && !is_too_long() && output.take() && SteadyClock::now() < end_) {
        }
        while (errors.from && errors.take() && SteadyClock::now() < end_) {
            auto& said = errors.text;
            if (said.size() > errors_bytes_max) said.erase(0, said.size() - errors_bytes_max);
        }
    }

    const Command& command_;
    SteadyClock::time_point end_;
};

}  // namespace

base::Result<End, CommandTrouble> run(const Command& command) {
    REFEREE_ASSERT(!command.words.empty());
    const auto end = SteadyClock::now() + command.time_max;
    Conversation held(command, end);
    const auto input = input_of(command.input);
    if (!input) return base::failure(not_started(command, errno));
    auto to_output = open_stream(held.output);
    if (!to_output) return base::failure(not_started(command, errno));
    Descriptor to_errors;
    if (!command.errors_in_output && !(to_errors = open_stream(held.errors)))
        return base::failure(not_started(command, errno));
    Started started(command, input.get(), to_output.get(),
                    to_errors ? to_errors.get() : to_output.get());
    to_output.reset();
    to_errors.reset();
    if (started.error() != 0) return base::failure(not_started(command, started.error()));
    const auto status = held.follow(started);
    if (held.is_too_long()) return base::failure(too_long(command));
    if (!status) return base::failure(too_slow(command, std::move(held.errors.text)));
    started.is_over();
    return End{*status, std::move(held.output.text), std::move(held.errors.text)};
}

}  // namespace referee::command

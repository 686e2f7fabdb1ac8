#include "sample_bots/cpp/adapter/child_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"

namespace bots::adapter {
namespace {

// The process group that a signal which ends this process ends too; 0: none. A signal's handler
// reaches nothing else.
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

void on_end(int signal) {
    const auto group = running.load();
    if (group > 0) ::kill(-group, SIGKILL);
    end_all_descendants();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

constexpr std::size_t chunk_bytes = 64 * 1024;
// How often it is asked whether a program has ended whose output somebody else holds open.
constexpr int look_ms = 20;
// The same for one that is about to end, because its output has ended.
constexpr std::chrono::microseconds look_at_end{100};

struct Pipe {
    int read_end = -1;
    int write_end = -1;
};

base::Result<Pipe, std::string> open_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return base::failure(std::string(strerror(errno)));
    return Pipe{ends[0], ends[1]};
}

void close_both(const Pipe& pipe) {
    ::close(pipe.read_end);
    ::close(pipe.write_end);
}

// In the child: becomes the program, or writes why not.
[[noreturn]] void become(const std::vector<char*>& words, int input, int output, int errors,
                         int why_not) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    for (const int signal : {SIGPIPE, SIGTERM, SIGINT, SIGHUP}) ::signal(signal, SIG_DFL);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execvp(words.front(), words.data());
    const int error = errno;
    [[maybe_unused]] const auto written = ::write(why_not, &error, sizeof error);
    ::_exit(1);
}

// 0 where the program runs, else the error of its exec.
int exec_error(int from) {
    int error = 0;
    ssize_t got = 0;
    do got = ::read(from, &error, sizeof error);
    while (got < 0 && errno == EINTR);
    return got == static_cast<ssize_t>(sizeof error) ? error : 0;
}

std::string ending_of(int status) {
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
    }
    const int value = WEXITSTATUS(status);
    return value == 0 ? std::string() : "ended with status " + std::to_string(value);
}

// How long each thread of a program waited for a core so far, in nanoseconds.
using Waits = std::map<std::string, std::int64_t>;

Waits waits_for_core(pid_t pid) {
    namespace fs = std::filesystem;
    Waits waits;
    std::error_code gone;
    const fs::directory_iterator none;
    for (fs::directory_iterator thread("/proc/" + std::to_string(pid) + "/task", gone);
         thread != none; thread.increment(gone)) {
        std::ifstream told(thread->path() / "schedstat");
        std::int64_t ran = 0;
        told >> ran >> waits[thread->path().filename()];
    }
    return waits;
}

// Threads may wait at the same time: so that of the one that waited most.
std::chrono::nanoseconds longest_wait(const Waits& before, const Waits& after) {
    std::int64_t most = 0;
    for (const auto& [thread, waited] : after) {
        const auto known = before.find(thread);
        most = std::max(most, waited - (known == before.end() ? 0 : known->second));
    }
    return std::chrono::nanoseconds(most);
}

int milliseconds_until(Deadline deadline) {
    using std::chrono::milliseconds;
    const auto left = std::chrono::duration_cast<milliseconds>(
        deadline - std::chrono::steady_clock::now() + milliseconds(1));
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, look_ms));
}

}  // namespace

void take_care_of_descendants() {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    struct sigaction action = {};
    action.sa_handler = on_end;
    ::sigemptyset(&action.sa_mask);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

void end_all_descendants() {
    for (int round = 0; round < rounds_max && end_listed_children(); ++round) {
    }
}

base::Result<std::unique_ptr<ChildProgram>, std::string> ChildProgram::start(
    std::span<const std::string> words) {
    std::array<Pipe, 4> pipes;  // to it, from its two outputs, and the error of its exec
    for (auto& pipe : pipes) {
        auto opened = open_pipe();
        if (!opened) {
            for (const auto& other : pipes) close_both(other);
            return base::failure("no pipe can be made: " + opened.error());
        }
        pipe = *opened;
    }
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const auto pid = ::fork();
    if (pid == 0)
        become(arguments, pipes[0].read_end, pipes[1].write_end, pipes[2].write_end,
               pipes[3].write_end);
    const int fork_error = errno;
    ::close(pipes[0].read_end);
    for (std::size_t i = 1; i < pipes.size(); ++i) ::close(pipes[i].write_end);
    const int error = pid < 0 ? fork_error : exec_error(pipes[3].read_end);
    ::close(pipes[3].read_end);
    if (error != 0) {
        for (const int end : {pipes[0].write_end, pipes[1].read_end, pipes[2].read_end})
            ::close(end);
        if (pid > 0) ::waitpid(pid, nullptr, 0);
        return base::failure("'" + words.front() + "' can't be started: " + strerror(error));
    }
    ::setpgid(pid, pid);
    running.store(pid);
    const auto [in, out, err] =
        std::array{pipes[0].write_end, pipes[1].read_end, pipes[2].read_end};
    for (const int end : {in, out, err}) ::fcntl(end, F_SETFL, O_NONBLOCK);
    return std::unique_ptr<ChildProgram>(new ChildProgram(pid, in, out, err));
}

ChildProgram::~ChildProgram() {
    stop();
    close_input();
    ::close(out_);
    if (err_ >= 0) ::close(err_);
    end_all_descendants();
}

void ChildProgram::close_input() {
    if (in_ >= 0) ::close(std::exchange(in_, -1));
}

// A program that doesn't read what it is told may have its reasons.
void ChildProgram::write_some(std::string_view& input) {
    const auto written = ::write(in_, input.data(), input.size());
    if (written > 0) {
        input.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
        input = {};
        close_input();
    }
}

bool ChildProgram::read_some() {
    std::array<char, chunk_bytes> chunk;
    const auto got = ::read(out_, chunk.data(), chunk.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    output_.append(chunk.data(), static_cast<std::size_t>(got));
    read_bytes_ += static_cast<std::size_t>(got);
    return got > 0;
}

bool ChildProgram::read_errors() {
    std::array<char, chunk_bytes> chunk;
    const auto got = err_ < 0 ? 0 : ::read(err_, chunk.data(), chunk.size());
    if (got < 0) return false;
    if (got == 0) {
        if (err_ >= 0) ::close(std::exchange(err_, -1));
        return false;
    }
    const std::string_view text(chunk.data(), static_cast<std::size_t>(got));
    std::fwrite(text.data(), 1, text.size(), stderr);
    errors_.append(text);
    if (errors_.size() > errors_bytes_max) errors_.erase(0, errors_.size() - errors_bytes_max);
    return true;
}

bool ChildProgram::has_ended() {
    if (status_) return true;
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
    status_ = status;
    return true;
}

Stopped ChildProgram::feed(std::string_view input, bool to_end, Deadline deadline) {
    if (!input.empty()) {
        read_bytes_ = 0;
        errors_.clear();
    }
    std::optional<Waits> before;  // an answer that comes at once costs no look at it
    for (;;) {
        if (to_end && input.empty()) close_input();
        if (!to_end && output_.find('\n') != std::string::npos) return Stopped::line;
        const bool writes = in_ >= 0 && !input.empty();
        std::array<pollfd, 3> watched{
            {{out_, POLLIN, 0}, {writes ? in_ : -1, POLLOUT, 0}, {err_, POLLIN, 0}}};
        const int ready = ::poll(watched.data(), watched.size(), milliseconds_until(deadline));
        if (ready > 0 && watched[2].revents != 0) read_errors();
        if (ready > 0 && watched[1].revents != 0) write_some(input);
        if (ready > 0 && watched[0].revents != 0 && !read_some()) return Stopped::end;
        if (read_bytes_ > output_bytes_max) return Stopped::too_much;
        if (ready > 0) continue;
        if (has_ended()) {  // and what it left behind holds its output open
            drain();
            if (!to_end && output_.find('\n') != std::string::npos) return Stopped::line;
            return Stopped::end;
        }
        if (!before) before = waits_for_core(pid_);
        if (std::chrono::steady_clock::now() < deadline) continue;
        auto after = waits_for_core(pid_);
        deadline += longest_wait(*before, after);
        before = std::move(after);
        if (std::chrono::steady_clock::now() >= deadline) return Stopped::deadline;
    }
}

Stopped ChildProgram::feed_to_end(std::string_view input, Deadline deadline) {
    return feed(input, true, deadline);
}

Stopped ChildProgram::feed_for_line(std::string_view input, Deadline deadline) {
    return feed(input, false, deadline);
}

void ChildProgram::drain() {
    for (std::size_t before = output_.size(); read_some() && output_.size() > before;) {
        before = output_.size();
        if (read_bytes_ > output_bytes_max) return;
    }
}

std::optional<std::string> ChildProgram::take_line() {
    const auto end = output_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    auto line = output_.substr(0, end);
    output_.erase(0, end + 1);
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

std::string ChildProgram::stop(std::chrono::milliseconds grace) {
    if (pid_ <= 0) return {};
    const auto until = std::chrono::steady_clock::now() + grace;
    bool by_itself = has_ended();
    while (!by_itself && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(look_at_end);
        by_itself = has_ended();
    }
    ::kill(-pid_, SIGKILL);
    for (std::size_t read = 0; read < output_bytes_max && read_errors();) read += chunk_bytes;
    if (!by_itself) {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        status_ = status;
    }
    running.store(0);
    pid_ = 0;
    return by_itself ? ending_of(*status_) : std::string();
}

std::string quoted(const std::string& printed, std::size_t bytes_max) {
    const bool cut = printed.size() > bytes_max;
    return "'" + base::visible_line(printed.substr(0, bytes_max)) + (cut ? "...'" : "'");
}

std::string told_of(Stopped stopped, const std::string& ending) {
    switch (stopped) {
        case Stopped::deadline:
            return "the program was stopped: it gave no answer in time";
        case Stopped::too_much:
            return "the program was stopped: it printed more than " +
                   std::to_string(output_bytes_max >> 20) + " MiB";
        case Stopped::line:
        case Stopped::end:
            return ending.empty() ? std::string() : "the program " + ending;
    }
    return {};
}

std::string last_error_of(const ChildProgram& program) {
    constexpr std::size_t line_bytes_max = 200;
    const std::string line(base::last_line(program.errors()));
    if (line.empty()) return {};
    return "its last line on standard error is " + quoted(line, line_bytes_max);
}

}  // namespace bots::adapter

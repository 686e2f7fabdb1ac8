#include "referee/launch/command/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/launch_parts.h"
#include "referee/launch/process/process_tree.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/process/shim_spec.h"

namespace referee::command {
namespace {

using SteadyClock = std::chrono::steady_clock;
using files::Descriptor;

constexpr std::size_t read_bytes = 4096;
// So long a supervisor is waited for that kills. A process that hangs in the kernel, or runs with
// more rights than ours, is left to it.
constexpr int end_ms_max = 2000;

CommandTrouble not_started(const Command& command,
                           const std::string& why = process::error_text(errno)) {
    return {
        CommandTrouble::Kind::not_started,
        "can't be started" + (command.folder == "/" ? "" : " in " + command.folder) + ": " + why};
}

CommandTrouble too_slow(const Command& command, std::string errors) {
    constexpr std::int64_t ms_per_s = 1000;
    const auto ms = command.time_max.count();
    return {CommandTrouble::Kind::too_slow,
            fmt::format(
                "did not end within {}, and was killed",
                ms % ms_per_s == 0 ? fmt::format("{} s", ms / ms_per_s) : fmt::format("{} ms", ms)),
            std::move(errors)};
}

CommandTrouble too_long(const Command& command) {
    return {CommandTrouble::Kind::too_long,
            fmt::format("wrote more than {} bytes, and was killed", command.output_bytes_max)};
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
        if (std::ranges::none_of(command.environment, same)) all.emplace_back(*held);
    }
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

std::string search_path() {
    const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return path == nullptr || *path == '\0' ? process::plain_search_path : path;
}

process::ShimSpec spec_of(const Command& command) {
    process::ShimSpec spec;
    spec.referee = ::getpid();
    spec.command = command.words;
    spec.environment = environment_of(command);
    spec.search_folders = process::folders_of(search_path());
    spec.working_directory = command.folder;
    spec.keeps_rights = true;
    if (!process::has_children_files()) spec.walk = process::Walk::stat_scan;
    return spec;
}

// A command below the supervisor that bots have, which kills it and all that it started, in
// whatever session, when this process is gone. Both are gone at the end, but for what the command
// may leave.
class Started {
 public:
    Started(const Command& command, int input, int output, int errors)
        : leaves_nothing_(command.leaves_nothing) {
        const auto shim = process::ShimProgram::open();
        if (!shim) {
            why_not_ = process::shim_is_missing;
            return;
        }
        std::array<int, 2> ends{};
        const process::ShimPageMapping page(spec_of(command));
        if (!page || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
            why_not_ = process::error_text(errno);
            return;
        }
        control_.reset(ends[0]);
        const Descriptor its_end(ends[1]);
        const std::array given{input, output, errors, its_end.get(), page.descriptor()};
        const auto spawned = shim->spawn(given);
        if (spawned) {
            supervisor_ = *spawned;
        } else {
            why_not_ = process::error_text(spawned.error().error);
        }
    }
    ~Started() {
        if (supervisor_ == 0) return;
        const char order =
            is_over_ && !leaves_nothing_ ? process::shim_command_leave : process::shim_command_kill;
        ::send(control_.get(), &order, sizeof order, MSG_NOSIGNAL);
        const Descriptor end(static_cast<int>(::syscall(SYS_pidfd_open, supervisor_, 0)));
        pollfd watched{end.get(), POLLIN, 0};
        while (::poll(&watched, 1, end_ms_max) < 0 && errno == EINTR) {
        }
        ::waitpid(supervisor_, nullptr, WNOHANG);
    }
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;

    // Why it could not be started; empty while nothing is known of that.
    const std::string& why_not() const { return why_not_; }
    // Readable when there is news.
    int watched() const { return control_.get(); }
    // Takes in the news: its status, once it has ended.
    std::optional<int> status() {
        while (!status_ && why_not_.empty()) {
            process::ShimReport report;
            Descriptor given;
            const auto got = process::receive_report(control_.get(), report, given);
            if (got < 0 && errno == EAGAIN) break;
            if (got != sizeof report) {
                status_ = status_of_signals + SIGKILL;  // with its supervisor
            } else if (report.kind == process::ShimReport::Kind::failed) {
                why_not_ = process::error_text(report.value);
            } else if (report.kind == process::ShimReport::Kind::exited) {
                status_ = WIFSIGNALED(report.value) ? status_of_signals + WTERMSIG(report.value)
                                                    : WEXITSTATUS(report.value);
            }
        }
        return status_;
    }
    // It ended as it should; what it left behind may live on.
    void is_over() { is_over_ = true; }

 private:
    Descriptor control_;
    pid_t supervisor_ = 0;
    std::string why_not_;
    std::optional<int> status_;
    bool is_over_ = false;
    bool leaves_nothing_ = false;
};

// A running command and what it says.
struct Conversation {
    const Command& command;
    SteadyClock::time_point end = SteadyClock::now() + command.time_max;
    Stream output{};
    Stream errors{};

    bool is_too_long() const { return output.text.size() > command.output_bytes_max; }

    // Reads both streams until the command is over. Nothing: it could not be started, wasn't in
    // time, or wrote too much.
    std::optional<int> follow(Started& started) {
        std::optional<int> status;
        while (!is_too_long() && started.why_not().empty()) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - SteadyClock::now());
            if (left.count() <= 0) return std::nullopt;
            std::array<pollfd, 3> news{{{status ? -1 : started.watched(), POLLIN, 0},
                                        {output.from.get(), POLLIN, 0},
                                        {errors.from.get(), POLLIN, 0}}};
            if (poll(news.data(), news.size(), static_cast<int>(left.count())) <= 0) continue;
            status = started.status();  // before the last look at what it wrote
            read_all();
            const bool waits =
                command.over == Command::Over::with_its_streams && (output.from || errors.from);
            if (status && !waits && !is_too_long()) return status;
        }
        return std::nullopt;
    }
    // What is there now.
    void read_all() {
        while (output.from && !is_too_long() && output.take() && SteadyClock::now() < end) {
        }
        while (errors.from && errors.take() && SteadyClock::now() < end) {
            auto& said = errors.text;
            if (said.size() > errors_bytes_max) said.erase(0, said.size() - errors_bytes_max);
        }
    }
};

}  // namespace

base::Result<CommandOutput, CommandTrouble> run(const Command& command) {
    REFEREE_ASSERT(!command.words.empty());
    Conversation held{command};
    const auto input = input_of(command.input);
    if (!input) return base::failure(not_started(command));
    auto to_output = open_stream(held.output);
    if (!to_output) return base::failure(not_started(command));
    Descriptor to_errors;
    if (!command.errors_in_output && !(to_errors = open_stream(held.errors)))
        return base::failure(not_started(command));
    Started started(command, input.get(), to_output.get(),
                    to_errors ? to_errors.get() : to_output.get());
    to_output.reset();
    to_errors.reset();
    const auto status = held.follow(started);
    if (!started.why_not().empty()) return base::failure(not_started(command, started.why_not()));
    if (held.is_too_long()) return base::failure(too_long(command));
    if (!status) return base::failure(too_slow(command, std::move(held.errors.text)));
    started.is_over();
    return CommandOutput{*status, std::move(held.output.text), std::move(held.errors.text)};
}

}  // namespace referee::command

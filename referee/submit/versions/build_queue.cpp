#include "referee/submit/versions/build_queue.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "referee/files/file.h"

namespace referee::versions {
namespace {

// Games come first where the kernel has to choose.
constexpr int niceness = 10;
// What is kept of what a build command prints; the build's own output is in its file.
constexpr std::size_t printed_bytes_kept = 16 * 1024;
constexpr const char* this_program = "/proc/self/exe";

struct Spawned {
    pid_t process = 0;
    files::Descriptor output;
    int error = 0;
};

// In a group of its own, so that who stops the daemon at its terminal stops this by the daemon
// alone; with signals and scheduling as any program has them.
Spawned spawn(const std::vector<std::string>& arguments) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {0, {}, errno};
    Spawned spawned{0, files::Descriptor(ends[0]), 0};
    const files::Descriptor theirs(ends[1]);
    std::vector<char*> words;
    for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, theirs.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, theirs.get(), STDERR_FILENO);
    // Sockets of ours that aren't closed by themselves must not outlive us in it.
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    posix_spawnattr_t terms;
    posix_spawnattr_init(&terms);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    const sched_param usual{};
    posix_spawnattr_setsigmask(&terms, &none);
    posix_spawnattr_setsigdefault(&terms, &all);
    posix_spawnattr_setschedpolicy(&terms, SCHED_OTHER);
    posix_spawnattr_setschedparam(&terms, &usual);
    posix_spawnattr_setflags(&terms, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                         POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSCHEDULER);
    spawned.error =
        ::posix_spawn(&spawned.process, this_program, &files, &terms, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&terms);
    return spawned;
}

}  // namespace

BuildQueue::BuildQueue(const boost::asio::any_io_executor& executor, loop::Timers& timers,
                       table::Cores& cores)
    : executor_(executor), timers_(timers), cores_(cores), output_(executor) {}

BuildQueue::~BuildQueue() {
    close();
}

std::optional<BuildQueue::Job> BuildQueue::add(Job job) {
    const auto same =
        std::ranges::find_if(waiting_, [&](const auto& other) { return other.name == job.name; });
    if (same != waiting_.end()) return std::exchange(*same, std::move(job));
    waiting_.push_back(std::move(job));
    look();
    return std::nullopt;
}

void BuildQueue::close() {
    if (std::exchange(closed_, true)) return;
    waiting_.clear();
    timers_.cancel(std::exchange(rest_, 0));
    timers_.cancel(std::exchange(deadline_, 0));
    boost::system::error_code ignored;
    output_.close(ignored);
    if (process_ != 0) {
        ::kill(-process_, SIGKILL);
        ::waitpid(std::exchange(process_, 0), nullptr, 0);
    }
    cores_.leave_queue(core_);
    cores_.release(std::exchange(core_, 0));
}

// The next one, where nothing is under way.
void BuildQueue::look() {
    if (closed_ || current_ || rest_ != 0 || waiting_.empty()) return;
    current_ = std::move(waiting_.front());
    waiting_.pop_front();
    const auto go_on = [this] {
        timers_.schedule(timers_.now(), life_.while_it_lasts([this] { begin(); }));
    };
    const auto answer = cores_.request(go_on);
    core_ = answer.permit;
    if (answer.granted) go_on();
}

void BuildQueue::begin() {
    if (closed_) return;
    current_->on_begin();
    begun_ = timers_.now();
    printed_.clear();
    std::vector<std::string> words = {"referee", "build",
                                      "--with-process=" + std::to_string(::getpid())};
    words.insert(words.end(), current_->arguments.begin(), current_->arguments.end());
    auto spawned = spawn(words);
    if (spawned.error != 0) {
        printed_ = std::string("the build can't be started: ") + std::strerror(spawned.error);
        process_ = 0;
        ended();
        return;
    }
    process_ = spawned.process;
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(process_), niceness);
    deadline_ = timers_.schedule(begun_ + current_->time_max, [this] {
        deadline_ = 0;
        ::kill(-process_, SIGKILL);
    });
    output_.assign(spawned.output.release());
    read();
}

void BuildQueue::read() {
    output_.async_read_some(
        boost::asio::buffer(piece_),
        life_.while_it_lasts([this](const boost::system::error_code& error, std::size_t bytes) {
            if (closed_) return;
            printed_.append(piece_.data(), bytes);
            if (printed_.size() > printed_bytes_kept)
                printed_.erase(0, printed_.size() - printed_bytes_kept);
            error ? ended() : read();
        }));
}

// It has closed its output, so it ends in this moment.
void BuildQueue::ended() {
    BuildEnd end{-1, std::move(printed_)};
    timers_.cancel(std::exchange(deadline_, 0));
    boost::system::error_code ignored;
    output_.close(ignored);
    if (process_ != 0) {
        int status = 0;
        if (::waitpid(std::exchange(process_, 0), &status, 0) > 0 && WIFEXITED(status))
            end.status = WEXITSTATUS(status);
    }
    cores_.release(std::exchange(core_, 0));
    const auto job = std::exchange(current_, std::nullopt);
    const auto now = timers_.now();
    rest_ = timers_.schedule(now + (now - begun_), [this] {
        rest_ = 0;
        look();
    });
    job->on_end(end);
}

}  // namespace referee::versions

// What a bot does to the machine by its own processes.

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "tests/hostile/attempt.h"

namespace hostile {

namespace {

constexpr std::size_t bytes_a_page = 4096;

double cpu_seconds() {
    timespec now = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

double wall_seconds() {
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);  // time: an attempt that goes on for so long by design
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

void end_children(const std::vector<pid_t>& children) {
    for (const pid_t child : children) ::kill(child, SIGKILL);
    for (const pid_t child : children) ::waitpid(child, nullptr, 0);
}

// Not zero, so that the kernel can't share the pages.
bool take(std::size_t mib, int kind = MAP_PRIVATE) {
    void* const memory =
        ::mmap(nullptr, mib * bytes_a_mib, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    auto* const bytes = static_cast<volatile char*>(memory);
    for (std::size_t i = 0; i < mib * bytes_a_mib; i += bytes_a_page) bytes[i] = 1;
    return true;
}

void* burn_thread(void* seconds) {
    const double end = wall_seconds() + *static_cast<double*>(seconds);
    while (wall_seconds() < end) {
    }
    return nullptr;
}

void fork_many(const Arguments& arguments) {
    const long count = number(arguments[0]);
    std::vector<pid_t> children;
    int error = 0;
    for (long i = 0; i < count && error == 0; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            for (;;) ::pause();
        }
        error = errno_of(child);
        if (child > 0) children.push_back(child);
    }
    end_children(children);
    tell("fork_many", error == 0, std::to_string(children.size()) + " processes");
}

void take_in_child(const Arguments& arguments, const char* probe, int kind) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(take(static_cast<std::size_t>(number(arguments[0])), kind) ? 0 : 1);
    int status = 0;
    ::waitpid(child, &status, 0);
    tell(probe, child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0,
         WIFSIGNALED(status) ? "killed" : "no memory");
}

void take_memory_alone(const Arguments& arguments) {
    take_in_child(arguments, "take_memory_alone", MAP_PRIVATE);
}

// Shared memory is no data of a process, so a limit on data doesn't count it.
void take_shared_memory(const Arguments& arguments) {
    take_in_child(arguments, "take_shared_memory", MAP_SHARED);
}

// All hold it at the same time: who has it waits until all have been asked, and only those count
// that still answer then. Whoever the kernel ended meanwhile had answered once, too.
void take_memory_together(const Arguments& arguments) {
    std::array<int, 2> ready = {};
    std::array<int, 2> asked = {};
    std::array<int, 2> again = {};
    if (::pipe(ready.data()) != 0 || ::pipe(asked.data()) != 0 || ::pipe(again.data()) != 0) return;
    std::vector<pid_t> children;
    for (long i = 0; i < number(arguments[0]); ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            for (const int end : {ready[0], asked[1], again[0]}) ::close(end);
            const char done = take(static_cast<std::size_t>(number(arguments[1]))) ? 'y' : 'n';
            ::close(ready[1]);
            char question = 0;
            [[maybe_unused]] const ssize_t heard = ::read(asked[0], &question, 1);
            [[maybe_unused]] const ssize_t told = ::write(again[1], &done, 1);
            ::close(again[1]);
            for (;;) ::pause();
        }
        if (child > 0) children.push_back(child);
    }
    for (const int end : {ready[1], asked[0], again[1]}) ::close(end);
    char done = 'n';
    while (::read(ready[0], &done, 1) == 1) {
    }
    ::close(asked[1]);
    long held = 0;
    while (::read(again[0], &done, 1) == 1) held += done == 'y' ? 1 : 0;
    end_children(children);
    tell("take_memory_together", held == number(arguments[0]), std::to_string(held) + " held it");
}

void linger(const Arguments&) {
    ::alarm(life_seconds_max);
    tell("begun", 0);
    for (;;) ::pause();
}

// Two daemons: one in a session of its own, and one that only left the group. Both lose their
// parents, and keep the bot's command line.
void leave_daemons(const Arguments&) {
    for (const bool own_session : {true, false}) {
        const pid_t child = ::fork();
        if (child == 0) {
            if (own_session ? ::setsid() < 0 : ::setpgid(0, 0) != 0) ::_exit(1);
            if (::fork() != 0) ::_exit(0);
            for (const int signal : {SIGTERM, SIGHUP, SIGINT}) ::signal(signal, SIG_IGN);
            for (const int standard : {0, 1, 2}) ::close(standard);
            linger({});
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        tell(own_session ? "own_session" : "own_group", WIFEXITED(status) && status == 0, "");
    }
}

void burn(const Arguments& arguments) {
    double seconds = static_cast<double>(number(arguments[0]));
    tell("begun", 0);
    std::vector<pthread_t> threads(static_cast<std::size_t>(number(arguments[1])));
    for (pthread_t& thread : threads) ::pthread_create(&thread, nullptr, burn_thread, &seconds);
    for (const pthread_t thread : threads) ::pthread_join(thread, nullptr);
}

// Thinks so long for each line that it reads, and answers with a line.
void answer_turns(const Arguments& arguments) {
    const double thought = static_cast<double>(number(arguments[0])) / 1e6;
    tell("ready", 0);
    char letter = 0;
    while (::read(STDIN_FILENO, &letter, 1) == 1) {
        if (letter != '\n') continue;
        const double end = cpu_seconds() + thought;
        while (cpu_seconds() < end) {
        }
        tell("turn", 0);
    }
}

void flood(const Arguments& arguments) {
    const int stream = static_cast<int>(number(arguments[0]));
    std::array<char, 64 * 1024> noise;
    noise.fill('x');
    const std::size_t wanted = static_cast<std::size_t>(number(arguments[1])) * bytes_a_mib;
    for (std::size_t written = 0; written < wanted;) {
        const ssize_t bytes = ::write(stream, noise.data(), noise.size());
        if (bytes <= 0) return;
        written += static_cast<std::size_t>(bytes);
    }
}

void list_descriptors(const Arguments&) {
    constexpr int numbers_max = 4096;
    for (int i = STDERR_FILENO + 1; i < numbers_max; ++i) {
        if (::fcntl(i, F_GETFD) >= 0) tell("inherited", true, std::to_string(i));
    }
}

}  // namespace

std::span<const Action> actions_on_processes() {
    static constexpr auto actions = std::to_array<Action>({
        {"fork_many", fork_many, 1},                        // COUNT
        {"take_memory_alone", take_memory_alone, 1},        // MIB
        {"take_memory_together", take_memory_together, 2},  // CHILDREN MIB
        {"take_shared_memory", take_shared_memory, 1},      // MIB
        {"leave_daemons", leave_daemons},
        {"linger", linger},
        {"burn", burn, 2},                  // SECONDS THREADS
        {"answer_turns", answer_turns, 1},  // MICROSECONDS: an honest bot
        {"flood", flood, 2},                // DESCRIPTOR MIB
        {"list_descriptors", list_descriptors},
    });
    return actions;
}

}  // namespace hostile

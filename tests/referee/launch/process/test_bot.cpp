// The bots that the launcher's tests start: one program, with a behaviour for each argument.

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

std::uint64_t own_cpu_us() {
    timespec now = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec) / 1000;
}

std::uint64_t waited_cpu_us() {
    rusage used = {};
    ::getrusage(RUSAGE_CHILDREN, &used);
    const auto us = [](const timeval& time) {
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
               static_cast<std::uint64_t>(time.tv_usec);
    };
    return us(used.ru_utime) + us(used.ru_stime);
}

void burn(std::uint64_t us) {
    const std::uint64_t end_us = own_cpu_us() + us;
    while (own_cpu_us() < end_us) {
    }
}

void say(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
}

[[noreturn]] void sleep_for_good() {
    for (;;) ::pause();
}

[[noreturn]] void spin_for_good() {
    for (;;) burn(1'000'000);
}

// For each number read, burns so many microseconds and says its own clock afterwards.
int burn_on_request(const std::string&) {
    say("ready");
    unsigned long long us = 0;
    while (std::scanf("%llu", &us) == 1) {
        burn(us);
        say(std::to_string(own_cpu_us()));
    }
    return 0;
}

// The same, but each time by a child that it waits for; its children's time is its own.
int burn_by_children(const std::string&) {
    say("ready");
    unsigned long long us = 0;
    while (std::scanf("%llu", &us) == 1) {
        const pid_t child = ::fork();
        if (child == 0) {
            burn(us);
            ::_exit(0);
        }
        ::waitpid(child, nullptr, 0);
        say(std::to_string(own_cpu_us() + waited_cpu_us()));
    }
    return 0;
}

// A grandchild in a session of its own, whose parent is gone; says its process id.
void leave_daemon(bool spinning) {
    const pid_t child = ::fork();
    if (child != 0) {
        ::waitpid(child, nullptr, 0);
        return;
    }
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    say(std::to_string(::getpid()));
    if (spinning) spin_for_good();
    sleep_for_good();
}

int daemon_and_exit(const std::string&) {
    leave_daemon(true);
    return 0;
}

int daemon_and_stay(const std::string&) {
    leave_daemon(false);
    sleep_for_good();
}

int daemon_and_kill_parent(const std::string&) {
    leave_daemon(false);
    ::getchar();
    ::kill(::getppid(), SIGKILL);
    sleep_for_good();
}

int children(const std::string& count) {
    for (int i = 0; i < std::atoi(count.c_str()); ++i) {
        if (::fork() == 0) sleep_for_good();
    }
    say("ready");
    sleep_for_good();
}

int spin(const std::string&) {
    say("ready");
    spin_for_good();
}

int exit_with(const std::string& status) {
    return std::atoi(status.c_str());
}

int die_by(const std::string& signal) {
    ::signal(std::atoi(signal.c_str()), SIG_DFL);
    ::raise(std::atoi(signal.c_str()));
    return 0;
}

int spam_error(const std::string& bytes) {
    const std::string line = "all work and no play makes jack a dull boy\n";
    for (long long left = std::atoll(bytes.c_str()); left > 0;) {
        const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
        if (written <= 0) return 1;
        left -= written;
    }
    const std::string last = "the last words";
    return ::write(STDERR_FILENO, last.data(), last.size()) > 0 ? 0 : 1;
}

int spam_output(const std::string& bytes) {
    ::dup2(STDOUT_FILENO, STDERR_FILENO);
    return spam_error(bytes);
}

int close_output(const std::string&) {
    ::close(STDOUT_FILENO);
    ::getchar();
    return 0;
}

// Reads from its own standard output, which gives the end on a socket and nothing on a pipe.
int read_output(const std::string&) {
    char byte = 0;
    const ssize_t got = ::read(STDOUT_FILENO, &byte, 1);
    say(got == 0 ? "end" : got < 0 ? "refused" : "bytes");
    return 0;
}

// Writes one line in two pieces, each by a call of its own.
int two_pieces(const std::string&) {
    const bool all =
        ::write(STDOUT_FILENO, "one ", 4) == 4 && ::write(STDOUT_FILENO, "line\n", 5) == 5;
    return all ? 0 : 1;
}

// As soon as it is told to, by one byte, writes without end.
int write_for_good(const std::string&) {
    ::getchar();
    const std::string block(4096, 'x');
    while (::write(STDOUT_FILENO, block.data(), block.size()) > 0) {
    }
    return 0;
}

// Says how many bytes it can write while nobody reads.
int fill_output(const std::string&) {
    ::fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
    const std::string block(4096, 'x');
    long long written = 0;
    for (int quiet = 0; quiet < 20; ++quiet) {
        for (ssize_t now = 0; (now = ::write(STDOUT_FILENO, block.data(), block.size())) > 0;) {
            written += now;
            quiet = 0;
        }
        ::usleep(1000);  // time: until what it wrote is where it is kept
    }
    std::fprintf(stderr, "%lld", written);
    return 0;
}

// The moment as the referee reads it, which a test compares with what it saw.
std::uint64_t moment_ns() {
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);  // time: compared with the referee's own stamps
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

// For each line read, says the moment at which it writes.
int tell_moment(const std::string&) {
    say("ready");
    for (int byte = 0; (byte = ::getchar()) != EOF;) {
        if (byte == '\n') say(std::to_string(moment_ns()));
    }
    return 0;
}

// The same as burn, but says the moment and the processor time of all its threads at its answer.
int burn_and_tell(const std::string&) {
    say("ready");
    unsigned long long us = 0;
    while (std::scanf("%llu", &us) == 1) {
        burn(us);
        say(std::to_string(moment_ns()) + " " + std::to_string(own_cpu_us()));
    }
    return 0;
}

// The same on one core, beside a child of its own that burns without end.
int burn_beside_a_child(const std::string& none) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
    // time: a bot of a calm test
    ::sched_setaffinity(0, sizeof one, &one);
    if (::fork() == 0) spin_for_good();
    return burn_and_tell(none);
}

int show_environment(const std::string&) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        variables.emplace_back(*variable);
    }
    std::sort(variables.begin(), variables.end());
    for (const std::string& variable : variables) say(variable);
    return 0;
}

int show_descriptors(const std::string&) {
    std::string numbers;
    for (int number = 0; number < 1024; ++number) {
        if (::fcntl(number, F_GETFD) >= 0) numbers += std::to_string(number) + " ";
    }
    say(numbers);
    return 0;
}

int show_session(const std::string&) {
    say(::getsid(0) == ::getpid() ? "own session" : "another's session");
    return 0;
}

int show_directory(const std::string&) {
    char path[4096];
    say(::getcwd(path, sizeof path) != nullptr ? path : "none");
    return 0;
}

int show_core_limit(const std::string&) {
    rlimit limit = {};
    ::getrlimit(RLIMIT_CORE, &limit);
    say(std::to_string(limit.rlim_cur) + " " + std::to_string(limit.rlim_max));
    return 0;
}

int open_many(const std::string&) {
    int count = 3;
    while (::open("/dev/null", O_RDONLY) >= 0) ++count;
    say(std::to_string(count));
    return 0;
}

int fork_many(const std::string& count) {
    int born = 0;
    for (int i = 0; i < std::atoi(count.c_str()); ++i) {
        const pid_t child = ::fork();
        if (child == 0) sleep_for_good();
        if (child > 0) ++born;
    }
    say(std::to_string(born));
    sleep_for_good();
}

int write_much(const std::string& path) {
    ::signal(SIGXFSZ, SIG_IGN);
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const std::string block(4096, 'x');
    long long written = 0;
    for (;;) {
        const ssize_t now = ::write(file, block.data(), block.size());
        if (now <= 0) break;
        written += now;
    }
    say(std::to_string(written) + (errno == EFBIG ? " too big" : " other"));
    return 0;
}

int map_memory(const std::string& bytes) {
    void* memory = ::mmap(nullptr, static_cast<std::size_t>(std::atoll(bytes.c_str())), PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    say(memory == MAP_FAILED ? "refused" : "given");
    return 0;
}

int show_signals(const std::string&) {
    std::FILE* status = std::fopen("/proc/self/status", "r");
    char line[256];
    while (status != nullptr && std::fgets(line, sizeof line, status) != nullptr) {
        const std::string text = line;
        if (text.starts_with("SigBlk") || text.starts_with("SigIgn")) std::fputs(line, stdout);
    }
    if (status != nullptr) std::fclose(status);
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    const std::map<std::string, int (*)(const std::string&)> behaviours = {
        {"burn", burn_on_request},
        {"burn-by-children", burn_by_children},
        {"daemon", daemon_and_exit},
        {"daemon-and-stay", daemon_and_stay},
        {"daemon-and-kill-parent", daemon_and_kill_parent},
        {"children", children},
        {"spin", spin},
        {"exit", exit_with},
        {"signal", die_by},
        {"spam-error", spam_error},
        {"spam-output", spam_output},
        {"close-output", close_output},
        {"read-output", read_output},
        {"two-pieces", two_pieces},
        {"write-for-good", write_for_good},
        {"fill-output", fill_output},
        {"tell-moment", tell_moment},
        {"burn-and-tell", burn_and_tell},
        {"burn-beside-a-child", burn_beside_a_child},
        {"environment", show_environment},
        {"descriptors", show_descriptors},
        {"session", show_session},
        {"directory", show_directory},
        {"core-limit", show_core_limit},
        {"open-many", open_many},
        {"fork-many", fork_many},
        {"write-much", write_much},
        {"map-memory", map_memory},
        {"signals", show_signals},
    };
    const auto behaviour = behaviours.find(count > 1 ? arguments[1] : "");
    if (behaviour == behaviours.end()) return 64;
    return behaviour->second(count > 2 ? arguments[2] : "");
}

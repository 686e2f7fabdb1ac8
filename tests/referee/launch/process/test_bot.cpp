// The bots that the launcher's tests start: one program, with a behaviour for each argument.

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

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

// Reads from its own standard output, which gives the end on a socket and nothing on a pipe.
int read_output(const std::string&) {
    char byte = 0;
    const ssize_t got = ::read(STDOUT_FILENO, &byte, 1);
    say(got == 0 ? "end" : got < 0 ? "refused" : "bytes");
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

int show_descriptors(const std::string&) {
    std::string numbers;
    for (int number = 0; number < 1024; ++number) {
        if (::fcntl(number, F_GETFD) >= 0) numbers += std::to_string(number) + " ";
    }
    say(numbers);
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

}  // namespace

int main(int count, char** arguments) {
    const std::map<std::string, int (*)(const std::string&)> behaviours = {
        {"burn", burn_on_request},
        {"burn-by-children", burn_by_children},
        {"daemon", daemon_and_exit},
        {"daemon-and-stay", daemon_and_stay},
        {"daemon-and-kill-parent", daemon_and_kill_parent},
        {"read-output", read_output},
        {"fill-output", fill_output},
        {"tell-moment", tell_moment},
        {"burn-and-tell", burn_and_tell},
        {"burn-beside-a-child", burn_beside_a_child},
        {"descriptors", show_descriptors},
        {"fork-many", fork_many},
    };
    const auto behaviour = behaviours.find(count > 1 ? arguments[1] : "");
    if (behaviour == behaviours.end()) return 64;
    return behaviour->second(count > 2 ? arguments[2] : "");
}

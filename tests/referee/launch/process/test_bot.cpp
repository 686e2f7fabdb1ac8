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
#include <functional>
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

// For each number read, burns so many microseconds, and answers then.
void burn_on_request(const std::function<std::string(std::uint64_t)>& answer) {
    say("ready");
    unsigned long long us = 0;
    while (std::scanf("%llu", &us) == 1) say(answer(us));
}

// Its answer: its own clock.
void burn_itself() {
    burn_on_request([](std::uint64_t us) {
        burn(us);
        return std::to_string(own_cpu_us());
    });
}

// The same, but each time by a child that it waits for; its children's time is its own.
void burn_by_children() {
    burn_on_request([](std::uint64_t us) {
        const pid_t child = ::fork();
        if (child == 0) {
            burn(us);
            ::_exit(0);
        }
        ::waitpid(child, nullptr, 0);
        return std::to_string(own_cpu_us() + waited_cpu_us());
    });
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

void daemon_and_exit() {
    leave_daemon(true);
}

void daemon_and_stay() {
    leave_daemon(false);
    sleep_for_good();
}

void daemon_and_kill_parent() {
    leave_daemon(false);
    ::getchar();
    ::kill(::getppid(), SIGKILL);
    sleep_for_good();
}

// Reads from its own standard output, which gives the end on a socket and nothing on a pipe.
void read_output() {
    char byte = 0;
    const ssize_t got = ::read(STDOUT_FILENO, &byte, 1);
    say(got == 0 ? "end" : got < 0 ? "refused" : "bytes");
}

// Says how many bytes it can write while nobody reads.
void fill_output() {
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
}

// The moment as the referee reads it, which a test compares with what it saw.
std::uint64_t moment_ns() {
    timespec now = {};
    ::clock_gettime(CLOCK_MONOTONIC, &now);  // time: compared with the referee's own stamps
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

// For each line read, says the moment at which it writes.
void tell_moment() {
    say("ready");
    for (int byte = 0; (byte = ::getchar()) != EOF;) {
        if (byte == '\n') say(std::to_string(moment_ns()));
    }
}

// As burn_itself(), but answers the moment too.
void burn_and_tell() {
    burn_on_request([](std::uint64_t us) {
        burn(us);
        return std::to_string(moment_ns()) + " " + std::to_string(own_cpu_us());
    });
}

// The same on one core, beside a child of its own that burns without end.
void burn_beside_a_child() {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
    // time: a bot of a calm test
    ::sched_setaffinity(0, sizeof one, &one);
    if (::fork() == 0) spin_for_good();
    burn_and_tell();
}

void show_descriptors() {
    std::string numbers;
    for (int number = 0; number < 1024; ++number) {
        if (::fcntl(number, F_GETFD) >= 0) numbers += std::to_string(number) + " ";
    }
    say(numbers);
}

void fork_fifty() {
    int born = 0;
    for (int i = 0; i < 50; ++i) {
        const pid_t child = ::fork();
        if (child == 0) sleep_for_good();
        if (child > 0) ++born;
    }
    say(std::to_string(born));
    sleep_for_good();
}

}  // namespace

int main(int count, char** arguments) {
    const std::map<std::string, void (*)()> behaviours = {
        {"burn", burn_itself},
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
        {"fork-fifty", fork_fifty},
    };
    const auto behaviour = behaviours.find(count > 1 ? arguments[1] : "");
    if (behaviour == behaviours.end()) return 64;
    behaviour->second();
    return 0;
}

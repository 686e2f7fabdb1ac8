// A library to preload (LD_PRELOAD): counts some calls to the C library that a program's first
// thread makes, and writes them to the file CALLS_FILE as lines "name count" when the program ends.
// The programs that it starts are left alone.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" void* __libc_malloc(std::size_t bytes);

namespace {

enum Call {
    send_call,
    receive_call,
    wait_call,
    register_call,
    open_call,
    close_call,
    read_call,
    write_call,
    clock_call,
    allocation,
    calls
};

constexpr std::array<const char*, calls> names = {
    "send",  "receive", "epoll_wait", "epoll_ctl",           "open",
    "close", "read",    "write",      "clock_getcpuclockid", "malloc"};

std::array<unsigned long, calls> counts{};
pid_t owner = 0;  // the program that is counted; its first thread has the same number

void count(Call call) {
    if (owner != 0 && gettid() == owner) ++counts[call];
}

// Counts the call and makes it. `stand_in` is the function here, which has that name.
template <Call call, typename Result, typename... Arguments>
Result counted(Result (* /*stand_in*/)(Arguments...), const char* name, Arguments... arguments) {
    static auto* const make = reinterpret_cast<Result (*)(Arguments...)>(dlsym(RTLD_NEXT, name));
    count(call);
    return make(arguments...);
}

__attribute__((constructor)) void begin() {
    if (std::getenv("CALLS_FILE") == nullptr || std::getenv("CALLS_OWNER") != nullptr) return;
    setenv("CALLS_OWNER", "taken", 1);
    owner = getpid();
}

__attribute__((destructor)) void end() {
    if (owner != getpid()) return;
    owner = 0;
    auto* const file = std::fopen(std::getenv("CALLS_FILE"), "w");
    if (file == nullptr) return;
    for (std::size_t i = 0; i < names.size(); ++i)
        std::fprintf(file, "%s %lu\n", names[i], counts[i]);
    std::fclose(file);
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
    count(allocation);
    return __libc_malloc(bytes);
}

ssize_t send(int socket, const void* bytes, std::size_t size, int flags) {
    return counted<send_call>(send, "send", socket, bytes, size, flags);
}

ssize_t sendmsg(int socket, const msghdr* message, int flags) {
    return counted<send_call>(sendmsg, "sendmsg", socket, message, flags);
}

ssize_t recv(int socket, void* bytes, std::size_t size, int flags) {
    return counted<receive_call>(recv, "recv", socket, bytes, size, flags);
}

ssize_t recvmsg(int socket, msghdr* message, int flags) {
    return counted<receive_call>(recvmsg, "recvmsg", socket, message, flags);
}

int epoll_wait(int set, epoll_event* events, int most, int milliseconds) {
    return counted<wait_call>(epoll_wait, "epoll_wait", set, events, most, milliseconds);
}

int epoll_ctl(int set, int operation, int file, epoll_event* event) noexcept {
    return counted<register_call>(epoll_ctl, "epoll_ctl", set, operation, file, event);
}

int open(const char* path, int flags, ...) {
    static auto* const make =
        reinterpret_cast<int (*)(const char*, int, ...)>(dlsym(RTLD_NEXT, "open"));
    va_list more;
    va_start(more, flags);
    const auto mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    count(open_call);
    return make(path, flags, mode);
}

int close(int file) {
    return counted<close_call>(close, "close", file);
}

ssize_t read(int file, void* bytes, std::size_t size) {
    return counted<read_call>(read, "read", file, bytes, size);
}

ssize_t pread(int file, void* bytes, std::size_t size, off_t at) {
    return counted<read_call>(pread, "pread", file, bytes, size, at);
}

ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t at) {
    return counted<write_call>(pwrite, "pwrite", file, bytes, size, at);
}

int clock_getcpuclockid(pid_t process, clockid_t* clock) noexcept {
    return counted<clock_call>(clock_getcpuclockid, "clock_getcpuclockid", process, clock);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
    return counted<write_call>(write, "write", file, bytes, size);
}

}  // extern "C"

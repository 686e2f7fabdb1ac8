// A library to preload (LD_PRELOAD) that sets the machine's clock at a moment that a test chooses:
// the file FAULT_CLOCK holds two 64-bit integers. The second is a time in nanoseconds since 1970;
// from then on, the wall clock and the kernel's stamps are off by the first, in nanoseconds.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

template <typename Call>
Call* real(const char* name) {
    return reinterpret_cast<Call*>(dlsym(RTLD_NEXT, name));
}

constexpr std::int64_t ns_per_s = 1'000'000'000;

struct Step {
    std::atomic<std::int64_t> by_ns;
    std::atomic<std::int64_t> since_ns;
};

// What the file says now; nullptr where there is no file.
const Step* step() {
    static const Step* const shared = []() -> const Step* {
        const char* name = std::getenv("FAULT_CLOCK");
        const int file = name != nullptr ? open(name, O_RDONLY | O_CLOEXEC) : -1;
        if (file < 0) return nullptr;
        void* memory = mmap(nullptr, sizeof(Step), PROT_READ, MAP_SHARED, file, 0);
        close(file);
        return memory == MAP_FAILED ? nullptr : static_cast<const Step*>(memory);
    }();
    return shared;
}

// Changes a time of the true wall clock into what the clock that was set would have shown.
void set_off(timespec& time) {
    const Step* now = step();
    if (now == nullptr || now->by_ns == 0) return;
    const std::int64_t ns = time.tv_sec * ns_per_s + time.tv_nsec;
    if (ns < now->since_ns) return;
    time.tv_sec = (ns + now->by_ns) / ns_per_s;
    time.tv_nsec = (ns + now->by_ns) % ns_per_s;
}

}  // namespace

// NOLINTBEGIN: the names and types are the C library's.
extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    static auto* const make = real<int(clockid_t, timespec*)>("clock_gettime");
    const int result = make(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) set_off(*time);
    return result;
}

ssize_t recvmsg(int socket, msghdr* message, int flags) {
    static auto* const make = real<ssize_t(int, msghdr*, int)>("recvmsg");
    const auto result = make(socket, message, flags);
    if (result < 0) return result;
    for (auto* header = CMSG_FIRSTHDR(message); header != nullptr;
         header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMPNS) continue;
        timespec stamp{};
        std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
        set_off(stamp);
        std::memcpy(CMSG_DATA(header), &stamp, sizeof stamp);
    }
    return result;
}

}  // extern "C"
// NOLINTEND

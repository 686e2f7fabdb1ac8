// What a bot wants of the kernel and of the machine.

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>

#include "tests/hostile/attempt.h"

namespace hostile {

namespace {

// In a child, so that what succeeds ends with it.
int in_child(const std::function<int()>& attempt) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(attempt());
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) return EAGAIN;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

int enter_ring() {
    std::array<char, 256> parameters = {};
    const long ring = ::syscall(SYS_io_uring_setup, 1, parameters.data());
    const int error = errno_of(ring);
    if (ring >= 0) ::close(static_cast<int>(ring));
    return error;
}

int leave_key() {
    constexpr int user_keyring = -4;
    constexpr int unlink_key = 9;
    const long key = ::syscall(SYS_add_key, "user", "hostile", "x", 1, user_keyring);
    if (key >= 0) ::syscall(SYS_keyctl, unlink_key, key, user_keyring);
    return errno_of(key);
}

int watch_counters() {
    perf_event_attr attributes = {};
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_SW_CPU_CLOCK;
    attributes.exclude_kernel = 1;
    const long counter = ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
    if (counter >= 0) ::close(static_cast<int>(counter));
    return errno_of(counter);
}

// A program map of the smallest kind.
int make_bpf_map() {
    struct {
        std::uint32_t type = 2;  // an array
        std::uint32_t key_bytes = 4;
        std::uint32_t value_bytes = 4;
        std::uint32_t entries = 1;
        std::uint32_t flags = 0;
    } map;
    const long made = ::syscall(SYS_bpf, 0, &map, sizeof map);
    if (made >= 0) ::close(static_cast<int>(made));
    return errno_of(made);
}

int handle_faults() {
    constexpr int only_of_the_user = 1;
    const long made = ::syscall(SYS_userfaultfd, only_of_the_user);
    if (made >= 0) ::close(static_cast<int>(made));
    return errno_of(made);
}

int clone_into(unsigned long flags) {
    const long child = ::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
    if (child == 0) ::_exit(0);
    if (child > 0) ::waitpid(static_cast<pid_t>(child), nullptr, 0);
    return errno_of(child);
}

}  // namespace

void enter_kernel(const Arguments&) {
    tell("io_uring", enter_ring());
    tell("key", leave_key());
    tell("counters", watch_counters());
    tell("bpf", make_bpf_map());
    tell("faults", handle_faults());
}

void leave_mounts(const Arguments&) {
    tell("user_namespace", in_child([] { return errno_of(::unshare(CLONE_NEWUSER)); }));
    tell("cloned_namespace", clone_into(CLONE_NEWUSER));
    tell("mount_namespace", in_child([] { return errno_of(::unshare(CLONE_NEWNS)); }));
    tell("rights_in_namespace", in_child([] {
             if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return errno;
             return errno_of(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr));
         }));
    tell("change_root", in_child([] { return errno_of(::chroot("/usr")); }));
    tell("join_referees_namespace", in_child([] {
             const int other = ::open("/proc/1/ns/mnt", O_RDONLY | O_CLOEXEC);
             return other < 0 ? errno : errno_of(::setns(other, 0));
         }));
    tell("device_file", in_child([] {
             constexpr dev_t memory = 0x101;
             const int error = errno_of(::mknod("/tmp/hostile.device", S_IFCHR | 0600, memory));
             ::unlink("/tmp/hostile.device");
             return error;
         }));
    for (const char* const place : {"/", "/usr", "/etc", "/dev", "/run", "/proc"}) {
        const int folder = ::open(place, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
        const std::string path = std::string(place) + "/hostile.file";
        const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        const int error = folder < 0 ? errno_of(file) : 0;
        if (file >= 0) ::unlink(path.c_str());
        tell(std::string("write_in:") + place, error);
    }
}

// A terminal of its own is enough to see whether the call is let through.
void type_into_terminal(const Arguments&) {
    tell("terminal", in_child([] {
             const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
             if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) return ENOTTY;
             ::setsid();
             const int terminal = ::open(::ptsname(master), O_RDWR | O_CLOEXEC);
             return terminal < 0 ? errno : errno_of(::ioctl(terminal, TIOCSTI, "x"));
         }));
}

}  // namespace hostile

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "referee/launch/sandbox/kernel_rules.h"
#include "tests/referee/launch/sandbox/child.h"

namespace referee::sandbox {

namespace {

// The upper half of a register, which the kernel doesn't look at where it takes an int.
constexpr long above_int = 1L << 40;

// With such arguments nothing happens wherever the kernel takes the call.
int senseless(long number) {
    return errno_of(number, -1L, -1L, -1L, -1L, -1L, -1L);
}

constexpr const char* never_allowed =
    "io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key ptrace "
    "process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp unshare setns mount "
    "umount2 pivot_root chroot move_mount open_tree open_tree_attr fsopen fsconfig fsmount "
    "fspick mount_setattr name_to_handle_at open_by_handle_at fanotify_init bpf userfaultfd "
    "perf_event_open kexec_load init_module finit_module delete_module reboot swapon swapoff "
    "settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname acct "
    "quotactl quotactl_fd syslog ioperm iopl kexec_file_load";

constexpr const char* denied_among_others =
    // time: names
    "sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority prlimit64 "
    "fchmod fchmodat fchmodat2 fchown fchownat utimensat setxattr lsetxattr fsetxattr "
    "setxattrat removexattr file_setattr inotify_init1 inotify_add_watch shmget semget msgget "
    "mq_open ioprio_set migrate_pages move_pages chmod chown lchown utime utimes futimesat";

// Numbers that the library may be too old to know.
const std::map<std::string, long> newer_calls = {{"quotactl_fd", 443},
                                                 {"fchmodat2", 452},
                                                 {"setxattrat", 463},
                                                 {"open_tree_attr", 467},
                                                 {"file_setattr", 469}};

// The numbers of those calls that this architecture has, by their names.
std::map<std::string, long> numbers_of(const char* calls) {
    std::map<std::string, long> numbers;
    std::istringstream words(calls);
    for (std::string call; words >> call;) {
        const auto newer = newer_calls.find(call);
        const long number = newer != newer_calls.end()
                                ? newer->second
                                : ::seccomp_syscall_resolve_name(call.c_str());
        EXPECT_NE(number, __NR_SCMP_ERROR) << call;
        if (number >= 0) numbers[call] = number;
    }
    return numbers;
}

TEST(SystemCallFilter, DeniesInAllTiers) {
    std::size_t differs = 0;
    for (const auto& [name, call] : numbers_of(never_allowed)) {
        const auto attempt = [number = call] { return senseless(number); };
        for (const Walls::Filter& filter : all_filters)
            EXPECT_EQ(EPERM, filtered(filter, attempt)) << name;
        if (unfiltered(attempt) != EPERM) ++differs;
    }
    // Most of them would have got an answer of their own.
    EXPECT_GT(differs, numbers_of(never_allowed).size() / 2);
}

TEST(SystemCallFilter, DeniesAmongOthersWhatLandlockLetsPass) {
    for (const auto& [name, call] : numbers_of(denied_among_others)) {
        const auto attempt = [number = call] { return senseless(number); };
        EXPECT_EQ(EPERM, filtered(piped_among_others, attempt)) << name;
        EXPECT_EQ(EPERM, filtered(dialling_among_others, attempt)) << name;
        EXPECT_NE(EPERM, filtered(piped, attempt)) << name;
    }
}

TEST(SystemCallFilter, ItsOwnLimitsAndCoresAreItsOwn) {
    const auto attempt = [] {
        rlimit limit = {};
        if (const int error = errno_of(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit))
            return error;
        cpu_set_t cores;
        if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return errno;
        // time: the cores that it has already
        if (::sched_setaffinity(0, sizeof cores, &cores) != 0) return errno;
        return ::setpriority(PRIO_PROCESS, 0, 19) != 0 ? errno : 0;
    };
    EXPECT_EQ(0, filtered(piped_among_others, attempt));
    EXPECT_EQ(EPERM, filtered(piped_among_others,
                              [] { return errno_of(SYS_setpriority, PRIO_USER, 0, 19); }));
}

TEST(SystemCallFilter, NewerCallsAreUnknownToIt) {
    constexpr long far_in_the_future = 1000;
    constexpr long beyond_the_table = 470;
    for (const long number : {beyond_the_table, far_in_the_future}) {
        EXPECT_EQ(ENOSYS, filtered(piped, [&] { return senseless(number); }));
    }
}

struct SocketCase {
    const char* name;
    long family;
    long type;
    long protocol;
    int piped;     // what socket() gives to a bot on pipes
    int dialling;  // to one that dials in
    int pair;      // what socketpair() gives to both
};

constexpr int no = EAFNOSUPPORT;
constexpr int mptcp = 262;
constexpr int vsock = 40;

const std::vector<SocketCase> socket_cases = {
    {"unix stream", AF_UNIX, SOCK_STREAM, 0, 0, no, 0},
    {"unix stream, flags", AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 0, no, 0},
    {"unix packets", AF_UNIX, SOCK_SEQPACKET, 0, 0, no, 0},
    {"unix datagrams", AF_UNIX, SOCK_DGRAM, 0, no, no, no},
    {"unix raw", AF_UNIX, SOCK_RAW, 0, no, no, no},
    {"unix, a type that nobody has", AF_UNIX, SOCK_STREAM | 8, 0, no, no, no},
    {"tcp", AF_INET, SOCK_STREAM, 0, no, 0, no},
    {"tcp by name", AF_INET, SOCK_STREAM, IPPROTO_TCP, no, 0, no},
    {"tcp, flags", AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, no, 0, no},
    {"mptcp", AF_INET, SOCK_STREAM, mptcp, no, no, no},
    {"a protocol below tcp's", AF_INET, SOCK_STREAM, IPPROTO_IPIP, no, no, no},
    {"a small protocol", AF_INET, SOCK_STREAM, IPPROTO_IGMP, no, no, no},
    {"udp", AF_INET, SOCK_DGRAM, 0, no, no, no},
    {"icmp", AF_INET, SOCK_DGRAM, IPPROTO_ICMP, no, no, no},
    {"raw", AF_INET, SOCK_RAW, IPPROTO_ICMP, no, no, no},
    {"sctp", AF_INET, SOCK_SEQPACKET, IPPROTO_SCTP, no, no, no},
    {"tcp over IPv6", AF_INET6, SOCK_STREAM, 0, no, no, no},
    {"netlink", AF_NETLINK, SOCK_RAW, 0, no, no, no},
    {"packet", AF_PACKET, SOCK_RAW, 0, no, no, no},
    {"vsock", vsock, SOCK_STREAM, 0, no, no, no},
    {"kernel's ciphers", AF_ALG, SOCK_SEQPACKET, 0, no, no, no},
    {"udp behind a full register", AF_INET, above_int | SOCK_DGRAM, 0, no, no, no},
    {"netlink behind a full register", above_int | AF_NETLINK, SOCK_RAW, 0, no, no, no},
    {"mptcp behind a full register", AF_INET, SOCK_STREAM, above_int | mptcp, no, no, no},
};

TEST(SystemCallFilter, Sockets) {
    for (const SocketCase& one : socket_cases) {
        const auto single = [&] {
            return errno_of(SYS_socket, one.family, one.type, one.protocol);
        };
        std::array<int, 2> ends = {};
        const auto pair = [&] {
            return errno_of(SYS_socketpair, one.family, one.type, one.protocol, ends.data());
        };
        EXPECT_EQ(one.piped, filtered(piped, single)) << one.name;
        EXPECT_EQ(one.piped, filtered(piped_among_others, single)) << one.name;
        EXPECT_EQ(one.dialling, filtered(dialling, single)) << one.name;
        EXPECT_EQ(one.dialling, filtered(dialling_among_others, single)) << one.name;
        for (const Walls::Filter& filter : all_filters) {
            EXPECT_EQ(one.pair, filtered(filter, pair)) << one.name;
        }
    }
    EXPECT_EQ(0, unfiltered([] { return errno_of(SYS_socket, AF_INET, SOCK_DGRAM, 0); }));
}

TEST(SystemCallFilter, OnlyWhoDialsInConnectsAndNobodyListens) {
    for (const long number : {SYS_bind, SYS_listen, SYS_accept, SYS_accept4}) {
        for (const Walls::Filter& filter : all_filters) {
            EXPECT_EQ(EPERM, filtered(filter, [&] { return senseless(number); })) << number;
        }
    }
    EXPECT_EQ(EPERM, filtered(piped, [] { return senseless(SYS_connect); }));
    EXPECT_EQ(EBADF, filtered(dialling, [] { return senseless(SYS_connect); }));
}

int clone_with(unsigned long flags) {
    const long child = ::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
    if (child == 0) ::_exit(0);
    if (child < 0) return errno;
    ::waitpid(static_cast<pid_t>(child), nullptr, 0);
    return 0;
}

TEST(SystemCallFilter, NoNewNamespaces) {
    const std::array<unsigned long, 7> kinds = {CLONE_NEWNS,  CLONE_NEWCGROUP, CLONE_NEWUTS,
                                                CLONE_NEWIPC, CLONE_NEWUSER,   CLONE_NEWPID,
                                                CLONE_NEWNET};
    for (const unsigned long kind : kinds) {
        EXPECT_EQ(EPERM, filtered(piped, [&] { return clone_with(kind); })) << kind;
        EXPECT_EQ(EPERM, filtered(piped, [&] { return clone_with(kind | CLONE_VFORK); })) << kind;
    }
    EXPECT_EQ(0, filtered(piped, [] { return clone_with(0); }));
    EXPECT_EQ(ENOSYS, filtered(piped, [] { return senseless(SYS_clone3); }));
}

// Typing into terminals, leases, connections by sending. On no file: what the kernel takes is told
// that it is none.
TEST(SystemCallFilter, DeniesInAllTiersByArguments) {
    constexpr long push_letter = 0x5412, console = 0x541c, bytes_waiting = 0x541b;
    constexpr long fast = MSG_FASTOPEN, full = above_int | MSG_FASTOPEN | MSG_NOSIGNAL;
    struct Row {
        int denied;
        long call;
        std::array<long, 3> arguments;  // behind the file
    };
    for (const auto& [denied, call, more] : std::vector<Row>{
             {EPERM, SYS_ioctl, {push_letter}},
             {EPERM, SYS_ioctl, {console}},
             {EPERM, SYS_ioctl, {above_int | push_letter}},
             {EBADF, SYS_ioctl, {bytes_waiting}},
             {EPERM, SYS_fcntl, {F_SETLEASE, F_RDLCK}},
             {EBADF, SYS_fcntl, {F_GETFD}},
             {EPERM, SYS_sendto, {0, 0, fast}},
             {EPERM, SYS_sendto, {0, 0, full}},
             {EBADF, SYS_sendto, {0, 0, 0}},
             {EPERM, SYS_sendmsg, {0, fast}},
             {EPERM, SYS_sendmsg, {0, full}},
             {EPERM, SYS_sendmmsg, {0, 0, fast}},
             {EPERM, SYS_sendmmsg, {0, 0, full}},
         }) {
        const auto attempt = [number = call, at = more] {
            return errno_of(number, -1L, at[0], at[1], at[2], 0L, 0L);
        };
        for (const Walls::Filter& filter : all_filters)
            EXPECT_EQ(denied, filtered(filter, attempt)) << call << ": " << more[0];
        EXPECT_EQ(EBADF, unfiltered(attempt)) << call << ": " << more[0];
    }
}

#if defined(__x86_64__)
TEST(SystemCallFilter, ForeignArchitecturesEndTheProcess) {
    const auto by_old_gate = [] {
        ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would end the process otherwise
        long result = 20;            // getpid of the 32-bit architecture
        asm volatile("int $0x80" : "+a"(result) : : "memory");
        return 0;
    };
    if (const int outside = unfiltered(by_old_gate); outside == 0) {
        EXPECT_EQ(-SIGSYS, filtered(piped, by_old_gate));
    } else {  // a kernel without that architecture has no such gate
        EXPECT_EQ(-SIGSEGV, outside);
    }
    const auto by_x32 = [] {
        ::syscall(0x40000000 | SYS_getpid);
        return 0;
    };
    EXPECT_EQ(-SIGSYS, filtered(piped, by_x32));
    EXPECT_EQ(0, unfiltered(by_x32));
}
#endif

int run(std::vector<const char*> command) {
    command.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::execv(command[0], const_cast<char**>(command.data()));
        ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

TEST(SystemCallFilter, UsualProgramsRun) {
    for (const Walls::Filter& filter : all_filters) {
        EXPECT_EQ(0, filtered(filter, [] { return run({"/bin/true"}); }));
        EXPECT_EQ(0, filtered(filter, [] {
                      int sum = 0;
                      std::thread([&] { sum = 1; }).join();
                      return sum == 1 ? 0 : 1;
                  }));
        EXPECT_EQ(
            0, filtered(filter, [] {
                std::FILE* const output = ::popen("echo yes", "r");
                std::array<char, 8> text = {};
                const bool read = std::fgets(text.data(), text.size(), output) != nullptr;
                return ::pclose(output) == 0 && read && std::string(text.data()) == "yes\n" ? 0 : 1;
            }));
    }
}

TEST(SystemCallFilter, PythonRuns) {
    if (::access("/usr/bin/python3", X_OK) != 0) GTEST_SKIP() << "no /usr/bin/python3";
    constexpr const char* script =
        "import subprocess, threading, tempfile, multiprocessing, asyncio\n"
        "threads = [threading.Thread(target=sum, args=([1],)) for _ in range(4)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "assert subprocess.run(['echo', 'yes'], capture_output=True).stdout == b'yes\\n'\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "    assert pool.map(abs, [-1, -2]) == [1, 2]\n"
        // time: it doesn't wait
        "assert asyncio.run(asyncio.sleep(0, 7)) == 7\n"
        "with tempfile.TemporaryFile() as file: file.write(b'x')\n";
    for (const Walls::Filter& filter : all_filters) {
        EXPECT_EQ(0, filtered(filter, [&] { return run({"/usr/bin/python3", "-c", script}); }));
    }
}

// A bot that is frozen by SIGSTOP must not wake itself.
TEST(SystemCallFilter, NobodyIsWoken) {
    const auto wake = [](int signal) {
        return std::vector<std::function<int()>>{
            [=] { return errno_of(SYS_kill, ::getpid(), signal); },
            [=] { return errno_of(SYS_tkill, ::getpid(), signal); },
            [=] { return errno_of(SYS_tgkill, ::getpid(), ::getpid(), signal); },
            [=] { return errno_of(SYS_prctl, PR_SET_PDEATHSIG, signal); },
            [=] {
                const int file = ::open("/dev/null", O_RDONLY);
                return errno_of(SYS_fcntl, file, F_SETSIG, signal);
            }};
    };
    for (const Walls::Filter& filter : all_filters) {
        for (const auto& attempt : wake(SIGCONT)) EXPECT_EQ(EPERM, filtered(filter, attempt));
        for (const auto& attempt : wake(SIGWINCH)) EXPECT_NE(EPERM, filtered(filter, attempt));
        EXPECT_EQ(EINVAL,
                  filtered(filter, [] { return errno_of(SYS_prctl, PR_SET_DUMPABLE, SIGCONT); }));
    }
}

}  // namespace

}  // namespace referee::sandbox

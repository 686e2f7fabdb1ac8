#include "referee/launch/sandbox/kernel_rules.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

#include "referee/files/file.h"

namespace referee::sandbox {
namespace {

// System calls that are younger than libseccomp's table. Their numbers are the same on all
// architectures.
constexpr int call_fchmodat2 = 452;
constexpr int call_setxattrat = 463;
constexpr int call_removexattrat = 466;
constexpr int call_open_tree_attr = 467;
constexpr int call_file_setattr = 469;
// What comes after these (Linux 6.18) has not been judged here, and is denied.
constexpr std::uint32_t newest_judged_call = 469;
// From here on numbers belong to x32, which the filter ends as a foreign architecture.
constexpr std::uint32_t first_x32_call = 0x40000000;

// Denied to every bot.
constexpr auto denied = std::to_array<int>(
    {// A ring of io_uring makes calls that no filter sees.
     SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
     // Keys belong to the user, outlive the bot and are seen by the user's other processes.
     SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
     // Another process's memory, descriptors and secrets.
     SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
     SCMP_SYS(process_madvise), SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp),
     // Namespaces would give it the rights of an administrator inside of them, and with these much
     // of the kernel that nobody else reaches.
     SCMP_SYS(unshare), SCMP_SYS(setns),
     // What it sees of the file system is decided before it starts.
     SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
     SCMP_SYS(move_mount), SCMP_SYS(open_tree), call_open_tree_attr, SCMP_SYS(fsopen),
     SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(mount_setattr),
     // A file by its handle is opened past all folders above it.
     SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
     // Events of files that it can't open.
     SCMP_SYS(fanotify_init),
     // Parts of the kernel with a long list of faults behind them, and of no use to a bot.
     SCMP_SYS(bpf), SCMP_SYS(userfaultfd), SCMP_SYS(perf_event_open), SCMP_SYS(lookup_dcookie),
     SCMP_SYS(nfsservctl), SCMP_SYS(uselib),
     // The machine: its kernel, its clock, its ports, its name, its disks, its log.
     SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
     SCMP_SYS(delete_module), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
     SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime),
     SCMP_SYS(ioperm), SCMP_SYS(iopl), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
     SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(syslog), SCMP_SYS(vhangup),
     // Nobody shall dial it.
     SCMP_SYS(bind), SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4)});

// Denied beside the referee's files and processes: Landlock lets these pass.
constexpr auto denied_in_shared_surroundings = std::to_array<int>(
    {// Modes, owners, times and attributes of a file whose path it knows: with the referee's user,
     // it would lock the store away.
     SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), call_fchmodat2, SCMP_SYS(chown),
     SCMP_SYS(fchown), SCMP_SYS(lchown), SCMP_SYS(fchownat), SCMP_SYS(utime), SCMP_SYS(utimes),
     SCMP_SYS(futimesat), SCMP_SYS(utimensat), SCMP_SYS(setxattr), SCMP_SYS(lsetxattr),
     SCMP_SYS(fsetxattr), call_setxattrat, SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
     SCMP_SYS(fremovexattr), call_removexattrat, call_file_setattr,
     // Names and times of what happens in folders: no right to read them is asked for.
     SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1), SCMP_SYS(inotify_add_watch),
     // Memory and messages that stay when the bot has ended, and that other bots see.
     SCMP_SYS(shmget), SCMP_SYS(semget), SCMP_SYS(msgget), SCMP_SYS(mq_open)});

// The kernel takes the lower half of the register as an int; who fills the upper half must not get
// past a comparison of all of it.
constexpr std::uint64_t as_int = 0xffffffff;

// A call that is denied by its arguments.
struct Conditional {
    int call;
    int error;
    scmp_arg_cmp when;
    std::optional<scmp_arg_cmp> and_when = std::nullopt;
};

constexpr scmp_arg_cmp is(unsigned argument, std::uint64_t value, std::uint64_t mask = as_int) {
    return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

constexpr scmp_arg_cmp has(unsigned argument, std::uint64_t bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, bits};
}

constexpr scmp_arg_cmp lacks(unsigned argument, std::uint64_t bits) {
    return {argument, SCMP_CMP_MASKED_EQ, bits, 0};
}

// Of the whole register: what is equal only in its lower half is denied as well.
constexpr scmp_arg_cmp is_not(unsigned argument, std::uint64_t value) {
    return {argument, SCMP_CMP_NE, value, 0};
}

constexpr scmp_arg_cmp above(unsigned argument, std::uint64_t value) {
    return {argument, SCMP_CMP_GT, value, 0};
}

// clone's flags are its first argument, or on this one architecture its second.
#if defined(__s390__)
constexpr unsigned clone_flags = 1;
#else
constexpr unsigned clone_flags = 0;
#endif

constexpr auto conditional = std::to_array<Conditional>({
    // Namespaces, see unshare.
    {SCMP_SYS(clone), EPERM, has(clone_flags, CLONE_NEWNS)},
    {SCMP_SYS(clone), EPERM, has(clone_flags, CLONE_NEWCGROUP)},
    {SCMP_SYS(clone), EPERM, has(clone_flags, CLONE_NEWUTS)},
    {SCMP_SYS(clone), EPERM, has(clone_flags, CLONE_NEWIPC)},
    {SCMP_SYS(clone), EPERM, has(clone_flags, CLONE_NEWUSER)},
    {SCMP_SYS(clone), EPERM, has(clone_flags, CLONE_NEWPID)},
    {SCMP_SYS(clone), EPERM, has(clone_flags, CLONE_NEWNET)},
    // Typing into the terminal of whoever started the referee.
    {SCMP_SYS(ioctl), EPERM, is(1, TIOCSTI)},
    {SCMP_SYS(ioctl), EPERM, is(1, TIOCLINUX)},
    // Without a control group a bot is frozen between its turns by SIGSTOP: none of its processes
    // may wake the others.
    {SCMP_SYS(kill), EPERM, is(1, SIGCONT)},
    {SCMP_SYS(tkill), EPERM, is(1, SIGCONT)},
    {SCMP_SYS(tgkill), EPERM, is(2, SIGCONT)},
    {SCMP_SYS(rt_sigqueueinfo), EPERM, is(1, SIGCONT)},
    {SCMP_SYS(rt_tgsigqueueinfo), EPERM, is(2, SIGCONT)},
    {SCMP_SYS(pidfd_send_signal), EPERM, is(1, SIGCONT)},
    {SCMP_SYS(prctl), EPERM, is(0, PR_SET_PDEATHSIG), is(1, SIGCONT)},
    {SCMP_SYS(fcntl), EPERM, is(1, F_SETSIG), is(2, SIGCONT)},
    {SCMP_SYS(clone), EPERM, is(clone_flags, SIGCONT, CSIGNAL)},
    // Whoever opens a file under a lease waits for its holder, up to 45 s: the referee, or a rival
    // that reads the same file.
    {SCMP_SYS(fcntl), EPERM, is(1, F_SETLEASE)},
    // Connects without connect(), past the filter and past Landlock.
    {SCMP_SYS(sendto), EPERM, has(3, MSG_FASTOPEN)},
    {SCMP_SYS(sendmsg), EPERM, has(2, MSG_FASTOPEN)},
    {SCMP_SYS(sendmmsg), EPERM, has(3, MSG_FASTOPEN)},
    // Of pairs only Unix streams and packets that keep their order: a datagram socket of a pair can
    // still be sent to any path. Streams are type 1, packets 5.
    {SCMP_SYS(socketpair), EAFNOSUPPORT, is_not(0, AF_UNIX)},
    {SCMP_SYS(socketpair), EAFNOSUPPORT, lacks(1, 1)},
    {SCMP_SYS(socketpair), EAFNOSUPPORT, has(1, 2)},
    {SCMP_SYS(socketpair), EAFNOSUPPORT, has(1, 8)},
});

// The same types of socket() where there is no network.
constexpr auto conditional_without_network = std::to_array<Conditional>({
    {SCMP_SYS(socket), EAFNOSUPPORT, is_not(0, AF_UNIX)},
    {SCMP_SYS(socket), EAFNOSUPPORT, lacks(1, 1)},
    {SCMP_SYS(socket), EAFNOSUPPORT, has(1, 2)},
    {SCMP_SYS(socket), EAFNOSUPPORT, has(1, 8)},
});

// Only TCP over IPv4: type 1, and 0 or 6 as the protocol. No Unix socket, because connect() has its
// address in memory, and the referee's control socket may be in sight.
static_assert(SOCK_STREAM == 1 && SOCK_SEQPACKET == 5 && IPPROTO_TCP == 6);
constexpr auto conditional_on_loopback = std::to_array<Conditional>({
    {SCMP_SYS(socket), EAFNOSUPPORT, is_not(0, AF_INET)},
    {SCMP_SYS(socket), EAFNOSUPPORT, lacks(1, 1)},
    {SCMP_SYS(socket), EAFNOSUPPORT, has(1, 2)},
    {SCMP_SYS(socket), EAFNOSUPPORT, has(1, 4)},
    {SCMP_SYS(socket), EAFNOSUPPORT, has(1, 8)},
    {SCMP_SYS(socket), EAFNOSUPPORT, above(2, IPPROTO_TCP)},
    {SCMP_SYS(socket), EAFNOSUPPORT, has(2, 1)},
    {SCMP_SYS(socket), EAFNOSUPPORT, is(2, 2, 6)},
    {SCMP_SYS(socket), EAFNOSUPPORT, is(2, 4, 6)},
});

// Limits, cores and priorities of processes other than the caller (number 0), such as the referee.
constexpr std::uint64_t io_of_user = 3;
constexpr auto conditional_in_shared_surroundings = std::to_array<Conditional>({
    {SCMP_SYS(prlimit64), EPERM, is_not(0, 0)},
    {SCMP_SYS(sched_setaffinity), EPERM, is_not(0, 0)},
    {SCMP_SYS(sched_setscheduler), EPERM, is_not(0, 0)},
    {SCMP_SYS(sched_setparam), EPERM, is_not(0, 0)},
    {SCMP_SYS(sched_setattr), EPERM, is_not(0, 0)},
    {SCMP_SYS(setpriority), EPERM, is(0, PRIO_USER)},
    {SCMP_SYS(setpriority), EPERM, is_not(1, 0)},
    {SCMP_SYS(ioprio_set), EPERM, is(0, io_of_user)},
    {SCMP_SYS(ioprio_set), EPERM, is_not(1, 0)},
    {SCMP_SYS(migrate_pages), EPERM, is_not(0, 0)},
    {SCMP_SYS(move_pages), EPERM, is_not(0, 0)},
});

// What stays allowed although it looks odd: personality() and prctl() change only the caller, which
// can't gain rights by them (no_new_privs); some runtimes need a fixed layout of their memory.
// seccomp() only makes the filter stricter.

struct Release {
    void operator()(void* context) const { ::seccomp_release(context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<scmp_filter_ctx>, Release>;

std::string failed(const std::string& what, int error) {
    return what + ": " + std::generic_category().message(error);
}

// libseccomp returns a negative errno.
class Rules {
 public:
    explicit Rules(scmp_filter_ctx context) : context_(context) {}

    void deny(int call, int error) { add(call, error, 0, nullptr); }

    void deny(std::span<const int> calls) {
        for (const int call : calls) deny(call, EPERM);
    }

    void deny(std::span<const Conditional> calls) {
        for (const Conditional& rule : calls) {
            const std::array<scmp_arg_cmp, 2> all{rule.when, rule.and_when.value_or(rule.when)};
            add(rule.call, rule.error, rule.and_when ? 2 : 1, all.data());
        }
    }

    // 0, or the first errno and the number of its system call.
    std::pair<int, int> trouble() const { return {error_, call_}; }

 private:
    void add(int call, int error, unsigned conditions, const scmp_arg_cmp* when) {
        const auto action = SCMP_ACT_ERRNO(static_cast<std::uint32_t>(error));
        const int answer = ::seccomp_rule_add_array(context_, action, call, conditions, when);
        if (answer >= 0 || error_ != 0) return;
        error_ = -answer;
        call_ = call;
    }

    scmp_filter_ctx context_;
    int error_ = 0;
    int call_ = 0;
};

// The search is by halves, not down the list: most calls of a bot stand nowhere in it.
constexpr std::uint32_t as_tree = 2;

base::Result<void, std::string> fill(scmp_filter_ctx context, SandboxNetwork network,
                                     Surroundings surroundings) {
    for (const auto& [attribute, value] :
         {std::pair{SCMP_FLTATR_ACT_BADARCH, std::uint32_t{SCMP_ACT_KILL_PROCESS}},
          std::pair{SCMP_FLTATR_CTL_OPTIMIZE, as_tree}}) {
        const int answer = ::seccomp_attr_set(context, attribute, value);
        if (answer < 0) return base::failure(failed("libseccomp refuses an attribute", -answer));
    }
    Rules rules(context);
    rules.deny(denied);
    rules.deny(conditional);
    // Its flags are in memory, where no filter looks.
    rules.deny(SCMP_SYS(clone3), ENOSYS);
    if (network == SandboxNetwork::none) {
        // The connection that it inherits as its standard output could be ended and made into
        // another, in the referee's network.
        rules.deny(SCMP_SYS(connect), EPERM);
        rules.deny(conditional_without_network);
    } else {
        rules.deny(conditional_on_loopback);
    }
    if (surroundings == Surroundings::shared) {
        rules.deny(denied_in_shared_surroundings);
        rules.deny(conditional_in_shared_surroundings);
    }
    const auto [error, call] = rules.trouble();
    if (error == 0) return {};
    return base::failure(
        failed("libseccomp refuses the rule for system call " + std::to_string(call), error));
}

// libseccomp knows no ranges of system calls, so this stands before its program.
std::vector<sock_filter> without_newer_calls() {
    constexpr std::uint32_t number_place = offsetof(seccomp_data, nr);
    return {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number_place),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first_x32_call, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, newest_judged_call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
}

}  // namespace

base::Result<std::vector<sock_filter>, std::string> system_call_filter(SandboxNetwork network,
                                                                       Surroundings surroundings) {
    const Context context(::seccomp_init(SCMP_ACT_ALLOW));
    if (!context) return base::failure("libseccomp doesn't know this architecture");
    if (const auto filled = fill(context.get(), network, surroundings); !filled)
        return base::failure(filled.error());

    // libseccomp writes its program into a file only.
    const files::Descriptor file(::memfd_create("filter", MFD_CLOEXEC));
    if (!file) return base::failure(failed("no file of memory", errno));
    if (const int answer = ::seccomp_export_bpf(context.get(), file.get()); answer < 0)
        return base::failure(failed("libseccomp gives no program", -answer));
    const off_t bytes = ::lseek(file.get(), 0, SEEK_END);
    if (bytes < 0) return base::failure(failed("the file of memory", errno));

    std::vector<sock_filter> program = without_newer_calls();
    const std::size_t own = program.size();
    program.resize(own + static_cast<std::size_t>(bytes) / sizeof(sock_filter));
    const auto wanted = static_cast<std::size_t>(bytes);
    if (::pread(file.get(), program.data() + own, wanted, 0) != bytes)
        return base::failure(failed("the file of memory", errno));
    return program;
}

}  // namespace referee::sandbox

#pragma once

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <optional>

// System calls that are denied by their arguments. Of the filter alone.

namespace referee::sandbox {

// The kernel takes the lower half of the register as an int; who fills the upper half must not get
// past a comparison of all of it.
inline constexpr std::uint64_t as_int = 0xffffffff;

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
inline constexpr unsigned clone_flags = 1;
#else
inline constexpr unsigned clone_flags = 0;
#endif

inline constexpr auto conditional = std::to_array<Conditional>({
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
inline constexpr auto conditional_without_network = std::to_array<Conditional>({
    {SCMP_SYS(socket), EAFNOSUPPORT, is_not(0, AF_UNIX)},
    {SCMP_SYS(socket), EAFNOSUPPORT, lacks(1, 1)},
    {SCMP_SYS(socket), EAFNOSUPPORT, has(1, 2)},
    {SCMP_SYS(socket), EAFNOSUPPORT, has(1, 8)},
});

// Only TCP over IPv4: type 1, and 0 or 6 as the protocol. No Unix socket, because connect() has its
// address in memory, and the referee's control socket may be in sight.
static_assert(SOCK_STREAM == 1 && SOCK_SEQPACKET == 5 && IPPROTO_TCP == 6);
inline constexpr auto conditional_on_loopback = std::to_array<Conditional>({
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
inline constexpr std::uint64_t io_of_user = 3;
inline constexpr auto conditional_in_shared_surroundings = std::to_array<Conditional>({
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

}  // namespace referee::sandbox

#include "referee/launch/sandbox/kernel_rules.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "referee/files/file.h"

namespace referee::sandbox {
namespace {

using files::Descriptor;

// The kernel's words, since the C library has no functions and older headers lack the newer rights.
constexpr long call_create_ruleset = 444;
constexpr long call_add_rule = 445;
constexpr long call_restrict_self = 446;
constexpr std::uint32_t ask_version = 1;

constexpr std::uint64_t execute = 1U << 0;
constexpr std::uint64_t write_file = 1U << 1;
constexpr std::uint64_t read_file = 1U << 2;
constexpr std::uint64_t read_folder = 1U << 3;
constexpr std::uint64_t make_character_device = 1U << 6;
constexpr std::uint64_t make_block_device = 1U << 11;
constexpr std::uint64_t move_between_folders = 1U << 13;  // from version 2 on
constexpr std::uint64_t truncate_file = 1U << 14;         // 3
constexpr std::uint64_t control_device = 1U << 15;        // 5
constexpr std::uint64_t rights_of_version_1 = (1U << 13) - 1;

constexpr std::uint64_t bind_tcp = 1U << 0;
constexpr std::uint64_t connect_tcp = 1U << 1;

constexpr std::uint64_t scope_abstract_sockets = 1U << 0;
constexpr std::uint64_t scope_signals = 1U << 1;

struct RulesetWords {
    std::uint64_t files;
    std::uint64_t ports;  // an older kernel takes the longer struct while these are zero
    std::uint64_t scopes;
};

struct [[gnu::packed]] PathWords {
    std::uint64_t allowed;
    std::int32_t parent;
};
constexpr int rule_of_path = 1;

struct PortWords {
    std::uint64_t allowed;
    std::uint64_t port;
};
constexpr int rule_of_port = 2;

std::uint64_t file_rights_known_to(int version) {
    std::uint64_t rights = rights_of_version_1;
    if (version >= 2) rights |= move_between_folders;
    if (version >= 3) rights |= truncate_file;
    if (version >= 5) rights |= control_device;
    return rights;
}

// The rights that make sense for something that is no folder; the kernel refuses others.
constexpr std::uint64_t rights_of_a_file =
    execute | write_file | read_file | truncate_file | control_device;

// What nobody can open needs no rule.
bool is_out_of_reach(int error) {
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP;
}

// Returns 0 or an errno.
int allow(const Descriptor& ruleset, const std::string& path, std::uint64_t rights) {
    const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!place) return is_out_of_reach(errno) ? 0 : errno;
    struct stat found = {};
    if (::fstat(place.get(), &found) != 0) return errno;
    if (!S_ISDIR(found.st_mode)) rights &= rights_of_a_file;
    const PathWords words = {rights, place.get()};
    return ::syscall(call_add_rule, ruleset.get(), rule_of_path, &words, 0) != 0 ? errno : 0;
}

}  // namespace

int landlock_version() {
    const long version = ::syscall(call_create_ruleset, nullptr, std::size_t{0}, ask_version);
    return version > 0 ? static_cast<int>(version) : 0;
}

int give_up_rights(const FileRules& rules) {
    const int version = landlock_version();
    if (version == 0) return EOPNOTSUPP;
    const bool holds_ports = version >= landlock_version_of_ports;
    const bool holds_scopes = version >= landlock_version_of_scopes;
    const std::uint64_t known = file_rights_known_to(version);
    const RulesetWords words = {known, holds_ports ? bind_tcp | connect_tcp : 0,
                                holds_scopes ? scope_abstract_sockets | scope_signals : 0};
    const Descriptor ruleset(
        static_cast<int>(::syscall(call_create_ruleset, &words, sizeof words, 0)));
    if (!ruleset) return errno;

    const std::uint64_t writing = known & ~(make_character_device | make_block_device);
    for (const auto& [paths, rights] : {std::pair(&rules.reads, read_file | read_folder | execute),
                                        std::pair(&rules.writes, writing)}) {
        for (const std::string& path : *paths)
            if (const int error = allow(ruleset, path, rights)) return error;
    }
    if (holds_ports && rules.connects_to != 0) {
        const PortWords port = {connect_tcp, rules.connects_to};
        if (::syscall(call_add_rule, ruleset.get(), rule_of_port, &port, 0) != 0) return errno;
    }
    return ::syscall(call_restrict_self, ruleset.get(), 0) != 0 ? errno : 0;
}

}  // namespace referee::sandbox

#include "referee/launch/process/sandbox_means.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

#include "protocol/base/text.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/sandbox/bubblewrap.h"
#include "referee/launch/sandbox/kernel_rules.h"

namespace referee::process {
namespace {

bool has_name(uid_t user) {
    constexpr std::size_t entry_bytes_max = 4096;
    std::array<char, entry_bytes_max> text = {};
    passwd entry = {};
    passwd* found = nullptr;
    ::getpwuid_r(user, &entry, text.data(), text.size(), &found);
    return found != nullptr;
}

using sandbox::SkippedTier;
using sandbox::Tier;

std::string bytes_of(const std::vector<sock_filter>& program) {
    return {reinterpret_cast<const char*>(program.data()), program.size() * sizeof(sock_filter)};
}

// What a bot without namespaces may open to write: what is thrown away.
const std::vector<std::string> devices_to_write = {"/dev/null", "/dev/zero", "/dev/full"};
// What runtimes ask of the machine, and of themselves.
const std::vector<std::string> kernel_files_to_read = {
    "/dev/random",   "/dev/urandom",           "/proc/self",
    "/proc/meminfo", "/proc/cpuinfo",          "/proc/sys/vm/overcommit_memory",
    "/proc/stat",    "/sys/devices/system/cpu"};

// The file of the program, or why there is none.
base::Result<std::string, SkippedTier> find_bubblewrap(const std::string& search_path) {
    auto file = program_file("bwrap", {}, search_path);
    if (::access(file.c_str(), X_OK) == 0) return file;
    return base::failure(SkippedTier{Tier::b, "bubblewrap (bwrap) is not installed",
                                     "install it, e.g. apt install bubblewrap"});
}

}  // namespace

bool has_users(std::string_view uid_map, uid_t first, uid_t count) {
    const auto words = words_of(uid_map);
    for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
        const auto start = whole_number(words[i]);
        const auto length = whole_number(words[i + 2]);
        if (!start || !length) return false;
        if (*start <= first && first + std::uint64_t{count} <= *start + *length) return true;
    }
    return false;
}

std::optional<UserSlots> UserSlots::find() {
    const auto map = read_kernel_file("/proc/self/uid_map");
    if (::geteuid() != 0 || !map) return std::nullopt;
    for (const uid_t first : {user_slots_first, user_slots_first_in_container}) {
        if (has_users(*map, first, user_slots_count)) return UserSlots(first);
    }
    return std::nullopt;
}

UserSlots::Slot UserSlots::take() {
    for (uid_t tried = 0; tried < user_slots_count; ++tried) {
        const uid_t user = first_ + next_;
        next_ = (next_ + 1) % user_slots_count;
        if (taken_->contains(user) || has_name(user)) continue;
        return Slot(&*taken_->insert(user).first, [taken = taken_](const uid_t* given_back) {
            taken->erase(uid_t{*given_back});
        });
    }
    return nullptr;
}

SandboxMeans::SandboxMeans(std::string shim_path, const std::string& search_path)
    : shim_path_(std::move(shim_path)),
      is_root_(::geteuid() == 0),
      bubblewrap_(find_bubblewrap(search_path)),
      users_(UserSlots::find()) {
    const auto make = [&](sandbox::SandboxNetwork network, sandbox::Surroundings surroundings) {
        const auto made = sandbox::system_call_filter(network, surroundings);
        if (made) return bytes_of(*made);
        no_filter_ = made.error();
        return std::string();
    };
    using sandbox::SandboxNetwork, sandbox::Surroundings;
    in_namespaces_ = {make(SandboxNetwork::none, Surroundings::own),
                      make(SandboxNetwork::loopback, Surroundings::own)};
    in_shared_ = {make(SandboxNetwork::none, Surroundings::shared),
                  make(SandboxNetwork::loopback, Surroundings::shared)};
}

base::Result<void, SkippedTier> SandboxMeans::can_make(Tier tier) const {
    if (!no_filter_.empty())
        return base::failure(SkippedTier{tier, "no filter of system calls: " + no_filter_,
                                         "use a kernel with seccomp filters"});
    if (is_root_ && !users_)
        return base::failure(SkippedTier{
            tier, "as root each bot needs a user of its own, and there are none to change to",
            "run the referee as an ordinary user, or in a container that has 65,536 users"});
    if (tier == Tier::c) return can_use_landlock();
    if (!bubblewrap_) return base::failure(bubblewrap_.error());
    return {};
}

// As root a bot's own user keeps it from the signals and files of others. An ordinary user's bots
// share that user, and only newer versions hold them apart.
base::Result<void, SkippedTier> SandboxMeans::can_use_landlock() const {
    const int found = sandbox::landlock_version();
    const int needed = is_root_ ? 1 : sandbox::landlock_version_of_scopes;
    if (found >= needed) return {};
    const std::string version = found == 0 ? "no Landlock" : "Landlock " + std::to_string(found);
    return base::failure(SkippedTier{
        Tier::c, fmt::format("the kernel has {}; expected version {}", version, needed),
        is_root_
            ? "use Linux 5.13 or newer with lsm=...,landlock"
            : "use Linux 6.12 or newer, or run as root, where each bot has a user of its own"});
}

base::Result<void, SkippedTier> SandboxMeans::can_hold(const LaunchSpec& spec, Tier tier) const {
    if (tier != Tier::c || spec.speaks != Speaks::tcp ||
        sandbox::landlock_version() >= sandbox::landlock_version_of_ports) {
        return {};
    }
    return base::failure(
        SkippedTier{tier, "in tier C this kernel can't keep a bot that dials in from other ports",
                    "let it speak on standard input and output, or use Linux 6.7 or newer"});
}

base::Result<UserSlots::Slot, SkippedTier> SandboxMeans::take_user() {
    if (!is_root_) return UserSlots::Slot();
    auto slot = users_ ? users_->take() : nullptr;
    if (slot) return slot;
    return base::failure(SkippedTier{Tier::c, "all users for bots are taken",
                                     "launch fewer bots at once, or run as an ordinary user"});
}

void SandboxMeans::plan(const LaunchSpec& spec, Tier tier, ShimSpec& shim) const {
    const Filters& filters = tier == Tier::c ? in_shared_ : in_namespaces_;
    shim.sandbox.filter = spec.speaks == Speaks::tcp ? filters.loopback : filters.none;
    if (tier == Tier::c) {
        plan_landlock(spec, shim);
    } else {
        plan_namespaces(spec, shim);
    }
}

void SandboxMeans::plan_namespaces(const LaunchSpec& spec, ShimSpec& shim) const {
    ShimSandbox& plan = shim.sandbox;
    sandbox::View view;
    view.uid = shim.user != 0 ? shim.user : ::geteuid();
    view.gid = shim.user != 0 ? shim.user : ::getegid();
    view.working_directory = spec.working_directory;
    std::vector<std::string> sources = {shim_path_};
    view.binds.push_back({shim_path_, sandbox::inside_shim_path});
    for (const std::string& path : spec.sandbox->reads) {
        sources.push_back(path);
        view.binds.push_back({path, path});
        plan.places.push_back(path);
    }
    if (shim.user != 0) {
        for (std::size_t i = 0; i < sources.size(); ++i) view.binds[i].source = staged_path(i);
        plan.staged = std::move(sources);
    }
    plan.disk_bytes = spec.sandbox->disk_bytes;
    plan.output_socket = spec.speaks == Speaks::stdio && spec.output == StandardOutput::socket;
    if (spec.speaks == Speaks::tcp) plan.listens_at = spec.dial_in_port;
    // A read-only mount doesn't keep it from writing to a named pipe in its folder, at whose other
    // end somebody outside could play for it.
    if (sandbox::landlock_version() > 0) {
        plan.rules.reads = {"/"};
        plan.rules.writes = devices_to_write;
        plan.rules.writes.insert(plan.rules.writes.end(),
                                 {sandbox::inside_work_folder, sandbox::inside_shared_memory});
        plan.rules.connects_to = plan.listens_at;
    }
    plan.bubblewrap = sandbox::bubblewrap_command(*bubblewrap_, view, shim_inside);
}

void SandboxMeans::plan_landlock(const LaunchSpec& spec, ShimSpec& shim) const {
    sandbox::FileRules& rules = shim.sandbox.rules;
    rules.reads = sandbox::system_paths();
    rules.reads.insert(rules.reads.end(), kernel_files_to_read.begin(), kernel_files_to_read.end());
    rules.reads.insert(rules.reads.end(), spec.sandbox->reads.begin(), spec.sandbox->reads.end());
    rules.writes = devices_to_write;
    if (spec.speaks == Speaks::tcp) rules.connects_to = spec.dial_in_port;
}

}  // namespace referee::process

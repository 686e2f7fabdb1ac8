#include "referee/launch/process/launch_parts.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>
#include <utility>

#include "referee/launch/process/sandbox_means.h"

namespace referee::process {

ShimPageMapping::ShimPageMapping(const ShimSpec& spec)
    : file_(::memfd_create("referee-bot", MFD_CLOEXEC)) {
    const std::string text = encode(spec);
    size_ = sizeof(ShimPage) + text.size();
    if (!file_ || ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) return;
    void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (memory == MAP_FAILED) return;
    page_ = new (memory) ShimPage{text.size(), 0};
    std::memcpy(static_cast<char*>(memory) + sizeof(ShimPage), text.data(), text.size());
}

ShimPageMapping::~ShimPageMapping() {
    if (page_ != nullptr) ::munmap(page_, size_);
}

ShimPageMapping::ShimPageMapping(ShimPageMapping&& other) noexcept
    : file_(std::move(other.file_)),
      size_(std::exchange(other.size_, 0)),
      page_(std::exchange(other.page_, nullptr)) {}

namespace {

// Higher than all numbers that descriptors get in the shim, so that none overwrites another.
constexpr int high_descriptor = 16;

Descriptor duplicate_high(int descriptor) {
    return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, high_descriptor));
}

// The parts of posix_spawn that must be destroyed.
struct SpawnPlan {
    SpawnPlan() {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

// Empty where there is none.
std::string find_shim() {
    std::error_code ignored;
    const std::string folder =
        std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const char* place : {"/referee-exec-shim", "/../libexec/referee/referee-exec-shim"}) {
        if (::access((folder + place).c_str(), X_OK) == 0) return folder + place;
    }
    return {};
}

bool make_pipe(Descriptor& reading, Descriptor& writing) {
    std::array<int, 2> ends = {};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    reading.reset(ends[0]);
    writing.reset(ends[1]);
    return true;
}

// Only our end stops blocking: each end has its own flag, and the bot's end must still block.
bool never_block(const Descriptor& ours) {
    return ::fcntl(ours.get(), F_SETFL, O_NONBLOCK) == 0;
}

// Where no socket can be had, the bot plays all the same, only without the kernel's stamps.
bool make_output(LaunchParts& parts, bool as_socket) {
    if (as_socket) {
        auto made = make_output_socket();
        if (made) {
            parts.bot.output = std::move(made->ours);
            parts.shim_output = std::move(made->bots);
            return true;
        }
        parts.no_socket = made.error();
    }
    return make_pipe(parts.bot.output, parts.shim_output) && never_block(parts.bot.output);
}

}  // namespace

std::optional<ShimProgram> ShimProgram::open(std::string path) {
    if (path.empty()) path = find_shim();
    if (::access(path.c_str(), X_OK) != 0) return std::nullopt;
    const Descriptor file = open_file(path, O_RDONLY);
    if (!file) return std::nullopt;
    Descriptor high = duplicate_high(file.get());
    if (!high) return std::nullopt;
    return ShimProgram(std::move(high), std::move(path));
}

base::Result<pid_t, ShimProgram::Failed> ShimProgram::spawn(std::span<const int> descriptors,
                                                            const char* argument) const {
    SpawnPlan plan;
    std::vector<Descriptor> sources;
    for (std::size_t number = 0; number < descriptors.size(); ++number) {
        sources.push_back(duplicate_high(descriptors[number]));
        if (!sources.back()) return base::failure(Failed{errno});
        const int error = ::posix_spawn_file_actions_adddup2(&plan.actions, sources.back().get(),
                                                             static_cast<int>(number));
        if (error != 0) return base::failure(Failed{error});
    }
    const std::string program = "/proc/self/fd/" + std::to_string(file_.get());
    std::array<char*, 3> arguments = {const_cast<char*>("referee-exec-shim"),
                                      const_cast<char*>(argument), nullptr};
    char* no_environment[] = {nullptr};
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, program.c_str(), &plan.actions, &plan.attributes,
                                    arguments.data(), no_environment);
    if (error != 0) return base::failure(Failed{error});
    return pid;
}

std::optional<LaunchParts> LaunchParts::make(Speaks speaks, StandardOutput output) {
    LaunchParts parts;
    if (speaks == Speaks::stdio) {
        if (!make_pipe(parts.shim_input, parts.bot.input) || !never_block(parts.bot.input))
            return std::nullopt;
    } else {
        parts.shim_input = open_file("/dev/null", O_RDONLY);
        if (!parts.shim_input) return std::nullopt;
    }
    std::array<int, 2> control = {};
    const bool as_socket = speaks == Speaks::stdio && output == StandardOutput::socket;
    if (!make_output(parts, as_socket) || !make_pipe(parts.bot.error, parts.shim_error) ||
        !never_block(parts.bot.error) ||
        ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control.data()) != 0) {
        return std::nullopt;
    }
    parts.control.reset(control[0]);
    parts.shim_control.reset(control[1]);
    return parts;
}

std::vector<int> LaunchParts::given_to_shim() const {
    return {shim_input.get(), shim_output.get(), shim_error.get(), shim_control.get()};
}

void LaunchParts::give_to(uid_t user) const {
    for (const Descriptor* end : {&shim_input, &shim_output, &shim_error}) {
        struct stat file = {};
        // The input may be /dev/null, which is everybody's.
        if (::fstat(end->get(), &file) != 0 || !S_ISFIFO(file.st_mode)) continue;
        // Where it fails, only such a path can't be opened.
        static_cast<void>(::fchown(end->get(), user, user));
    }
}

GroupEntry::~GroupEntry() {
    if (place_) remove_group(*place_);
}

int GroupEntry::make(const GroupPlace& place, bool with_inner, const LaunchSpec& spec) {
    if (const int error = make_group(place)) return error;
    place_ = place;
    auto processes_max = spec.limits.processes;
    if (spec.sandbox) {
        if (processes_max) *processes_max += SandboxMeans::own_processes;
        if (const int error = limit_group_memory(place, spec.sandbox->memory_bytes)) return error;
    }
    if (const int error = limit_group_processes(place, processes_max)) return error;
    auto entered = place.directories();
    if (with_inner) {
        if (const int error = make_group(place.inner())) return error;
        entered.push_back(place.inner().usage);
    }
    for (const std::string& directory : entered) {
        joins_.push_back(open_file(directory + "/cgroup.procs", O_WRONLY));
        if (!joins_.back()) return errno;
    }
    return 0;
}

std::vector<ResourceLimit> resource_limits(const LaunchSpec& spec, sandbox::Tier tier, uid_t user,
                                           bool group_holds_processes) {
    std::vector<ResourceLimit> limits = {{RLIMIT_CORE, 0}};
    const auto add = [&](int resource, const std::optional<std::uint64_t>& value) {
        if (value) limits.push_back({resource, *value});
    };
    if (tier == sandbox::Tier::none) add(RLIMIT_AS, spec.limits.address_space_bytes);
    add(RLIMIT_NOFILE, spec.limits.open_files);
    add(RLIMIT_FSIZE, spec.limits.file_size_bytes);
    const bool alone = user != 0 || tier >= sandbox::Tier::b;
    if (alone && !group_holds_processes) add(RLIMIT_NPROC, spec.limits.processes);
    // Of what it asks for, and not of addresses: virtual machines reserve far more than they use.
    if (spec.sandbox && tier < sandbox::Tier::a) add(RLIMIT_DATA, spec.sandbox->memory_bytes);
    return limits;
}

std::vector<std::string> bot_environment(const LaunchSpec& spec, const std::string& search_path,
                                         const std::string& home) {
    std::map<std::string, std::string> variables = {
        {"PATH", spec.path.value_or(search_path)}, {"HOME", home}, {"LANG", "C.UTF-8"}};
    for (const auto& [name, value] : spec.environment) variables[name] = value;
    std::vector<std::string> environment;
    for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
    return environment;
}

}  // namespace referee::process

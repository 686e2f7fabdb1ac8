#include "referee/launch/process/shim_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>
#include <vector>

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

}  // namespace referee::process

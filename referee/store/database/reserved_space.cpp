#include "referee/store/database/reserved_space.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>

namespace referee::store {
namespace {

constexpr mode_t reserve_mode = 0600;

std::uint64_t free_bytes(const std::string& path) {
    auto folder = std::filesystem::path(path).parent_path().string();
    struct statvfs status {};
    if (statvfs(folder.empty() ? "." : folder.c_str(), &status) != 0) return 0;
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

}  // namespace

bool ReservedSpace::exists() const {
    struct stat status {};
    return stat(path_.c_str(), &status) == 0 &&
           static_cast<std::uint64_t>(status.st_size) >= bytes_;
}

std::uint64_t ReservedSpace::needed_bytes() const {
    return 2 * bytes_;
}

bool ReservedSpace::make() const {
    if (!is_wanted() || exists()) return true;
    if (free_bytes(path_) < needed_bytes()) return false;
    const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, reserve_mode);
    if (file < 0) return false;
    const bool made = posix_fallocate(file, 0, static_cast<off_t>(bytes_)) == 0;
    close(file);
    if (!made) unlink(path_.c_str());
    return made;
}

bool ReservedSpace::drop() const {
    return unlink(path_.c_str()) == 0;
}

}  // namespace referee::store

#include "referee/files/own_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace referee::files {
namespace {

std::string danger_of(const std::filesystem::path& path, bool is_last) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return {};
    if (status.st_uid != ::geteuid() && status.st_uid != 0)
        return path.string() + " belongs to another user (number " + std::to_string(status.st_uid) +
               "); expected a folder of this user's own";
    // Others make files there, and this is none of theirs.
    if (!is_last && (status.st_mode & S_ISVTX) != 0) return {};
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return {};
    const bool everybody = (status.st_mode & S_IWOTH) != 0;
    return std::string(everybody ? "everybody" : "its group") + " may write to " + path.string() +
           "; expected that only this user may: chmod " + (everybody ? "go-w" : "g-w") + " " +
           path.string();
}

// The holder's number is for people only: a full disk must not stop what needs the lock.
void write_holder(int lock) {
    const auto pid = std::to_string(::getpid()) + '\n';
    if (::ftruncate(lock, 0) == 0)
        static_cast<void>(::pwrite(lock, pid.data(), pid.size(), 0) == 0);
}

std::string holder_of(int lock) {
    std::array<char, 32> text{};
    const auto size = ::pread(lock, text.data(), text.size() - 1, 0);
    const std::string pid(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return pid.empty() ? "another process" : "process " + pid.substr(0, pid.find('\n'));
}

}  // namespace

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool sync_folder(const std::string& folder) {
    const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return opened && ::fsync(opened.get()) == 0;
}

base::Result<void, std::string> keep_file(const std::string& file, std::string_view text,
                                          mode_t mode) {
    const auto beside = file + ".new";
    const auto folder = std::filesystem::path(file).parent_path().string();
    const bool is_free = ::unlink(beside.c_str()) == 0 || errno == ENOENT;
    const Descriptor out(
        is_free ? ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
                : -1);
    if (out && ::fchmod(out.get(), mode) == 0 && write_all(out.get(), text) &&
        ::fsync(out.get()) == 0 && ::rename(beside.c_str(), file.c_str()) == 0 &&
        sync_folder(folder.empty() ? "." : folder))
        return {};
    const auto reason = errno;
    if (out) ::unlink(beside.c_str());
    return base::failure(std::string(std::strerror(reason)));
}

base::Result<Descriptor, NoLock> take_lock(const std::string& file, mode_t mode) {
    Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!lock) return base::failure(NoLock{errno, {}});
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) {
        write_holder(lock.get());
        return lock;
    }
    const int error = errno;
    return base::failure(
        NoLock{error, error == EWOULDBLOCK ? holder_of(lock.get()) : std::string()});
}

std::string others_who_may_write(const std::string& path) {
    std::error_code error;
    const auto whole = std::filesystem::canonical(path, error);
    if (error) return {};
    std::filesystem::path so_far;
    for (const auto& part : whole) {
        so_far /= part;
        if (auto danger = danger_of(so_far, so_far == whole); !danger.empty()) return danger;
    }
    return {};
}

}  // namespace referee::files

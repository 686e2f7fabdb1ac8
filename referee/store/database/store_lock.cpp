#include "referee/store/database/store_lock.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace referee::store {
namespace {

constexpr mode_t store_mode = 0640;
constexpr mode_t written_by_others = S_IWGRP | S_IWOTH;

StoreError refused(const std::string& path, int error, const std::string& advice) {
    const bool full = error == ENOSPC || error == EDQUOT;
    const bool denied = error == EACCES || error == EPERM || error == EROFS;
    const auto trouble = full     ? StoreTrouble::disk_full
                         : denied ? StoreTrouble::permissions
                                  : StoreTrouble::io;
    return {trouble, path + ": " + std::strerror(error) + (advice.empty() ? "" : "; " + advice)};
}

std::string folder_of(const std::string& path) {
    auto folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

std::string user_name() {
    const auto* user = getpwuid(geteuid());
    return user != nullptr ? user->pw_name : std::to_string(geteuid());
}

// The command that gives us the right to write `path`.
std::string writing_advice(const std::string& path, const struct stat& status) {
    if (status.st_uid != geteuid()) return "run: chown " + user_name() + " '" + path + "'";
    return "run: chmod u+rw" + std::string(S_ISDIR(status.st_mode) ? "x" : "") + " '" + path + "'";
}

std::string holder_of(int file) {
    std::array<char, 32> text{};
    const auto size = pread(file, text.data(), text.size() - 1, 0);
    const std::string pid(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    return pid.empty() ? "another process" : "process " + pid.substr(0, pid.find('\n'));
}

// Whether the open file still has this name.
bool is_named(int file, const std::string& name) {
    struct stat opened {};
    struct stat named {};
    return fstat(file, &opened) == 0 && stat(name.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

// The last holder may have removed the file just before we locked it. Such a lock stops nobody, so
// a new one is taken.
StoreLock::Taken StoreLock::take(const std::string& path) {
    const auto name = path + ".lock";
    while (true) {
        const int file = open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, store_mode);
        if (file < 0) {
            const int error = errno;
            return base::failure(refused(
                name, error,
                "the store needs a lock file beside it that " + user_name() + " may write"));
        }
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            const auto holder = holder_of(file);
            close(file);
            if (error != EWOULDBLOCK)
                return base::failure(refused(name, error, "the file can't be locked"));
            return base::failure(
                StoreError{StoreTrouble::in_use,
                           path + " is in use by " + holder +
                               ": only one referee writes a store at a time; stop that one first, "
                               "or use another store"});
        }
        if (!is_named(file, name)) {
            close(file);
            continue;
        }
        // The number is for people only; that it can't be written on a full disk must not stop the
        // opening.
        const auto pid = std::to_string(getpid()) + '\n';
        if (ftruncate(file, 0) == 0)
            static_cast<void>(pwrite(file, pid.data(), pid.size(), 0) == 0);
        return StoreLock(file, name);
    }
}

StoreLock::StoreLock(StoreLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), name_(std::move(other.name_)) {}

StoreLock& StoreLock::operator=(StoreLock&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(name_, other.name_);
    return *this;
}

StoreLock::~StoreLock() {
    if (file_ < 0) return;
    unlink(name_.c_str());
    close(file_);
}

base::Result<void, StoreError> check_permissions(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return base::failure(refused(path, errno, {}));
    if (!S_ISREG(status.st_mode))
        return base::failure(
            StoreError{StoreTrouble::foreign,
                       path + " is a folder or a device; expected the file of a store, such as "
                              "out/referee.db"});
    if (faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) != 0) {
        const int error = errno;
        return base::failure(refused(path, error, writing_advice(path, status)));
    }
    if ((status.st_mode & written_by_others) != 0) {
        return base::failure(
            StoreError{StoreTrouble::permissions,
                       path +
                           " may be written by others than its owner, who could change results; "
                           "run: chmod go-w '" +
                           path + "'"});
    }
    const auto folder = folder_of(path);
    struct stat around {};
    if (stat(folder.c_str(), &around) != 0) return base::failure(refused(folder, errno, {}));
    if (faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
        const int error = errno;
        return base::failure(refused(
            folder, error, "the store's log is kept beside it; " + writing_advice(folder, around)));
    }
    return {};
}

base::Result<void, StoreError> make_store_file(const std::string& path) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, store_mode);
    if (file < 0) {
        const int error = errno;
        const auto folder = folder_of(path);
        struct stat around {};
        std::string advice;
        if (error == ENOENT) advice = "run: mkdir -p '" + folder + "'";
        if (error == EACCES && stat(folder.c_str(), &around) == 0)
            advice = writing_advice(folder, around);
        return base::failure(refused(path, error, advice));
    }
    close(file);
    return {};
}

std::string file_of_store(const std::string& path) {
    std::error_code unknown;
    const auto real = std::filesystem::weakly_canonical(path, unknown);
    return unknown ? path : real.string();
}

base::Result<void, StoreError> sync_folder(const std::string& path) {
    const auto name = folder_of(path);
    const int folder = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && fsync(folder) == 0;
    const int error = errno;
    if (folder >= 0) close(folder);
    if (!synced) return base::failure(refused(name, error, "the folder can't be synced"));
    return {};
}

}  // namespace referee::store

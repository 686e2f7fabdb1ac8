#include "referee/files/others.h"

#include <sys/stat.h>
#include <unistd.h>

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

}  // namespace

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

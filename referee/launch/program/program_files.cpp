#include "referee/launch/program/program_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "protocol/base/bytes.h"
#include "referee/launch/process/kernel_file.h"

namespace referee::program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t read_bytes = 64 * 1024;

Trouble cannot_read(const std::string& path, const std::string& why) {
    return {
        Trouble::Kind::unreadable,
        path + " can't be read: " + why +
            "; expected files and folders that the referee may read, e.g. after `chmod -R a+rX` "
            "on the bot's folder"};
}

Trouble cannot_read(const std::string& path) {
    return cannot_read(path, std::strerror(errno));
}

Trouble too_large(const std::string& path, std::uint64_t limit) {
    return {
        Trouble::Kind::too_many_bytes,
        path + " is more than can be read of a bot's program: " + std::to_string(limit) +
            " bytes were left; expected a folder with the program and little else, e.g. with its "
            "logs elsewhere"};
}

std::int64_t in_ns(const timespec& time) {
    constexpr std::int64_t ns_a_second = 1'000'000'000;
    return time.tv_sec * ns_a_second + time.tv_nsec;
}

std::int64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return in_ns(now);
}

const char* name_of(fs::file_type type) {
    if (type == fs::file_type::socket) return "a socket";
    if (type == fs::file_type::fifo) return "a named pipe";
    const bool device = type == fs::file_type::character || type == fs::file_type::block;
    return device ? "a device" : "of an unknown kind";
}

}  // namespace

base::Result<FileDigest, Trouble> FileDigests::of(const std::string& path, std::uint64_t limit) {
    // A pipe that took the file's place would wait for its writer.
    const process::Descriptor file(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0) return base::failure(cannot_read(path));
    if (!S_ISREG(status.st_mode)) {
        return base::failure(Trouble{Trouble::Kind::no_file,
                                     path + " is no file any more; expected a program that stays "
                                            "as it is while it is launched"});
    }
    constexpr unsigned executable_bits = S_IXUSR | S_IXGRP | S_IXOTH;
    FileDigest digest;
    digest.executable = (status.st_mode & executable_bits) != 0;
    digest.bytes = static_cast<std::uint64_t>(status.st_size);
    if (digest.bytes > limit) return base::failure(too_large(path, limit));
    const Key key{status.st_dev, status.st_ino, digest.bytes, in_ns(status.st_ctim),
                  in_ns(status.st_mtim)};
    if (const auto found = remembered_.find(key); found != remembered_.end()) {
        digest.hex = found->second;
        return digest;
    }
    const bool settled = now_ns() - key.changed_ns > settled_ns;
    base::Hasher contents;
    std::vector<char> buffer(read_bytes);
    std::uint64_t bytes = 0;
    while (true) {
        const auto count = ::read(file.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return base::failure(cannot_read(path));
        if (count == 0) break;
        bytes += static_cast<std::uint64_t>(count);
        if (bytes > limit) return base::failure(too_large(path, limit));
        contents.add({buffer.data(), static_cast<std::size_t>(count)});
    }
    digest.bytes = bytes;
    digest.hex = base::hex_of(contents.finish());
    if (remembered_.size() >= remembered_max) remembered_.clear();
    if (settled && bytes == key.bytes) remembered_.emplace(key, digest.hex);
    return digest;
}

base::Result<std::vector<FolderEntry>, Trouble> folder_contents(const std::string& folder) {
    std::vector<FolderEntry> entries;
    std::error_code error;
    std::string last = folder;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        last = at->path().string();
        if (entries.size() >= entries_max) {
            return base::failure(
                Trouble{Trouble::Kind::too_many_files,
                        folder + " has more than " + std::to_string(entries_max) +
                            " files; expected a folder with the bot's program and little else, "
                            "e.g. \"directory\": \"bots/alice\""});
        }
        FolderEntry entry{at->path().lexically_relative(folder).string()};
        const auto type = at->symlink_status(error).type();
        if (error) break;
        if (type == fs::file_type::symlink) {
            entry.kind = FolderEntry::Kind::link;
            entry.target = fs::read_symlink(at->path(), error).string();
            if (error) break;
        } else if (type == fs::file_type::directory) {
            entry.kind = FolderEntry::Kind::folder;
            const auto deep = static_cast<std::size_t>(at.depth()) + 2;
            if (deep > depth_max) {
                return base::failure(
                    Trouble{Trouble::Kind::too_deep,
                            last + " stands " + std::to_string(deep) +
                                " folders deep; expected a bot's program in at most " +
                                std::to_string(depth_max) + " folders within each other"});
            }
        } else if (type != fs::file_type::regular) {
            return base::failure(
                Trouble{Trouble::Kind::no_file,
                        last + " is " + name_of(type) +
                            "; expected only files, folders and links in a bot's folder; remove "
                            "it, or let it be made in /tmp"});
        }
        entries.push_back(std::move(entry));
    }
    if (error) return base::failure(cannot_read(last, error.message()));
    std::sort(entries.begin(), entries.end(),
              [](const FolderEntry& a, const FolderEntry& b) { return a.path < b.path; });
    return entries;
}

}  // namespace referee::program

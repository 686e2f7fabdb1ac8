#include "referee/launch/program/program_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>

#include "protocol/base/bytes.h"
#include "referee/launch/process/kernel_file.h"

namespace referee::program {
namespace {

constexpr std::size_t read_bytes = 64 * 1024;

Trouble cannot_read(const std::string& path) {
    return {
        Trouble::Kind::unreadable,
        path + " can't be read: " + std::strerror(errno) +
            "; expected files and folders that the referee may read, e.g. after `chmod -R a+rX` "
            "on the bot's folder"};
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

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

const char* name_of(mode_t mode) {
    if (S_ISSOCK(mode)) return "a socket";
    if (S_ISFIFO(mode)) return "a named pipe";
    return S_ISCHR(mode) || S_ISBLK(mode) ? "a device" : "of an unknown kind";
}

// Walks through a folder and those in it, never through a link, so that whoever changes them
// meanwhile leads it nowhere else.
class Walk {
 public:
    explicit Walk(std::string folder) : folder_(std::move(folder)) {}

    std::optional<Trouble> begin() {
        return into(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), {}, 1);
    }
    std::vector<FolderEntry> take() {
        std::sort(entries_.begin(), entries_.end(),
                  [](const FolderEntry& a, const FolderEntry& b) { return a.path < b.path; });
        return std::move(entries_);
    }

 private:
    // `inside`: "", or "lib/".
    // NOLINTNEXTLINE(misc-no-recursion): at most depth_max times
    std::optional<Trouble> into(int number, const std::string& inside, std::size_t depth) {
        const OpenFolder folder(number < 0 ? nullptr : fdopendir(number));
        if (folder == nullptr) {
            const int error = errno;
            process::Descriptor(number).reset();
            return unreadable(inside, error);
        }
        if (depth > depth_max) {
            return Trouble{Trouble::Kind::too_deep,
                           folder_ + "/" + inside + " stands " + std::to_string(depth) +
                               " folders deep; expected a bot's program in at most " +
                               std::to_string(depth_max) + " folders within each other"};
        }
        while (true) {
            errno = 0;
            // NOLINTNEXTLINE(concurrency-mt-unsafe): a stream of its own
            const dirent* found = readdir(folder.get());
            if (found == nullptr) break;
            const std::string name = found->d_name;
            if (name == "." || name == "..") continue;
            if (auto trouble = add(dirfd(folder.get()), inside, name, depth)) return trouble;
        }
        if (errno != 0) return unreadable(inside, errno);
        return std::nullopt;
    }

    // NOLINTNEXTLINE(misc-no-recursion): at most depth_max times
    std::optional<Trouble> add(int folder, const std::string& inside, const std::string& name,
                               std::size_t depth) {
        const auto path = inside + name;
        if (entries_.size() >= entries_max) {
            return Trouble{Trouble::Kind::too_many_files,
                           folder_ + " has more than " + std::to_string(entries_max) +
                               " files; expected a folder with the bot's program and little else, "
                               "e.g. \"directory\": \"bots/alice\""};
        }
        struct stat status {};
        if (fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
            return unreadable(path, errno);
        if (S_ISREG(status.st_mode)) {
            entries_.push_back({path, FolderEntry::Kind::file});
            return std::nullopt;
        }
        if (S_ISLNK(status.st_mode)) return add_link(folder, path, name);
        if (S_ISDIR(status.st_mode)) {
            entries_.push_back({path, FolderEntry::Kind::folder});
            return into(
                ::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW),
                path + "/", depth + 1);
        }
        return Trouble{Trouble::Kind::no_file,
                       folder_ + "/" + path + " is " + name_of(status.st_mode) +
                           "; expected only files, folders and links in a bot's folder; remove it, "
                           "or let it be made in /tmp"};
    }

    std::optional<Trouble> add_link(int folder, const std::string& path, const std::string& name) {
        std::array<char, PATH_MAX> target{};
        const auto size = readlinkat(folder, name.c_str(), target.data(), target.size());
        if (size < 0) return unreadable(path, errno);
        entries_.push_back({path, FolderEntry::Kind::link,
                            std::string(target.data(), static_cast<std::size_t>(size))});
        return std::nullopt;
    }

    Trouble unreadable(const std::string& path, int error) const {
        return {Trouble::Kind::unreadable,
                folder_ + (path.empty() ? "" : "/" + path) +
                    " can't be read: " + std::strerror(error) +
                    "; expected a folder that the referee may read, e.g. after `chmod -R a+rX` on "
                    "the bot's folder"};
    }

    std::string folder_;
    std::vector<FolderEntry> entries_;
};

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
    Walk walk(folder);
    if (auto trouble = walk.begin()) return base::failure(*std::move(trouble));
    return walk.take();
}

}  // namespace referee::program

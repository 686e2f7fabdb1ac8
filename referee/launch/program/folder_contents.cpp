#include "referee/launch/program/folder_contents.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <optional>

#include "referee/launch/process/descriptor.h"

namespace referee::program {
namespace {

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

base::Result<std::vector<FolderEntry>, Trouble> folder_contents(const std::string& folder) {
    Walk walk(folder);
    if (auto trouble = walk.begin()) return base::failure(*std::move(trouble));
    return walk.take();
}

}  // namespace referee::program

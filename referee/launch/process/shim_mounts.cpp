#include "referee/launch/process/shim_bot.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "referee/launch/process/kernel_file.h"
#include "referee/launch/sandbox/bubblewrap.h"

namespace referee::process {
namespace {

// A file takes about a kilobyte of the kernel's memory, however small it is.
constexpr std::uint64_t bytes_a_file = 4096;
constexpr std::uint64_t files_min = 256;

constexpr const char* stage_folder = "/tmp";
constexpr mode_t folder_mode = 0755;

// Whether everybody may read this file, or enter and read this folder.
bool is_public(const struct stat& file) {
    const mode_t needed = S_ISDIR(file.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
    return (file.st_mode & needed) == needed;
}

struct Source {
    Descriptor mount;
    struct stat file = {};
};

// What that user can reach, in no group but that one; ELOOP where it can't.
Descriptor open_as(const std::string& path, uid_t user) {
    if (::setgroups(0, nullptr) != 0) return {};
    const auto own_group = static_cast<gid_t>(::setfsgid(user));
    const auto own_user = static_cast<uid_t>(::setfsuid(user));
    Descriptor opened = open_file(path, O_PATH);
    ::setfsuid(own_user);
    ::setfsgid(own_group);
    if (!opened) errno = ELOOP;
    return opened;
}

// Opens what is to be shown. What not everybody may read or reach is shown only where no link leads
// to it: whoever owns a folder above could have put a link there, to what is the referee's alone.
Source open_source(const std::string& path, uid_t user) {
    open_how how = {};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS;
    Source source;
    Descriptor opened(
        static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
    const bool through_link = !opened && errno == ELOOP;
    if (through_link) opened = open_as(path, user);
    if (!opened || ::fstat(opened.get(), &source.file) != 0) return source;
    if (through_link && !is_public(source.file)) {
        errno = ELOOP;
        return source;
    }
    source.mount.reset(static_cast<int>(::syscall(
        SYS_open_tree, opened.get(), "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH)));
    return source;
}

// A copy of the mount that shows this path, not yet placed anywhere.
Descriptor copy_of_mount(const std::string& path) {
    return Descriptor(static_cast<int>(
        ::syscall(SYS_open_tree, AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC)));
}

int place_mount(const Descriptor& mount, const std::string& path) {
    const auto moved =
        ::syscall(SYS_move_mount, mount.get(), "", AT_FDCWD, path.c_str(), MOVE_MOUNT_F_EMPTY_PATH);
    return moved == 0 ? 0 : errno;
}

bool is_folder(const Descriptor& mount) {
    struct stat file = {};
    return ::fstat(mount.get(), &file) == 0 && S_ISDIR(file.st_mode);
}

// Makes what a mount can be placed on, and the folders above it.
int make_place(const std::string& path, bool folder) {
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
        if (::mkdir(path.substr(0, slash).c_str(), folder_mode) != 0 && errno != EEXIST)
            return errno;
    }
    if (folder) return ::mkdir(path.c_str(), folder_mode) != 0 && errno != EEXIST ? errno : 0;
    const Descriptor file(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, folder_mode));
    return file ? 0 : errno;
}

// A user namespace in which the file's owner outside is `user`: mounts take their mapping from one.
Descriptor mapping_namespace(const struct stat& file, uid_t user) {
    std::array<int, 2> ends = {};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
    Descriptor ours(ends[0]);
    Descriptor its(ends[1]);
    const pid_t child = ::fork();
    if (child < 0) return {};
    if (child == 0) {
        ours.reset();
        char made = ::unshare(CLONE_NEWUSER) == 0 ? 'y' : 'n';
        [[maybe_unused]] ssize_t moved = ::write(its.get(), &made, 1);
        moved = ::read(its.get(), &made, 1);  // until we have closed our end
        ::_exit(0);
    }
    its.reset();
    char made = 'n';
    Descriptor space;
    if (::read(ours.get(), &made, 1) == 1 && made == 'y') {
        const std::string process = "/proc/" + std::to_string(child);
        const auto line = [](unsigned inside, unsigned outside) {
            return std::to_string(inside) + " " + std::to_string(outside) + " 1";
        };
        if (write_kernel_file(process + "/uid_map", line(file.st_uid, user)) == 0 &&
            write_kernel_file(process + "/gid_map", line(file.st_gid, user)) == 0) {
            space = open_file(process + "/ns/user", O_RDONLY);
        }
    }
    ours.reset();
    ::waitpid(child, nullptr, 0);
    return space;
}

int show_as_owned_by(const Descriptor& mount, const struct stat& file, uid_t user) {
    const Descriptor space = mapping_namespace(file, user);
    if (!space) return EPERM;
    mount_attr attributes = {};
    attributes.attr_set = MOUNT_ATTR_IDMAP;
    attributes.userns_fd = static_cast<std::uint64_t>(space.get());
    const auto set = ::syscall(SYS_mount_setattr, mount.get(), "", AT_EMPTY_PATH, &attributes,
                               sizeof attributes);
    return set == 0 ? 0 : errno;
}

int mount_memory(const char* place, std::uint64_t bytes) {
    const std::uint64_t files = files_min + bytes / bytes_a_file;
    const std::string options =
        "mode=0755,size=" + std::to_string(bytes) + ",nr_inodes=" + std::to_string(files);
    return ::mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0 ? 0 : errno;
}

bool in_work_folder(const std::string& path) {
    return path.starts_with(sandbox::inside_work_folder + std::string("/")) ||
           path.starts_with(sandbox::inside_shared_memory + std::string("/"));
}

}  // namespace

int stage_sources(const std::vector<std::string>& sources, uid_t user) {
    if (::unshare(CLONE_NEWNS) != 0) return errno;
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return errno;
    std::vector<Descriptor> mounts;
    for (const std::string& path : sources) {
        Source source = open_source(path, user);
        if (!source.mount) return errno;
        mounts.push_back(std::move(source.mount));
        if (is_public(source.file)) continue;
        if (const int error = show_as_owned_by(mounts.back(), source.file, user)) return error;
    }
    if (::mount("tmpfs", stage_folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0)
        return errno;
    for (std::size_t i = 0; i < mounts.size(); ++i) {
        const std::string place = staged_path(i);
        if (const int error = make_place(place, is_folder(mounts[i]))) return error;
        if (const int error = place_mount(mounts[i], place)) return error;
    }
    return 0;
}

int mount_work_folders(std::uint64_t bytes, const std::vector<std::string>& places,
                       const std::string& working_directory) {
    // The mounts belong to another user namespace where bubblewrap made two; a copy of them is
    // ours.
    if (::unshare(CLONE_NEWNS) != 0) return errno;
    std::vector<std::pair<std::string, Descriptor>> kept;
    for (const std::string& place : places) {
        if (!in_work_folder(place)) continue;
        kept.emplace_back(place, copy_of_mount(place));
        if (!kept.back().second) return errno;
    }
    if (const int error = mount_memory(sandbox::inside_work_folder, bytes)) return error;
    // The same folder at both places, so that one limit holds for both.
    const Descriptor same = copy_of_mount(sandbox::inside_work_folder);
    if (!same) return errno;
    if (const int error = place_mount(same, sandbox::inside_shared_memory)) return error;
    for (const auto& [place, mount] : kept) {
        if (const int error = make_place(place, is_folder(mount))) return error;
        if (const int error = place_mount(mount, place)) return error;
    }
    if (!in_work_folder(working_directory)) return 0;
    return make_place(working_directory, true);
}

}  // namespace referee::process

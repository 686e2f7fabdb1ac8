// A library to preload (LD_PRELOAD): counts the calls by which a program changes files below some
// folders, and ends the program with SIGKILL in one of them. What it finds is what a crash at that
// moment leaves behind.
//
//   CRASH_FOLDERS  absolute paths, separated by ':'
//   CRASH_AT       the number of the call to die in, from 1; left out: none
//   CRASH_MODE     "before" (the call is not made) or "half" (half the bytes are written; other
//   calls
//                  are made, and death comes before they return)
//   CRASH_LIST     a file outside the folders, to which each call is appended as a line:
//                  number, name, path
//
// Only the first process that loads it counts: its children are left alone.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

constexpr const char* owner_name = "CRASH_OWNER";

struct Plan {
    std::string folders;
    long at = 0;
    bool half = false;
    bool eio = false;
    int list = -1;
    pid_t owner = 0;
};

std::atomic<long> calls{0};
std::atomic<const Plan*> plan{nullptr};

std::string_view told(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? std::string_view(value) : std::string_view();
}

__attribute__((constructor)) void begin() {
    if (told("CRASH_FOLDERS").empty() || !told(owner_name).empty()) return;
    auto* made = new Plan;  // for the life of the process, exit handlers included
    made->folders = told("CRASH_FOLDERS");
    made->at = std::atol(std::string(told("CRASH_AT")).c_str());
    made->half = told("CRASH_MODE") == "half";
    made->eio = told("CRASH_MODE") == "eio";
    made->owner = getpid();
    if (const auto list = std::string(told("CRASH_LIST")); !list.empty()) {
        made->list = open(list.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    setenv(owner_name, std::to_string(made->owner).c_str(), 1);
    plan = made;
}

bool is_below(std::string_view path, std::string_view folders) {
    while (!folders.empty()) {
        const auto folder = folders.substr(0, folders.find(':'));
        folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
        if (path.starts_with(folder) &&
            (path.size() == folder.size() || path[folder.size()] == '/'))
            return true;
    }
    return false;
}

std::string path_of(int file) {
    std::array<char, PATH_MAX> text{};
    const auto size =
        readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), text.data(), text.size());
    return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : std::string();
}

std::string path_in(int folder, const char* name) {
    if (name == nullptr) return {};
    if (name[0] == '/') return name;
    std::array<char, PATH_MAX> here{};
    const auto base =
        folder == AT_FDCWD
            ? std::string(getcwd(here.data(), here.size()) != nullptr ? here.data() : "")
            : path_of(folder);
    return base + '/' + name;
}

[[noreturn]] void die() {
    kill(getpid(), SIGKILL);
    while (true) pause();
}

enum class Fate { live, die_behind, fail };

// Counts a call on a path; comes back unless it is the last thing that happens.
Fate count(const char* name, const std::string& path) {
    const int error = errno;
    const Plan* now = plan.load();
    auto fate = Fate::live;
    if (now != nullptr && now->owner == getpid() && is_below(path, now->folders)) {
        const long number = ++calls;
        if (now->list >= 0) dprintf(now->list, "%ld %s %s\n", number, name, path.c_str());
        if (number == now->at) {
            if (!now->half && !now->eio) die();
            fate = now->eio ? Fate::fail : Fate::die_behind;
        }
    }
    errno = error;
    return fate;
}

bool is_watching() {
    return plan.load() != nullptr;
}

template <typename Call>
Call* real(const char* name) {
    return reinterpret_cast<Call*>(dlsym(RTLD_NEXT, name));
}

// A call that is made, or not, as a whole.
template <typename Make>
auto whole(const char* name, const std::string& path, Make make) -> decltype(make()) {
    const auto fate = count(name, path);
    if (fate == Fate::fail) {
        errno = EIO;
        if constexpr (std::is_pointer_v<decltype(make())>) {
            return nullptr;
        } else {
            return -1;
        }
    }
    const auto result = make();
    if (fate == Fate::die_behind) die();
    return result;
}

// A call that may be made in part.
template <typename Make, typename MakeHalf>
ssize_t in_halves(const char* name, int file, Make make, MakeHalf make_half) {
    const auto fate = is_watching() ? count(name, path_of(file)) : Fate::live;
    if (fate == Fate::die_behind) {
        make_half();
        die();
    }
    if (fate == Fate::live) return make();
    errno = EIO;
    return -1;
}

std::size_t half_of(std::size_t size) {
    return (size + 1) / 2;
}

int open_at(int folder, const char* name, int flags, mode_t mode) {
    static auto* const make = real<int(int, const char*, int, ...)>("openat");
    const auto open_it = [&] { return make(folder, name, flags, mode); };
    if (!is_watching() || (flags & (O_CREAT | O_TRUNC)) == 0) return open_it();
    const auto path = path_in(folder, name);
    struct stat status {};
    // Opening a file that is there already changes nothing unless it is emptied.
    if ((flags & O_TRUNC) == 0 && stat(path.c_str(), &status) == 0) return open_it();
    return whole("open", path, open_it);
}

mode_t mode_of(int flags, va_list more) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? static_cast<mode_t>(va_arg(more, unsigned)) : 0;
}

}  // namespace

// NOLINTBEGIN: the names and types are the C library's.
extern "C" {

int open(const char* name, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_at(AT_FDCWD, name, flags, mode);
}
[[gnu::alias("open")]] int open64(const char* name, int flags, ...);
int openat(int folder, const char* name, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = mode_of(flags, more);
    va_end(more);
    return open_at(folder, name, flags, mode);
}
[[gnu::alias("openat")]] int openat64(int folder, const char* name, int flags, ...);
int creat(const char* name, mode_t mode) {
    return open_at(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

FILE* fopen64(const char* name, const char* mode) {
    static auto* const make = real<FILE*(const char*, const char*)>("fopen64");
    if (!is_watching() || std::strchr(mode, 'w') == nullptr) return make(name, mode);
    return whole("open", path_in(AT_FDCWD, name), [&] { return make(name, mode); });
}
FILE* fopen(const char* name, const char* mode) {
    return fopen64(name, mode);
}

ssize_t write(int file, const void* from, size_t size) {
    static auto* const make = real<ssize_t(int, const void*, size_t)>("write");
    return in_halves(
        "write", file, [&] { return make(file, from, size); },
        [&] { make(file, from, half_of(size)); });
}
ssize_t pwrite64(int file, const void* from, size_t size, off64_t offset) {
    static auto* const make = real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
    return in_halves(
        "pwrite", file, [&] { return make(file, from, size, offset); },
        [&] { make(file, from, half_of(size), offset); });
}
ssize_t pwrite(int file, const void* from, size_t size, off_t offset) {
    return pwrite64(file, from, size, offset);
}

ssize_t writev(int file, const iovec* parts, int count_of_parts) {
    static auto* const make = real<ssize_t(int, const iovec*, int)>("writev");
    return in_halves(
        "writev", file, [&] { return make(file, parts, count_of_parts); },
        [&] { make(file, parts, (count_of_parts + 1) / 2); });
}
ssize_t pwritev64(int file, const iovec* parts, int count_of_parts, off64_t offset) {
    static auto* const make = real<ssize_t(int, const iovec*, int, off64_t)>("pwritev64");
    return in_halves(
        "pwritev", file, [&] { return make(file, parts, count_of_parts, offset); },
        [&] { make(file, parts, (count_of_parts + 1) / 2, offset); });
}
ssize_t pwritev(int file, const iovec* parts, int count_of_parts, off_t offset) {
    return pwritev64(file, parts, count_of_parts, offset);
}

int fsync(int file) {
    static auto* const make = real<int(int)>("fsync");
    if (!is_watching()) return make(file);
    return whole("fsync", path_of(file), [&] { return make(file); });
}
int fdatasync(int file) {
    static auto* const make = real<int(int)>("fdatasync");
    if (!is_watching()) return make(file);
    return whole("fdatasync", path_of(file), [&] { return make(file); });
}
int ftruncate64(int file, off64_t size) {
    static auto* const make = real<int(int, off64_t)>("ftruncate64");
    if (!is_watching()) return make(file, size);
    return whole("ftruncate", path_of(file), [&] { return make(file, size); });
}
int ftruncate(int file, off_t size) {
    return ftruncate64(file, size);
}
int truncate(const char* name, off_t size) {
    static auto* const make = real<int(const char*, off_t)>("truncate");
    if (!is_watching()) return make(name, size);
    return whole("truncate", path_in(AT_FDCWD, name), [&] { return make(name, size); });
}
int posix_fallocate64(int file, off64_t offset, off64_t size) {
    static auto* const make = real<int(int, off64_t, off64_t)>("posix_fallocate64");
    if (!is_watching()) return make(file, offset, size);
    return whole("fallocate", path_of(file), [&] { return make(file, offset, size); });
}
int posix_fallocate(int file, off_t offset, off_t size) {
    return posix_fallocate64(file, offset, size);
}

int renameat2(int old_folder, const char* old_name, int new_folder, const char* new_name,
              unsigned flags) {
    static auto* const make = real<int(int, const char*, int, const char*, unsigned)>("renameat2");
    const auto rename_it = [&] { return make(old_folder, old_name, new_folder, new_name, flags); };
    if (!is_watching()) return rename_it();
    return whole("rename", path_in(new_folder, new_name), rename_it);
}
int renameat(int old_folder, const char* old_name, int new_folder, const char* new_name) {
    return renameat2(old_folder, old_name, new_folder, new_name, 0);
}
int rename(const char* old_name, const char* new_name) {
    return renameat2(AT_FDCWD, old_name, AT_FDCWD, new_name, 0);
}

int unlinkat(int folder, const char* name, int flags) {
    static auto* const make = real<int(int, const char*, int)>("unlinkat");
    const auto path = path_in(folder, name);
    struct stat status {};
    if (!is_watching() || lstat(path.c_str(), &status) != 0) return make(folder, name, flags);
    return whole("unlink", path, [&] { return make(folder, name, flags); });
}
int unlink(const char* name) {
    return unlinkat(AT_FDCWD, name, 0);
}
int rmdir(const char* name) {
    return unlinkat(AT_FDCWD, name, AT_REMOVEDIR);
}
int remove(const char* name) {
    struct stat status {};
    const bool is_folder = lstat(name, &status) == 0 && S_ISDIR(status.st_mode);
    return unlinkat(AT_FDCWD, name, is_folder ? AT_REMOVEDIR : 0);
}
int mkdir(const char* name, mode_t mode) {
    static auto* const make = real<int(const char*, mode_t)>("mkdir");
    struct stat status {};
    if (!is_watching() || stat(name, &status) == 0) return make(name, mode);
    return whole("mkdir", path_in(AT_FDCWD, name), [&] { return make(name, mode); });
}

}  // extern "C"
// NOLINTEND

#include "referee/files/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/limits.h"

namespace referee::files {
namespace {

constexpr std::size_t piece_bytes = 64 * 1024;

std::string trouble(int reason) {
    return std::string("can't be read: ") + std::strerror(reason);
}

// Empty for a regular file.
std::string other_kind(mode_t mode) {
    if (S_ISREG(mode)) return {};
    if (S_ISDIR(mode)) return "is a directory";
    if (S_ISFIFO(mode)) return "is a FIFO (a named pipe)";
    return "is a device or a socket";
}

base::Result<Descriptor, std::string> open_regular(const std::string& file) {
    // Opening a FIFO would wait for its writer otherwise.
    Descriptor opened(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    // Opening a socket fails as a device without a driver does.
    if (!opened)
        return base::failure(errno == ENXIO ? std::string("is a device or a socket")
                                            : trouble(errno));
    struct stat facts {};
    if (::fstat(opened.get(), &facts) != 0) return base::failure(trouble(errno));
    if (auto kind = other_kind(facts.st_mode); !kind.empty()) return base::failure(std::move(kind));
    return opened;
}

int write_into(const std::string& file, std::string_view bytes) {
    const Descriptor out(::open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY));
    return out && write_all(out.get(), bytes) ? 0 : errno;
}

base::Result<void, std::string> written(int error) {
    if (error == 0) return {};
    return base::failure(std::string("can't be written: ") + std::strerror(error));
}

// A link that an old server answers twice is there all the same.
bool is_linked(const std::string& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 && status.st_nlink > 1;
}

std::string danger_of(const std::filesystem::path& path, bool is_last) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return {};
    if (status.st_uid != ::geteuid() && status.st_uid != 0)
        return fmt::format(
            "{} belongs to another user (number {}); expected a folder of this user's own",
            path.string(), status.st_uid);
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

bool is_there(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

bool is_regular_file(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

std::string first_bytes(const std::string& file, std::size_t count) {
    const auto opened = open_regular(file);
    if (!opened) return {};
    std::string bytes(count, '\0');
    const auto got = ::pread(opened->get(), bytes.data(), count, 0);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return bytes;
}

base::Result<std::string, std::string> read_named_file(const std::string& file,
                                                       std::size_t bytes_max) {
    const auto opened = open_regular(file);
    if (!opened) return base::failure(opened.error());
    struct stat facts {};
    const bool told = ::fstat(opened->get(), &facts) == 0 && facts.st_size > 0;
    auto room = told ? static_cast<std::size_t>(facts.st_size) + 1 : piece_bytes;
    std::string text;
    for (std::size_t used = 0;; room = 2 * used) {
        // One byte more than it may have tells that it has too many.
        if (used == text.size()) text.resize(std::min(room, bytes_max + 1));
        const auto got = ::read(opened->get(), text.data() + used, text.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::failure(trouble(errno));
        used += static_cast<std::size_t>(got);
        if (used > bytes_max)
            return base::failure(fmt::format("has more than {} bytes", bytes_max));
        if (got > 0) continue;
        text.resize(used);
        return text;
    }
}

base::Result<void, std::string> read_named_json(const std::string& file, std::size_t bytes_max,
                                                const std::string& expected,
                                                protocol::json::Document& document) {
    const auto text = read_named_file(file, bytes_max);
    if (!text) return base::failure(file + " " + text.error());
    if (!document.parse(*text, {.depth_max = protocol::limits::depth_max}))
        return base::failure(file + ": " + expected);
    return {};
}

std::vector<std::string> names_in(const std::string& folder, std::error_code& error) {
    std::vector<std::string> names;
    // A loop over the range would throw where the folder can't be read to its end.
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::vector<std::string> names_in(const std::string& folder) {
    std::error_code ignored;
    return names_in(folder, ignored);
}

base::Result<void, std::string> make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (!error) return {};
    return base::failure(path + " can't be made: " + error.message());
}

std::string real_path(const std::string& path) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    const auto found = std::filesystem::weakly_canonical(absolute, error);
    auto text = (error ? absolute : found).lexically_normal().string();
    while (text.size() > 1 && text.ends_with('/')) text.pop_back();
    return text;
}

std::string absolute_path(const std::string& folder, const std::string& path) {
    auto text = (std::filesystem::path(folder) / path).lexically_normal().string();
    while (text.size() > 1 && text.back() == '/') text.pop_back();
    return text;
}

bool lies_in(const std::string& path, const std::string& folder) {
    auto with_slash = absolute_path(folder, {});
    if (with_slash != "/") with_slash += '/';
    return (absolute_path(path, {}) + '/').starts_with(with_slash);
}

std::string folder_name_of(const std::string& bot) {
    std::string text;
    for (const char c : bot) {
        if (base::is_of_id(c)) {
            text += c;
        } else {
            text += '%' + std::to_string(static_cast<unsigned char>(c));
        }
    }
    return text;
}

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

int give_free_name(const std::string& part, const std::string& name) {
    if (::link(part.c_str(), name.c_str()) == 0 || is_linked(part)) {
        ::unlink(part.c_str());
        return 0;
    }
    const int error = errno;
    // Some file systems have no links.
    if (error == EEXIST ||
        ::renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0)
        return error == EEXIST ? error : 0;
    return errno == EEXIST ? EEXIST : error;
}

int place_file(const std::string& file, std::string_view bytes, const Placing& placing) {
    const auto part = file + ".part";
    const auto make = [&] {
        return ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      placing.mode.value_or(DEFFILEMODE));
    };
    Descriptor out(make());
    // That of a writing that was cut short.
    if (!out && errno == EEXIST && ::unlink(part.c_str()) == 0) out.reset(make());
    const bool whole = out && (!placing.mode || ::fchmod(out.get(), *placing.mode) == 0) &&
                       write_all(out.get(), bytes) && (!placing.syncs || ::fsync(out.get()) == 0);
    int error = whole ? 0 : errno;
    if (whole && !placing.replaces) error = give_free_name(part, file);
    if (whole && placing.replaces && ::rename(part.c_str(), file.c_str()) != 0) error = errno;
    if (out && error != 0) ::unlink(part.c_str());
    const auto folder = std::filesystem::path(file).parent_path().string();
    if (error == 0 && placing.syncs && !sync_folder(folder.empty() ? "." : folder)) error = errno;
    return error;
}

base::Result<void, std::string> replace_file(const std::string& file, const std::string& text) {
    return written(place_file(file, text));
}

base::Result<void, std::string> write_file(const std::string& file, const std::string& text) {
    const auto done = replace_file(file, text);
    if (!done) return base::failure(file + ": " + done.error());
    return {};
}

base::Result<void, std::string> write_named_file(const std::string& file, const std::string& text) {
    std::error_code none;
    const auto there = std::filesystem::status(file, none);
    if (std::filesystem::is_directory(there)) return base::failure(std::string("is a directory"));
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        return written(write_into(file, text));
    const auto target = std::filesystem::canonical(file, none);
    return replace_file(none ? file : target.string(), text);
}

base::Result<void, std::string> keep_file(const std::string& file, std::string_view text,
                                          mode_t mode) {
    const int error = place_file(file, text, {.mode = mode, .replaces = true, .syncs = true});
    if (error == 0) return {};
    return base::failure(std::string(std::strerror(error)));
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

#include "referee/store/store_files.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/store/opening.h"

namespace referee::store {
namespace {

constexpr mode_t store_mode = 0640;
constexpr mode_t written_by_others = S_IWGRP | S_IWOTH;

bool is_no_room(int error) {
    return error == ENOSPC || error == EDQUOT;
}

StoreFailure refused(const std::string& path, int error, const std::string& advice = {}) {
    const bool denied = error == EACCES || error == EPERM || error == EROFS;
    const auto trouble = is_no_room(error) ? StoreTrouble::disk_full
                         : denied          ? StoreTrouble::permissions
                                           : StoreTrouble::io;
    return {trouble, path + ": " + std::strerror(error) + (advice.empty() ? "" : "; " + advice)};
}

struct stat status_of(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) throw refused(path, errno);
    return status;
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

// Whether the open file still has this name; nothing where one of them can't be looked at.
std::optional<bool> is_named(const files::Descriptor& file, const std::string& name) {
    struct stat opened {};
    struct stat named {};
    if (fstat(file.get(), &opened) != 0 || stat(name.c_str(), &named) != 0) return std::nullopt;
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Replaces no file, as far as the file system can promise that.
bool rename_to_free(const std::string& from, const std::string& to) {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL) return false;
    if (!files::is_there(to)) return rename(from.c_str(), to.c_str()) == 0;
    errno = EEXIST;
    return false;
}

constexpr mode_t reserve_mode = 0600;

std::uint64_t free_bytes(const std::string& path) {
    struct statvfs status {};
    if (statvfs(folder_of(path).c_str(), &status) != 0) return 0;
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

std::string head_of(const std::string& path) {
    return path + ".head";
}

// "out/referee.db-wal, out/referee.db.head": of a store whose own file isn't there.
std::string files_beside(const std::string& path) {
    const auto place = file_of_store(path);
    const auto head = HeadFile::read(place);
    std::string found;
    if (!head || (*head && (*head)->seq > 0)) found = head_of(place);
    for (const auto* ending : {"-wal", "-shm", "-journal"})
        if (files::is_there(place + ending)) found += (found.empty() ? "" : ", ") + place + ending;
    return found;
}

// A sector: a disk writes it wholly or not at all.
constexpr std::size_t place_bytes = 512;

base::Digest check_of(const ChainTip& tip) {
    return base::digest_of(fmt::format("referee head 1\n{}\n", tip.seq), tip.link);
}

// One line, filled up with spaces: "31 LINK CHECK".
std::string place_of(const ChainTip& tip) {
    auto text =
        fmt::format("{} {} {}", tip.seq, base::hex_of(tip.link), base::hex_of(check_of(tip)));
    text.resize(place_bytes - 1, ' ');
    return text + '\n';
}

std::optional<ChainTip> tip_in(std::string_view place) {
    ChainTip tip;
    const auto number = std::from_chars(place.data(), place.data() + place.size(), tip.seq);
    const auto behind = static_cast<std::size_t>(number.ptr - place.data()) + 1;
    const auto link =
        base::digest_in(place.substr(std::min(behind, place.size()), 2 * sizeof(base::Digest)));
    tip.link = link.value_or(base::Digest{});
    return link && place_of(tip) == place ? std::optional(tip) : std::nullopt;
}

StoreFailure head_refused(const std::string& name) {
    if (is_no_room(errno)) return disk_is_full(name);
    return {StoreTrouble::io, name + ": " + std::strerror(errno)};
}

bool write_place(const files::Descriptor& file, const ChainTip& tip, bool second) {
    const auto place = place_of(tip);
    const auto written =
        pwrite(file.get(), place.data(), place.size(), second ? off_t{place_bytes} : off_t{0});
    if (written >= 0 && static_cast<std::size_t>(written) < place.size()) errno = ENOSPC;
    return written == static_cast<ssize_t>(place.size());
}

}  // namespace

StoreFailure disk_is_full(const std::string& path) {
    return {StoreTrouble::disk_full, path + ": the disk is full; make room on its file system"};
}

// The last holder may have removed the file just before we locked it. Such a lock stops nobody, so
// a new one is taken.
StoreLock::Taken StoreLock::take(const std::string& path) {
    const auto name = path + ".lock";
    while (true) {
        auto file = files::take_lock(name, store_mode);
        if (!file && file.error().holder.empty())
            return base::failure(refused(name, file.error().error,
                                         "the store needs a lock file beside it that " +
                                             user_name() + " may write and lock")
                                     .error());
        if (!file)
            return base::failure(
                StoreError{StoreTrouble::in_use,
                           path + " is in use by " + file.error().holder +
                               ": only one referee writes a store at a time; stop that one first, "
                               "or use another store"});
        if (is_named(*file, name).value_or(false)) return StoreLock(*std::move(file), name);
    }
}

StoreLock::~StoreLock() {
    if (file_) unlink(name_.c_str());
}

void check_permissions(const std::string& path) {
    const auto status = status_of(path);
    if (!S_ISREG(status.st_mode))
        throw StoreFailure(StoreTrouble::foreign,
                           path +
                               " is a folder or a device; expected the file of a store, such as "
                               "out/referee.db");
    if (faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) != 0) {
        const int error = errno;
        throw refused(path, error, writing_advice(path, status));
    }
    if ((status.st_mode & written_by_others) != 0)
        throw StoreFailure(
            StoreTrouble::permissions,
            path +
                " may be written by others than its owner, who could change results; "
                "run: chmod go-w '" +
                path + "'");
    const auto folder = folder_of(path);
    const auto around = status_of(folder);
    if (faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
        const int error = errno;
        throw refused(folder, error,
                      "the store's log is kept beside it; " + writing_advice(folder, around));
    }
}

void check_readable(const std::string& path) {
    if (faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0 || errno != EACCES) return;
    const auto denied = user_name() + " may not read it";
    struct stat status {};
    if (stat(path.c_str(), &status) != 0)
        throw refused(path, EACCES, denied + ", or not enter its folder");
    if (status.st_uid == geteuid())
        throw refused(path, EACCES, denied + "; run: chmod u+r '" + path + "'");
    const auto* owner = getpwuid(status.st_uid);
    throw refused(path, EACCES,
                  denied + "; give the command as its owner" +
                      (owner == nullptr ? std::string() : std::string(", ") + owner->pw_name));
}

void make_store_file(const std::string& path, std::string_view bytes) {
    const auto part = path + ".new";
    unlink(part.c_str());  // of a making that was cut short
    const files::Descriptor file(
        open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, store_mode));
    if (file && files::write_all(file.get(), bytes) && fsync(file.get()) == 0 &&
        rename_to_free(part, path))
        return;
    const int error = errno;
    if (file) unlink(part.c_str());
    const auto folder = folder_of(path);
    struct stat around {};
    std::string advice;
    if (is_no_room(error)) advice = "make room on its file system";
    if (error == ENOENT) advice = "run: mkdir -p '" + folder + "'";
    if (error == EACCES && stat(folder.c_str(), &around) == 0)
        advice = writing_advice(folder, around);
    throw refused(path, error, advice);
}

std::string file_of_store(const std::string& path) {
    std::error_code unknown;
    const auto real = std::filesystem::weakly_canonical(path, unknown);
    return unknown ? path : real.string();
}

bool is_of_store(std::string_view file, std::string_view store) {
    static constexpr std::array<std::string_view, 11> endings{
        "",      "-wal",     "-shm",      "-journal",  ".head",        ".lock",
        ".part", ".reserve", ".part-wal", ".part-shm", ".part-journal"};
    return file.starts_with(store) && base::contains(endings, file.substr(store.size()));
}

void sync_folder(const std::string& path) {
    const auto name = folder_of(path);
    if (!files::sync_folder(name)) throw refused(name, errno, "the folder can't be synced");
}

base::Result<std::optional<ChainTip>, StoreError> HeadFile::read(const std::string& path) {
    const auto name = head_of(file_of_store(path));
    const files::Descriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) {
        if (errno == ENOENT) return std::optional<ChainTip>();
        return base::failure(head_refused(name).error());
    }
    std::array<char, 2 * place_bytes> bytes{};
    const auto count = pread(file.get(), bytes.data(), bytes.size(), 0);
    if (count < 0) return base::failure(head_refused(name).error());
    const std::string_view text(bytes.data(), static_cast<std::size_t>(count));
    const auto first = tip_in(text.substr(0, place_bytes));
    const auto second = tip_in(text.substr(std::min(place_bytes, text.size())));
    if (!first && !second)
        return base::failure(StoreError{
            StoreTrouble::corrupt,
            name + " is damaged: it tells in neither of its two places where the store ends"});
    if (!first || (second && second->seq > first->seq)) return second;
    return first;
}

HeadFile HeadFile::make(const std::string& path, const ChainTip& tip) {
    const auto name = head_of(path);
    const auto part = name + ".part";
    files::Descriptor file(open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, store_mode));
    if (!file) throw head_refused(part);
    if (!write_place(file, tip, false) || !write_place(file, tip, true) || fsync(file.get()) != 0 ||
        rename(part.c_str(), name.c_str()) != 0) {
        const auto trouble = head_refused(name);
        unlink(part.c_str());
        throw trouble;
    }
    sync_folder(path);
    return {std::move(file), name};
}

base::Result<void, std::string> HeadFile::write(const ChainTip& tip) {
    const bool second = std::exchange(second_place_, !second_place_);
    if (write_place(file_, tip, second) || is_no_room(errno)) return {};
    return base::failure(name_ + ": " + std::strerror(errno));
}

void HeadFile::remove() {
    unlink(name_.c_str());
}

HeldFiles::HeldFiles(const std::string& path) {
    for (const auto* ending : {"", "-wal"}) {
        const auto name = path + ending;
        files::Descriptor file(open(name.c_str(), O_PATH | O_CLOEXEC));
        // One that can't be looked at is not watched.
        if (file) files_.push_back({name, std::move(file)});
    }
}

std::optional<std::string> HeldFiles::fault() const {
    for (const auto& held : files_) {
        const auto is_ours = is_named(held.file, held.name);
        if (!is_ours && errno == ENOENT)
            return held.name + " was removed or renamed while it is in use";
        if (is_ours == false)
            return "another file was put in the place of " + held.name + " while it is in use";
    }
    return std::nullopt;
}

void check_new(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0)
        throw StoreFailure(StoreTrouble::exists,
                           path + " exists already; expected the name of a new store");
}

void PartFile::finish(const ChainTip& tip) const {
    check_alone(path_);
    unlink(head_of(path_).c_str());  // of a making that was cut short
    if (!rename_to_free(part_, path_))
        throw StoreFailure(errno == EEXIST ? StoreTrouble::exists : StoreTrouble::io,
                           path_ + ": " + std::strerror(errno));
    sync_folder(path_);
    auto made = open_to_read(path_, {});
    if (tip_of(made.database) != tip)
        throw StoreFailure(
            StoreTrouble::corrupt,
            path_ +
                " was made, but what is read there is not what was written: did somebody put a "
                "file beside it? Move it and the files beside it away, and try again");
}

void PartFile::replace() const {
    unlink(head_of(part_).c_str());
    if (rename(part_.c_str(), path_.c_str()) != 0)
        throw StoreFailure(StoreTrouble::io, part_ + " can't take the place of " + path_ + ": " +
                                                 std::strerror(errno) + "; the store is as it was");
    sync_folder(path_);
}

void PartFile::remove() const {
    for (const auto* ending : {"", "-wal", "-shm", "-journal"}) unlink((part_ + ending).c_str());
    unlink(head_of(part_).c_str());
}

std::uint64_t ReservedSpace::needed_bytes() const {
    return 2 * bytes_;
}

bool ReservedSpace::make() const {
    struct stat status {};
    const bool is_there =
        stat(path_.c_str(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) >= bytes_;
    if (!is_wanted() || is_there) return true;
    if (free_bytes(path_) < needed_bytes()) return false;
    const files::Descriptor file(open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, reserve_mode));
    if (!file) return false;
    const bool made = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes_)) == 0;
    if (!made) unlink(path_.c_str());
    return made;
}

bool ReservedSpace::drop() const {
    return unlink(path_.c_str()) == 0;
}

StoreFailure no_store(const std::string& path) {
    const auto files = files_beside(path);
    if (files.empty()) return {StoreTrouble::missing, path + ": there is no such store"};
    return {StoreTrouble::corrupt,
            path + " is gone, but files of it are there: " + files +
                ". Put the file back beside them; or move them away, to begin anew or to make a "
                "new store of an archive (referee store import)"};
}

void check_alone(const std::string& path) {
    const auto files = files_beside(path);
    if (!files.empty())
        throw StoreFailure(
            StoreTrouble::exists,
            path + " is not there, but files of an earlier store of that name are: " + files +
                ". A new store would take them for its own: move them away, or give the new store "
                "another name");
}

}  // namespace referee::store

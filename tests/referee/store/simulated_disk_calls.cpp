#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tests/referee/store/simulated_disk.h"

// What SQLite asks of a file system, answered by a SimulatedDisk.

namespace referee::store {

namespace {

constexpr int path_bytes_max = 512;
constexpr int sector_bytes_told = 4096;                 // as SQLite says of the machine's files
constexpr sqlite3_int64 noon_ms = 212'000'000'000'000;  // some Julian day; nothing depends on it

struct OpenFile {
    sqlite3_file base;
    SimulatedDisk* disk;
    const std::string* name;  // its key in the disk's map, which outlives the file
    bool is_unnamed;
};

OpenFile& open_file(sqlite3_file* file) {
    return *reinterpret_cast<OpenFile*>(file);
}
SimulatedDisk& disk_of(sqlite3_vfs* vfs) {
    return *static_cast<SimulatedDisk*>(vfs->pAppData);
}

}  // namespace

// The calls, in one place that may see into the disk.
struct SimulatedDiskCalls {
    static SimulatedFile& file_of(SimulatedDisk& disk, const OpenFile& open)
        REFEREE_REQUIRES(disk.mutex_) {
        return disk.files_.at(*open.name);
    }

    static int close(sqlite3_file* file) {
        auto& open = open_file(file);
        const loop::Lock guard(open.disk->mutex_);
        if (open.is_unnamed) file_of(*open.disk, open) = {};
        return SQLITE_OK;
    }

    static int read(sqlite3_file* file, void* to, int amount, sqlite3_int64 offset) {
        auto& open = open_file(file);
        const loop::Lock guard(open.disk->mutex_);
        if (open.disk->stopped_) return SQLITE_IOERR_READ;
        const auto& text = file_of(*open.disk, open).now;
        const auto from = std::min(static_cast<std::size_t>(offset), text.size());
        const auto there = std::min(static_cast<std::size_t>(amount), text.size() - from);
        std::memset(to, 0, static_cast<std::size_t>(amount));
        std::memcpy(to, text.data() + from, there);
        return there == static_cast<std::size_t>(amount) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
    }

    static int write(sqlite3_file* file, const void* from, int amount, sqlite3_int64 offset) {
        auto& open = open_file(file);
        auto& disk = *open.disk;
        const loop::Lock guard(disk.mutex_);
        if (const int code = disk.begin_operation(); code != SQLITE_OK) return SQLITE_IOERR_WRITE;
        auto& target = file_of(disk, open);
        const auto end = static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(amount);
        if (disk.room_ != 0 && end > target.now.size()) {
            std::uint64_t used = 0;
            for (const auto& [name, one] : disk.files_) used += one.exists ? one.now.size() : 0;
            if (used + end - target.now.size() > disk.room_) return SQLITE_FULL;
        }
        SimulatedFile::Change change{
            false, static_cast<std::uint64_t>(offset),
            std::string(static_cast<const char*>(from), static_cast<std::size_t>(amount))};
        SimulatedDisk::write_into(target.now, change.offset, change.bytes);
        target.unsafe.push_back(std::move(change));
        return disk.stopped_ ? SQLITE_IOERR_WRITE : SQLITE_OK;
    }

    static int truncate(sqlite3_file* file, sqlite3_int64 size) {
        auto& open = open_file(file);
        auto& disk = *open.disk;
        const loop::Lock guard(disk.mutex_);
        if (disk.begin_operation() != SQLITE_OK) return SQLITE_IOERR_TRUNCATE;
        auto& target = file_of(disk, open);
        target.now.resize(static_cast<std::size_t>(size), '\0');
        target.unsafe.push_back({true, static_cast<std::uint64_t>(size), {}});
        return disk.stopped_ ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
    }

    static int sync(sqlite3_file* file, int /*flags*/) {
        auto& open = open_file(file);
        auto& disk = *open.disk;
        const loop::Lock guard(disk.mutex_);
        if (disk.begin_operation() != SQLITE_OK || disk.stopped_) return SQLITE_IOERR_FSYNC;
        auto& target = file_of(disk, open);
        target.unsafe.clear();
        if (++disk.syncs_ == disk.fail_sync_at_)
            return SQLITE_IOERR_FSYNC;  // and the changes are forgotten
        target.safe = target.now;
        target.is_name_safe = true;
        target.before.reset();
        return SQLITE_OK;
    }

    static int file_size(sqlite3_file* file, sqlite3_int64* size) {
        auto& open = open_file(file);
        const loop::Lock guard(open.disk->mutex_);
        *size = static_cast<sqlite3_int64>(file_of(*open.disk, open).now.size());
        return open.disk->stopped_ ? SQLITE_IOERR_FSTAT : SQLITE_OK;
    }

    // One process with one connection: every lock is free.
    static int lock(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }
    static int check_reserved(sqlite3_file* /*file*/, int* is_held) {
        *is_held = 0;
        return SQLITE_OK;
    }
    static int control(sqlite3_file* /*file*/, int /*what*/, void* /*value*/) {
        return SQLITE_NOTFOUND;
    }
    static int sector_size(sqlite3_file* /*file*/) { return sector_bytes_told; }
    static int characteristics(sqlite3_file* /*file*/) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

    static int map_shared(sqlite3_file* file, int region, int size, int extend,
                          void volatile** place) {
        auto& open = open_file(file);
        const loop::Lock guard(open.disk->mutex_);
        auto& regions = open.disk->shared_[*open.name];
        const auto wanted = static_cast<std::size_t>(region);
        while (extend != 0 && regions.size() <= wanted)
            regions.push_back(std::make_unique<std::string>(static_cast<std::size_t>(size), '\0'));
        *place = wanted < regions.size() ? regions[wanted]->data() : nullptr;
        return SQLITE_OK;
    }
    static int lock_shared(sqlite3_file* /*file*/, int /*offset*/, int /*count*/, int /*flags*/) {
        return SQLITE_OK;
    }
    static void barrier(sqlite3_file* /*file*/) {}
    static int unmap_shared(sqlite3_file* file, int deletes) {
        auto& open = open_file(file);
        const loop::Lock guard(open.disk->mutex_);
        if (deletes != 0) open.disk->shared_.erase(*open.name);
        return SQLITE_OK;
    }

    static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags,
                    int* flags_out) {
        auto& disk = disk_of(vfs);
        const loop::Lock guard(disk.mutex_);
        file->pMethods = nullptr;
        if (disk.stopped_) return SQLITE_CANTOPEN;
        const auto key =
            name != nullptr ? std::string(name) : "unnamed " + std::to_string(++disk.unnamed_);
        const auto found = disk.files_.find(key);
        const bool exists = found != disk.files_.end() && found->second.exists;
        if (!exists && (flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
        if (!exists) {
            auto& place = disk.files_[key];
            SimulatedFile fresh;
            if (place.is_name_safe) fresh.before = place.safe;
            place = std::move(fresh);
        }
        static const sqlite3_io_methods methods = io_methods();
        auto& opened = open_file(file);
        opened.disk = &disk;
        opened.name = &disk.files_.find(key)->first;
        opened.is_unnamed = name == nullptr;
        file->pMethods = &methods;
        if (flags_out != nullptr) *flags_out = flags;
        return SQLITE_OK;
    }

    static int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
        auto& disk = disk_of(vfs);
        const loop::Lock guard(disk.mutex_);
        if (disk.begin_operation() != SQLITE_OK) return SQLITE_IOERR_DELETE;
        const auto found = disk.files_.find(name);
        if (found == disk.files_.end() || !found->second.exists) return SQLITE_IOERR_DELETE_NOENT;
        auto& file = found->second;
        file.exists = false;
        if (file.before) {
            file.safe = *std::exchange(file.before, std::nullopt);
            file.is_name_safe = true;
        }
        if (disk.stopped_) return SQLITE_IOERR_DELETE;
        if (sync_folder != 0) file.is_name_safe = false;
        return SQLITE_OK;
    }

    static int exists(sqlite3_vfs* vfs, const char* name, int /*flags*/, int* answer) {
        auto& disk = disk_of(vfs);
        const loop::Lock guard(disk.mutex_);
        const auto found = disk.files_.find(name);
        *answer = found != disk.files_.end() && found->second.exists ? 1 : 0;
        return disk.stopped_ ? SQLITE_IOERR_ACCESS : SQLITE_OK;
    }

    static int full_name(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
        sqlite3_snprintf(size, out, "%s", name);
        return SQLITE_OK;
    }
    // No salt of the log repeats in one disk, and a run can be repeated.
    static int randomness(sqlite3_vfs* vfs, int size, char* out) {
        auto& disk = disk_of(vfs);
        const loop::Lock guard(disk.mutex_);
        std::mt19937_64 random(disk.operations_ + 1);
        for (int i = 0; i < size; ++i) out[i] = static_cast<char>(random());
        return size;
    }
    static int sleep(sqlite3_vfs* /*vfs*/, int us) { return us; }
    static int last_error(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*out*/) { return 0; }
    static int time_ms(sqlite3_vfs* /*vfs*/, sqlite3_int64* now) {
        *now = noon_ms;
        return SQLITE_OK;
    }

    static sqlite3_io_methods io_methods() {
        sqlite3_io_methods methods{};
        methods.iVersion = 2;
        methods.xClose = close;
        methods.xRead = read;
        methods.xWrite = write;
        methods.xTruncate = truncate;
        methods.xSync = sync;
        methods.xFileSize = file_size;
        methods.xLock = lock;
        methods.xUnlock = lock;
        methods.xCheckReservedLock = check_reserved;
        methods.xFileControl = control;
        methods.xSectorSize = sector_size;
        methods.xDeviceCharacteristics = characteristics;
        methods.xShmMap = map_shared;
        methods.xShmLock = lock_shared;
        methods.xShmBarrier = barrier;
        methods.xShmUnmap = unmap_shared;
        return methods;
    }
};

SimulatedDisk::SimulatedDisk(const std::string& name)
    : name_(name), vfs_(std::make_unique<sqlite3_vfs>()) {
    vfs_->iVersion = 2;
    vfs_->szOsFile = static_cast<int>(sizeof(OpenFile));
    vfs_->mxPathname = path_bytes_max;
    vfs_->zName = name_.c_str();
    vfs_->pAppData = this;
    vfs_->xOpen = SimulatedDiskCalls::open;
    vfs_->xDelete = SimulatedDiskCalls::remove;
    vfs_->xAccess = SimulatedDiskCalls::exists;
    vfs_->xFullPathname = SimulatedDiskCalls::full_name;
    vfs_->xRandomness = SimulatedDiskCalls::randomness;
    vfs_->xSleep = SimulatedDiskCalls::sleep;
    vfs_->xGetLastError = SimulatedDiskCalls::last_error;
    vfs_->xCurrentTimeInt64 = SimulatedDiskCalls::time_ms;
    sqlite3_vfs_register(vfs_.get(), 0);
}

SimulatedDisk::~SimulatedDisk() {
    sqlite3_vfs_unregister(vfs_.get());
}

}  // namespace referee::store

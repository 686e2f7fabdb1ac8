#include "referee/memory/store/opening.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "referee/memory/store/record_tables.h"
#include "referee/memory/store/schema.h"
#include "referee/memory/store/store_lock.h"

namespace referee::store {
namespace {

bool is_there(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 || errno != ENOENT;
}

// What has to be right before SQLite sees the file; makes an empty one where that is wanted.
std::optional<StoreError> prepare_file(const std::string& path, Making making) {
    if (is_there(path)) {
        if (making == Making::always)
            return StoreError{StoreTrouble::exists,
                              path + " exists already; expected the name of a new store"};
        return check_permissions(path);
    }
    if (making == Making::never)
        return StoreError{StoreTrouble::missing, path + ": there is no such store"};
    return make_store_file(path);
}

std::optional<StoreError> refusal(Standing standing, Database& database, const std::string& path) {
    switch (standing) {
        case Standing::empty:
        case Standing::store:
            return std::nullopt;
        case Standing::newer:
            return StoreError{StoreTrouble::newer,
                              path + " is of version " + std::to_string(version_of(database)) +
                                  ", written by a newer referee; this one knows versions up to " +
                                  std::to_string(schema_version()) + ": use the newer one"};
        case Standing::foreign:
            break;
    }
    return StoreError{StoreTrouble::foreign,
                      path + " is somebody else's database, no store of the referee's"};
}

// A process that was killed may have left a log that stands in the kernel's memory only. To commit
// something syncs it: what is read afterwards would survive a power cut.
void make_durable(Database& database, std::int64_t now_ms) {
    Transaction transaction(database);
    insert_into(database, {"program_starts", {"time_ms", "pid"}}).run(now_ms, getpid());
    transaction.commit();
}

}  // namespace

StoreError told(const DatabaseError& error, const std::string& path) {
    if (error.is_full())
        return {StoreTrouble::disk_full, path + ": the disk is full; make room on its file system"};
    if (error.is_busy()) {
        return {StoreTrouble::in_use, path +
                                          " is being written by another program (sqlite3 with an "
                                          "open transaction?); end that first"};
    }
    if (error.is_no_database())
        return {StoreTrouble::foreign, path + " is no store of the referee's"};
    if (error.is_corrupt()) {
        return {StoreTrouble::corrupt,
                std::string(error.what()) +
                    ": the store is damaged; keep a copy of it, and take up an archive "
                    "(referee import) or what sqlite3's .recover finds"};
    }
    return {StoreTrouble::io,
            std::string(error.what()) +
                ": nothing is written until that is mended (of a disk's errors dmesg says more); "
                "then start again"};
}

OpenedDatabase open_to_write(const std::string& path, Making making, const std::string& vfs,
                             std::int64_t now_ms) {
    if (vfs.empty()) {
        if (auto wrong = prepare_file(path, making)) return *std::move(wrong);
        if (auto wrong = sync_folder(path)) return *std::move(wrong);
    }
    try {
        Database database(path, Database::Access::write, vfs);
        if (auto wrong = refusal(standing_of(database, schema_version()), database, path))
            return *std::move(wrong);
        // The journal of the change to WAL must not come back from a power cut: EXTRA syncs the
        // folder.
        database.execute("PRAGMA synchronous = EXTRA");
        database.execute("PRAGMA journal_mode = WAL");
        database.execute("PRAGMA synchronous = FULL");
        migrate(database, migrations());
        make_durable(database, now_ms);
        return database;
    } catch (const DatabaseError& error) {
        return told(error, path);
    }
}

OpenedDatabase open_to_read(const std::string& path, const std::string& vfs) {
    if (vfs.empty() && !is_there(path))
        return StoreError{StoreTrouble::missing, path + ": there is no such store"};
    // Where nobody writes and the folder is closed to us, no log can be made beside the file.
    const bool is_cold = vfs.empty() && !is_there(path + "-wal") && access(path.c_str(), R_OK) == 0;
    for (const auto way : {Database::Access::read, Database::Access::read_cold}) {
        try {
            Database database(path, way, vfs);
            const auto standing = standing_of(database, schema_version());
            if (auto wrong = refusal(standing, database, path)) return *std::move(wrong);
            if (standing == Standing::empty)
                return StoreError{StoreTrouble::foreign,
                                  path + " is no store of the referee's: it is empty"};
            if (version_of(database) < schema_version()) {
                return StoreError{StoreTrouble::newer,
                                  path +
                                      " was written by an older referee; start this one on it "
                                      "once, which brings it up to date"};
            }
            return database;
        } catch (const DatabaseError& error) {
            if (way == Database::Access::read_cold || !is_cold || error.is_no_database() ||
                error.is_corrupt())
                return told(error, path);
        }
    }
    return StoreError{StoreTrouble::io, path + " can't be read"};
}

}  // namespace referee::store

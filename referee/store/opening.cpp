#include "referee/store/opening.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "protocol/base/text.h"
#include "referee/store/check.h"
#include "referee/store/schema.h"
#include "referee/store/store_files.h"

namespace referee::store {
namespace {

bool may_be_there(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 || errno != ENOENT;
}

StoreError no_folder(const std::string& path) {
    const auto inside = (std::filesystem::path(path) / name_in_output_folder).string();
    return {StoreTrouble::foreign,
            may_be_there(inside)
                ? path + " is a folder; expected a store's file: " + inside
                : path +
                      " is a folder without a store; expected a store's file, such as "
                      "out/referee.db (of jobs that other machines play, what counts is "
                      "recorded in the store of their tournament)"};
}

// SQLite takes an empty file for a new database.
base::Result<void, StoreError> check_not_emptied(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || status.st_size > 0) return {};
    return base::failure(StoreError{
        StoreTrouble::corrupt, path + " is empty: the file was cut off, and nothing in it can be "
                                      "saved; remove it, then `referee store import` makes it "
                                      "anew of a backup"});
}

// Checks the file before SQLite sees it.
base::Result<void, StoreError> prepare_file(const std::string& path, Making making) {
    if (auto fresh = check_new(path); making == Making::always && !fresh) return fresh;
    if (auto allowed = check_permissions(path); !allowed) return allowed;
    if (auto whole = check_not_emptied(path); !whole) return whole;
    return sync_folder(path);
}

// Where none is. A power cut leaves all of it or nothing, and what was made here has no log whose
// end would have to be proven or synced. Throws.
base::Result<OpenedToWrite, StoreError> make_new(const std::string& path, Making making) {
    auto none = no_store(path);
    if (making == Making::never || none.trouble == StoreTrouble::corrupt)
        return base::failure(std::move(none));
    if (auto made = make_store_file(path, bytes_of_new()); !made)
        return base::failure(std::move(made.error()));
    Database database(path, Database::Access::write, {});
    database.execute("PRAGMA synchronous = FULL");
    // Reading has made the log; this syncs the folder with all their names.
    auto head = HeadFile::make(path, tip_of(database));
    if (!head) return base::failure(std::move(head.error()));
    return OpenedToWrite{std::move(database), *std::move(head)};
}

base::Result<void, StoreError> check_standing(SchemaState standing, Database& database,
                                              const std::string& path) {
    const bool is_store = standing == SchemaState::store;
    if (standing != SchemaState::empty && has_its_schema(database) != is_store)
        corrupt(is_store ? lacks_its_schema
                         : "its header says another version, or another program, than its tables "
                           "do");
    switch (standing) {
        case SchemaState::empty:
        case SchemaState::store:
            return {};
        case SchemaState::other_version:
            return base::failure(StoreError{
                StoreTrouble::other_version,
                fmt::format("{} is a store of version {}, and this referee reads only version {}: "
                            "use the referee that wrote it, or another folder",
                            path, version_of(database), schema_version)});
        case SchemaState::foreign:
            break;
    }
    return base::failure(StoreError{
        StoreTrouble::foreign, path + " is somebody else's database, no store of the referee's"});
}

// Of a store that holds nothing. Throws.
void check_not_lost(const ChainTip& was_told) {
    if (was_told.seq == 0) return;
    corrupt(
        fmt::format("it holds nothing, but record {} had been written and told: its log is lost, "
                    "or the end of the file",
                    was_told.seq));
}

// A process that was killed may have left a log that is only in the kernel's memory. A commit syncs
// the log: what is read afterwards would survive a power cut.
// Writing the version, which stays as it is, makes it a commit that writes.
void make_durable(Database& database) {
    Transaction transaction(database);
    database.execute("PRAGMA user_version = " + std::to_string(schema_version));
    transaction.commit();
}

// Of a file without tables. Throws.
StoreError empty_store(const std::string& path, const std::optional<ChainTip>& was_told) {
    if (was_told) check_not_lost(*was_told);
    return {StoreTrouble::foreign, path + " is no store of the referee's: it is empty"};
}

// The file as it stands, whatever it is. Throws.
base::Result<OpenedToRead, StoreError> open_file(const std::string& path, const std::string& vfs) {
    if (vfs.empty() && !may_be_there(path)) return base::failure(no_store(path));
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) return base::failure(no_folder(path));
    if (vfs.empty())
        if (auto readable = check_readable(path); !readable)
            return base::failure(std::move(readable.error()));
    auto at_rest = vfs.empty() ? StoreAtRest::of(path) : std::nullopt;
    const auto access = at_rest ? Database::Access::read_cold : Database::Access::read;
    return OpenedToRead{Database(path, access, vfs), std::move(at_rest)};
}

}  // namespace

std::string remedy_of_damage(const std::string& path) {
    return "keep a copy of it and of the files beside it; referee store verify " + path +
           " tells all that is damaged, and referee store export " + path +
           " --skip-damaged --out ARCHIVE saves what is proven, for referee store import to make a "
           "new store of";
}

StoreError head_error_of(const StoreError& head, const std::string& path) {
    if (head.trouble != StoreTrouble::corrupt) return head;
    return {StoreTrouble::corrupt, head.message + "; referee store verify " + path +
                                       " tells whether the store is whole beside it; then the file "
                                       "may be removed"};
}

StoreError store_error_of(const DatabaseError& error, const std::string& path) {
    if (error.is_full()) return disk_is_full(path);
    if (error.is_busy()) {
        return {StoreTrouble::in_use, path +
                                          " is being written by another program (sqlite3 with an "
                                          "open transaction?); end that first"};
    }
    if (error.is_no_database()) {
        return {StoreTrouble::foreign,
                path +
                    " is no store of the referee's; if it was one, its first bytes are damaged: "
                    "referee store import makes a new one of an archive"};
    }
    if (error.is_corrupt()) {
        const std::string what = error.what();
        return {StoreTrouble::corrupt, (what.starts_with(path) ? "" : path + ": ") + what +
                                           ": the store is damaged; " + remedy_of_damage(path)};
    }
    return {StoreTrouble::io,
            std::string(error.what()) +
                ": nothing is written until that is mended (of a disk's errors dmesg says more); "
                "then start again"};
}

base::Result<OpenedToWrite, StoreError> open_to_write(const std::string& path, Making making,
                                                      const std::string& vfs) {
    try {
        if (vfs.empty() && !may_be_there(path)) return make_new(path, making);
        std::optional<ChainTip> was_told;
        if (vfs.empty()) {
            if (auto done = prepare_file(path, making); !done)
                return base::failure(std::move(done.error()));
            auto head = HeadFile::read(path);
            if (!head) return base::failure(head_error_of(head.error(), path));
            was_told = *head;
        }
        Database database(path, Database::Access::write, vfs);
        const auto standing = standing_of(database);
        if (auto known = check_standing(standing, database, path); !known)
            return base::failure(std::move(known.error()));
        if (standing == SchemaState::empty) {
            if (was_told) check_not_lost(*was_told);
        } else {
            if (const auto foreign = foreign_parts(database); !foreign.empty())
                corrupt(has_foreign_part + foreign.front());
            // Before anything is written: a log whose end is damaged stays as it is.
            if (was_told) check_told(database, *was_told);
            check_end(database);
        }
        // EXTRA syncs the folder: otherwise a power cut could bring back the journal of the change
        // to WAL.
        database.execute("PRAGMA synchronous = EXTRA");
        database.execute("PRAGMA journal_mode = WAL");
        database.execute("PRAGMA synchronous = FULL");
        if (standing == SchemaState::empty) make_tables(database);
        make_durable(database);
        if (!vfs.empty()) return OpenedToWrite{std::move(database), std::nullopt};
        auto head = HeadFile::make(path, tip_of(database));
        if (!head) return base::failure(std::move(head.error()));
        return OpenedToWrite{std::move(database), *std::move(head)};
    } catch (const DatabaseError& error) {
        return base::failure(store_error_of(error, path));
    }
}

base::Result<ChainTip, StoreError> make_store(
    const PartFile& part, std::string_view origin, const NextRecord& next,
    const std::function<StoreError(const records::Record& record)>& twice) {
    auto opened = open_to_write(part.name(), Making::always, {});
    if (!opened) return base::failure(std::move(opened.error()));
    try {
        auto database = std::move(opened->database);
        Transaction beginning(database);
        set_origin(database, origin);
        beginning.commit();
        RecordWriter writer(database);
        ChainWriter chain(database);
        auto tip = root_of(origin);
        for (bool at_end = false; !at_end;) {
            Transaction transaction(database);
            for (std::size_t i = 0; i < store_batch_records_max && !at_end; ++i) {
                const auto stored = next();
                if (!stored) return base::failure(stored.error());
                at_end = !*stored;
                if (at_end) break;
                const auto& [seq, time_ms, record] = **stored;
                if (!writer.insert(seq, time_ms, record)) return base::failure(twice(record));
                tip = chain.append(tip, seq, time_ms, record);
            }
            transaction.commit();
            if (database.log_frames() > store_log_frames_max) database.checkpoint();
        }
        database.end_tidily();
        return tip;
    } catch (const DatabaseError& error) {
        return base::failure(store_error_of(error, part.path()));
    }
}

std::optional<StoreAtRest::Look> StoreAtRest::look_at(const std::string& path) {
    struct stat status {};
    // A writer has a log from its first commit to its end, and whoever reads beside it at most an
    // empty one; a journal is an unfinished change.
    for (const auto* log : {"-wal", "-journal"}) {
        if (stat((path + log).c_str(), &status) == 0 ? status.st_size > 0 : errno != ENOENT)
            return std::nullopt;
    }
    if (stat(path.c_str(), &status) != 0) return std::nullopt;
    return Look{status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::optional<StoreAtRest> StoreAtRest::of(const std::string& path) {
    // The log lies beside the file itself, whatever link leads there.
    std::error_code unknown;
    auto place = std::filesystem::canonical(path, unknown).string();
    const auto look = unknown || may_be_there(place + "-wal") ? std::nullopt : look_at(place);
    if (!look) return std::nullopt;
    return StoreAtRest(std::move(place), *look);
}

base::Result<void, StoreError> StoreAtRest::check() const {
    if (look_at(path_) == look_) return {};
    return base::failure(StoreError{
        StoreTrouble::in_use, path_ + ": a referee has begun to write it meanwhile; try again"});
}

base::Result<OpenedToRead, StoreError> open_to_read(const std::string& path,
                                                    const std::string& vfs) {
    try {
        auto opened = open_file(path, vfs);
        if (!opened) return opened;
        const auto standing = standing_of(opened->database);
        if (auto known = check_standing(standing, opened->database, path); !known)
            return base::failure(std::move(known.error()));
        if (standing != SchemaState::empty) return opened;
        const auto head = vfs.empty() ? HeadFile::read(path) : std::optional<ChainTip>();
        if (!head) return base::failure(head_error_of(head.error(), path));
        return base::failure(empty_store(path, *head));
    } catch (const DatabaseError& error) {
        return base::failure(store_error_of(error, path));
    }
}

base::Result<OpenedToRead, StoreError> open_damaged(const std::string& path) {
    try {
        auto opened = open_file(path, {});
        if (!opened) return opened;
        auto& database = opened->database;
        // SQLite then passes over what it can't read of the schema, and reads a file that was cut.
        database.execute("PRAGMA writable_schema = ON");
        const auto standing = standing_of(database);
        if (standing == SchemaState::store || has_its_schema(database)) return opened;
        if (auto known = check_standing(standing, database, path); !known)
            return base::failure(std::move(known.error()));
        const auto head = HeadFile::read(path);
        return base::failure(empty_store(path, head ? *head : std::nullopt));
    } catch (const DatabaseError& error) {
        return base::failure(store_error_of(error, path));
    }
}

}  // namespace referee::store

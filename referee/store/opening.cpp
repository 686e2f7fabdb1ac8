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

StoreFailure no_folder(const std::string& path) {
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
void check_not_emptied(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && status.st_size == 0)
        throw StoreFailure(StoreTrouble::corrupt,
                           path +
                               " is empty: the file was cut off, and nothing in it can be saved; "
                               "remove it, then `referee store import` makes it anew of a "
                               "backup");
}

// Checks the file before SQLite sees it.
void prepare_file(const std::string& path, Making making) {
    if (making == Making::always) check_new(path);
    check_permissions(path);
    check_not_emptied(path);
    sync_folder(path);
}

// Where none is. A power cut leaves all of it or nothing, and what was made here has no log whose
// end would have to be proven or synced.
OpenedToWrite make_new(const std::string& path, Making making) {
    const auto none = no_store(path);
    if (making == Making::never || none.error().trouble == StoreTrouble::corrupt) throw none;
    make_store_file(path, bytes_of_new());
    Database database(path, Database::Access::write, {});
    database.execute("PRAGMA synchronous = FULL");
    // Reading has made the log; this syncs the folder with all their names.
    auto head = HeadFile::make(path, tip_of(database));
    return {std::move(database), std::move(head)};
}

void check_schema_state(SchemaState state, Database& database, const std::string& path) {
    const bool is_store = state == SchemaState::store;
    if (state != SchemaState::empty && has_its_schema(database) != is_store)
        corrupt(is_store ? lacks_its_schema
                         : "its header says another version, or another program, than its tables "
                           "do");
    if (state == SchemaState::other_version)
        throw StoreFailure(
            StoreTrouble::other_version,
            fmt::format("{} is a store of version {}, and this referee reads only version {}: use "
                        "the referee that wrote it, or another folder",
                        path, version_of(database), schema_version));
    if (state == SchemaState::foreign)
        throw StoreFailure(StoreTrouble::foreign,
                           path + " is somebody else's database, no store of the referee's");
}

// Of a store that holds nothing.
void check_not_lost(const std::optional<ChainTip>& was_told) {
    if (was_told && was_told->seq > 0)
        corrupt(fmt::format(
            "it holds nothing, but record {} had been written and told: its log is lost, or the "
            "end of the file",
            was_told->seq));
}

// A process that was killed may have left a log that is only in the kernel's memory. A commit syncs
// the log: what is read afterwards would survive a power cut.
// Writing the version, which stays as it is, makes it a commit that writes.
void make_durable(Database& database) {
    Transaction transaction(database);
    database.execute("PRAGMA user_version = " + std::to_string(schema_version));
    transaction.commit();
}

// Of a file without tables.
StoreFailure empty_store(const std::string& path, const std::optional<ChainTip>& was_told) {
    check_not_lost(was_told);
    return {StoreTrouble::foreign, path + " is no store of the referee's: it is empty"};
}

// The file as it stands, whatever it is.
OpenedToRead open_file(const std::string& path, const std::string& vfs) {
    if (vfs.empty() && !may_be_there(path)) throw no_store(path);
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) throw no_folder(path);
    if (vfs.empty()) check_readable(path);
    auto at_rest = vfs.empty() ? StoreAtRest::of(path) : std::nullopt;
    const auto access = at_rest ? Database::Access::read_at_rest : Database::Access::read;
    return {Database(path, access, vfs), std::move(at_rest)};
}

}  // namespace

std::string remedy_of_damage(const std::string& path) {
    return "keep a copy of it and of the files beside it; referee store verify " + path +
           " tells all that is damaged, and referee store export " + path +
           " --skip-damaged --out ARCHIVE saves what is proven, for referee store import to make a "
           "new store of";
}

std::optional<ChainTip> last_told(const std::string& path) {
    const auto head = HeadFile::read(path);
    if (head) return *head;
    const auto& [trouble, message] = head.error();
    throw StoreFailure(trouble, trouble != StoreTrouble::corrupt
                                    ? message
                                    : message + "; referee store verify " + path +
                                          " tells whether the store is whole beside it; then the "
                                          "file may be removed");
}

StoreError store_error_of(const DatabaseError& error, const std::string& path) {
    if (error.is_full()) return disk_is_full(path).error();
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

OpenedToWrite open_to_write(const std::string& path, Making making, const std::string& vfs) {
    if (vfs.empty() && !may_be_there(path)) return make_new(path, making);
    std::optional<ChainTip> was_told;
    if (vfs.empty()) {
        prepare_file(path, making);
        was_told = last_told(path);
    }
    Database database(path, Database::Access::write, vfs);
    const auto state = schema_state_of(database);
    check_schema_state(state, database, path);
    if (state == SchemaState::empty) {
        check_not_lost(was_told);
    } else {
        if (const auto foreign = foreign_parts(database); !foreign.empty())
            corrupt(has_foreign_part + foreign.front());
        // Before anything is written: a log whose end is damaged stays as it is.
        if (was_told) check_told(database, *was_told);
        check_end(database);
    }
    // EXTRA syncs the folder: otherwise a power cut could bring back the journal of the change to
    // WAL.
    database.execute("PRAGMA synchronous = EXTRA");
    database.execute("PRAGMA journal_mode = WAL");
    database.execute("PRAGMA synchronous = FULL");
    if (state == SchemaState::empty) make_tables(database);
    make_durable(database);
    if (!vfs.empty()) return {std::move(database), std::nullopt};
    auto head = HeadFile::make(path, tip_of(database));
    return {std::move(database), std::move(head)};
}

ChainTip make_store(const PartFile& part, std::string_view origin, const NextRecord& next,
                    const std::function<StoreFailure(const records::Record& record)>& duplicate) {
    auto database = open_to_write(part.name(), Making::always, {}).database;
    Transaction beginning(database);
    set_origin(database, origin);
    beginning.commit();
    ChainWriter chain(database);
    auto tip = root_of(origin);
    for (bool at_end = false; !at_end;) {
        Transaction transaction(database);
        for (std::size_t i = 0; i < store_batch_records_max && !at_end; ++i) {
            const auto stored = next();
            at_end = !stored;
            if (at_end) break;
            const auto& [seq, time_ms, record] = *stored;
            const auto next_tip = chain.append(tip, seq, time_ms, record);
            if (!next_tip) throw duplicate(record);
            tip = *next_tip;
        }
        transaction.commit();
        if (database.log_frames() > store_log_frames_max) database.checkpoint();
    }
    database.end_tidily();
    return tip;
}

std::optional<StoreAtRest::FileState> StoreAtRest::file_state_of(const std::string& path) {
    struct stat status {};
    // A writer has a log from its first commit to its end, and whoever reads beside it at most an
    // empty one; a journal is an unfinished change.
    for (const auto* log : {"-wal", "-journal"}) {
        if (stat((path + log).c_str(), &status) == 0 ? status.st_size > 0 : errno != ENOENT)
            return std::nullopt;
    }
    if (stat(path.c_str(), &status) != 0) return std::nullopt;
    return FileState{status.st_ino, static_cast<std::uint64_t>(status.st_size),
                     static_cast<std::uint64_t>(status.st_mtim.tv_sec),
                     static_cast<std::uint64_t>(status.st_mtim.tv_nsec)};
}

std::optional<StoreAtRest> StoreAtRest::of(const std::string& path) {
    // The log lies beside the file itself, whatever link leads there.
    std::error_code unknown;
    auto place = std::filesystem::canonical(path, unknown).string();
    const auto seen = unknown || may_be_there(place + "-wal") ? std::nullopt : file_state_of(place);
    if (!seen) return std::nullopt;
    return StoreAtRest(std::move(place), *seen);
}

void StoreAtRest::check() const {
    if (file_state_of(path_) != seen_)
        throw StoreFailure(StoreTrouble::in_use,
                           path_ + ": a referee has begun to write it meanwhile; try again");
}

OpenedToRead open_to_read(const std::string& path, const std::string& vfs) {
    auto opened = open_file(path, vfs);
    const auto state = schema_state_of(opened.database);
    check_schema_state(state, opened.database, path);
    if (state == SchemaState::empty) throw empty_store(path, last_told(path));
    return opened;
}

OpenedToRead open_damaged(const std::string& path) {
    auto opened = open_file(path, {});
    auto& database = opened.database;
    // SQLite then passes over what it can't read of the schema, and reads a file that was cut.
    database.execute("PRAGMA writable_schema = ON");
    const auto state = schema_state_of(database);
    if (state == SchemaState::store || has_its_schema(database)) return opened;
    check_schema_state(state, database, path);
    const auto head = HeadFile::read(path);
    throw empty_store(path, head ? *head : std::nullopt);
}

}  // namespace referee::store

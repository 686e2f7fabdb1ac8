#include "referee/store/database/archive.h"

#include <istream>
#include <ostream>

#include "referee/store/database/archive_lines.h"
#include "referee/store/database/chain.h"
#include "referee/store/database/head_file.h"
#include "referee/store/database/leftovers.h"
#include "referee/store/database/part_file.h"
#include "referee/store/database/store_lock.h"
#include "referee/store/records/record_line.h"

namespace referee::store {

base::Result<void, StoreError> fill(Database& database, RecordArchiveReader& reader) {
    Transaction beginning(database);
    set_origin(database, reader.origin());
    beginning.commit();
    RecordWriter writer(database);
    ChainWriter chain(database);
    auto tip = root_of(reader.origin());
    while (true) {
        Transaction transaction(database);
        bool at_end = false;
        for (std::size_t i = 0; i < limits::store_batch_records_max; ++i) {
            auto next = reader.next();
            if (!next) return base::failure(std::move(next.error()));
            const auto& record = *next;
            at_end = !record;
            if (at_end) break;
            if (!writer.insert(record->seq, record->time_ms, record->record)) {
                return base::failure(reader.wrong_line("expected a new record, found the " +
                                                       records::identity(record->record) +
                                                       " a second time"));
            }
            tip = chain.append(tip, record->seq, record->time_ms, record->record);
        }
        transaction.commit();
        if (at_end) return {};
        if (database.log_frames() > limits::store_log_frames_max) database.checkpoint();
    }
}

Archived export_archive(StoreReader& store, std::ostream& out) {
    auto origin = store.origin();
    if (!origin) return base::failure(std::move(origin.error()));
    ArchiveWriter writer(out, *origin);
    auto told =
        store.history_with_replays([&writer](const StoredRecord& stored) { writer.write(stored); });
    if (!told) return base::failure(std::move(told.error()));
    writer.end();
    return writer.records();
}

base::Result<ProvenArchive, StoreError> export_proven(const std::string& path, std::ostream& out) {
    const auto head = HeadFile::read(path);
    auto opened = open_damaged(path);
    if (!opened) return base::failure(std::move(opened.error()));
    auto& database = opened->database;
    ProvenArchive archive;
    try {
        database.execute("BEGIN");
        // First it is found out whether all is there: the archive's first line tells it.
        const auto last_told = head && *head ? (*head)->seq : 0;
        archive.left_out = read_proven(
            database, last_told, [&archive](const StoredRecord& /*record*/) { ++archive.records; });
        if (!head)
            archive.left_out.push_back({0, "behind the last record: " + head.error().message});
        const auto origin =
            archive.left_out.empty()
                ? origin_of(database)
                : "what was proven of a damaged store: " + std::to_string(archive.records) +
                      " records";
        ArchiveWriter writer(out, origin);
        read_proven(database, last_told,
                    [&writer](const StoredRecord& stored) { writer.write(stored); });
        writer.end();
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
    database.roll_back();
    if (opened->at_rest) {
        if (auto rests = opened->at_rest->check(); !rests)
            return base::failure(std::move(rests.error()));
    }
    return archive;
}

Archived import_archive(std::istream& in, const std::string& name, const std::string& path) {
    if (auto fresh = check_new(path); !fresh) return base::failure(std::move(fresh.error()));
    RecordArchiveReader reader(in, name);
    if (auto read = reader.header(); !read) return base::failure(std::move(read.error()));
    auto lock = StoreLock::take(path);
    if (!lock) return base::failure(std::move(lock.error()));
    if (auto alone = check_alone(path); !alone) return base::failure(std::move(alone.error()));
    const PartFile part(path);
    auto opened = open_to_write(part.name(), Making::always, {});
    if (!opened) return base::failure(std::move(opened.error()));
    ChainEnd tip;
    try {
        auto database = *std::move(opened);
        if (auto filled = fill(database, reader); !filled)
            return base::failure(std::move(filled.error()));
        tip = tip_of(database);
        database.end_tidily();
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
    if (auto named = part.finish(tip); !named) return base::failure(std::move(named.error()));
    return reader.records();
}

}  // namespace referee::store

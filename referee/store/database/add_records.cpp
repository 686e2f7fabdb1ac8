#include "referee/store/database/add_records.h"

#include <filesystem>

#include "referee/limits.h"
#include "referee/store/database/checked_reading.h"
#include "referee/store/database/committer.h"
#include "referee/store/database/leftovers.h"
#include "referee/store/database/store_lock.h"

namespace referee::store {
namespace {

StoreError told_of(const Commit& commit, const std::string& path) {
    const auto trouble = commit.ended == Commit::Ended::no_room ? StoreTrouble::disk_full
                         : commit.ended == Commit::Ended::busy  ? StoreTrouble::in_use
                                                                : StoreTrouble::io;
    return {trouble,
            path + ": " + commit.message + ": nothing was added; try again when it is mended"};
}

}  // namespace

base::Result<void, StoreError> add_records(const std::string& path, Making making,
                                           std::int64_t now_ms, const DecideRecords& decide) {
    const auto place = file_of_store(path);
    std::error_code unknown;
    if (making == Making::never && !std::filesystem::exists(place, unknown))
        return base::failure(no_store(path));
    const auto lock = StoreLock::take(place);
    if (!lock) return base::failure(lock.error());
    auto opened = open_with_head(place, making, {});
    if (!opened) return base::failure(std::move(opened.error()));
    try {
        auto& database = opened->database;
        std::vector<StoredRecord> there;
        if (auto read =
                read_records(database, place, RecordReader::Replays::left_out,
                             [&there](const StoredRecord& stored) { there.push_back(stored); });
            !read)
            return read;
        Committer committer(database, std::move(opened->head), limits::store_log_frames_max);
        const Append append{now_ms, decide(there), {}};
        if (!append.records.empty()) {
            const auto commit = committer.commit({&append, 1});
            if (commit.ended != Commit::Ended::committed)
                return base::failure(told_of(commit, path));
        }
        database.end_tidily();
        committer.remove_head();
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
    return {};
}

}  // namespace referee::store

#include "referee/store/database/head_file.h"
#include "referee/store/database/store.h"

namespace referee::store {

StoreReader::Opened StoreReader::open(const std::string& path, const std::string& vfs) {
    auto opened = open_to_read(path, vfs);
    if (!opened) return base::failure(std::move(opened.error()));
    return StoreReader(*std::move(opened), path, vfs.empty());
}

base::Result<void, StoreError> StoreReader::begin() {
    auto head = is_real_ ? HeadFile::read(path_) : std::optional<ChainEnd>();
    if (!head) return base::failure(told(head.error(), path_));
    try {
        database_.execute("BEGIN");
        if (*head) check_told(database_, **head);
    } catch (const DatabaseError& error) {
        database_.roll_back();
        return base::failure(told(error, path_));
    }
    return {};
}

base::Result<void, StoreError> StoreReader::read(const OnRecord& on_record, bool with_replays) {
    if (auto begun = begin(); !begun) return begun;
    auto read = read_records(
        database_, path_,
        with_replays ? RecordReader::Replays::read : RecordReader::Replays::left_out, on_record);
    database_.roll_back();
    if (auto rests = check_rest(); !rests) return rests;
    return read;
}

FoundReplay StoreReader::replay(const GameKey& key) {
    if (auto begun = begin(); !begun) return base::failure(std::move(begun.error()));
    auto found = find_replay(database_, path_, key);
    database_.roll_back();
    if (auto rests = check_rest(); !rests) return base::failure(std::move(rests.error()));
    return found;
}

base::Result<std::string, StoreError> StoreReader::origin() {
    try {
        return origin_of(database_);
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path_));
    }
}

}  // namespace referee::store

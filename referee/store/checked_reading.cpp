#include "referee/store/checked_reading.h"

#include "referee/store/head_file.h"
#include "referee/store/opening.h"
#include "referee/store/row_cursor.h"
#include "referee/store/store.h"

namespace referee::store {

base::Result<void, StoreError> read_records(Database& database, const std::string& path,
                                            RecordReader::Replays replays,
                                            const OnRecord& on_record) {
    try {
        check_no_foreign_rows(database);
        ChainReader reader(database, replays);
        while (const auto record = reader.next()) on_record(*record);
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
    return {};
}

FoundReplay find_replay(Database& database, const std::string& path, const GameKey& key) {
    try {
        const auto seq = ended_play(database, key);
        if (!seq) return std::optional<std::string>();
        auto stored = checked_record(database, *seq);
        auto* game = std::get_if<records::GameRecord>(&stored.record);
        if (game == nullptr || game->result.key != key)
            corrupt("an index leads from game " + game_id(key) + " to another record");
        if (!game->replay_sha256.empty())
            return base::failure(
                StoreError{StoreTrouble::dropped, "the replay of game " + game_id(key) +
                                                      " was dropped to keep all replays within the "
                                                      "config's replays_mb; its result is kept"});
        return std::optional(std::move(game->replay));
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
}

StoreReader::Opened StoreReader::open(const std::string& path, const std::string& vfs) {
    auto opened = open_to_read(path, vfs);
    if (!opened) return base::failure(std::move(opened.error()));
    return StoreReader(*std::move(opened), path, vfs.empty());
}

base::Result<void, StoreError> StoreReader::begin() {
    auto head = is_real_ ? HeadFile::read(path_) : std::optional<ChainTip>();
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

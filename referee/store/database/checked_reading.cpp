#include "referee/store/database/checked_reading.h"

#include "referee/store/database/opening.h"
#include "referee/store/database/row_cursor.h"

namespace referee::store {

base::Result<void, StoreError> read_records(Database& database, const std::string& path,
                                            RecordReader::Replays replays,
                                            const OnRecord& on_record) {
    try {
        ChainReader reader(database, replays);
        while (const auto record = reader.next()) on_record(*record);
        find_foreign_rows(database,
                          [](std::uint64_t /*seq*/, const std::string& what) { corrupt(what); });
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
        return std::optional(std::move(game->replay));
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
}

}  // namespace referee::store

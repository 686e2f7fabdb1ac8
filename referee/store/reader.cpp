#include "referee/store/reader.h"

#include "referee/store/schema.h"

namespace referee::store {

void read_records(Database& database, RecordReader::Replays replays, const OnRecord& on_record) {
    check_no_foreign_rows(database);
    ChainReader reader(database, replays);
    while (const auto record = reader.next()) on_record(*record);
}

std::optional<std::string> find_replay(Database& database, const GameKey& key) {
    Statement ended(database,
                    "SELECT seq FROM games WHERE (tournament, match, number, attempt) = "
                    "(?, ?, ?, ?)");
    ended.bind(key.tournament, key.match, key.number, key.attempt);
    if (!ended.step()) return std::nullopt;
    auto stored = checked_record(database, seq_in(ended));
    auto* game = std::get_if<records::GameRecord>(&stored.record);
    if (game == nullptr || game->result.key != key)
        corrupt("an index leads from game " + game_id(key) + " to another record");
    if (!game->replay_sha256.empty())
        throw StoreFailure(StoreTrouble::dropped,
                           "the replay of game " + game_id(key) +
                               " was dropped to keep all replays within the config's replays_mb; "
                               "its result is kept");
    return std::move(game->replay);
}

StoreReader::Opened StoreReader::open(const std::string& path, const std::string& vfs) {
    return result_of(path, [&] { return StoreReader(open_to_read(path, vfs), path); });
}

// What stands beside the store is told before anything of it is read.
template <typename Read>
auto StoreReader::at_one_moment(const Read& read) {
    auto found = result_of(path_, [&] {
        const auto told = last_told(path_);
        opened_.database.execute("BEGIN");
        if (told) check_told(opened_.database, *told);
        return read();
    });
    opened_.database.roll_back();
    if (auto rests = result_of(path_, [this] { opened_.check_rest(); }); !rests)
        found = base::failure(std::move(rests.error()));
    return found;
}

base::Result<void, StoreError> StoreReader::history(const OnRecord& on_record, Replays replays) {
    return at_one_moment([&] { read_records(opened_.database, replays, on_record); });
}

FoundReplay StoreReader::replay(const GameKey& key) {
    return at_one_moment([&] { return find_replay(opened_.database, key); });
}

base::Result<std::string, StoreError> StoreReader::origin() {
    return result_of(path_, [this] { return origin_of(opened_.database); });
}

base::Result<void, StoreError> read_history(
    const std::string& path, const std::function<void(const records::Record&)>& take) {
    auto opened = StoreReader::open(path);
    if (!opened) return base::failure(std::move(opened.error()));
    return opened->history([&take](const StoredRecord& stored) { take(stored.record); });
}

}  // namespace referee::store

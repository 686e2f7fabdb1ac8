#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>

#include "referee/journal/journal.h"
#include "referee/store/database.h"
#include "referee/store/record_writer.h"

namespace referee::store {

// Reads all records in their order, one at a time: memory does not grow with the store. Throws
// DatabaseError; what the tables hold and no store writes is told as corruption.
class RecordReader {
 public:
    enum class Replays : std::uint8_t { left_out, read };

    // Requires: a transaction, or nobody writes, until the last next().
    RecordReader(Database& database, Replays replays);

    // Nothing behind the last one.
    std::optional<StoredRecord> next();

 private:
    // A table whose rows are records: where it stands and how its row becomes one.
    struct Table {
        Statement rows;
        journal::Record (RecordReader::*read)(Statement& row);
        bool has_row = false;
    };

    journal::Record read_opening(Statement& row);
    journal::Record read_entry(Statement& row);
    journal::Record read_withdrawal(Statement& row);
    journal::Record read_pairing(Statement& row);
    journal::Record read_start(Statement& row);
    journal::Record read_game(Statement& row);
    journal::Record read_annulment(Statement& row);
    journal::Record read_state(Statement& row);
    journal::Record read_token(Statement& row);
    journal::Record read_dropped(Statement& row);
    std::vector<std::string> read_bots(Statement& seats, std::int64_t seq);
    std::vector<std::uint32_t> read_byes(std::int64_t seq);
    void read_seats(std::int64_t seq, GameResult& result);
    void read_faults(std::int64_t seq, GameResult& result);

    Replays replays_;
    std::array<Table, 10> tables_;
    Statement entry_byes_, pairing_seats_, start_seats_, game_seats_, faults_, replay_, drop_bots_;
};

// The replay of a play that has ended; nothing where there is none such.
std::optional<std::string> read_replay(Database& database, const GameKey& key);
// The number of the last record; 0 where there is none.
std::uint64_t last_seq(Database& database);

}  // namespace referee::store

#pragma once

#include "referee/journal/journal.h"
#include "referee/store/database.h"

namespace referee::store {

// A record as it stands in the store: its place in the one order of all records, and the wall
// clock's time when it was handed over.
struct StoredRecord {
    std::uint64_t seq = 0;
    std::int64_t time_ms = 0;  // since 1970
    journal::Record record;
};

// Puts records into the tables. Requires: a transaction; throws DatabaseError.
class RecordWriter {
 public:
    explicit RecordWriter(Database& database);

    // Whether it was written; false where a record with the same key stands there already.
    bool insert(std::uint64_t seq, std::int64_t time_ms, const journal::Record& record);

 private:
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::OpeningRecord& opening);
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::EntryRecord& entry);
    bool write(std::uint64_t seq, std::int64_t time_ms,
               const journal::WithdrawalRecord& withdrawal);
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::PairingRecord& pairing);
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::StartRecord& start);
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::GameRecord& game);
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::AnnulmentRecord& annulment);
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::StateRecord& state);
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::TokenRecord& token);
    bool write(std::uint64_t seq, std::int64_t time_ms, const journal::DroppedRecord& dropped);
    void write_seats(std::uint64_t seq, const GameResult& result);
    void write_fault(std::uint64_t seq, std::size_t ordinal, const Fault& fault);

    Database& database_;
    Statement opening_, entry_, entry_bye_, withdrawal_, pairing_, pairing_seat_, start_,
        start_seat_;
    Statement game_, game_seat_, fault_, replay_, annulment_, state_, token_, drop_, drop_bot_;
};

}  // namespace referee::store

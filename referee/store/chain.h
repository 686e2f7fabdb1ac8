#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/bytes.h"
#include "referee/store/database.h"
#include "referee/store/records/records.h"

namespace referee::store {

// ---- record_tables.cpp ---------------------------------------------------------------------

// A record as it is in the store: with its place in the one order of all records, and the wall
// clock's time at which it was handed over.
struct StoredRecord {
    std::uint64_t seq = 0;
    std::int64_t time_ms = 0;  // milliseconds since 1970
    records::Record record;
};

// Puts records into the tables. Requires: a transaction; throws DatabaseError.
class RecordWriter {
 public:
    explicit RecordWriter(Database& database);

    // Returns whether it was written; false where a record with the same key is there already.
    bool insert(std::uint64_t seq, std::int64_t time_ms, const records::Record& record) {
        return tables_[record.index()](seq, time_ms, record);
    }

 private:
    using Insert =
        std::function<bool(std::uint64_t seq, std::int64_t time_ms, const records::Record& record)>;
    std::vector<Insert> tables_;  // by the record's index in the variant
};

// Reads single records. Throws DatabaseError; rows that no store would write are reported as
// corruption.
class RecordReader {
 public:
    enum class Replays : std::uint8_t { left_out, read };

    RecordReader(Database& database, Replays replays) : database_(database), replays_(replays) {}

    // Nothing where no record of that kind has the number.
    std::optional<StoredRecord> find(std::uint64_t seq, std::string_view kind);

 private:
    using Find = std::function<std::optional<StoredRecord>(std::uint64_t seq)>;
    Database& database_;
    Replays replays_;
    std::map<std::string, Find, std::less<>> tables_;  // that were asked for, by kind
};

// The number of the record of a play that has ended; nothing where there is no such play.
std::optional<std::uint64_t> ended_play(Database& database, const GameKey& key);

// ---- chain.cpp -----------------------------------------------------------------------------

// What the chain knows of a record.
struct RecordDigest {
    base::Digest record{};  // of all its fields, with the digest of its replay as one of them
    std::optional<base::Digest> replay;  // of its long text, where its kind has one

    bool operator==(const RecordDigest&) const = default;
};

// Takes digests of records, of what the store keeps of each: a record that was read again has the
// same digest. All follows from the records' descriptions.
class RecordHasher {
 public:
    RecordDigest digest(const records::Record& record);
    // Of a record that was read without its replay, whose digest is known.
    RecordDigest digest(const records::Record& record, const std::optional<base::Digest>& replay);

 private:
    base::Hasher hasher_;
    std::string text_;
};

// Every record has a link: a digest of the record and of the link before it. A record that has
// changed has another digest, and one that is missing, new or moved does not fit its neighbours.
// TABLES.md tells what is hashed.

// Where a chain ends: its last record.
struct ChainTip {
    std::uint64_t seq = 0;  // of the last record; 0 before the first one
    base::Digest link{};

    bool operator==(const ChainTip&) const = default;
};

// What the chain has of one record.
struct Link {
    std::uint64_t seq = 0;
    std::string kind;  // of the record: "game"
    RecordDigest digest;
    base::Digest link{};
};

// The tip of a chain without records. `origin` says in words how it began: "new".
ChainTip root_of(std::string_view origin);
// The tip behind a record.
ChainTip next_tip(base::Hasher& hasher, const ChainTip& before, std::uint64_t seq,
                  std::int64_t time_ms, const RecordDigest& digest);

// The origin of a new store.
inline constexpr std::string_view origin_of_new = "new";

// "record 12"
std::string record_number(std::uint64_t seq);

// All that follows throws DatabaseError; what no store would write is corruption.

std::string origin_of(Database& database);
// Requires: a transaction.
void set_origin(Database& database, std::string_view origin);
// The tip as the chain itself tells it; no record is looked at.
ChainTip tip_of(Database& database);

// Adds links. Requires: a transaction.
class ChainWriter {
 public:
    explicit ChainWriter(Database& database);
    // Returns the new tip, which the caller keeps if the transaction is committed.
    ChainTip append(const ChainTip& before, std::uint64_t seq, std::int64_t time_ms,
                    const records::Record& record);

 private:
    RecordHasher digests_;
    base::Hasher hasher_;
    Statement insert_;
};

// Walks over the links in their order.
class LinkCursor {
 public:
    // From the first link behind `seq`.
    explicit LinkCursor(Database& database, std::uint64_t seq = 0);
    // Nothing after the last one.
    std::optional<Link> next();

 private:
    Statement rows_;
};

std::optional<Link> link_at(Database& database, std::uint64_t seq);
// The tip behind the last record before `seq`.
ChainTip tip_before(Database& database, std::uint64_t seq);

// Reads all records of the chain in their order, one at a time, and believes none that does not fit
// it: memory does not grow with the store.
class ChainReader {
 public:
    // Requires, until the last next(): a transaction is open, or nobody writes.
    ChainReader(Database& database, RecordReader::Replays replays);
    // Nothing after the last one. Throws: a record is damaged or missing.
    std::optional<StoredRecord> next();
    // Behind the record that next() returned last.
    const ChainTip& tip() const { return tip_; }

 private:
    RecordReader records_;
    RecordReader::Replays replays_;
    LinkCursor links_;
    RecordHasher digests_;
    base::Hasher hasher_;
    ChainTip tip_;
};

// Rows of any table that are no part of a record of the chain, and what is wrong with each. Throws.
void find_foreign_rows(Database& database,
                       const std::function<void(std::uint64_t seq, std::string what)>& on_found);
// Throws where there is one.
void check_no_foreign_rows(Database& database);

// One record with its replay, checked. Requires: its number is in the chain or in a table. Throws.
StoredRecord checked_record(Database& database, std::uint64_t seq);

// What is wrong with what was found of a record, beside its link and the tip before it; empty:
// nothing. `replays` tells whether it was read with its replay.
std::string fault_of(RecordHasher& digests, base::Hasher& hasher, const ChainTip& before,
                     const std::optional<StoredRecord>& stored, const Link& link,
                     RecordReader::Replays replays);

}  // namespace referee::store

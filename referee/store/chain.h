#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "protocol/base/bytes.h"
#include "referee/store/database.h"
#include "referee/store/record_tables.h"

// Every record has a link: a digest of the record and of the link before it. A record that has
// changed has another digest, and one that is missing, new or moved does not fit its neighbours.
// TABLES.md tells what is hashed.

namespace referee::store {

// What the chain knows of a record.
struct RecordDigest {
    base::Digest record{};  // of all its fields, with the digest of its replay as one of them
    std::optional<base::Digest> replay;  // of its long text, where its kind has one

    bool operator==(const RecordDigest&) const = default;
};

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

// Takes digests of records, of what the store keeps of each: a record that was read again has the
// same digest. All follows from the records' descriptions.
class ChainHasher {
 public:
    RecordDigest digest(const records::Record& record);
    // Of a record that was read without its replay, whose digest is known.
    RecordDigest digest(const records::Record& record, const std::optional<base::Digest>& replay);
    // The tip behind a record.
    ChainTip next_tip(const ChainTip& before, std::uint64_t seq, std::int64_t time_ms,
                      const RecordDigest& digest);

 private:
    base::Hasher hasher_;
    std::string text_;
};

// The tip of a chain without records. `origin` says in words how it began: "new".
ChainTip root_of(std::string_view origin);

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

// Writes records with their links. Requires: a transaction.
class ChainWriter {
 public:
    explicit ChainWriter(Database& database);
    // Returns the new tip, which the caller keeps if the transaction is committed; nothing where a
    // record with the same key is there already.
    std::optional<ChainTip> append(const ChainTip& before, std::uint64_t seq, std::int64_t time_ms,
                                   const records::Record& record);

 private:
    RecordWriter records_;
    ChainHasher hasher_;
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
    ChainHasher hasher_;
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
std::string fault_of(ChainHasher& hasher, const ChainTip& before,
                     const std::optional<StoredRecord>& stored, const Link& link,
                     RecordReader::Replays replays);

// Throws where the last records of the chain are not as they were written, and where the store ends
// before `told`, the last record that somebody was told of.
void check_end(Database& database);
void check_told(Database& database, const ChainTip& told);

}  // namespace referee::store

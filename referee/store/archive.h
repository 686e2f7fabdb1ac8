#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/store/chain.h"
#include "referee/store/database.h"
#include "referee/store/reader.h"
#include "referee/store/store.h"
#include "referee/store/store_error.h"

// A store as one portable text in NDJSON: a header, one line for each record in their order, an
// end. The same records give the same bytes, whenever and wherever they are exported. Each
// record has its link of the chain, and the last line a digest of all bytes before it: a bit that
// was flipped anywhere is noticed.

namespace referee::store {

class ArchiveWriter {
 public:
    // Writes the first line. The caller must check `out`, which outlives this.
    ArchiveWriter(std::ostream& out, const std::string& origin);
    void write(const StoredRecord& stored);
    // The last line.
    void end();
    std::uint64_t records() const { return records_; }

 private:
    void put(const std::string& text);

    std::ostream& out_;
    std::uint64_t records_ = 0;
    ChainTip tip_;
    ChainHasher hasher_;
    base::Hasher bytes_;
    std::string text_;
};

// Reads an archive line by line; the first mistake is thrown.
class ArchiveReader {
 public:
    // Reads the first line. `name` is the archive's, for messages.
    ArchiveReader(std::istream& in, std::string name);

    // How the chain began.
    const std::string& origin() const { return origin_; }
    // Nothing at the end of the archive.
    std::optional<StoredRecord> next();

    StoreFailure wrong_line(const std::string& what) const;
    std::uint64_t records() const { return records_; }

 private:
    void line(const char* expected);
    void end();

    std::istream& in_;
    std::string name_;
    std::string text_;
    protocol::json::Document document_;
    std::size_t number_ = 0;
    std::string origin_;
    std::uint64_t records_ = 0;
    ChainTip tip_;
    ChainHasher hasher_;
    base::Hasher bytes_;
};

// How many records were written or read.
using Archived = base::Result<std::uint64_t, StoreError>;

// The caller must check `out` to see whether everything was written.
Archived export_archive(StoreReader& store, std::ostream& out);

// What an archive of a damaged store has, and what it has not.
struct ProvenArchive {
    std::uint64_t records = 0;
    std::vector<std::string> left_out{};
};

// The archive of what a store's digests prove (proven.cpp), which may be damaged. Where
// nothing is left out, it is the same as that of the whole store.
base::Result<ProvenArchive, StoreError> export_proven(const std::string& path, std::ostream& out);

// Makes a new store at `path`, whole or not at all. `name` is the archive's, for messages:
// "friday.ndjson:7: seq: expected ...".
Archived import_archive(std::istream& in, const std::string& name, const std::string& path);

// ---- proven.cpp ----------------------------------------------------------------------------

// Reads the records of a store that may be damaged, in their order: those that their digests prove.
// A record whose link is damaged is proven by the next one. A game whose replay alone is damaged
// comes without it, and a record whose time alone is not proven with that of the record before.
//
// A tournament is the sum of its records, and only a beginning of them is a state that it was in.
// So where a record is lost, the later ones of all tournaments that it could belong to are left out
// too.
//
// Returns what is left out: "record 12 (game): it is another one than was written".
//
// `told`: the number of the last record that somebody was told of; 0: nobody knows. Never throws:
// what can't be read counts as damaged.
std::vector<std::string> read_proven(Database& database, std::uint64_t told,
                                     const OnRecord& on_record);

}  // namespace referee::store

#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/database/archive_lines.h"
#include "referee/store/database/proven_records.h"
#include "referee/store/database/store.h"

// A store as one portable text in NDJSON: a header, one line for each record in their order, an
// end. The same records give the same bytes, whenever and wherever they are exported.

namespace referee::store {

// How many records were written or read.
using Archived = base::Result<std::uint64_t, StoreError>;

// The caller must check `out` to see whether everything was written.
Archived export_archive(StoreReader& store, std::ostream& out);

// What an archive of a damaged store has, and what it has not.
struct ProvenArchive {
    std::uint64_t records = 0;
    std::vector<LeftOut> left_out{};
};

// The archive of what a store's digests prove (proven_records.h), which may be damaged. Where
// nothing is left out, it is the same as that of the whole store.
base::Result<ProvenArchive, StoreError> export_proven(const std::string& path, std::ostream& out);

// Puts all records of an archive into a store that has none, and takes over its chain. Requires:
// the header was read. Throws DatabaseError.
base::Result<void, StoreError> fill(Database& database, RecordArchiveReader& reader);

// Makes a new store at `path`, whole or not at all. `name` is the archive's, for messages:
// "friday.ndjson:7: seq: expected ...".
Archived import_archive(std::istream& in, const std::string& name, const std::string& path);

}  // namespace referee::store

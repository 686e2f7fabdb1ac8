#pragma once

#include <iosfwd>
#include <string>
#include <variant>

#include "referee/memory/store/store.h"

// A store as one portable text, NDJSON: a header, a line a record in their order, an end. The same
// records give the same bytes, whenever and wherever they are exported.

namespace referee::store {

// How many records were written or read.
using Archived = std::variant<std::uint64_t, StoreError>;

// Whether all went out is for the caller to ask of `out`.
Archived export_archive(StoreReader& store, std::ostream& out);

// Makes a new store at `path`, whole or not at all. `name` is the archive's, for messages:
// "friday.ndjson:7: seq: expected ...".
Archived import_archive(std::istream& in, const std::string& name, const std::string& path);

}  // namespace referee::store

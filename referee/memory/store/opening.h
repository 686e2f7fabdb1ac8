#pragma once

#include <string>
#include <variant>

#include "referee/memory/store/database.h"
#include "referee/memory/store/store_error.h"

// Opening the file, and saying in words why it can't be.

namespace referee::store {

enum class Making : std::uint8_t { never, where_missing, always };

using OpenedDatabase = std::variant<Database, StoreError>;

// Made or migrated as needed, and all that can be read of it is safe from a power cut. Requires:
// the store's lock, unless `vfs` (whose files are its own affair) is given.
OpenedDatabase open_to_write(const std::string& path, Making making, const std::string& vfs,
                             std::int64_t now_ms);

// Beside whoever writes.
OpenedDatabase open_to_read(const std::string& path, const std::string& vfs);

StoreError told(const DatabaseError& error, const std::string& path);

}  // namespace referee::store

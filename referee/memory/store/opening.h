#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/memory/store/database.h"
#include "referee/memory/store/store_error.h"

// Opens the file, or says in words why it can't be opened.

namespace referee::store {

enum class Making : std::uint8_t { never, where_missing, always };

using OpenedDatabase = base::Result<Database, StoreError>;

// Makes or migrates the store as needed; all that can be read afterwards is safe from a power cut.
// Requires: the store's lock, unless `vfs` is given, which looks after its own files.
OpenedDatabase open_to_write(const std::string& path, Making making, const std::string& vfs,
                             std::int64_t now_ms);

// Reads while another process may write.
OpenedDatabase open_to_read(const std::string& path, const std::string& vfs);

StoreError told(const DatabaseError& error, const std::string& path);

}  // namespace referee::store

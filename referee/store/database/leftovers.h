#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/database/store_error.h"

namespace referee::store {

// Files of a store that lie beside its name, where the store's own file is gone. SQLite would take
// them up as those of a new store of that name.
class Leftovers {
 public:
    // Nothing where the name is free, or where all that lies there is what a kill leaves of a
    // making that had told nothing yet.
    static std::optional<Leftovers> beside(const std::string& path);

    // "out/referee.db-wal (1153632 bytes) and out/referee.db.head are there; the latter says that
    // record 107 had been written and told".
    std::string describe() const;

 private:
    std::vector<std::string> files_;
    std::string told_;
};

// Why there is no store at `path`: it never was there, or it is gone from among its files.
StoreError no_store(const std::string& path);

// A failure where a store that is made at `path` would take up what lies beside it.
base::Result<void, StoreError> check_alone(const std::string& path);

}  // namespace referee::store

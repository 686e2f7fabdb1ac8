#pragma once

#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/memory/store/store_error.h"
#include "referee/office/hall/entering.h"
#include "referee/office/hall/hall.h"

// The Hall of Fame in its file, which is a store. What is changed is changed wholly or not at all.

namespace referee::hall {

inline constexpr std::string_view default_name = "hall-of-fame.db";

// The file itself, or the one in a folder of that name.
std::string file_of(const std::string& file_or_folder);

base::Result<Hall, store::StoreError> read_hall(const std::string& file);

struct Joining {
    std::vector<Candidate> candidates;
    std::string semester;
    std::int64_t bar = 0;  // in thousandths
};
// Enters whoever may, in the order in which they are given; makes the file where it is missing.
// What became of each.
base::Result<std::vector<Entering>, store::StoreError> join(const std::string& file,
                                                            const Joining& joining,
                                                            std::int64_t now_ms);

// Takes a name out of the tables that the filter leaves. Returns of how many.
base::Result<std::size_t, store::StoreError> remove(const std::string& file,
                                                    const std::string& name, const Filter& filter,
                                                    std::int64_t now_ms);

// Puts a pseudonym in the name's place, in what was removed too; its ranks stay. Refused
// where the store has games of the name, whose files `referee forget` minds too. Returns the
// pseudonym; empty: nobody of that name was ever there.
base::Result<std::string, store::StoreError> forget(const std::string& file,
                                                    const std::string& name);

}  // namespace referee::hall

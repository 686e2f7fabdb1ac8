#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/records/forget_in_record.h"
#include "referee/store/store_error.h"

// Takes a bot's name out of a store. A store only adds rows, so a new one is made of the old one's
// records, as referee/store/records/forget_in_record.h rewrites them, and takes its place.

namespace referee::store {

// What a store has of a bot.
struct Mentions {
    std::vector<std::string> known;      // the names of all bots, in their order
    std::vector<std::string> under_way;  // tournaments that it is in and that are not over
    std::uint64_t games = 0;             // plays that ended, in which it had a seat
    std::uint64_t records = 0;           // in which it stands as a bot
};
// Reads all records; somebody may write the store meanwhile.
base::Result<Mentions, StoreError> mentions_of(const std::string& path, const std::string& bot);

struct Rewritten {
    std::uint64_t records = 0;
    std::uint64_t replays_lost = 0;  // they could not be read
};

// How the chain of a store begins that was rewritten.
inline constexpr std::string_view origin_of_rewritten =
    "rewritten when a bot was forgotten, and counted anew";

// Is called now and then with the number of records that are rewritten.
using OnRewritten = std::function<void(std::uint64_t records)>;

// Makes the new store beside the old one, looks at all of it, and puts it in the old one's place.
// Killed at any moment, it leaves the old store or the new one, whole. Requires: the store's lock
// (of file_of_store), and no reader.
base::Result<Rewritten, StoreError> rewrite_without(const std::string& path,
                                                    const records::Forgetting& forgetting,
                                                    const OnRewritten& on_rewritten);

}  // namespace referee::store

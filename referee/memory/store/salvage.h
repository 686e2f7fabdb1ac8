#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/memory/store/archive_lines.h"
#include "referee/memory/store/store_error.h"

// Makes a new store of what can be saved of a damaged one, with the help of an archive and of the
// files of replays. The damaged store is only read.

namespace referee::store {

// A replay by its digest; nothing where there is none.
using ReplayByDigest = std::function<std::optional<std::string>(const Digest& digest)>;

struct SalvageSources {
    std::string store;                // the damaged one
    std::istream* archive = nullptr;  // none: null
    std::string archive_name{};       // for messages
    ReplayByDigest replay{};          // none: empty
};

// What became of a record that was not simply read.
struct Loss {
    std::uint64_t seq = 0;
    std::string what;  // "a game", and why it is not there
};

struct Salvage {
    std::uint64_t from_store = 0;    // records that were read as they were written
    std::uint64_t from_archive = 0;  // that only the archive had as they were written
    std::uint64_t from_replays = 0;  // games that were told by their replays
    std::uint64_t replays_lost = 0;  // games whose result is there and whose replay is not
    std::uint64_t times_lost = 0;    // records that have the time of the one before them
    std::string mended{};      // why it was read from a copy that was set right; empty: it was not
    std::string unreadable{};  // why nothing of the damaged store could be read; empty: it could
    // Records that are not in the new store: those that nobody has, and those that follow them in
    // a tournament that was under way. In their order.
    std::vector<Loss> lost{};
    std::uint64_t records() const { return from_store + from_archive + from_replays; }
};

// Makes the new store at `path`, whole or not at all. What it holds of a tournament is all of it,
// or a beginning of it: a tournament that was under way where a record is lost ends there.
base::Result<Salvage, StoreError> salvage(const SalvageSources& sources, const std::string& path);

}  // namespace referee::store

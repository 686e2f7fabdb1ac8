#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "referee/record/result.h"

// The seam through which all that must not be lost is written down.

namespace referee::journal {

// A bot takes part in a tournament.
struct EntryRecord {
    std::string tournament;
    std::string bot;
};

// A match was drawn. Seats by the names of the bots; a bye has one.
struct PairingRecord {
    std::string tournament;
    std::uint64_t match = 0;  // 0 for a bye
    std::uint32_t round = 1;
    std::vector<std::string> bots;
};

// A play of a game has ended, in whatever way; the replay tells it from the start.
struct GameRecord {
    GameResult result;
    std::string replay;  // NDJSON
};

// A tournament, or the whole run, has reached its end.
struct FinishRecord {
    std::string tournament;
};

using Record = std::variant<EntryRecord, PairingRecord, GameRecord, FinishRecord>;

// Why nothing can be written down any more ("disk full: ..."): games must stop.
struct JournalFailure {
    std::string message;
};

// Writes records down for good. Idempotent: a game's (tournament, match, number, attempt), an
// entry and a pairing that stand there already are not written twice. `on_committed` is called on
// the loop's thread, in the order of the calls and never from inside append(), once the records
// would survive a power cut, or with the failure; after a failure everything fails. What is told to
// anybody is told after that.
class Journal {
 public:
    using OnCommitted = std::function<void(const std::optional<JournalFailure>& failure)>;

    virtual ~Journal() = default;
    virtual void append(std::vector<Record> records, OnCommitted on_committed) = 0;
};

}  // namespace referee::journal

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/records/records.h"

// Through this interface all is written down that must not be lost.

namespace referee::records {

// Why nothing can be written down any more ("can't sync: ..."). Games must stop.
struct JournalFailure {
    std::string message;
};

using Committed = base::Result<void, JournalFailure>;

// Trouble that may pass: the journal is not well, but has not failed either.
struct JournalTrouble {
    // Empty: all is well. Otherwise why nothing can be committed at present, and what to do about
    // it ("disk full: ..."). What was appended waits; it is lost only if the process ends.
    std::string trouble;
};

// Writes records down for good. Where a record has a key, writing is idempotent: an opening, a
// pairing, a start or a game (tournament, match, number, attempt) that is there already is not
// written twice. `on_committed` is called once the records would survive a power cut, or with the
// failure: on the loop's thread, in the order of the calls, never from inside append(). After a
// failure everything fails. Whatever anybody is told is told only after that call.
class Journal {
 public:
    using OnCommitted = std::function<void(const Committed& committed)>;
    using OnTrouble = std::function<void(const JournalTrouble& told)>;

    virtual ~Journal() = default;
    virtual void append(std::vector<Record> records, OnCommitted on_committed) = 0;
    // Called on the loop's thread whenever the trouble changes. A journal that can't wait never
    // calls it.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): a journal that tells keeps it.
    virtual void watch(OnTrouble on_trouble) { static_cast<void>(on_trouble); }
};

}  // namespace referee::records

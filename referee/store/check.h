#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/chain.h"

namespace referee::store {

// Something in a store that is not as it was written.
struct Damage {
    // The record; 0: of the file as a whole.
    std::uint64_t seq = 0;
    // Whether what counts is touched; a replay only tells how a result came about.
    bool counts = true;
    std::string what;  // "record 12 (game) is another one than was written"
};

// Looks at every record of a store with its replay, at its links, and at the file itself, and goes
// on where something is damaged. A part at a time: between the parts others may use the connection.
class Audit {
 public:
    // `whole_file`: also has SQLite look at every page, which can't be done in parts.
    enum class Depth : std::uint8_t { records_and_keys, whole_file };

    // Looks up to that record; nothing: as far as the chain goes now.
    Audit(Database& database, Depth depth, std::optional<std::uint64_t> last = {});

    // Looks at about so many records, or at one table. Throws where the machine refuses to read;
    // damage is no error.
    void go_on(std::size_t records);
    bool is_over() const { return phase_ == Phase::over; }

    std::uint64_t records() const { return records_; }  // that were looked at
    std::uint64_t replays() const { return replays_; }
    std::uint64_t replays_dropped() const { return replays_dropped_; }  // of them
    std::uint64_t records_in_all() const { return records_in_all_; }
    const ChainTip& tip() const { return tip_; }
    // In the order in which they were found; no more than limits::damages_kept_max.
    const std::vector<Damage>& damages() const { return damages_; }
    std::uint64_t damages_total() const { return damages_total_; }

 private:
    enum class Phase : std::uint8_t { links, tables, over };

    void look_at_links(std::size_t records);
    void look_at(const Link& link, RecordReader& lookup);
    void look_at_table();
    void look_at_file();
    void find(std::uint64_t seq, bool counts, std::string what);
    // What the check of SQLite says of a table, or of all.
    void integrity(const std::string& of);

    Database& database_;
    Depth depth_;
    Phase phase_ = Phase::links;
    ChainTip tip_;
    std::uint64_t end_ = 0;
    std::uint64_t records_in_all_ = 0;
    std::uint64_t records_ = 0;
    std::uint64_t replays_ = 0;
    std::uint64_t replays_dropped_ = 0;
    std::size_t table_ = 0;
    std::vector<Damage> damages_;
    std::uint64_t damages_total_ = 0;
    RecordHasher digests_;
    Hasher hasher_;
};

// A failure in words where the last records of the chain are not as they were written, and where
// the store ends before `told`, the last record that somebody was told of. Throws.
void check_end(Database& database);
void check_told(Database& database, const ChainTip& told);

// How far the check of all records is, that runs beside the games.
struct StoreCheck {
    std::uint64_t records = 0;  // that were looked at, of so many
    std::uint64_t records_in_all = 0;
    bool is_over = false;
    std::vector<Damage> damages{};  // as far as they are kept
    std::uint64_t damages_total = 0;
};
// "whole, 52 of 52 records of earlier runs".
std::string describe(const StoreCheck& check);

// Looks at all records of a store that is in use, a part at a time.
class BackgroundCheck {
 public:
    // Looks up to that record.
    BackgroundCheck(Database& database, std::uint64_t last)
        : audit_(database, Audit::Depth::records_and_keys, last) {}

    // The next part. Returns what is worth telling: a damage, the end, and now and then how far it
    // is. A disk that refuses to read is told as a damage.
    std::optional<StoreCheck> go_on();
    bool is_over() const { return is_over_ || audit_.is_over(); }
    // The first one.
    std::optional<Damage> damage_that_counts() const;

 private:
    Audit audit_;
    std::optional<Damage> refusal_;
    bool is_over_ = false;
    std::uint64_t damages_told_ = 0;
    std::uint64_t records_told_ = 0;
};

// What is looked at of a store beside all of its records, tables and pages.
struct VerifyTask {
    std::string store;
    std::string games;        // the folder of the files of games; empty: they are not looked at
    bool plays_again = true;  // each game, to see whether its result follows from its replay
};

// What was looked at, and what was found.
struct Verified {
    std::string origin;  // of the chain
    std::uint64_t records = 0;
    std::uint64_t replays = 0;
    std::uint64_t replays_dropped = 0;
    std::uint64_t played_again = 0;
    std::uint64_t files = 0;
    std::uint64_t files_missing = 0;
    std::vector<Damage> damages;  // as far as they are kept
    std::uint64_t damages_total = 0;
    std::vector<std::string> notes;  // what is no damage, and worth a line
    std::string remedy;

    bool whole() const { return damages_total == 0; }
};

// Writes nothing, and the store may be in use. `on_progress` is told now and then how far it is. A
// failure where the store can't be looked at.
base::Result<Verified, StoreError> verify_store(
    const VerifyTask& task, const std::function<void(const std::string&)>& on_progress);

}  // namespace referee::store

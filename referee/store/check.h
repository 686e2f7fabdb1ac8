#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/chain.h"
#include "referee/store/store_error.h"

namespace referee::store {

// All records are looked at beside the games, so many at a time, with a pause between: less than
// half a core, and a commit waits for no more than some milliseconds.
inline constexpr std::size_t records_checked_at_once = 32;
// After so many further ones it is told how far the check is.
inline constexpr std::uint64_t records_between_check_news = 2000;

// Something in a store that is not as it was written.
struct Damage {
    // The record; 0: of the file as a whole.
    std::uint64_t seq = 0;
    // Whether what counts is touched; a replay only tells how a result came about.
    bool counts = true;
    std::string what;  // "record 12 (game) is another one than was written"
    // What to do where the file itself is whole; empty: as remedy_of_damage() says.
    std::string remedy{};
};

// What a check has seen of a store up to now.
struct StoreCheck {
    std::uint64_t records = 0;  // that were looked at, of so many
    std::uint64_t records_in_all = 0;
    bool is_over = false;
    std::vector<Damage>
        damages{};  // in the order in which they were found, as far as they are kept
    std::uint64_t damages_total = 0;
    std::uint64_t replays = 0;          // that were looked at
    std::uint64_t replays_dropped = 0;  // of them

    void add(Damage damage);
};
// "whole, 52 of 52 records of earlier runs".
std::string describe(const StoreCheck& check);

// Looks at every record of a store with its replay, at its links, and at the file itself, and goes
// on where something is damaged. A part at a time: between the parts others may use the connection.
class RecordCheck {
 public:
    // `whole_file`: also has SQLite look at every page, which can't be done in parts.
    enum class Depth : std::uint8_t { records_and_keys, whole_file };

    // Looks up to that record; nothing: as far as the chain goes now.
    RecordCheck(Database& database, Depth depth, std::optional<std::uint64_t> last = {});

    // Looks at about so many records, or at one table. Throws where the machine refuses to read;
    // damage is no error.
    void go_on(std::size_t records);
    // The same in a store that is in use. Returns what is worth telling: a damage, the end, and now
    // and then how far it is. A disk that refuses to read is told as a damage.
    std::optional<StoreCheck> go_on_in_use();

    bool is_over() const { return seen_.is_over; }
    const StoreCheck& seen() const { return seen_; }
    const ChainTip& tip() const { return tip_; }
    // The first one.
    std::optional<Damage> damage_that_counts() const;

 private:
    void check_links(std::size_t records);
    void check_record(const Link& link, RecordReader& lookup);
    // What is wrong with its record; empty: nothing.
    std::string fault_at(const Link& link, RecordReader& lookup, RecordReader::Replays replays);
    void check_table();
    void check_file();
    // What the check of SQLite says of a table, or of all.
    void ask_sqlite(const std::string& of);

    Database& database_;
    Depth depth_;
    StoreCheck seen_;
    ChainTip tip_;
    std::uint64_t end_ = 0;
    bool links_are_over_ = false;
    std::size_t table_ = 0;
    std::uint64_t damages_told_ = 0;
    std::uint64_t records_told_ = 0;
    ChainHasher hasher_;
};

// ---- verify.cpp ----------------------------------------------------------------------------

// What is looked at of a store beside all of its records, tables and pages.
struct VerifyTask {
    std::string store;
    std::string games;        // the folder of the files of games; empty: they are not looked at
    bool plays_again = true;  // each game, to see whether its result follows from its replay
};

// What was looked at, and what was found.
struct Verified : StoreCheck {
    std::string origin;  // of the chain
    std::uint64_t played_again = 0;
    std::uint64_t files = 0;
    std::uint64_t files_missing = 0;
    std::vector<std::string> notes;  // what is no damage, and worth a line
    std::string remedy;

    bool whole() const { return damages_total == 0; }
};

// Writes nothing, and the store may be in use. `on_progress` is told now and then how far it is. A
// failure where the store can't be looked at.
base::Result<Verified, StoreError> verify_store(
    const VerifyTask& task, const std::function<void(const std::string&)>& on_progress);

}  // namespace referee::store

#pragma once

#include <optional>
#include <string>

#include "referee/store/database/audit.h"

namespace referee::store {

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
    // Looks as far as the chain goes now.
    explicit BackgroundCheck(Database& database)
        : audit_(database, Audit::Depth::records_and_keys) {}

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

}  // namespace referee::store

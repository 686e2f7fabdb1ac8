#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/store/records/journal.h"

namespace referee::tournament {

// How a name stands that was given a token after the config was written. It is the first word of
// TokenRecord::origin; behind it stands from where the name was registered, where that is known
// ("waiting 192.0.2.7"). So the last record of a name tells all about it.
enum class Standing : std::uint8_t {
    registered,  // by whoever came first with the class password
    waiting,     // the same, where the instructor approves names
    approved,
    refused,
    given,  // its token was made by the instructor
};
// "registered", "waiting", "approved", "refused", "ctl".
std::string_view name_of(Standing standing);
// As TokenRecord::origin has it. `from` may be empty.
std::string origin_of(Standing standing, const std::string& from);

// The names that were given tokens, as the records tell. Tokens are known by their hashes.
class RegisteredNames {
 public:
    struct Name {
        std::string hash;
        Standing standing = Standing::registered;
        std::string from;  // the address; empty where the records don't tell
    };
    using Names = std::map<std::string, Name, std::less<>>;

    // A record of a former run, or one that has been written. A record without a hash takes the
    // name back.
    void know(const records::TokenRecord& record);
    // Null where the name has no token.
    const Name* find(std::string_view name) const;
    // The record that makes a name stand so; nothing where it has no token.
    std::optional<records::TokenRecord> judged(std::string_view name, Standing standing) const;

    const Names& all() const { return names_; }
    // Names that were registered and not refused: those that count for the total.
    std::size_t counted() const { return counted_; }

 private:
    Names names_;
    std::size_t counted_ = 0;
};

}  // namespace referee::tournament

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "referee/game/clock/time.h"

namespace referee::tournament {

// Whom an address belongs to, as far as a rate goes: an IPv4 address itself, the first 64 bits of
// an IPv6 address, because one person has all that begin with them. Other texts are kept as they
// are.
std::string holder_of(const std::string& address);

// How many names were registered from each address within the last hour.
class RegistrationRate {
 public:
    void note(const std::string& address, Instant now);
    // How long the address waits before it may register another name, where one may register
    // `per_hour`; zero: it may now. Requires: per_hour > 0.
    Duration wait(const std::string& address, Instant now, std::uint32_t per_hour) const;

 private:
    std::map<std::string, std::deque<Instant>> times_;  // of the last hour, by holder
};

}  // namespace referee::tournament

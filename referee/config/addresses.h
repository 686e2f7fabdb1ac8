#pragma once

#include <cstdint>
#include <string>

// What a config says of addresses to listen on.

namespace referee::config {

inline constexpr std::int64_t port_max = 65535;

// Whether nobody but this machine's programs reaches that address. What is no address is told where
// it is listened on.
bool is_loopback(const std::string& address);
// Whether it is an IP address.
bool may_listen_on(const std::string& address);

}  // namespace referee::config

#pragma once

#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace protocol {

// Where a referee listens: "lab-server:7777" for plain TCP, "[::1]:7777" with an IPv6 address, and
// "tls://lab-server:7778#sha256=2f0c..." for TLS. The fingerprint is that of the certificate which
// must be found there. Without one the certificate must be good by the machine's own authorities.
struct ServerAddress {
    std::string host;  // without brackets
    std::string port;
    bool tls = false;
    std::string fingerprint;  // 64 small hexadecimal digits, or empty

    bool operator==(const ServerAddress&) const = default;
};

// An error says what was expected, with an example. Fingerprints may also be written in capitals
// and with colons between the bytes, as other programs print them.
base::Result<ServerAddress, std::string> read_address(std::string_view text);

// As read_address() reads it.
std::string to_text(const ServerAddress& address);
// Of that only "lab-server:7777", "[::1]:7777".
std::string host_and_port(const ServerAddress& address);

// Whether it is an IP address of this machine alone: ::1, or one in 127.0.0.0/8, also as IPv6
// writes it (::ffff:127.0.0.1). A name isn't.
bool is_loopback(const std::string& ip_address);

}  // namespace protocol

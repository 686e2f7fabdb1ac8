#include "protocol/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstdint>

#include "protocol/base/text.h"

namespace protocol {
namespace {

constexpr std::string_view scheme = "tls://";
constexpr std::string_view fingerprint_mark = "#sha256=";
constexpr std::size_t fingerprint_digits = 64;

// In small digits without colons; whatever is no digit stays and is found out later.
std::string plain_digits(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        if (c == ':') continue;
        digits += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return digits;
}

bool is_host(std::string_view text) {
    return !text.empty() && text.find_first_of("/@ \t") == std::string_view::npos;
}

}  // namespace

base::Result<ServerAddress, std::string> read_address(std::string_view text) {
    ServerAddress address;
    auto rest = text;
    address.tls = rest.starts_with(scheme);
    if (address.tls) rest.remove_prefix(scheme.size());
    if (const auto mark = rest.find('#'); mark != std::string_view::npos) {
        const auto tail = rest.substr(mark);
        rest = rest.substr(0, mark);
        if (!address.tls)
            return base::failure("only TLS has a fingerprint; expected " + std::string(scheme) +
                                 std::string(text) + ", found " + base::quoted(text));
        address.fingerprint = plain_digits(
            tail.starts_with(fingerprint_mark) ? tail.substr(fingerprint_mark.size()) : tail);
        if (!tail.starts_with(fingerprint_mark) ||
            !base::is_hex(address.fingerprint, fingerprint_digits))
            return base::failure("expected a fingerprint of " + std::to_string(fingerprint_digits) +
                                 " hexadecimal digits behind " + std::string(fingerprint_mark) +
                                 ", as the referee prints it, found " + base::quoted(tail));
    }
    const auto colon = rest.rfind(':');
    auto host = rest.substr(0, colon == std::string_view::npos ? 0 : colon);
    const auto port = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (!is_host(host) || base::whole_number<std::uint16_t>(port).value_or(0) == 0)
        return base::failure(
            "expected an address such as localhost:7777 or "
            "tls://localhost:7778#sha256=FINGERPRINT, found " +
            base::quoted(text));
    address.host = host;
    address.port = port;
    return address;
}

std::string host_and_port(const ServerAddress& address) {
    const bool in_brackets = address.host.find(':') != std::string::npos;
    return (in_brackets ? "[" + address.host + "]" : address.host) + ":" + address.port;
}

std::string to_text(const ServerAddress& address) {
    auto text = (address.tls ? std::string(scheme) : std::string()) + host_and_port(address);
    if (!address.fingerprint.empty()) text += std::string(fingerprint_mark) + address.fingerprint;
    return text;
}

bool is_loopback(const std::string& ip_address) {
    constexpr std::size_t v4_at = 12;  // of the bytes
    constexpr std::uint8_t network = 127;
    auto text = ip_address;
    if (text.find(':') == std::string::npos) text.insert(0, "::ffff:");
    in6_addr v6{};
    if (inet_pton(AF_INET6, text.c_str(), &v6) != 1) return false;
    return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[v4_at] == network);
}

}  // namespace protocol

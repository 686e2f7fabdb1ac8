#include "referee/net/lobby/address_network.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

namespace referee::lobby {

std::string network_of(std::string_view address) {
    namespace ip = boost::asio::ip;
    constexpr std::size_t network_bytes = 8;  // of an IPv6 address
    boost::system::error_code error;
    const auto parsed = ip::make_address(std::string(address), error);
    if (error || parsed.is_v4()) return std::string(address);
    const auto v6 = parsed.to_v6();
    if (v6.is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, v6).to_string();
    auto bytes = v6.to_bytes();
    std::fill(bytes.begin() + network_bytes, bytes.end(), static_cast<unsigned char>(0));
    return ip::address_v6(bytes).to_string() + "/64";
}

}  // namespace referee::lobby

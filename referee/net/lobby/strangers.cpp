#include "referee/net/lobby/strangers.h"

#include <boost/asio/ip/address.hpp>
#include <utility>

#include "protocol/base/assertion.h"

namespace referee::lobby {

std::size_t Strangers::size(std::string_view network) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(all_, [&](const auto& one) { return one.is_of(network); }));
}

std::size_t Strangers::held(std::string_view network) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        all_, [&](const auto& one) { return one.held && one.is_of(network); }));
}

session::Session& Strangers::first_to_go(std::string_view network) const {
    const auto first = std::ranges::min_element(
        all_, {}, [&](const auto& one) { return std::pair(!one.is_of(network), one.held); });
    REFEREE_ASSERT(first != all_.end() && first->is_of(network));
    return *first->session;
}

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

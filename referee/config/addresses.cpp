#include "referee/config/addresses.h"

#include <boost/asio/ip/address.hpp>

namespace referee::config {

bool is_loopback(const std::string& address) {
    boost::system::error_code error;
    const auto parsed = boost::asio::ip::make_address(address, error);
    return !error && parsed.is_loopback();
}

bool may_listen_on(const std::string& address) {
    boost::system::error_code error;
    boost::asio::ip::make_address(address, error);
    return !error;
}

}  // namespace referee::config

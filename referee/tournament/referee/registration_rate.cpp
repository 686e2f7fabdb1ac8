#include "referee/tournament/referee/registration_rate.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v6.hpp>

namespace referee::tournament {
namespace {

constexpr Duration window = std::chrono::hours(1);
// What a provider gives one customer, at least.
constexpr unsigned short v6_bits = 64;

}  // namespace

std::string holder_of(const std::string& address) {
    namespace ip = boost::asio::ip;
    boost::system::error_code error;
    const auto read = ip::make_address(address, error);
    if (error || read.is_v4()) return address;
    if (read.to_v6().is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, read.to_v6()).to_string();
    auto bytes = read.to_v6().to_bytes();
    std::fill(bytes.begin() + v6_bits / 8, bytes.end(), std::uint8_t{0});
    return ip::network_v6(ip::make_address_v6(bytes), v6_bits).to_string();
}

void RegistrationRate::note(const std::string& address, Instant now) {
    times_[holder_of(address)].push_back(now);
    // Whoever has come lately stays; so the map is never longer than the names of an hour.
    for (auto it = times_.begin(); it != times_.end();) {
        auto& times = it->second;
        while (!times.empty() && times.front() + window <= now) times.pop_front();
        it = times.empty() ? times_.erase(it) : std::next(it);
    }
}

Duration RegistrationRate::wait(const std::string& address, Instant now,
                                std::uint32_t per_hour) const {
    const auto found = times_.find(holder_of(address));
    if (found == times_.end() || found->second.size() < per_hour) return Duration::zero();
    // The first of the last `per_hour` must be an hour back.
    const auto& times = found->second;
    const auto free_at = times[times.size() - per_hour] + window;
    return std::max(Duration::zero(), free_at - now);
}

}  // namespace referee::tournament

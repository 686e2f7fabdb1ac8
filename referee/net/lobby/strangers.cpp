#include "referee/net/lobby/strangers.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

#include "protocol/base/assertion.h"

namespace referee::lobby {

void Strangers::add(session::Session& session, const std::string& network) {
    const auto order = ++last_;
    const bool is_new = orders_.emplace(&session, order).second;
    REFEREE_ASSERT(is_new);
    strangers_.emplace(order, Stranger{&session, network});
    all_.free.insert(order);
    networks_[network].free.insert(order);
}

void Strangers::remove(const session::Session& session) {
    const auto found = orders_.find(&session);
    if (found == orders_.end()) return;
    const auto order = found->second;
    const auto stranger = strangers_.find(order);
    const auto network = networks_.find(stranger->second.network);
    for (auto* queue : {&all_, &network->second}) {
        queue->free.erase(order);
        queue->held.erase(order);
    }
    if (network->second.free.empty() && network->second.held.empty()) networks_.erase(network);
    strangers_.erase(stranger);
    orders_.erase(found);
}

void Strangers::hold(const session::Session& session) {
    const auto found = orders_.find(&session);
    if (found == orders_.end()) return;
    const auto order = found->second;
    for (auto* queue : {&all_, &networks_[strangers_.at(order).network]}) {
        queue->free.erase(order);
        queue->held.insert(order);
    }
}

std::size_t Strangers::size(const std::string& network) const {
    const auto found = networks_.find(network);
    return found == networks_.end() ? 0 : found->second.free.size() + found->second.held.size();
}

std::size_t Strangers::held(const std::string& network) const {
    const auto found = networks_.find(network);
    return found == networks_.end() ? 0 : found->second.held.size();
}

session::Session& Strangers::first_to_go() const {
    return first_of(all_);
}

session::Session& Strangers::first_to_go(const std::string& network) const {
    return first_of(networks_.at(network));
}

session::Session& Strangers::first_of(const Queue& queue) const {
    const auto& from = queue.free.empty() ? queue.held : queue.free;
    REFEREE_ASSERT(!from.empty());
    return *strangers_.at(*from.begin()).session;
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

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "referee/net/session/session.h"

namespace referee::lobby {

// The connections that have not logged in, by age and network, and who of them has to go where
// there is no room for another one: the oldest, because an honest bot says its login as soon as it
// is greeted. Nobody stays longer for having said something: then a flood of connections that say
// one byte each would outlive honest bots that have just come. But who has said a whole login, and
// waits for the answer, is held: it goes only where all others are held too. How many may be held
// is for the lobby to bound.
class Strangers {
 public:
    void add(session::Session& session, const std::string& network);
    // Nothing happens where it is none.
    void remove(const session::Session& session);
    void hold(const session::Session& session);

    std::size_t size() const { return orders_.size(); }
    std::size_t held() const { return all_.held.size(); }
    std::size_t size(const std::string& network) const;
    std::size_t held(const std::string& network) const;
    // Requires: there is one.
    session::Session& first_to_go() const;
    session::Session& first_to_go(const std::string& network) const;

 private:
    struct Stranger {
        session::Session* session = nullptr;
        std::string network;
    };
    // Of all, or of a network: the orders in which they came.
    struct Queue {
        std::set<std::uint64_t> free;
        std::set<std::uint64_t> held;
    };
    session::Session& first_of(const Queue& queue) const;

    std::uint64_t last_ = 0;
    std::map<std::uint64_t, Stranger> strangers_;
    std::unordered_map<const session::Session*, std::uint64_t> orders_;
    Queue all_;
    std::map<std::string, Queue> networks_;
};

// Whom an address is counted with where connections and wrong tries are counted: IPv4 alone
// ("10.1.2.3", also where it is mapped into IPv6), IPv6 with its whole /64 ("2001:db8:0:1::/64"),
// because any host there may take as many addresses as it likes. Any other text alone.
std::string network_of(std::string_view address);

}  // namespace referee::lobby

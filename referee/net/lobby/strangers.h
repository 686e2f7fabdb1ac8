#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "referee/net/session/session.h"

namespace referee::lobby {

// The connections that have not logged in, by age and network, and who of them has to go where
// there is no room for another one: the oldest, because an honest bot says its login as soon as it
// is greeted. Nobody stays longer for having said something: then a flood of connections that say
// one byte each would outlive honest bots that have just come. But who has said a whole login, and
// waits for the answer, is held: it goes only where all others are held too. How many may be held
// is for the lobby to bound. They are few (LobbyLimits::strangers_max), so each question looks at
// all of them. A network is as network_of() says; an empty one stands for all.
class Strangers {
 public:
    void add(session::Session& session, const std::string& network) {
        all_.push_back({&session, network});
    }
    // Nothing happens where it is none.
    void remove(const session::Session& session) {
        std::erase_if(all_, [&](const auto& one) { return one.session == &session; });
    }
    void hold(const session::Session& session) {
        for (auto& one : all_) one.held |= one.session == &session;
    }

    std::size_t size(std::string_view network = {}) const;
    std::size_t held(std::string_view network = {}) const;
    // Requires: there is one.
    session::Session& first_to_go(std::string_view network = {}) const;

 private:
    struct Stranger {
        session::Session* session = nullptr;
        std::string network;
        bool held = false;
        bool is_of(std::string_view its) const { return its.empty() || its == network; }
    };
    std::vector<Stranger> all_;  // the oldest in front
};

// Whom an address is counted with where connections and wrong tries are counted: IPv4 alone
// ("10.1.2.3", also where it is mapped into IPv6), IPv6 with its whole /64 ("2001:db8:0:1::/64"),
// because any host there may take as many addresses as it likes. Any other text alone.
std::string network_of(std::string_view address);

}  // namespace referee::lobby

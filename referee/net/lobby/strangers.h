#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/assertion.h"
#include "referee/net/session/session.h"

namespace referee::lobby {

// The connections that have not logged in, by age and network, and who of them has to go where
// there is no room for another one: the oldest, because an honest bot says its login as soon as it
// is greeted. Nobody stays longer for having said something: then a flood of connections that say
// one byte each would outlive honest bots that have just come. But who has said a whole login, and
// waits for the answer, is held: it goes only where all others are held too. How many may be held
// is for the lobby to bound. They are few (ConnectionLimits::strangers_max), so each question looks
// at all of them. A network is as network_of() says; an empty one stands for all.
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

    std::size_t size(std::string_view network = {}) const {
        return count([&](const auto& one) { return one.is_of(network); });
    }
    std::size_t held(std::string_view network = {}) const {
        return count([&](const auto& one) { return one.held && one.is_of(network); });
    }
    // Requires: there is one.
    session::Session& first_to_go(std::string_view network = {}) const {
        const auto first = std::ranges::min_element(
            all_, {}, [&](const auto& one) { return std::pair(!one.is_of(network), one.held); });
        REFEREE_ASSERT(first != all_.end() && first->is_of(network));
        return *first->session;
    }

 private:
    struct Stranger {
        session::Session* session = nullptr;
        std::string network;
        bool held = false;
        bool is_of(std::string_view its) const { return its.empty() || its == network; }
    };
    template <typename Counts>
    std::size_t count(const Counts& counts) const {
        return static_cast<std::size_t>(std::ranges::count_if(all_, counts));
    }

    std::vector<Stranger> all_;  // the oldest in front
};

}  // namespace referee::lobby

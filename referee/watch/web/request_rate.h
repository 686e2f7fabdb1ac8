#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "referee/game/clock/time.h"
#include "referee/net/lobby/recent_table.h"

namespace referee::web {

// How many connections are open, and how many requests come, in all and from one network.
class RequestRate {
 public:
    struct Options {
        std::size_t connections_max;
        std::size_t connections_of_network_max;
        double requests_at_once_max;
        double requests_per_second_max;
        std::size_t networks_remembered_max;
    };
    explicit RequestRate(Options terms) : terms_(terms), credits_(terms.networks_remembered_max) {}

    // Whether one more may be open; then it is counted until closed() is told.
    bool open(const std::string& network);
    void closed(const std::string& network);
    std::size_t connections() const { return connections_; }
    // Whether one more request may come now from there.
    bool request(const std::string& network, Instant now);

 private:
    struct Credit {
        double requests = 0;
        Instant at{};
        bool known = false;
    };
    Options terms_;
    std::size_t connections_ = 0;
    std::unordered_map<std::string, std::size_t> of_network_;
    lobby::RecentTable<Credit> credits_;
};

}  // namespace referee::web

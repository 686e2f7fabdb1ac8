#include "referee/watch/web/request_rate.h"

#include <algorithm>
#include <chrono>

namespace referee::web {

bool RequestRate::open(const std::string& network) {
    if (connections_ >= terms_.connections_max) return false;
    auto& neighbours = of_network_[network];
    if (neighbours >= terms_.connections_of_network_max) return false;
    ++neighbours;
    ++connections_;
    return true;
}

void RequestRate::closed(const std::string& network) {
    const auto found = of_network_.find(network);
    if (found == of_network_.end()) return;
    --connections_;
    if (--found->second == 0) of_network_.erase(found);
}

bool RequestRate::request(const std::string& network, Instant now) {
    auto& credit = credits_.touch(network);
    if (!credit.known) {
        credit = {terms_.requests_at_once_max, now, true};
    } else {
        const std::chrono::duration<double> passed = now - credit.at;
        credit.requests =
            std::min(credit.requests + passed.count() * terms_.requests_per_second_max,
                     terms_.requests_at_once_max);
        credit.at = now;
    }
    if (credit.requests < 1) return false;
    credit.requests -= 1;
    return true;
}

}  // namespace referee::web

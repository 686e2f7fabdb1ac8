#include "referee/tournament/table/cores.h"

#include <utility>

namespace referee::table {

Cores::Answer Cores::request(Granted granted) {
    const auto permit = ++last_;
    if (free_ > 0) {
        --free_;
        held_.insert(permit);
        return {permit, true};
    }
    queue_.push_back({permit, std::move(granted)});
    return {permit, false};
}

void Cores::leave_queue(Permit permit) {
    std::erase_if(queue_, [permit](const Waiting& waiting) { return waiting.permit == permit; });
}

void Cores::release(Permit permit) {
    if (held_.erase(permit) == 0) {
        leave_queue(permit);
        return;
    }
    if (queue_.empty()) {
        ++free_;
        return;
    }
    auto next = std::move(queue_.front());
    queue_.pop_front();
    held_.insert(next.permit);
    next.granted();
}

}  // namespace referee::table

#include "referee/tournament/table/cores.h"

#include <utility>

namespace referee::table {

void Cores::leave_queue(Permit permit) {
    std::erase_if(queue_, [permit](const Waiting& waiting) { return waiting.permit == permit; });
}

void Cores::release(Permit permit) {
    if (permit == 0) return;
    if (std::erase(held_, permit) == 0) {
        leave_queue(permit);
        return;
    }
    if (queue_.empty()) {
        ++free_;
        return;
    }
    auto next = std::move(queue_.front());
    queue_.pop_front();
    held_.push_back(next.permit);
    next.granted();
}

}  // namespace referee::table

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "referee/daemon/orders/order.h"

namespace referee::daemon {

// The orders that a daemon takes: `referee ctl` sends them, and the instructor's page.
class ControlOrders final : public control::ControlCommands {
 public:
    ControlOrders(Host& host, decltype(OrderReach::reload) reload,
                  decltype(OrderReach::forget) forget);

    void carry_out(json::View request, Answer answer) override;
    // From now on all orders are refused, with this message. The host is not asked any more.
    void close(std::string why) { reach_.closed = std::move(why); }

 private:
    OrderReach reach_;
    std::map<std::string_view, OrderRow> orders_;
};

// The answer to the order that forgets a bot.
std::string forgotten_answer(
    const forget::ForgetPlan& plan,
    const base::Result<store::Rewritten, forget::ForgetRefusal>& forgotten);

}  // namespace referee::daemon

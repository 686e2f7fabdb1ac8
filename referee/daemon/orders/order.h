#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/forget/forget_bot.h"
#include "referee/net/control/control_server.h"
#include "referee/net/loop/life.h"
#include "referee/server/server.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::daemon {

namespace json = protocol::json;
using Answer = control::ControlCommands::Answer;

// What orders reach. The server outlives it.
struct OrderReach {
    server::Server& server;
    // Reads the config again, or only looks whether it can be taken over; an error says why not.
    std::function<base::Result<std::string, std::string>(bool previews)> reload;
    // Forgets a bot as planned, once nobody plays; the answer says what came of it.
    std::function<void(forget::ForgetPlan plan, Answer answer)> forget;
    Instant begun{};
    bool forgets = false;  // a bot is to be forgotten, or it is looked at what that takes
    std::string closed{};  // why nothing is carried out any more; empty: it is
    loop::Life life{};
};

// Where a request gives none.
inline constexpr std::string_view usual_reason = "by order of the instructor";

// The answer to an order that was carried out, as a line: {"ok":true, ...}. `fill` writes the rest.
template <typename Fill>
std::string done(Fill fill) {
    std::string line;
    json::Writer writer(line);
    writer.begin_object().member("ok", true);
    fill(writer);
    writer.end_object();
    return line + '\n';
}

// An order as it came. The request ends with the call that it is given to.
struct Order {
    OrderReach& reach;
    json::View request;
    Answer answer;
    std::optional<contests::ContestStatus> contest{};  // which it is for, where it is for one

    // What the request has under a name. Of another kind it counts as left out.
    std::string text(std::string_view member, std::string_view otherwise = "") const;
    bool has(std::string_view member) const {
        return request.find(member).boolean().value_or(false);
    }
    // Only what it would do is asked.
    bool previews() const { return has("dry_run"); }

    server::Server& server() const { return reach.server; }
    scheduler::TournamentOrders& orders() const { return reach.server.scheduler().orders(); }
    // Requires these two: it is for a tournament.
    const std::string& id() const { return contest->config->id; }
    // `otherwise` is the reason where the request gives none, or an empty one.
    scheduler::OrderCall call(std::string_view otherwise = usual_reason) const {
        const auto reason = text("reason");
        return {id(), reason.empty() ? std::string(otherwise) : reason, previews()};
    }

    void refuse(const std::string& why) const { answer(control::refusal(why)); }
    // Answers with the message, once that is known to be done or only asked; before, where it is
    // done, calls `then`.
    scheduler::TournamentOrders::OnOrdered told(std::string message,
                                                std::function<void()> then = {}) const;
    // What is called when something was looked up beside the loop: `then`, or the order is refused
    // because none are carried out any more.
    template <typename Then>
    auto later(Then then) const {
        return reach.life.while_it_lasts(
            [&reach = reach, answer = answer, then = std::move(then)](auto&&... found) mutable {
                if (!reach.closed.empty()) return answer(control::refusal(reach.closed));
                then(found...);
            });
    }
};

// The tournament that is meant: by its id, or the only one; of those that aren't over where it has
// to go on and any does. Answers the order where there is none.
std::optional<contests::ContestStatus> contest_of(const Order& order, bool goes_on);
// The tournament of that id. Answers the order where there is none: with the one that may have been
// meant, or with the order as it should be where the tournament stands in the bot's place.
std::optional<contests::ContestStatus> contest_named(std::string_view id, const Order& order);

// What an order needs before it is carried out.
struct OrderNeeds {
    bool tournament = false;
    bool goes_on = false;  // nothing comes of it where the tournament is over
    bool bot = false;      // a name, whether anybody has it or not
};
struct OrderRow {
    std::string_view name;
    OrderNeeds needs;
    void (*carry_out)(const Order& order);
};
using OrderRows = std::span<const OrderRow>;
extern const OrderRows orders_of_arbiters;    // arbiter_orders.cpp
extern const OrderRows orders_that_ask;       // asking_orders.cpp
extern const OrderRows orders_about_bots;     // bot_orders.cpp
extern const OrderRows orders_to_play_again;  // rerun_orders.cpp

// The orders that a daemon takes, those of a whole tournament here: `referee ctl` sends them, and
// the instructor's page.
class ControlOrders final : public control::ControlCommands {
 public:
    ControlOrders(server::Server& server, decltype(OrderReach::reload) reload,
                  decltype(OrderReach::forget) forget);

    void carry_out(json::View request, Answer answer) override;
    // From now on all orders are refused, with this message. The server is not asked any more.
    void close(std::string why) { reach_.closed = std::move(why); }

 private:
    OrderReach reach_;
    std::map<std::string_view, OrderRow> orders_;
};

// ---- bot_orders.cpp -----------------------------------------------------------------------------

// The answer to the order that forgets a bot.
std::string forgotten_answer(
    const forget::ForgetPlan& plan,
    const base::Result<store::Rewritten, forget::ForgetRefusal>& forgotten);

// ---- asking_orders.cpp --------------------------------------------------------------------------

std::string how_to_undo_an_abort(const std::string& id);

// All of them. `waiting`: what they wait for.
void write_tournaments(protocol::json::Writer& writer, server::Server& server,
                       const std::vector<scheduler::Wait>& waiting);

}  // namespace referee::daemon

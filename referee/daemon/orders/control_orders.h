#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/daemon/host/host.h"
#include "referee/forget/forget_bot.h"
#include "referee/net/control/control_commands.h"
#include "referee/net/loop/life.h"

namespace referee::daemon {

namespace json = protocol::json;

// The orders that a daemon takes: `referee ctl` sends them.
class ControlOrders final : public control::ControlCommands {
 public:
    // Reads the config again; an error says why it can't be taken over.
    using Reload = std::function<base::Result<void, std::string>()>;

    // Forgets a bot as planned, once nobody plays; the answer says what came of it.
    using Forget = std::function<void(forget::ForgetPlan plan, Answer answer)>;

    // By bot and tournament.
    using Ranks = std::map<std::string, std::map<std::string, std::size_t>, std::less<>>;

    // The host outlives it.
    ControlOrders(Host& host, Reload reload, Forget forget);

    void carry_out(protocol::json::View request, Answer answer) override;
    // From now on all orders are refused, with this message. The host is not asked any more.
    void close(std::string why) { closed_ = std::move(why); }

 private:
    using Order = void (ControlOrders::*)(protocol::json::View request, const Answer& answer);

    void status(protocol::json::View request, const Answer& answer);
    void bots(protocol::json::View request, const Answer& answer);
    void tournaments(protocol::json::View request, const Answer& answer);
    void start(protocol::json::View request, const Answer& answer);
    void pause(protocol::json::View request, const Answer& answer);
    void resume(protocol::json::View request, const Answer& answer);
    void abort(protocol::json::View request, const Answer& answer);
    void withdraw(protocol::json::View request, const Answer& answer);
    void admit(protocol::json::View request, const Answer& answer);
    void replay_game(protocol::json::View request, const Answer& answer);
    void rerun(protocol::json::View request, const Answer& answer);
    void rerun_of_host(const contests::ContestStatus& contest, json::View request,
                       const Answer& answer);
    void machines(protocol::json::View request, const Answer& answer);
    void take_rerun_back(scheduler::TournamentOrders::RestoreOrder order, const Answer& answer);
    void reopen(protocol::json::View request, const Answer& answer);
    void result(protocol::json::View request, const Answer& answer);
    void forbid(protocol::json::View request, const Answer& answer);
    void bye(protocol::json::View request, const Answer& answer);
    void pair(protocol::json::View request, const Answer& answer);
    void token(protocol::json::View request, const Answer& answer);
    void registrations(protocol::json::View request, const Answer& answer);
    void approve(protocol::json::View request, const Answer& answer);
    void refuse(protocol::json::View request, const Answer& answer);
    void forget(protocol::json::View request, const Answer& answer);
    void drain(protocol::json::View request, const Answer& answer);
    void reload(protocol::json::View request, const Answer& answer);

    // Why nothing is done where no tournament has that id: with the one that may have been meant,
    // or with the order as it should be where the tournament stands in the bot's place.
    std::string no_tournament(std::string_view id, protocol::json::View request) const;
    // The tournament that the request means: by its id, or the only one. Answers the request where
    // there is none.
    std::optional<contests::ContestStatus> contest_of(protocol::json::View request,
                                                      const Answer& answer);
    std::vector<std::string> registered_names_of(protocol::json::View request,
                                                 tournament::Standing standing,
                                                 const Answer& answer);
    void judge(protocol::json::View request, tournament::Standing standing, const Answer& answer);
    void tell_bots(const Ranks& ranks, const Answer& answer);
    void start_now(const config::TournamentConfig& config, protocol::json::View request,
                   const Answer& answer);

    Host& host_;
    Reload reload_;
    Forget forget_;
    Instant begun_;
    std::map<std::string_view, Order> orders_;
    bool forgets_ = false;  // a bot is to be forgotten, or it is looked at what that takes
    std::string closed_;    // why nothing is carried out any more; empty: it is
    loop::Life life_;
};

// What a request has under a name. Of another kind it counts as left out.
std::string text_of(json::View request, std::string_view member, std::string_view otherwise = "");
std::vector<std::string> texts_of(json::View request, std::string_view member);
bool has_flag(json::View request, std::string_view member);

// Where a request gives none.
inline constexpr std::string_view usual_reason = "by order of the instructor";

// The answer to the order that forgets a bot.
std::string forgotten_answer(
    const forget::ForgetPlan& plan,
    const base::Result<store::Rewritten, forget::ForgetRefusal>& forgotten);

// The answer to an order that was carried out, as a line: {"ok":true, ...}. `fill` writes the rest.
template <typename Fill>
std::string done(Fill fill) {
    std::string line;
    protocol::json::Writer writer(line);
    writer.begin_object().member("ok", true);
    fill(writer);
    writer.end_object();
    return line + '\n';
}

}  // namespace referee::daemon

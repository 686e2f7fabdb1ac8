#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "referee/game/clock/time.h"
#include "referee/net/lobby/recent_table.h"
#include "referee/watch/web/web_limits.h"

namespace referee::web {

// Who looks on, where that is known: a bot's owner, or the instructor.
struct Visitor {
    std::string bot;  // empty: none
    bool instructor = false;

    bool known() const { return instructor || !bot.empty(); }
    // Whether it may know what the bot of that name said and was told.
    bool may_know(std::string_view name) const {
        return instructor || (!bot.empty() && bot == name);
    }
};

// Tickets, which are good once and for some minutes, and the sessions that they begin. Only digests
// of both are kept. At most so many: the oldest goes.
class WebSessions {
 public:
    // `fresh` makes a secret that can't be guessed.
    explicit WebSessions(std::function<std::string()> fresh) : fresh_(std::move(fresh)) {}

    void expect(std::string_view ticket, std::string bot, Instant now);
    // Whose ticket it is; nothing where there is none, or it was used, or is too old.
    std::optional<Visitor> take(std::string_view ticket, Instant now);
    // A session's secret.
    std::string begin(Visitor visitor, Instant now);
    // Of nobody where there is no such session.
    Visitor visitor(std::string_view session, Instant now) const;
    void end(std::string_view session);
    // All that was given to that name is void.
    void forget(std::string_view bot);

 private:
    struct Pass {
        Visitor visitor;
        Instant until{};
    };
    using Passes = lobby::RecentTable<Pass>;  // by digest

    std::function<std::string()> fresh_;
    Passes tickets_{limits::tickets_max};
    Passes sessions_{limits::sessions_max};
};

}  // namespace referee::web

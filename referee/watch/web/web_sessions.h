#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/recent_table.h"
#include "referee/game/clock/time.h"
#include "referee/roster/pseudonyms/pseudonyms.h"
#include "referee/watch/web/request.h"

// Who looks on, and what bots are called there.

namespace referee::web {

// A ticket is opened by who sees it now, or in a while; a session is an afternoon in a lab.
inline constexpr std::chrono::minutes ticket_lasts{15};
inline constexpr std::chrono::hours session_lasts{8};
// The oldest goes: of all bots, and of one (each login brings a ticket).
inline constexpr std::size_t tickets_max = 4096;
inline constexpr std::size_t sessions_max = 4096;

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

// What a visitor reads instead of bots' names, where those are hidden.
class BotNames : private pseudonyms::HiddenNames {
 public:
    explicit BotNames(const std::string& secret) { set_secret(secret); }
    using HiddenNames::are_hidden;
    using HiddenNames::set_secret;

    void learn(const std::vector<std::string>& names) {
        if (are_hidden()) HiddenNames::learn(names);
    }
    pseudonyms::NameMask mask_for(const std::string& tournament, const Visitor& visitor) {
        if (visitor.instructor) return {};
        return HiddenNames::mask_for(tournament, visitor.bot);
    }
    // The protocol's `game_list` of a bot, as that visitor reads it.
    std::string masked_games(const std::string& list, const Visitor& visitor);
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
    using Passes = base::RecentTable<Pass>;  // by digest

    std::function<std::string()> fresh_;
    Passes tickets_{tickets_max};
    Passes sessions_{sessions_max};
};

}  // namespace referee::web

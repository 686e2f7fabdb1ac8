#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/recent_table.h"
#include "referee/game/clock/time.h"
#include "referee/watch/web/request.h"

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
    using Passes = base::RecentTable<Pass>;  // by digest

    std::function<std::string()> fresh_;
    Passes tickets_{limits::tickets_max};
    Passes sessions_{limits::sessions_max};
};

// What a replay's first line says of who plays what; nothing of it where it can't be read.
struct PlayersOfReplay {
    std::string game;
    std::vector<std::string> bots;
};
PlayersOfReplay players_of(std::string_view replay);

// A replay as that visitor may see it: of faults of bots that are not its own it leaves out what
// they sent and printed, and of all others which programs they are. The replay's last line alone is
// written again; a line that can't be read stays out.
std::string replay_for(std::string_view replay, const Visitor& visitor);

// Whether that visitor may know the seed of a game that is over. Others play from the same one
// where the game has one seat, or doesn't count and is played again.
bool may_know_seed(std::string_view replay, const Visitor& visitor);

// How such a game ended, as what a showing of it has at its end: {"faults": [...], "faults_total":
// ..., "result": {...}}; as everybody may see it.
std::string end_of(std::string_view replay);

}  // namespace referee::web

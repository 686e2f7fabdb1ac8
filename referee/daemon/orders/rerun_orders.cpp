#include <array>
#include <string>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "referee/daemon/orders/order.h"
#include "referee/tournament/contests/play_again.h"

// Orders to play again a game or what changed, and those that undo an end and a rerun.

namespace referee::daemon {

namespace {

using contests::ProgramsNow;
using contests::Rerun;

// Others would not be those of the matches that are kept: bots are compared on common seeds.
constexpr std::string_view seeds_are_known =
    "; games that are played again have the seeds that they had, which pages and replays have "
    "shown since: a program can have been fitted to them";
constexpr std::string_view changed_since = "a program that plays in this match changed since";
// Whoever is told that knows no machines.
constexpr std::string_view machine_is_doubted =
    "games that one of the machines played are played again";

// What plays in the names of bots that the referee doesn't launch, and of those that it does.
ProgramsNow programs_now(const std::vector<std::string>& entrants, const lobby::Lobby& lobby,
                         const std::map<std::string, std::string>& launched) {
    ProgramsNow now;
    for (const auto& name : entrants) {
        auto& bot = now[name];
        if (const auto found = launched.find(name); found != launched.end()) {
            bot = {found->second, "its program can't be read; the log tells why"};
            continue;
        }
        const auto met = lobby.bots().find(name);
        const bool here = met != lobby.bots().end() && met->second->connected();
        bot.untold = here ? "it says no \"version\" in its login"
                          : "it is not here, so nobody can tell which version would play";
        bot.is_away = !here;
        if (met != lobby.bots().end()) bot.program = said_version(met->second->version());
    }
    return now;
}

void write_rerun(json::Writer& writer, const std::string& tournament, const Rerun& rerun) {
    writer.key("again").begin_array();
    for (const auto& match : rerun.again) {
        writer.begin_object().member("match", match_id(tournament, match.match));
        writer.key("bots").texts(match.bots);
        writer.key("changed").texts(match.changed);
        writer.member("games", match.games.size()).end_object();
    }
    writer.end_array().key("changes").begin_array();
    for (const auto& [bot, change] : rerun.changes) {
        writer.begin_object().member("bot", bot);
        writer.key("before").texts(change.before);
        writer.member("now", change.now).member("matches", change.matches).end_object();
    }
    writer.end_array().key("untold").begin_array();
    for (const auto& [bot, untold] : rerun.untold) {
        writer.begin_object().member("bot", bot).member("why", untold.why);
        writer.member("matches", untold.matches).end_object();
    }
    writer.end_array().key("kept_although").begin_array();
    for (const auto& kept : rerun.kept_although) {
        writer.begin_object().member("match", match_id(tournament, kept.match));
        writer.member("why", kept.why).end_object();
    }
    writer.end_array().member("kept", rerun.kept).member("to_come", rerun.to_come);
}

// `machine`: whose games they are; empty: what changed.
std::string summary(const scheduler::OrderCall& call, const std::string& machine,
                    const Rerun& rerun) {
    const auto none = "no match of " + call.tournament;
    const auto matches =
        base::counted(rerun.again.size(), "match", "matches") + " of " + call.tournament;
    const auto games = base::counted(rerun.games(), "game");
    const auto of_machine = " that " + machine + " played";
    const bool one = (machine.empty() ? rerun.again.size() : rerun.games()) == 1;
    auto text = rerun.again.empty()
                    ? (machine.empty() ? "nothing changed that anybody can tell: " + none
                                       : none + of_machine) +
                          " is"
                    : (machine.empty() ? matches + " (" + games + ')'
                                       : games + of_machine + " (" + matches + ')') +
                          (call.previews ? " would be"
                           : one         ? " is"
                                         : " are");
    text += " played again, " +
            base::counted(rerun.kept + rerun.kept_although.size(), "is kept", "are kept");
    if (rerun.to_come > 0) text += fmt::format(", {} were to come anyway", rerun.to_come);
    if (rerun.again.empty()) return text;
    text += seeds_are_known;
    if (!machine.empty())
        text += "; what " + machine +
                " plays now counts, and it may be given these games once more unless it is taken "
                "out first";
    return text;
}

// Answers an order that was planned with what is done, or would be: `tell` writes that.
template <typename Plan, typename Tell>
scheduler::TournamentOrders::OnPlanned<Plan> planned(Answer answer,
                                                     const scheduler::OrderCall& call, Tell tell) {
    return [answer = std::move(answer), call,
            tell = std::move(tell)](const base::Result<Plan, std::string>& plan) {
        if (!plan) return answer(control::refusal(plan.error()));
        answer(done([&](json::Writer& writer) {
            writer.member("tournament", call.tournament).member("dry_run", call.previews);
            tell(writer, *plan, call);
        }));
    };
}

scheduler::TournamentOrders::OnPlanned<Rerun> planned_rerun(const Order& order,
                                                            const scheduler::OrderCall& call,
                                                            const std::string& machine) {
    return planned<Rerun>(order.answer, call,
                          [machine](json::Writer& writer, const Rerun& rerun, const auto& made) {
                              writer.member("message", summary(made, machine, rerun));
                              if (!machine.empty()) writer.member("host", machine);
                              write_rerun(writer, made.tournament, rerun);
                          });
}

void rerun_of_machine(const Order& order) {
    const auto machine = order.text("host");
    const auto call = order.call(machine_is_doubted);
    if (order.has("changed") || order.request.find("also").size() > 0)
        return order.refuse("expected one of --changed and --host: give one order after the other");
    if (machine.empty())
        return order.refuse("--host: expected the name of a machine, as `referee ctl machines " +
                            order.id() + "` tells it");
    order.orders().rerun(
        call, [machine](const auto& contest) { return contests::plan_rerun_of(contest, machine); },
        planned_rerun(order, call, machine));
}

void take_rerun_back(const Order& order);

void rerun(const Order& order) {
    if (order.has("take_back")) return take_rerun_back(order);
    if (order.request.find("host")) return rerun_of_machine(order);
    if (!order.has("changed"))
        return order.refuse(
            "expected --changed: matches are played again in which something changed; or --host: "
            "what a machine played; a single game is by the order replay-game");
    const auto call = order.call(changed_since);
    // Before programs are read, which may take a while.
    if (const auto unfit = contests::no_rerun(order.contest->config->format); !unfit.empty())
        return order.refuse(call.tournament + " can't be played again in part: " + unfit);
    std::vector<std::string> entrants;
    for (const auto& entry : *order.contest->entries) entrants.push_back(entry.name);
    const auto also = order.request.find("also").texts();
    for (const auto& bot : also) {
        if (!order.contest->entrant_named(bot))
            return order.refuse("--also: " + base::quoted(bot) + " does not take part in " +
                                call.tournament);
    }
    auto& server = order.server();
    server.launches().bots().name_programs(
        entrants, order.later([&server, call, entrants, also,
                               on_planned = planned_rerun(order, call, {})](const auto& launched) {
            auto now = programs_now(entrants, server.referee().lobby(), launched);
            for (const auto& bot : also) now[bot].is_said_to_have_changed = true;
            if (!call.previews) server.launches().bots().leave_for(launched);
            server.scheduler().orders().rerun(
                call, [now](const auto& contest) { return contests::plan_rerun(contest, now); },
                on_planned);
        }));
}

using contests::Reopening;
using contests::Restoration;

std::string summary(const scheduler::OrderCall& call, const Reopening& plan) {
    std::vector<std::string> parts;
    if (!plan.back.empty())
        parts.push_back(base::counted(plan.back.size(), "bot is", "bots are") + " let in again (" +
                        base::joined(plan.back) + ')');
    if (!plan.games.empty())
        parts.push_back(base::counted(plan.games.size(), "game") + " of " +
                        base::counted(plan.matches, "match", "matches") + " to which " +
                        (parts.empty() ? "somebody" : "they") + " did not come " +
                        (plan.games.size() == 1 ? "is" : "are") + " played again");
    if (plan.draws_on) parts.emplace_back("rounds are drawn that it could not draw");
    if (plan.aborted) parts.emplace_back("what the abort left is played");
    std::string text = call.tournament + (call.previews ? " would go on" : " goes on");
    if (!parts.empty()) text += ": " + base::joined(parts);
    if (!plan.kept.empty())
        text += "; " + base::counted(plan.kept.size(), "match that they missed stands",
                                     "matches that they missed stand");
    return text + "; all other results count as they are";
}

std::string summary(const scheduler::OrderCall& call, const Restoration& plan) {
    const bool one = plan.games.size() == 1;
    return base::counted(plan.games.size(), "game") + " of " + call.tournament + " (" +
           base::counted(plan.matches, "match", "matches") + ") " +
           (call.previews ? "would count again"
            : one         ? "counts again"
                          : "count again") +
           " and " +
           (call.previews ? "not be"
            : one         ? "is not"
                          : "are not") +
           " played again" +
           (plan.begun.empty()
                ? ""
                : "; " + base::counted(plan.begun.size(), "match is", "matches are") +
                      " being played again, and what comes of that counts") +
           "; games that have been played again stay as they are";
}

void reopen(const Order& order) {
    if (order.text("reason").empty())
        return order.refuse(
            "expected --reason: an end that is undone is recorded with it, such as --reason "
            "\"the network was down\"");
    const auto tell = [](json::Writer& writer, const Reopening& plan, const auto& call) {
        writer.member("message", summary(call, plan))
            .member("draws_on", plan.draws_on)
            .key("back")
            .texts(plan.back)
            .key("missed")
            .texts(plan.missed)
            .key("games")
            .texts(plan.games, [&](const auto& game) { return game_id(game); })
            .key("kept")
            .begin_array();
        for (const auto& kept : plan.kept) {
            writer.begin_object().member("match", match_id(call.tournament, kept.match));
            writer.member("why", kept.why).end_object();
        }
        writer.end_array();
    };
    const auto call = order.call();
    order.orders().reopen(call, order.request.find("also").texts(),
                          planned<Reopening>(order.answer, call, tell));
}

void take_rerun_back(const Order& order) {
    const auto tell = [](json::Writer& writer, const Restoration& plan, const auto& call) {
        writer.member("message", summary(call, plan))
            .key("games")
            .texts(plan.games, [&](const auto& game) { return game_id(game); })
            .key("begun")
            .texts(plan.begun, [&](auto match) { return match_id(call.tournament, match); });
    };
    const auto call = order.call("the order to play it again was taken back");
    order.orders().restore(call, planned<Restoration>(order.answer, call, tell));
}

void replay_game(const Order& given) {
    auto order = given;
    const auto id = order.text("game");
    const auto key = game_key(id);
    if (!key)
        return order.refuse("\"" + id + "\" is no game's id; expected one such as friday/12.1");
    if (!(order.contest = contest_named(key->tournament, order))) return;
    // What it is told with says "by order" already.
    order.orders().annul(
        order.call("no reason was given"), *key,
        order.told("game " + id + " is annulled and will be played again" +
                   contests::after_change(order.server().scheduler().contest(order.id()),
                                          key->match, true)));
}

constexpr std::array<OrderRow, 3> rows_to_play_again{{{"replay-game", {}, replay_game},
                                                      {"rerun", {.tournament = true}, rerun},
                                                      {"reopen", {.tournament = true}, reopen}}};

}  // namespace

const OrderRows orders_to_play_again = rows_to_play_again;

}  // namespace referee::daemon

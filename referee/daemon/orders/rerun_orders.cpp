#include <string>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "referee/daemon/orders/control_orders.h"

// The order to play again what changed, and those that undo an end and a rerun.

namespace referee::daemon {

namespace {

using contests::ProgramNow;
using contests::ProgramsNow;
using contests::Rerun;

// Others would not be those of the matches that are kept: bots are compared on common seeds.
constexpr std::string_view seeds_are_known =
    "; games that are played again have the seeds that they had, which pages and replays have "
    "shown since: a program can have been fitted to them";
constexpr std::string_view changed_since = "a program that plays in this match changed since";
// Whoever is told that knows no machines.
constexpr std::string_view host_is_doubted =
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

std::string summary(const std::string& tournament, const Rerun& rerun, bool only_asks) {
    const auto kept = rerun.kept + rerun.kept_although.size();
    const auto what = base::counted(rerun.again.size(), "match", "matches") + " of " + tournament +
                      " (" + base::counted(rerun.games(), "game") + ")";
    const bool one = rerun.again.size() == 1;
    return (rerun.again.empty() ? "nothing changed that anybody can tell: no match of " +
                                      tournament + " is played again"
            : only_asks ? what + " would be played again"
                        : what + (one ? " is" : " are") + " played again") +
           ", " + base::counted(kept, "is kept", "are kept") +
           (rerun.to_come == 0 ? ""
                               : ", " + std::to_string(rerun.to_come) + " were to come anyway") +
           (rerun.again.empty() ? "" : std::string(seeds_are_known));
}

std::string summary_of_host(const std::string& tournament, const std::string& host,
                            const Rerun& rerun, bool only_asks) {
    const auto kept = rerun.kept + rerun.kept_although.size();
    const auto rest =
        base::counted(kept, "is kept", "are kept") +
        (rerun.to_come == 0 ? "" : ", " + std::to_string(rerun.to_come) + " were to come anyway");
    if (rerun.again.empty())
        return "no match of " + tournament + " that " + host + " played is played again, " + rest;
    return base::counted(rerun.games(), "game") + " that " + host + " played (" +
           base::counted(rerun.again.size(), "match", "matches") + " of " + tournament + ") " +
           (only_asks            ? "would be"
            : rerun.games() == 1 ? "is"
                                 : "are") +
           " played again, " + rest + std::string(seeds_are_known) + "; what " + host +
           " plays now counts, and it may be given these games once more unless "
           "it is taken out first";
}

}  // namespace

void ControlOrders::rerun_of_host(const contests::ContestStatus& contest, json::View request,
                                  const Answer& answer) {
    const auto& id = contest.config->id;
    scheduler::TournamentOrders::RerunOrder order{id,
                                                  {},
                                                  text_of(request, "reason", host_is_doubted),
                                                  has_flag(request, "dry_run"),
                                                  text_of(request, "host")};
    if (has_flag(request, "changed") || request.find("also").size() > 0)
        return answer(control::refusal(
            "expected one of --changed and --host: give one order after the other"));
    if (order.host.empty())
        return answer(
            control::refusal("--host: expected the name of a machine, as `referee ctl "
                             "machines " +
                             id + "` tells it"));
    host_.scheduler().orders().rerun(order, [order, answer](const auto& rerun) {
        if (!rerun) return answer(control::refusal(rerun.error()));
        answer(done([&](json::Writer& writer) {
            writer
                .member("message",
                        summary_of_host(order.tournament, order.host, *rerun, order.only_asks))
                .member("tournament", order.tournament)
                .member("host", order.host)
                .member("dry_run", order.only_asks);
            write_rerun(writer, order.tournament, *rerun);
        }));
    });
}

void ControlOrders::rerun(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    if (has_flag(request, "take_back"))
        return take_rerun_back(
            {contest->config->id,
             text_of(request, "reason", "the order to play it again was taken back"),
             has_flag(request, "dry_run")},
            answer);
    if (request.find("host")) return rerun_of_host(*contest, request, answer);
    if (!has_flag(request, "changed"))
        return answer(control::refusal(
            "expected --changed: matches are played again in which something changed; or --host: "
            "what a machine played; a single game is by the order replay-game"));
    scheduler::TournamentOrders::RerunOrder order{contest->config->id,
                                                  {},
                                                  text_of(request, "reason", changed_since),
                                                  has_flag(request, "dry_run")};
    // Before programs are read, which may take a while.
    if (const auto unfit = contests::no_rerun(contest->config->format); !unfit.empty())
        return answer(
            control::refusal(order.tournament + " can't be played again in part: " + unfit));
    std::vector<std::string> entrants;
    for (const auto& entry : *contest->entries) entrants.push_back(entry.name);
    const auto named = texts_of(request, "also");
    std::set<std::string> also(named.begin(), named.end());
    for (const auto& bot : also) {
        if (!contest->entrant_named(bot))
            return answer(
                control::refusal("--also: " + bot + " does not take part in " + order.tournament));
    }
    host_.launched_bots().name_programs(
        entrants, life_.while_it_lasts([this, order, entrants, also,
                                        answer = answer](const auto& launched) mutable {
            if (!closed_.empty()) return answer(control::refusal(closed_));
            order.now = programs_now(entrants, host_.referee().lobby(), launched);
            for (const auto& bot : also) order.now[bot].is_said_to_have_changed = true;
            if (!order.only_asks) host_.launched_bots().leave_for(launched);
            host_.scheduler().orders().rerun(order, [order, answer](const auto& rerun) {
                if (!rerun) return answer(control::refusal(rerun.error()));
                answer(done([&](json::Writer& writer) {
                    writer.member("message", summary(order.tournament, *rerun, order.only_asks))
                        .member("tournament", order.tournament)
                        .member("dry_run", order.only_asks);
                    write_rerun(writer, order.tournament, *rerun);
                }));
            });
        }));
}

namespace {

using contests::Reopening;
using contests::Restoration;

std::string summary(const std::string& tournament, const Reopening& plan, bool only_asks) {
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
    std::string text = tournament + (only_asks ? " would go on" : " goes on");
    if (!parts.empty()) text += ": " + base::joined(parts);
    if (!plan.kept.empty())
        text += "; " + base::counted(plan.kept.size(), "match that they missed stands",
                                     "matches that they missed stand");
    return text + "; all other results count as they are";
}

std::string summary(const std::string& tournament, const Restoration& plan, bool only_asks) {
    const bool one = plan.games.size() == 1;
    return base::counted(plan.games.size(), "game") + " of " + tournament + " (" +
           base::counted(plan.matches, "match", "matches") + ") " +
           (only_asks ? "would count again"
            : one     ? "counts again"
                      : "count again") +
           " and " +
           (only_asks ? "not be"
            : one     ? "is not"
                      : "are not") +
           " played again" +
           (plan.begun.empty()
                ? ""
                : "; " + base::counted(plan.begun.size(), "match is", "matches are") +
                      " being played again, and what comes of that counts") +
           "; games that have been played again stay as they are";
}

}  // namespace

void ControlOrders::reopen(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto reason = text_of(request, "reason");
    if (reason.empty())
        return answer(control::refusal(
            "expected --reason: an end that is undone is recorded with it, such as --reason "
            "\"the network was down\""));
    scheduler::TournamentOrders::ReopenOrder order{contest->config->id, texts_of(request, "also"),
                                                   reason, has_flag(request, "dry_run")};
    host_.scheduler().orders().reopen(order, [order, answer](const auto& plan) {
        if (!plan) return answer(control::refusal(plan.error()));
        answer(done([&](json::Writer& writer) {
            writer.member("message", summary(order.tournament, *plan, order.only_asks))
                .member("tournament", order.tournament)
                .member("dry_run", order.only_asks)
                .member("draws_on", plan->draws_on)
                .key("back")
                .texts(plan->back)
                .key("missed")
                .texts(plan->missed)
                .key("games")
                .texts(plan->games, [&](const auto& game) { return game_id(game); })
                .key("kept")
                .begin_array();
            for (const auto& kept : plan->kept) {
                writer.begin_object().member("match", match_id(order.tournament, kept.match));
                writer.member("why", kept.why).end_object();
            }
            writer.end_array();
        }));
    });
}

void ControlOrders::take_rerun_back(scheduler::TournamentOrders::RestoreOrder order,
                                    const Answer& answer) {
    host_.scheduler().orders().restore(order, [order, answer](const auto& plan) {
        if (!plan) return answer(control::refusal(plan.error()));
        answer(done([&](json::Writer& writer) {
            writer.member("message", summary(order.tournament, *plan, order.only_asks))
                .member("tournament", order.tournament)
                .member("dry_run", order.only_asks)
                .key("games")
                .texts(plan->games, [&](const auto& game) { return game_id(game); })
                .key("begun")
                .begin_array();
            for (const auto match : plan->begun) writer.string(match_id(order.tournament, match));
            writer.end_array();
        }));
    });
}

}  // namespace referee::daemon

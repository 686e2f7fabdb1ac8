#include <string>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/daemon/answers.h"
#include "referee/daemon/orders.h"

// The orders that undo an end and a rerun.

namespace referee::daemon {
namespace {

using scheduler::Reopening;
using scheduler::Restoration;

std::string count_of(std::size_t count, std::string_view one, std::string_view several) {
    return std::to_string(count) + ' ' + std::string(count == 1 ? one : several);
}

std::string summary(const std::string& tournament, const Reopening& plan, bool only_asks) {
    std::string bots;
    for (const auto& bot : plan.back) bots += (bots.empty() ? " (" : ", ") + bot;
    std::vector<std::string> parts;
    if (!bots.empty())
        parts.push_back(count_of(plan.back.size(), "bot is", "bots are") + " let in again" + bots +
                        ')');
    if (!plan.games.empty())
        parts.push_back(count_of(plan.games.size(), "game", "games") + " of " +
                        count_of(plan.matches, "match", "matches") + " to which " +
                        (parts.empty() ? "somebody" : "they") + " did not come " +
                        (plan.games.size() == 1 ? "is" : "are") + " played again");
    if (plan.draws_on) parts.emplace_back("rounds are drawn that it could not draw");
    if (plan.aborted) parts.emplace_back("what the abort left is played");
    std::string text = tournament + (only_asks ? " would go on" : " goes on");
    for (const auto& part : parts) text += (&part == &parts.front() ? ": " : ", ") + part;
    if (!plan.kept.empty())
        text += "; " + count_of(plan.kept.size(), "match that they missed stands",
                                "matches that they missed stand");
    return text + "; all other results count as they are";
}

std::string summary(const std::string& tournament, const Restoration& plan, bool only_asks) {
    const bool one = plan.games.size() == 1;
    return count_of(plan.games.size(), "game", "games") + " of " + tournament + " (" +
           count_of(plan.matches, "match", "matches") + ") " +
           (only_asks ? "would count again"
            : one     ? "counts again"
                      : "count again") +
           " and " +
           (only_asks ? "not be"
            : one     ? "is not"
                      : "are not") +
           " played again" +
           (plan.begun.empty() ? ""
                               : "; " + count_of(plan.begun.size(), "match is", "matches are") +
                                     " being played again, and what comes of that counts") +
           "; games that have been played again stay as they are";
}

}  // namespace

void Orders::reopen(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto reason = request.find("reason").string();
    if (!reason || reason->empty())
        return answer(control::refusal(
            "expected --reason: an end that is undone is recorded with it, such as --reason "
            "\"the network was down\""));
    scheduler::Orders::ReopenOrder order{contest->config->id,
                                         {},
                                         std::string(*reason),
                                         request.find("dry_run").boolean().value_or(false)};
    for (const auto name : request.find("also").elements())
        order.also.emplace_back(name.string().value_or(""));
    host_.scheduler().orders().reopen(order, [order, answer](const auto& plan) {
        if (!plan) return answer(control::refusal(plan.error()));
        answer(done([&](json::Writer& writer) {
            writer.member("message", summary(order.tournament, *plan, order.only_asks))
                .member("tournament", order.tournament)
                .member("dry_run", order.only_asks)
                .member("draws_on", plan->draws_on)
                .key("back")
                .begin_array();
            for (const auto& bot : plan->back) writer.string(bot);
            writer.end_array().key("missed").begin_array();
            for (const auto& bot : plan->missed) writer.string(bot);
            writer.end_array().key("games").begin_array();
            for (const auto& game : plan->games) writer.string(game_id(game));
            writer.end_array().key("kept").begin_array();
            for (const auto& kept : plan->kept) {
                writer.begin_object().member("match", match_id(order.tournament, kept.match));
                writer.member("why", kept.why).end_object();
            }
            writer.end_array();
        }));
    });
}

void Orders::take_rerun_back(scheduler::Orders::RestoreOrder order, const Answer& answer) {
    host_.scheduler().orders().restore(order, [order, answer](const auto& plan) {
        if (!plan) return answer(control::refusal(plan.error()));
        answer(done([&](json::Writer& writer) {
            writer.member("message", summary(order.tournament, *plan, order.only_asks))
                .member("tournament", order.tournament)
                .member("dry_run", order.only_asks)
                .key("games")
                .begin_array();
            for (const auto& game : plan->games) writer.string(game_id(game));
            writer.end_array().key("begun").begin_array();
            for (const auto match : plan->begun) writer.string(match_id(order.tournament, match));
            writer.end_array();
        }));
    });
}

}  // namespace referee::daemon

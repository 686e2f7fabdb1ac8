#include "referee/daemon/orders/order.h"

#include "protocol/base/text.h"

namespace referee::daemon {

std::string Order::text(std::string_view member, std::string_view otherwise) const {
    return std::string(request.find(member).string().value_or(otherwise));
}

std::vector<std::string> Order::texts(std::string_view member) const {
    std::vector<std::string> texts;
    for (const auto text : request.find(member).elements())
        texts.emplace_back(text.string().value_or(""));
    return texts;
}

bool Order::has(std::string_view member) const {
    return request.find(member).boolean().value_or(false);
}

scheduler::TournamentOrders::OnOrdered Order::told(std::string message,
                                                   std::function<void()> then) const {
    return [asked = previews(), answer = answer, message = std::move(message),
            then = std::move(then)](const base::Result<void, std::string>& ordered) {
        if (!ordered) return answer(control::refusal(ordered.error()));
        if (then && !asked) then();
        answer(done([&](json::Writer& writer) {
            if (asked) writer.member("dry_run", true);
            writer.member("message", message);
        }));
    };
}

namespace {

bool is_bot(const std::string& name, const Order& order) {
    const auto& referee = order.host().referee();
    return referee.roster().knows(name) || referee.lobby().bots().contains(name);
}

// Why nothing is done.
std::string no_tournament(std::string_view id, const Order& order) {
    const auto bot = order.text("bot");
    const std::string given(id);
    const auto told = "there is no tournament " + base::quoted(given);
    if (order.host().scheduler().status_of(bot) && is_bot(given, order))
        return told + ", but a bot of that name: the tournament comes first, as in `referee ctl " +
               order.text("command") + " " + base::shell_word(bot) + " " + base::shell_word(given) +
               "`";
    std::vector<std::string> known;
    for (const auto& contest : order.host().scheduler().statuses())
        known.push_back(contest.config->id);
    return told + base::did_you_mean(base::nearest(given, known));
}

}  // namespace

std::optional<contests::ContestStatus> contest_named(std::string_view id, const Order& order) {
    if (auto contest = order.host().scheduler().status_of(id)) return contest;
    order.refuse(no_tournament(id, order));
    return std::nullopt;
}

std::optional<contests::ContestStatus> contest_of(const Order& order, bool goes_on) {
    if (const auto id = order.request.find("tournament").string()) return contest_named(*id, order);
    const auto bot = order.text("bot");
    if (order.host().scheduler().status_of(bot) && !is_bot(bot, order)) {
        order.refuse(bot +
                     " is a tournament: expected a bot's name behind it, as in `referee ctl " +
                     order.text("command") + ' ' + bot + " alice`");
        return std::nullopt;
    }
    auto all = order.host().scheduler().statuses();
    auto going = all;
    std::erase_if(going, [](const auto& contest) { return records::ended(contest.state); });
    if (goes_on && !going.empty()) all = std::move(going);
    if (all.size() == 1) return std::move(all.front());
    order.refuse("there are several tournaments; expected the id of one of these: " +
                 base::joined(all, " ", [](const auto& one) { return one.config->id; }));
    return std::nullopt;
}

}  // namespace referee::daemon

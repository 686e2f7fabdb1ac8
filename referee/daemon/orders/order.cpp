#include "referee/daemon/orders/order.h"

#include <array>

#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "referee/contest/formats/swiss.h"
#include "referee/files/log/log.h"
#include "referee/tournament/scheduler/notices.h"
#include "referee/version.h"

namespace referee::daemon {

std::string Order::text(std::string_view member, std::string_view otherwise) const {
    return std::string(request.find(member).string().value_or(otherwise));
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

constexpr std::string_view expected_bot =
    "expected a bot's name, one line of printable text such as alice";

bool is_bot(const std::string& name, const Order& order) {
    const auto& referee = order.server().referee();
    return referee.roster().knows(name) || referee.lobby().bots().contains(name);
}

// Why nothing is done.
std::string no_tournament(std::string_view id, const Order& order) {
    const auto bot = order.text("bot");
    const std::string given(id);
    const auto told = "there is no tournament " + base::quoted(given);
    if (order.server().scheduler().status_of(bot) && is_bot(given, order))
        return told + ", but a bot of that name: the tournament comes first, as in `referee ctl " +
               order.text("command") + " " + base::shell_word(bot) + " " + base::shell_word(given) +
               "`";
    std::vector<std::string> known;
    for (const auto& contest : order.server().scheduler().statuses())
        known.push_back(contest.config->id);
    return told + base::did_you_mean(base::nearest(given, known));
}

// For a tournament that has begun and waits for bots to connect.
void start_now(const Order& order) {
    order.orders().start_now(
        order.call(),
        order.told(order.id() + " goes on without who is missing: a game waits " +
                   round_time(order.contest->config->no_show_after) + " for its own bots"));
}

void start(const Order& order) {
    const auto& config = *order.contest->config;
    if (order.contest->begun) {
        if (order.has("now")) return start_now(order);
        return order.refuse(
            config.id + (records::ended(order.contest->state) ? " is over" : " has begun already"));
    }
    auto field = order.server().referee().field_of(config);
    if (!field) return order.refuse(config.id + " can't begin: " + field.error());
    const auto bots = field->entries.size();
    auto message = config.id + " begins with " + base::counted(bots, "bot") + field->remark +
                   (order.previews() ? field->remedy : "");
    if (const auto advice = formats::swiss_advice(config.format, config.match, bots);
        !advice.empty())
        message += "; " + advice;
    const auto begun = [&orders = order.orders(), id = config.id, now = order.has("now")] {
        // Where all bots are there, nothing is waited for.
        if (now) orders.start_now({id});
    };
    order.orders().begin({config.id, "started" + field->remark, order.previews()}, field->entries,
                         config.text, version, order.told(message, begun));
}

void pause(const Order& order) {
    order.orders().pause(
        order.call(),
        order.told(order.id() + " is paused: no game begins, those that run are played on"));
}

void resume(const Order& order) {
    order.orders().resume(
        order.call(),
        order.told(order.id() +
                   (order.contest->begun ? " goes on" : " waits for the order start again")));
}

void abort(const Order& order) {
    order.orders().abort(
        order.call(), order.told(order.id() + " is aborted; " + how_to_undo_an_abort(order.id())));
}

void withdraw(const Order& order) {
    const auto bot = order.text("bot");
    const bool is_over = records::ended(order.contest->state);
    for (const auto& other : order.server().scheduler().statuses()) {
        const auto entrant = other.entrant_named(bot);
        if (is_over && other.begun && !records::ended(other.state) && entrant &&
            !other.is_withdrawn(*entrant))
            return order.refuse(order.id() + " is over; `referee ctl withdraw " + other.config->id +
                                " " + base::shell_word(bot) + "` withdraws " + bot +
                                " where it still plays");
    }
    const auto* what = order.server().scheduler().contest(order.id()).has_fixed_list()
                           ? "; its games that have not begun are forfeited"
                           : "";
    order.orders().withdraw(order.call(), bot,
                            order.told(bot + " is withdrawn from " + order.id() + what));
}

// All that were withdrawn because they were away or silent.
void admit_idle(const Order& order) {
    const auto ordered = order.server().scheduler().contest(order.id()).admit_idle();
    std::vector<std::string> bots;
    if (ordered) {
        for (const auto& record : *ordered)
            bots.push_back(std::get<records::EntryRecord>(record).bot);
    }
    order.orders().take(
        order.call(), [](const auto& contest) { return contest.admit_idle(); },
        order.told(base::counted(bots.size(), "bot") + " let in again to " + order.id() + ": " +
                   base::joined(bots, ", ")));
}

void admit(const Order& order) {
    const auto bot = order.text("bot");
    if (order.has("all")) return admit_idle(order);
    if (!protocol::is_valid_name(bot)) return order.refuse(std::string(expected_bot));
    const auto& referee = order.server().referee();
    const auto& config = *order.contest->config;
    if (!referee.roster().knows(bot) && !referee.lobby().bots().contains(bot)) {
        const auto near = referee.roster().near(bot);
        return order.refuse("no bot \"" + bot + "\" is known here" + base::did_you_mean(near) +
                            (near.empty() ? ";" : "") + " `referee ctl token new " +
                            base::shell_word(bot) + " --new` makes a new name known");
    }
    if (referee.roster().is_kept_out(bot))
        return order.refuse(bot + " waits for approval, or was refused; `referee ctl approve " +
                            base::shell_word(bot) + "` lets it in");
    const bool launched = referee.roster().launch_tokens().contains(bot);
    if (config.clock.measure == clock::Measure::cpu && !launched)
        return order.refuse(config.id +
                            " is judged by processor time, which can't be measured of " + bot +
                            ": it dials in");
    auto message = scheduler::takes_part(bot, config);
    if (const auto rounds = order.contest->rounds_planned; rounds && order.contest->round > 0)
        message += "; it has " + base::counted(*rounds, "round") + ", as before";
    order.orders().admit(order.call(), referee.entry_of(bot), order.told(message));
}

void drain(const Order& order) {
    auto& scheduler = order.server().scheduler();
    const auto running = scheduler.games_running();
    const bool is_elsewhere = scheduler.matches_elsewhere() > 0;
    const auto message =
        "no game begins any more; the daemon ends " +
        (running > 0    ? fmt::format("after those that run: {}{}", running,
                                   is_elsewhere ? ", and those that other machines have begun" : "")
         : is_elsewhere ? std::string("after those that other machines have begun")
                        : std::string("now: none is running"));
    order.told(message)({});
    if (order.previews()) return;
    const auto reason = order.text("reason");
    const auto why = "drained by order" + (reason.empty() ? "" : ": " + reason);
    log::info("{}; no game begins any more", why);
    scheduler.drain(why);
}

void reload(const Order& order) {
    const auto changed = order.reach.reload(order.previews());
    if (!changed) return order.refuse("the old config stays: " + changed.error());
    order.told("the config is read again: " + *changed)({});
}

constexpr std::array<OrderRow, 8> rows{
    {{"start", {.tournament = true, .goes_on = true}, start},
     {"pause", {.tournament = true, .goes_on = true}, pause},
     {"resume", {.tournament = true}, resume},
     {"abort", {.tournament = true, .goes_on = true}, abort},
     {"withdraw", {.tournament = true, .goes_on = true, .bot = true}, withdraw},
     {"admit", {.tournament = true, .goes_on = true}, admit},
     {"drain", {}, drain},
     {"reload", {}, reload}}};

}  // namespace

std::optional<contests::ContestStatus> contest_named(std::string_view id, const Order& order) {
    if (auto contest = order.server().scheduler().status_of(id)) return contest;
    order.refuse(no_tournament(id, order));
    return std::nullopt;
}

std::optional<contests::ContestStatus> contest_of(const Order& order, bool goes_on) {
    if (const auto id = order.request.find("tournament").string()) return contest_named(*id, order);
    const auto bot = order.text("bot");
    if (order.server().scheduler().status_of(bot) && !is_bot(bot, order)) {
        order.refuse(bot +
                     " is a tournament: expected a bot's name behind it, as in `referee ctl " +
                     order.text("command") + ' ' + bot + " alice`");
        return std::nullopt;
    }
    auto all = order.server().scheduler().statuses();
    auto going = all;
    std::erase_if(going, [](const auto& contest) { return records::ended(contest.state); });
    if (goes_on && !going.empty()) all = std::move(going);
    if (all.size() == 1) return std::move(all.front());
    order.refuse("there are several tournaments; expected the id of one of these: " +
                 base::joined(all, " ", [](const auto& one) { return one.config->id; }));
    return std::nullopt;
}

ControlOrders::ControlOrders(server::Server& server, decltype(OrderReach::reload) reload,
                             decltype(OrderReach::forget) forget)
    : reach_{server, std::move(reload), std::move(forget), server.timers().now()} {
    for (const OrderRows some : {OrderRows(rows), orders_of_arbiters, orders_that_ask,
                                 orders_about_bots, orders_to_play_again})
        for (const auto& row : some) orders_.emplace(row.name, row);
}

void ControlOrders::carry_out(json::View request, Answer answer) {
    Order order{reach_, request, std::move(answer)};
    if (!reach_.closed.empty()) return order.refuse(reach_.closed);
    const auto name = order.text("command");
    const auto found = orders_.find(name);
    if (found == orders_.end())
        return order.refuse("\"" + name + "\" is no command; expected one of: " +
                            base::joined(orders_, " ", [](const auto& one) { return one.first; }));
    const auto& needs = found->second.needs;
    if (needs.tournament && !(order.contest = contest_of(order, needs.goes_on))) return;
    if (needs.bot && !protocol::is_valid_name(order.text("bot")))
        return order.refuse(std::string(expected_bot));
    found->second.carry_out(order);
}

}  // namespace referee::daemon

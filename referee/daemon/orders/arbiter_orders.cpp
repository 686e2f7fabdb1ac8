#include <array>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/daemon/orders/order.h"
#include "referee/tournament/contests/arbiter.h"

// The orders of an arbiter: results, pairs that don't meet, rounds that are sat out.

namespace referee::daemon {
namespace {

struct MatchKey {
    std::string tournament;
    std::uint64_t match = 0;
};

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
    const auto number = base::whole_number<Number>(text);
    return number == Number{0} ? std::nullopt : number;
}

// "friday/12".
std::optional<MatchKey> match_key(std::string_view id) {
    const auto slash = id.rfind('/');
    if (slash == std::string_view::npos || slash == 0) return std::nullopt;
    const auto match = number_in<std::uint64_t>(id.substr(slash + 1));
    if (!match) return std::nullopt;
    return MatchKey{std::string(id.substr(0, slash)), *match};
}

struct RoundRange {
    std::uint32_t first = 1;
    std::uint32_t last = UINT32_MAX;
};

// "3", "2-4" or "2-"; empty: all.
std::optional<RoundRange> rounds_in(std::string_view text) {
    RoundRange rounds;
    if (text.empty()) return rounds;
    const auto dash = text.find('-');
    const auto first = number_in<std::uint32_t>(text.substr(0, dash));
    if (!first) return std::nullopt;
    rounds.first = rounds.last = *first;
    if (dash == std::string_view::npos) return rounds;
    rounds.last = UINT32_MAX;
    if (dash + 1 == text.size()) return rounds;
    const auto last = number_in<std::uint32_t>(text.substr(dash + 1));
    if (!last) return std::nullopt;
    rounds.last = *last;
    return rounds;
}

constexpr std::string_view somebody = "the instructor";

std::string by_of(const Order& order) {
    auto by = order.text("by");
    return by.empty() || by == records::ordered_by_config ? std::string(somebody) : by;
}

// "alice=bob" are level, unless a bot has that name.
contests::BotsByPlace places_of(const std::vector<std::string>& places,
                                const contests::ContestStatus& contest) {
    contests::BotsByPlace found;
    for (const auto& place : places) {
        auto& level = found.emplace_back();
        std::string_view rest = place;
        while (!contest.entrant_named(rest)) {
            const auto equals = rest.find('=');
            if (equals == std::string_view::npos) break;
            level.emplace_back(rest.substr(0, equals));
            rest.remove_prefix(equals + 1);
        }
        level.emplace_back(rest);
    }
    return found;
}

// The log has what was ordered in one line, whatever somebody typed.
scheduler::TournamentOrders::OnOrdered logged(const Order& order, const std::string& message) {
    using base::visible_line;
    const auto reason = order.call().reason;
    const auto line = visible_line(message) + (reason.empty() ? "" : ": " + visible_line(reason)) +
                      " (" + visible_line(by_of(order)) + ")";
    return order.told(message, [&server = order.server(), id = order.id(), line] {
        server.tell_order(id, line);
    });
}

// How the next round would be drawn.
std::string outlook_answer(const contests::RoundOutlook& outlook,
                           const contests::ContestStatus& contest) {
    const auto message = fmt::format(
        "round {} of {} as it would be drawn now{}", outlook.round, contest.config->id,
        outlook.open == 0
            ? std::string()
            : "; matches that are on and taken as level: " + std::to_string(outlook.open));
    return done([&](json::Writer& writer) {
        writer.member("message", message)
            .member("round", outlook.round)
            .key("boards")
            .begin_array();
        for (const auto& board : outlook.boards) {
            writer.texts(board.seats, [&](const auto& seat) { return contest.name(seat); });
        }
        writer.end_array();
        for (const bool absent : {false, true}) {
            writer.key(absent ? "absent" : "byes").begin_array();
            for (const auto& bye : outlook.byes) {
                if (absent == (bye.kind == formats::ByeKind::zero_point))
                    writer.string(contest.name(bye.entrant));
            }
            writer.end_array();
        }
    });
}

void result(const Order& given) {
    auto order = given;
    const auto id = order.text("match");
    const auto key = match_key(id);
    if (!key)
        return order.refuse("\"" + id + "\" is no match's id; expected one such as friday/12");
    if (!(order.contest = contest_named(key->tournament, order))) return;
    const auto places = order.request.find("places").texts();
    const bool take_back = order.has("take_back");
    if (places.empty() != take_back)
        return order.refuse("expected the bots of " + id +
                            " in the order of their places, such as alice bob, or alice=bob where "
                            "they are level; or --take-back without bots");
    if (order.text("reason").empty())
        return order.refuse(
            "expected --reason: it is recorded with the result, and stands in the standings");
    order.orders().rule(
        order.call(), key->match, places_of(places, *order.contest), by_of(order),
        logged(order, "the result of " + id +
                          (take_back ? " is what its games come to" : " is set") +
                          contests::after_change(order.server().scheduler().contest(order.id()),
                                                 key->match, false)));
}

void wish(const Order& order, const std::string& message,
          const scheduler::TournamentOrders::Order& wish) {
    order.orders().take(order.call(), wish, logged(order, message));
}

void forbid(const Order& given) {
    auto order = given;
    auto bots = order.request.find("bots").texts();
    // Of several names the first may be the tournament's.
    if (bots.size() > 2) order.contest = order.server().scheduler().status_of(bots.front());
    if (order.contest) {
        bots.erase(bots.begin());
    } else if (!(order.contest = contest_of(order, true))) {
        return;
    }
    const auto range = order.text("rounds");
    const auto rounds = rounds_in(range);
    if (!rounds)
        return order.refuse("\"" + range + "\" are no rounds; expected such as 3, 2-4 or 2-");
    const bool lifted = order.has("lift");
    const auto call = order.call();
    const auto names = base::joined(bots);
    const records::ForbiddenPairsRecord pairs{
        call.tournament,
        std::move(bots),
        rounds->first,
        rounds->last,
        lifted ? records::PairOrder::lifted : records::PairOrder::forbidden,
        call.reason,
        by_of(order)};
    wish(order,
         lifted ? "any two of " + names + " may meet again"
                : "no two of " + names + " meet, from the next round on" +
                      (range.empty() ? "" : " in rounds " + range),
         [pairs](const auto& contest) { return contests::forbid(contest, pairs); });
}

void bye(const Order& order) {
    const auto which = order.text("round");
    const auto round = number_in<std::uint32_t>(which);
    if (!round)
        return order.refuse("expected --round with a number such as 3, found \"" + which + "\"");
    const bool take_back = order.has("take_back");
    const bool zero = order.has("zero");
    if (take_back && zero) return order.refuse("expected --zero or --take-back, not both");
    const auto call = order.call();
    const records::RequestedByeRecord bye{call.tournament,
                                          order.text("bot"),
                                          *round,
                                          take_back ? records::ByeOrder::taken_back
                                          : zero    ? records::ByeOrder::zero_point
                                                    : records::ByeOrder::half_point,
                                          call.reason,
                                          by_of(order)};
    wish(order,
         take_back ? bye.bot + " plays round " + which
                   : bye.bot + " sits round " + which + " out for " +
                         (zero ? "nothing" : "a draw's points"),
         [bye](const auto& contest) { return contests::wish_bye(contest, bye); });
}

void pair(const Order& order) {
    const auto bots = order.request.find("bots").texts();
    if (bots.empty()) {
        const auto outlook = order.orders().outlook_of(order.id());
        if (!outlook) return order.refuse(outlook.error());
        return order.answer(outlook_answer(*outlook, *order.contest));
    }
    const auto which = order.text("round");
    const auto round = number_in<std::uint32_t>(which);
    if (!round || bots.size() != 2)
        return order.refuse(
            "expected two bots, the first seat first, and --round with the number of the next "
            "round, such as alice bob --round 3; without bots it tells how that round would be "
            "drawn");
    const bool take_back = order.has("take_back");
    const auto call = order.call();
    const records::HandPairingRecord pairing{
        call.tournament,
        bots,
        *round,
        take_back ? records::HandPairingOrder::taken_back : records::HandPairingOrder::paired,
        call.reason,
        by_of(order)};
    const auto two = bots[0] + " and " + bots[1];
    wish(order,
         take_back ? two + " are drawn in round " + which + " as all others are"
                   : two + " meet in round " + which + "; the others are drawn around them",
         [pairing, anyway = order.has("anyway")](const auto& contest) {
             return contests::pair_by_hand(contest, pairing, anyway);
         });
}

constexpr std::array<OrderRow, 4> rows_of_arbiters{
    {{"result", {}, result},
     {"forbid", {}, forbid},
     {"bye", {.tournament = true, .goes_on = true, .bot = true}, bye},
     {"pair", {.tournament = true, .goes_on = true}, pair}}};

}  // namespace

const OrderRows orders_of_arbiters = rows_of_arbiters;

}  // namespace referee::daemon

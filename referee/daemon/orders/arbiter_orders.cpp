#include <charconv>

#include "protocol/base/text.h"
#include "protocol/json/text.h"
#include "referee/daemon/orders/control_orders.h"

// The orders of an arbiter: results, pairs that don't meet, rounds that are sat out.

namespace referee::daemon {
namespace {

struct MatchKey {
    std::string tournament;
    std::uint64_t match = 0;
};

template <typename Number>
std::optional<Number> number_in(std::string_view text) {
    Number number = 0;
    const auto* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stopped != end || number == 0) return std::nullopt;
    return number;
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

std::string by_of(json::View request) {
    auto by = text_of(request, "by", somebody);
    return by == records::ordered_by_config ? std::string(somebody) : by;
}

// "alice=bob" are level, unless a bot has that name.
contests::Contest::BotsByPlace places_of(const std::vector<std::string>& places,
                                         const contests::ContestStatus& contest) {
    contests::Contest::BotsByPlace found;
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

// What was ordered, for the log: one line, whatever somebody typed.
template <typename Record>
std::string logged(const std::string& message, const Record& record) {
    using protocol::json::visible_line;
    return visible_line(message) +
           (record.reason.empty() ? std::string() : ": " + visible_line(record.reason)) + " (" +
           visible_line(record.by) + ")";
}

template <typename Record>
scheduler::TournamentOrders::OnOrdered answered(Host& host, control::ControlCommands::Answer answer,
                                                std::string message, const Record& record) {
    return [&host, answer = std::move(answer), message, tournament = record.tournament,
            line = logged(message, record)](const base::Result<void, std::string>& ordered) {
        if (!ordered) return answer(control::refusal(ordered.error()));
        host.tell_order(tournament, line);
        answer(done([&](json::Writer& writer) { writer.member("message", message); }));
    };
}

// How the next round would be drawn.
std::string outlook_answer(const contests::Contest::RoundOutlook& outlook,
                           const contests::ContestStatus& contest) {
    const auto message = "round " + std::to_string(outlook.round) + " of " + contest.config->id +
                         " as it would be drawn now" +
                         (outlook.open == 0 ? std::string()
                                            : "; matches that are on and taken as level: " +
                                                  std::to_string(outlook.open));
    return done([&](json::Writer& writer) {
        writer.member("message", message)
            .member("round", outlook.round)
            .key("boards")
            .begin_array();
        for (const auto& board : outlook.boards) {
            writer.texts(board.seats, [&](const auto& seat) { return contest.name(seat); });
        }
        writer.end_array().key("byes").texts(
            outlook.byes, [&](const auto& bye) { return contest.name(bye.entrant); });
    });
}

}  // namespace

void ControlOrders::result(json::View request, const Answer& answer) {
    const auto id = text_of(request, "match");
    const auto key = match_key(id);
    if (!key)
        return answer(
            control::refusal("\"" + id + "\" is no match's id; expected one such as friday/12"));
    const auto contest = host_.scheduler().status_of(key->tournament);
    if (!contest) return answer(control::refusal(no_tournament(key->tournament, request)));
    const auto places = texts_of(request, "places");
    const bool take_back = has_flag(request, "take_back");
    if (places.empty() != take_back)
        return answer(control::refusal(
            "expected the bots of " + id +
            " in the order of their places, such as alice bob, or alice=bob where they are level; "
            "or --take-back without bots"));
    const auto reason = text_of(request, "reason");
    if (reason.empty())
        return answer(control::refusal(
            "expected --reason: it is recorded with the result, and stands in the standings"));
    const records::RulingRecord ruling{key->tournament, key->match, {}, reason, by_of(request)};
    host_.scheduler().orders().rule(
        ruling, places_of(places, *contest),
        answered(host_, answer,
                 "the result of " + id + (take_back ? " is what its games come to" : " is set") +
                     host_.scheduler().after_change(key->tournament, key->match, false),
                 ruling));
}

void ControlOrders::forbid(json::View request, const Answer& answer) {
    auto bots = texts_of(request, "bots");
    // Of several names the first may be the tournament's.
    auto contest = bots.size() > 2 ? host_.scheduler().status_of(bots.front()) : std::nullopt;
    if (contest) {
        bots.erase(bots.begin());
    } else {
        contest = contest_of(request, answer);
    }
    if (!contest) return;
    const auto range = text_of(request, "rounds");
    const auto rounds = rounds_in(range);
    if (!rounds)
        return answer(
            control::refusal("\"" + range + "\" are no rounds; expected such as 3, 2-4 or 2-"));
    const bool lifted = has_flag(request, "lift");
    const records::ForbiddenPairsRecord pairs{
        contest->config->id,
        std::move(bots),
        rounds->first,
        rounds->last,
        lifted ? records::PairOrder::lifted : records::PairOrder::forbidden,
        text_of(request, "reason", usual_reason),
        by_of(request)};
    const auto names = base::joined(pairs.bots);
    host_.scheduler().orders().forbid(
        pairs, answered(host_, answer,
                        lifted ? "any two of " + names + " may meet again"
                               : "no two of " + names + " meet, from the next round on" +
                                     (range.empty() ? "" : " in rounds " + range),
                        pairs));
}

void ControlOrders::bye(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto which = text_of(request, "round");
    const auto round = number_in<std::uint32_t>(which);
    if (!round)
        return answer(
            control::refusal("expected --round with a number such as 3, found \"" + which + "\""));
    const bool take_back = has_flag(request, "take_back");
    const bool zero = has_flag(request, "zero");
    if (take_back && zero)
        return answer(control::refusal("expected --zero or --take-back, not both"));
    const records::RequestedByeRecord bye{contest->config->id,
                                          text_of(request, "bot"),
                                          *round,
                                          take_back ? records::ByeOrder::taken_back
                                          : zero    ? records::ByeOrder::zero_point
                                                    : records::ByeOrder::half_point,
                                          text_of(request, "reason", usual_reason),
                                          by_of(request)};
    host_.scheduler().orders().wish_bye(
        bye, answered(host_, answer,
                      take_back ? bye.bot + " plays round " + which
                                : bye.bot + " sits round " + which + " out for " +
                                      (zero ? "nothing" : "a draw's points"),
                      bye));
}

void ControlOrders::pair(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto& id = contest->config->id;
    const auto bots = texts_of(request, "bots");
    if (bots.empty()) {
        const auto outlook = host_.scheduler().orders().outlook_of(id);
        if (!outlook) return answer(control::refusal(outlook.error()));
        return answer(outlook_answer(*outlook, *contest));
    }
    const auto which = text_of(request, "round");
    const auto round = number_in<std::uint32_t>(which);
    if (!round || bots.size() != 2)
        return answer(
            control::refusal("expected two bots, the first seat first, and --round with the number "
                             "of the next round, such as alice bob --round 3; without bots it "
                             "tells how that round would be drawn"));
    const bool take_back = has_flag(request, "take_back");
    const records::HandPairingRecord pairing{
        id,
        bots,
        *round,
        take_back ? records::ManualPairingOrder::taken_back : records::ManualPairingOrder::paired,
        text_of(request, "reason", usual_reason),
        by_of(request)};
    const auto two = bots[0] + " and " + bots[1];
    host_.scheduler().orders().pair_by_hand(
        pairing, has_flag(request, "anyway"),
        answered(host_, answer,
                 take_back ? two + " are drawn in round " + which + " as all others are"
                           : two + " meet in round " + which + "; the others are drawn around them",
                 pairing));
}

}  // namespace referee::daemon

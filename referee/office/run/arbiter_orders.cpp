#include <charconv>

#include "referee/office/run/answers.h"
#include "referee/office/run/orders.h"

// The orders of an arbiter: results, pairs that don't meet, rounds that are sat out.

namespace referee::run {
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

std::string text_of(json::View request, std::string_view member, std::string_view otherwise = "") {
    return std::string(request.find(member).string().value_or(otherwise));
}

std::vector<std::string> texts_of(json::View request, std::string_view member) {
    std::vector<std::string> texts;
    for (const auto text : request.find(member).elements())
        texts.emplace_back(text.string().value_or(""));
    return texts;
}

bool has_flag(json::View request, std::string_view member) {
    return request.find(member).boolean().value_or(false);
}

constexpr std::string_view usual_reason = "by order of the instructor";
constexpr std::string_view somebody = "the instructor";

std::string by_of(json::View request) {
    auto by = text_of(request, "by", somebody);
    return by == journal::ordered_by_config ? std::string(somebody) : by;
}

// "alice=bob" are level, unless a bot has that name.
scheduler::Contest::BotsByPlace places_of(const std::vector<std::string>& places,
                                          const scheduler::ContestStatus& contest) {
    scheduler::Contest::BotsByPlace found;
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

scheduler::Scheduler::OnOrdered answered(control::Commands::Answer answer, std::string message) {
    return [answer = std::move(answer),
            message = std::move(message)](const base::Result<void, std::string>& ordered) {
        if (!ordered) return answer(control::refusal(ordered.error()));
        answer(done([&](json::Writer& writer) { writer.member("message", message); }));
    };
}

}  // namespace

void Orders::result(json::View request, const Answer& answer) {
    const auto id = text_of(request, "match");
    const auto key = match_key(id);
    if (!key)
        return answer(
            control::refusal("\"" + id + "\" is no match's id; expected one such as friday/12"));
    const auto contest = host_.scheduler().status_of(key->tournament);
    if (!contest)
        return answer(control::refusal("there is no tournament \"" + key->tournament + "\""));
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
    journal::RulingRecord ruling{key->tournament, key->match, {}, reason, by_of(request)};
    host_.scheduler().rule(
        std::move(ruling), places_of(places, *contest),
        answered(answer, take_back ? "the result of " + id + " is what its games come to"
                                   : "the result of " + id + " is set"));
}

void Orders::forbid(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto range = text_of(request, "rounds");
    const auto rounds = rounds_in(range);
    if (!rounds)
        return answer(
            control::refusal("\"" + range + "\" are no rounds; expected such as 3, 2-4 or 2-"));
    const bool lifted = has_flag(request, "lift");
    journal::ForbiddenPairsRecord pairs{
        contest->config->id,
        texts_of(request, "bots"),
        rounds->first,
        rounds->last,
        lifted ? journal::PairOrder::lifted : journal::PairOrder::forbidden,
        text_of(request, "reason", usual_reason),
        by_of(request)};
    std::string names;
    for (const auto& bot : pairs.bots) names += (names.empty() ? "" : ", ") + bot;
    host_.scheduler().forbid(
        std::move(pairs),
        answered(answer, lifted ? "any two of " + names + " may meet again"
                                : "no two of " + names + " meet, from the next round on" +
                                      (range.empty() ? "" : " in rounds " + range)));
}

void Orders::bye(json::View request, const Answer& answer) {
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
    const journal::RequestedByeRecord bye{contest->config->id,
                                          text_of(request, "bot"),
                                          *round,
                                          take_back ? journal::ByeOrder::taken_back
                                          : zero    ? journal::ByeOrder::zero_point
                                                    : journal::ByeOrder::half_point,
                                          text_of(request, "reason", usual_reason),
                                          by_of(request)};
    host_.scheduler().wish_bye(
        bye, answered(answer, take_back ? bye.bot + " plays round " + which
                                        : bye.bot + " sits round " + which + " out for " +
                                              (zero ? "nothing" : "a draw's points")));
}

}  // namespace referee::run

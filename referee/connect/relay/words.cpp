#include "referee/connect/relay/words.h"

#include <algorithm>

#include "protocol/json/printable.h"

namespace referee::relay {
namespace {

constexpr std::int64_t us_a_ms = 1000;
constexpr std::size_t decimals = 3;

std::string ordinal(std::int64_t number) {
    constexpr std::int64_t ten = 10;
    constexpr std::int64_t hundred = 100;
    const auto last = number % ten;
    const bool teen = number % hundred / ten == 1;
    const char* ending = "th";
    if (!teen && last == 1) ending = "st";
    if (!teen && last == 2) ending = "nd";
    if (!teen && last == 3) ending = "rd";
    return std::to_string(number) + ending;
}

}  // namespace

std::string milliseconds_text(std::int64_t us) {
    auto text = std::to_string(us / us_a_ms);
    if (const auto rest = us % us_a_ms; rest != 0) {
        auto digits = std::to_string(rest);
        digits.insert(0, decimals - digits.size(), '0');
        digits.erase(digits.find_last_not_of('0') + 1);
        text += "." + digits;
    }
    return text + " ms";
}

std::string others_text(const std::vector<std::string>& names, std::size_t seat) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (i != seat) others.push_back(protocol::json::visible_line(names[i]));
    std::string text;
    for (std::size_t i = 0; i < others.size(); ++i) {
        if (i > 0) text += i + 1 == others.size() ? " and " : ", ";
        text += others[i];
    }
    return text;
}

std::string cause_of(const protocol::Fault& fault) {
    const auto& known = fault.evidence;
    if (fault.code != protocol::FaultCode::late || !known.charged_us || !known.budget_us ||
        *known.charged_us <= *known.budget_us)
        return protocol::json::visible_line(fault.message);
    const auto budget = milliseconds_text(*known.budget_us);
    // Where both are there, the line was an answer to an earlier turn, or none at all.
    if (!known.received || known.noticed_us) return "no answer came within your " + budget;
    return "your answer came " + milliseconds_text(*known.charged_us - *known.budget_us) +
           " late: it was charged " + milliseconds_text(*known.charged_us) + " of " + budget;
}

std::string_view outcome_of(protocol::Consequence consequence) {
    switch (consequence) {
        case protocol::Consequence::none:
            return "";
        case protocol::Consequence::missing_move:
            return "the move counts as missing";
        case protocol::Consequence::lost_turn:
            return "the turn is lost";
        case protocol::Consequence::strike:
            return "it counts as a strike";
        case protocol::Consequence::forfeit:
            return "the game is lost";
    }
    return "";
}

std::string verdict_of(const std::vector<std::int64_t>& places, std::size_t seat,
                       const std::string& score) {
    if (places.size() == 1) return "you scored " + score;
    const auto own = places[seat];
    if (own == 1) return std::count(places.begin(), places.end(), 1) > 1 ? "you drew" : "you won";
    if (places.size() == 2) return "you lost";
    return "you came " + ordinal(own) + " of " + std::to_string(places.size());
}

}  // namespace referee::relay

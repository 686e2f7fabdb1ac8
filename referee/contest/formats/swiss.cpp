#include "referee/contest/formats/swiss.h"

#include <algorithm>

namespace referee::formats {

namespace {

// Below, everybody can meet everybody: a table of all rounds is found whatever came before.
constexpr std::size_t entrants_at_risk = 5;

std::string counted(std::size_t number, const std::string& what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// From how many rounds on a Swiss of two seats often comes to one that can't be paired, because
// those who are left have met; found by simulation (configs/README.md has the numbers).
std::uint32_t rounds_at_risk(std::size_t entrants) {
    return rounds_without_repeats(entrants, 2) - 1;
}

// Whether everybody has each seat equally often in every match, so that there is no colour to
// balance.
bool balances_seats(const MatchConfig& match, std::size_t seats) {
    if (match.solo) return true;
    return match.seat_order == SeatOrder::rotate && !match.best_of && match.games % seats == 0;
}

std::string advice_on(const SwissOptions& its, const MatchConfig& match, std::size_t entrants) {
    if (its.seats != 2 || entrants < entrants_at_risk) return {};
    const auto rounds = its.rounds != 0 ? its.rounds : default_rounds(entrants, its.seats);
    const auto risk = rounds_at_risk(entrants);
    if (rounds < risk) return {};
    std::string advice =
        counted(rounds, "round") + " of a swiss are many for " + counted(entrants, "bot") +
        ": it may come to a round that can't be paired, because those who are left "
        "have met, and then it ends early; expected at most " +
        std::to_string(risk - 1) + R"(, or "kind": "round_robin" with all )" +
        std::to_string(rounds_without_repeats(entrants, 2));
    if (its.colours && balances_seats(match, 2))
        advice +=
            R"(; its matches have each bot in each seat equally often, so "colours": false, with )"
            "which seats forbid no pair, makes that rarer";
    return advice;
}

}  // namespace

std::string swiss_advice(const FormatConfig& format, const MatchConfig& match,
                         std::size_t entrants) {
    if (const auto* swiss = format.as<SwissOptions>()) return advice_on(*swiss, match, entrants);
    auto field = entrants;
    for (const auto& stage : stages_of(format)) {
        if (stage.advance != 0) field = std::min(field, stage.advance);
        const auto* swiss = stage.format.as<SwissOptions>();
        if (swiss == nullptr) continue;
        if (auto advice = advice_on(*swiss, match, field); !advice.empty()) return advice;
    }
    return {};
}

}  // namespace referee::formats

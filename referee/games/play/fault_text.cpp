#include "referee/games/play/fault_text.h"

namespace referee::play {
namespace {

constexpr std::int64_t us_per_ms = 1000;

}  // namespace

std::string milliseconds(std::int64_t us) {
    auto fraction = std::to_string(us % us_per_ms);
    while (fraction.size() < 3) fraction.insert(fraction.begin(), '0');
    return std::to_string(us / us_per_ms) + "." + fraction + " ms";
}

Rule rule_of(FaultCode code) {
    switch (code) {
        case FaultCode::late:
            return {"clock.turn_budget", "a move is charged no more than the turn's budget"};
        case FaultCode::malformed:
            return {"game.form", "a move has the form that the game's page gives"};
        case FaultCode::illegal:
            return {"game.rules", "a move obeys the rules of the game"};
        case FaultCode::disconnected:
            return {
                "connection.kept",
                "a bot keeps its connection while its game is on; its clock runs on without it"};
        case FaultCode::crashed:
            return {"process.alive", "a launched bot keeps running while its game is on"};
        case FaultCode::hung:
            return {"clock.hung",
                    "a bot's lateness, summed over the game, stays below the clock's limit"};
        case FaultCode::over_budget:
            return {"clock.game_budget", "a bot's time for the whole game is not used up"};
        case FaultCode::flooding:
            return {"connection.flooding", "a bot sends no more than it is asked for"};
        case FaultCode::protocol:
            return {"protocol.messages", "a bot sends only messages that the protocol knows"};
    }
    return {};
}

std::string fault_message(const Fault& fault, std::string_view bot) {
    const std::string who(bot);
    const auto charged = milliseconds(fault.evidence.charged_us.value_or(0));
    const auto budget = milliseconds(fault.evidence.budget_us.value_or(0));
    switch (fault.code) {
        case FaultCode::late:
            if (fault.rule == hard_limit_rule.name) {
                const auto took = milliseconds(fault.evidence.received_us.value_or(0) -
                                               fault.evidence.sent_us.value_or(0));
                return who + " took " + took + " of wall time, and a turn is over after " + budget +
                       ": the move counts as missing";
            }
            return who + " was charged " + charged + " of a budget of " + budget +
                   ": the move counts as missing";
        case FaultCode::hung:
            return who + " counts as hung by its lateness over the whole game";
        case FaultCode::over_budget:
            return who + " used up its time of " + budget +
                   " for the game; the last turn was charged " + charged;
        default:
            return who + ": " + std::string(protocol::name_of(fault.code));
    }
}

}  // namespace referee::play

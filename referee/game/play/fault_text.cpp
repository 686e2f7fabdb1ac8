#include "referee/game/play/fault_text.h"

#include "protocol/base/milliseconds.h"

namespace referee::play {
namespace {

// A bot that used at least this share of the time was thinking; one that used no more than the
// other share was not.
constexpr int thinking_shares = 2;  // a half
constexpr int waiting_shares = 20;  // a twentieth

}  // namespace

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

std::string fault_message(const Fault& fault, std::string_view bot, Duration wall) {
    const std::string who(bot);
    const auto charged = base::milliseconds(fault.evidence.charged_us.value_or(0));
    const auto budget = base::milliseconds(fault.evidence.budget_us.value_or(0));
    switch (fault.code) {
        case FaultCode::late:
            if (fault.rule == hard_limit_rule.name) {
                return who + " took " + base::milliseconds(in_us(wall)) +
                       " of wall time, and a turn is over after " + budget +
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

std::string way_text(const protocol::Evidence& evidence) {
    if (!evidence.round_trip_us || !evidence.allowance_us) return {};
    return "; its way takes " + base::milliseconds(*evidence.round_trip_us) + ", and " +
           base::milliseconds(*evidence.allowance_us) + " are allowed for it";
}

std::string stray_text(std::int64_t answered, std::int64_t turn, Duration into_turn) {
    if (answered <= 0) return "; a line came that is no answer to this turn";
    const bool before = into_turn < Duration::zero();
    return "; its answer to turn " + std::to_string(answered) + " came " +
           base::milliseconds(in_us(before ? -into_turn : into_turn)) +
           (before ? " before this turn was sent" : " into this turn") + ", and none to turn " +
           std::to_string(turn) + " had come by then";
}

std::string half_line_text(std::size_t bytes) {
    return "half a line is waiting (" + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") +
           "): end it with a line feed";
}

std::string work_text(Duration worked, Duration wall, bool has_answered) {
    const auto used = "it used " + base::milliseconds(in_us(worked)) + " of processor time";
    const std::string nothing = "nothing came by then: ";
    if (worked * thinking_shares >= wall) return nothing + "it was thinking, " + used;
    const std::string flush =
        has_answered ? "" : "; does the bot flush its output, and end each line with a line feed?";
    if (worked * waiting_shares > wall) return nothing + used + flush;
    return nothing + "it slept or waited for input, " + used + flush;
}

}  // namespace referee::play

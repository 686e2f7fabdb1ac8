#include "referee/report/cells.h"
#include "referee/report/certainty.h"

// What is said of seats to people.

namespace referee::report {
namespace {

using certainty::EffectKind;
using certainty::SeatEffect;

constexpr int percent_decimals = 1;
constexpr double whole_share = 100;
constexpr double percent_least = 0.1;

std::string percent_text(double share) {
    return fixed_text(share * whole_share, percent_decimals) + '%';
}

std::string signed_percent(double share) {
    const auto text = percent_text(share);
    return text.front() == '-' ? text : '+' + text;
}

std::string chance_text(double p) {
    return p * whole_share < percent_least ? "below 0.1%" : "at most " + percent_text(p);
}

std::string what_is_told(const SeatEffect& effect) {
    if (effect.kind == EffectKind::first_move) return "who moves first";
    const auto seat = "seat " + std::to_string(effect.seat);
    if (effect.kind == EffectKind::seat) return seat;
    return seat + " on setup " + std::to_string(effect.setup);
}

}  // namespace

std::string seats_sentence(const Certainty& certainty) {
    const SeatEffect* surest = nullptr;
    std::size_t real = 0;
    for (const auto& effect : certainty.seats.effects) {
        if (!effect.real) continue;
        ++real;
        if (surest == nullptr || effect.p < surest->p) surest = &effect;
    }
    if (surest == nullptr) return {};
    auto text =
        "Warning: where a bot sits matters: " + what_is_told(*surest) + " gets " +
        signed_percent(*surest->advantage) +
        " of a game's points beside an even share (95%: " + signed_percent(surest->interval.low) +
        " to " + signed_percent(surest->interval.high) + "; by chance: " + chance_text(surest->p) +
        ')';
    if (real > 1) text += "; standings.json has " + std::to_string(real - 1) + " more";
    return text + '.';
}

}  // namespace referee::report

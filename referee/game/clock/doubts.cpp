#include "referee/game/clock/doubts.h"

#include "protocol/base/milliseconds.h"

namespace referee::clock {

void Doubts::count(const Charge& charge) {
    ++turns;
    if (charge.doubted <= Duration::zero() || charge.late || charge.flag) return;
    ++by_doubt;
    sum += charge.doubted;
}

void Doubts::add(const Doubts& others) {
    turns += others.turns;
    by_doubt += others.by_doubt;
    sum += others.sum;
}

bool Doubts::many() const {
    return turns >= doubted_turns_min &&
           static_cast<double>(by_doubt) > doubted_share_max * static_cast<double>(turns);
}

std::string describe(const Doubts& doubts) {
    return std::to_string(doubts.by_doubt) + " of " + std::to_string(doubts.turns) +
           " turns were in time only by doubt, " + base::milliseconds(in_us(doubts.sum)) +
           " taken off in all";
}

}  // namespace referee::clock

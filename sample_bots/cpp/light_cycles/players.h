#pragma once

#include <memory>

#include "sample_bots/cpp/kit/bot.h"

// The reference bots for Light Cycles. Each plays one game.

namespace bots::light_cycles {

// Each cycle goes straight on while that is legal; else it takes any legal turn with equal
// probability, the same ones again in a game of the same id and seat.
std::unique_ptr<kit::Player> make_dumb(const kit::GameStart& start);
// Each cycle goes where its team can get to most of the grid before anybody else. The work is
// counted in cells, not in time: it stays well inside the mean budget, and a game of the same id
// can be repeated. Games of other ids differ.
std::unique_ptr<kit::Player> make_smarter(const kit::GameStart& start);

}  // namespace bots::light_cycles

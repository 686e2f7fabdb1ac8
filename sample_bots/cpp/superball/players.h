#pragma once

#include <memory>

#include "sample_bots/cpp/kit/bot.h"

// The reference bots for Superball, a level each. Their moves are those of strategies.h.
namespace bots::superball {

std::unique_ptr<kit::Player> make_random(const kit::GameStart& start);
std::unique_ptr<kit::Player> make_level2(const kit::GameStart& start);
std::unique_ptr<kit::Player> make_level3(const kit::GameStart& start);
std::unique_ptr<kit::Player> make_champion(const kit::GameStart& start);

}  // namespace bots::superball

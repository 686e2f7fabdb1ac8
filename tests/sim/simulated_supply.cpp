#include "tests/sim/simulated_supply.h"

#include <algorithm>

#include "protocol/base/assertion.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::lobby::Bot;

constexpr Duration logs_in_after = 20ms;
// The time from the end of a bot's connection until its process is seen to be gone.
constexpr Duration missed_after = 150ms;

}  // namespace

SimulatedBot& SimulatedSupply::launched(const Bot& bot) const {
    const auto found = std::ranges::find_if(
        bots_, [&bot](const auto& one) { return one->plan().name == bot.name(); });
    REFEREE_ASSERT(found != bots_.end());
    return **found;
}

void SimulatedSupply::kill_all() {
    for (const auto& bot : bots_) {
        if (known_.contains(bot->plan().name)) bot->kill();
    }
}

void SimulatedSupply::left(Bot& bot) {
    if (!known_.contains(bot.name()) || bot.process() == nullptr) return;
    world_.referee().schedule(
        world_.now() + missed_after,
        [this, &bot, launch = launches_[bot.name()], life = std::weak_ptr(life_)] {
            if (!life.expired() && launch == launches_[bot.name()] && !bot.connected())
                release(bot);
        });
}

void SimulatedSupply::want(Bot& bot) {
    if (!launches(bot) || bot.process() != nullptr || closed_) return;
    auto& process = launched(bot);
    process.launch(referee_.roster().launch_tokens().at(bot.name()));
    bot.set_process(&process.process());
    const auto launch = ++launches_[bot.name()];
    world_.later(logs_in_after, [this, &bot, &process, launch, life = std::weak_ptr(life_)] {
        if (life.expired() || launch != launches_[bot.name()] || bot.process() == nullptr) return;
        process.connect();
    });
}

// The processes of bots whose names end with an even digit stay.
void SimulatedSupply::game_over(Bot& bot, bool match_over) {
    if (!known_.contains(bot.name()) || bot.process() == nullptr) return;
    const bool stays = bot.name().back() % 2 == 0 && !outdated_.contains(bot.name());
    if (!match_over || !bot.places().empty() || stays) return;
    release(bot);
}

void SimulatedSupply::launch_anew(Bot& bot) {
    if (bot.process() == nullptr) return;
    if (bot.places().empty())
        release(bot);
    else
        outdated_.insert(bot.name());
}

void SimulatedSupply::retire(Bot& bot) {
    retired_.insert(bot.name());
    launch_anew(bot);
}

void SimulatedSupply::release(Bot& bot) {
    outdated_.erase(bot.name());
    bot.set_process(nullptr);
    if (bot.session() != nullptr) bot.session()->close(referee::session::CloseCause::released);
    launched(bot).kill();
}

}  // namespace tests::sim

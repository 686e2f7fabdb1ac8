#pragma once

#include <memory>
#include <vector>

#include "referee/tournament/referee.h"
#include "tests/sim/simulated_bot.h"

namespace tests::sim {

// Launches simulated bots: each logs in a little later, with the token that its referee has made.
// Some live as long as their tournament, some as long as a match.
class SimulatedSupply final : public referee::scheduler::BotSupply {
 public:
    using Bots = std::vector<std::unique_ptr<SimulatedBot>>;

    // All of these outlive it.
    SimulatedSupply(World& world, referee::tournament::Referee& referee, const Bots& bots)
        : world_(world), referee_(referee), bots_(bots) {}

    // Launches no bot any more.
    void close() { closed_ = true; }
    // The processes end together with the referee's process.
    void kill_all();

    void know(const referee::config::BotConfig& bot) override {
        known_.insert(bot.name);
        retired_.erase(bot.name);
    }
    void launch_anew(referee::lobby::Bot& bot) override;
    void retire(referee::lobby::Bot& bot) override;
    void left(referee::lobby::Bot& bot) override;
    bool launches(const referee::lobby::Bot& bot) const override {
        return known_.contains(bot.name()) && !retired_.contains(bot.name());
    }
    void want(referee::lobby::Bot& bot) override;
    void game_over(referee::lobby::Bot& bot, bool match_over) override;

 private:
    SimulatedBot& launched(const referee::lobby::Bot& bot) const;
    void release(referee::lobby::Bot& bot);

    World& world_;
    referee::tournament::Referee& referee_;
    const Bots& bots_;
    std::set<std::string> known_;
    std::set<std::string> retired_;
    std::set<std::string> outdated_;               // their processes end with their match
    std::map<std::string, std::size_t> launches_;  // by bot: each is another process
    bool closed_ = false;
    std::shared_ptr<const bool> life_ = std::make_shared<const bool>(true);
};

}  // namespace tests::sim

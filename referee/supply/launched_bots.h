#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/launcher/launcher.h"
#include "referee/lobby/lobby.h"
#include "referee/runtime/timers.h"
#include "referee/scheduler/scheduler.h"

namespace referee::supply {

// How the launch of this bot would fail as things are now, as far as can be seen beforehand.
std::optional<std::string> launch_trouble(const config::BotConfig& bot,
                                          const std::string& search_path);

// The bots that the config says to launch: starts them when a game wants them, connects them to
// the lobby, and releases them when their time is over. Nothing of a released bot is left running.
// Not thread safe.
class LaunchedBots final : public scheduler::BotSupply {
 public:
    struct Settings {
        std::string dial_in_address;  // "127.0.0.1:7777", for bots that dial in
    };
    // Told of what goes wrong, for the log.
    using OnTrouble = std::function<void(const std::string& bot, const std::string& message)>;

    // `tokens` gives each launched bot its password for this run. All references outlive this.
    LaunchedBots(Settings settings, const std::vector<config::BotConfig>& bots,
                 const std::map<std::string, std::string>& tokens, launcher::Launcher& launcher,
                 lobby::Lobby& lobby, runtime::Timers& timers,
                 boost::asio::any_io_executor executor, OnTrouble on_trouble);
    ~LaunchedBots() override;
    LaunchedBots(const LaunchedBots&) = delete;
    LaunchedBots& operator=(const LaunchedBots&) = delete;
    LaunchedBots(LaunchedBots&&) = delete;
    LaunchedBots& operator=(LaunchedBots&&) = delete;

    bool launches(const lobby::Bot& bot) const override;
    void want(lobby::Bot& bot) override;
    std::optional<LaunchState> launch_state(const lobby::Bot& bot) const override;
    bool stays(const lobby::Bot& bot) const override;
    void game_over(lobby::Bot& bot, bool match_over) override;
    // One more bot that is launched; its token is known by now.
    void add(const config::BotConfig& bot);
    // Its connection has ended: what is left of it is released after its games had a look at it.
    void left(lobby::Bot& bot);
    void release_all();

 private:
    class Running;

    void launch(Running& running);
    void launched(Running& running, launcher::LaunchResult result);
    void release(Running& running);

    Settings settings_;
    const std::map<std::string, std::string>& tokens_;
    launcher::Launcher& launcher_;
    lobby::Lobby& lobby_;
    runtime::Timers& timers_;
    boost::asio::any_io_executor executor_;
    OnTrouble on_trouble_;
    std::map<std::string, std::unique_ptr<Running>, std::less<>> bots_;
};

}  // namespace referee::supply

#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "referee/config/config.h"
#include "referee/game/play/play.h"
#include "referee/launch/process/bot_process.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/supply/launch_hints.h"
#include "referee/net/lobby/bot.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/listener.h"
#include "referee/tournament/scheduler/bot_supply.h"

namespace referee::supply {

// Where a launched bot with a network of its own dials in: a socket that listens there. What
// connects is as good as what connects to the referee's own port from this machine, but only this
// bot can do it.
class BotListener {
 public:
    // A bot needs one connection, and a second one while it comes back. All bots with a network of
    // their own have the same address, so one of them could use up what all may have together.
    static constexpr int connections_max = 4;

    struct Calls {
        std::string bot;  // who dials in there
        // How long a connection may take to log in; nothing: as long as any other.
        std::function<std::optional<Duration>()> login_time_max;
        std::function<void(const std::string& message)> on_remark;
        // A connection of this bot was not taken: why.
        std::function<void(const std::string& why)> on_refused;
    };

    // Null where there is no socket. `lobby` outlives it.
    static std::unique_ptr<BotListener> open(process::Descriptor socket, lobby::Lobby& lobby,
                                             const boost::asio::any_io_executor& executor,
                                             Calls calls);

 private:
    BotListener(std::unique_ptr<transport::Listener> listener, lobby::Lobby& lobby, Calls calls);

    lobby::Lobby& lobby_;
    Calls calls_;
    // How many of its connections are open; each of them shares it.
    std::shared_ptr<int> open_ = std::make_shared<int>(0);
    std::unique_ptr<transport::Listener> listener_;
};

// A bot that the config tells the referee to launch, and how far it has come; LaunchedBots leads it
// from phase to phase. While it runs, it has a process::BotProcess, which its games see as a
// lobby::Process: the calls of that require it.
class LaunchedBot final : public lobby::Process {
 public:
    LaunchedBot(const config::BotConfig& bot, lobby::Bot& its_place)
        : config(bot), place(its_place) {}

    std::optional<Duration> cpu_time() override { return of_us(its_process().cpu_time_us()); }
    std::optional<Duration> cpu_time_just_read() override {
        return of_us(its_process().cpu_time_just_read_us());
    }
    std::string_view cpu_means() const override {
        return process::name_of(its_process().accounting());
    }
    void begin_turn() override { its_process().begin_turn(); }
    Duration core_wait_min(Duration wall) override { return its_process().core_wait_min(wall); }
    Duration core_wait_max(Duration wall) override { return its_process().core_wait_max(wall); }
    std::optional<Duration> worked_in_turn() override { return its_process().worked_in_turn(); }
    bool freeze() override { return its_process().freeze() == 0; }
    void thaw() override { its_process().thaw(); }
    std::optional<bool> freezes_between_turns() const override {
        return config.freeze_between_turns;
    }
    std::optional<Exit> exited() const override;
    std::string met() const override;
    LaunchedProgram program() const override { return its_program; }

    // Why it did not come, or what its process met in its sandbox, as far as its end and what it
    // printed tell; empty where nothing tells. Requires a process.
    std::string hint() const;

    // The phases of a launched bot, in this order; from each of them it may become Away again.
    struct Away {};
    struct Pausing {  // it was wanted before not_before
        loop::Timers::Id timer;
    };
    struct Launching {
        std::string dial_in_address;
    };
    // How far the bot has come since its launch.
    struct Starting {
        loop::Timers::Id timer;  // looks at its time to log in; 0 where its process has ended
        Instant began;
        Duration waited{};  // for cores; also by programs of it that have ended since
        std::optional<Instant> refused{};  // when its last login was

        // It may mend a login. Where it brings no other one soon, it need not be waited for.
        Instant ends(Duration start_within) const {
            constexpr Duration next_login_within = std::chrono::seconds(2);
            const auto last = began + start_within + waited;
            return refused ? std::min(last, *refused + next_login_within) : last;
        }
    };
    struct TooSlow {};  // it did not log in in time, and that has been told
    struct Here {};
    // The bot is finished, and is released when the timer comes.
    struct Leaving {
        loop::Timers::Id timer;
        bool wanted;  // whether a game has asked for it meanwhile
    };
    struct Running {
        process::OwnedProcess process;
        // Where it dials in if it has a network of its own; else null.
        std::unique_ptr<BotListener> listener;
        std::variant<Starting, TooSlow, Here> login;
        std::optional<Leaving> leaving;

        bool came() const { return std::holds_alternative<Here>(login); }
    };

    Running* running() { return std::get_if<Running>(&phase); }
    const Running* running() const { return std::get_if<Running>(&phase); }
    Starting* starting() {
        auto* its = running();
        return its == nullptr ? nullptr : std::get_if<Starting>(&its->login);
    }
    // Whether it is being started, and is to dial in.
    bool dials_in_now() {
        const auto* its = starting();
        return its != nullptr && its->timer != 0 && config.speaks == config::Speaks::tcp;
    }
    // Whether it is launched no more, and its end has been heard.
    bool is_given_up() const {
        const auto* its = running();
        return failed > launches_failed_max && (its == nullptr || !its->leaving);
    }
    // Whether no launch of it has shown anything of its program, as far as was tried; or it is
    // given up because the machine launches it no more.
    bool has_never_started() const {
        return !unseen.empty() || (!started && failed > 0) || (is_given_up() && machine_failed);
    }
    bool is_in_match() const { return mid_match || !place.places().empty(); }
    // Whether it has a process, and that was launched as it is known now.
    bool runs_newest() const { return running() != nullptr && !outdated; }
    // Whether its command runs and it has not logged in yet.
    bool is_awaited() const {
        const auto* its = running();
        return its != nullptr && !its->came();
    }

    // It is made known, or is known otherwise from its next launch on.
    void know(const config::BotConfig& bot);
    // A launch begins that tells it this address.
    void begin_launch(const std::string& dial_in_address, Instant now);
    // The referee has answered what it said first by an error.
    void turned_away(const protocol::ProtocolError& error, Instant now);
    void arrived(loop::Timers& timers);
    scheduler::BotSupply::Coming coming() const;
    // "GIVEN UP: ...": that and why it is launched no more.
    std::string given_up_text() const;
    // Ends its process and its connection.
    void release(loop::Timers& timers);

    // A bot that could not be launched, or died at once, is launched again after this pause, but
    // only so many times. Then it counts as away, like a bot that does not dial in.
    static constexpr Duration launch_pause = std::chrono::seconds(2);
    static constexpr unsigned launches_failed_max = 3;
    // How long its process may stay after its connection has ended, so that its exit can be seen.
    static constexpr Duration last_words = std::chrono::milliseconds(300);

    config::BotConfig config;
    lobby::Bot& place;
    std::variant<Away, Pausing, Launching, Running> phase;
    LaunchedProgram its_program;
    // Whether any launch of it has brought a process, since it was made known.
    bool started = false;
    unsigned failed = 0;
    RepeatedWords told;
    std::string met_told;  // of met(), since its launch
    std::string refused;   // why its connection or login was not taken, since its launch
    std::string misread;   // what it said before its login that was no message, since its launch
    // What the sandbox hides of what its command needs, where it ended before its login and has
    // never come: then its launch shows nothing of its program.
    std::string unseen;
    // It is launched otherwise now, so its process ends with its match.
    bool outdated = false;
    bool retired = false;    // and nobody launches it any more
    bool mid_match = false;  // between two games of a match
    // Whether it was here when its last game ended, or came since.
    bool came = false;
    Instant not_before{};
    // Counts from its first launch since it was last here: all attempts together end then.
    std::optional<Instant> start_ends;
    play::Absence absence;         // what went wrong with the last attempt
    bool command_refused = false;  // the last attempt failed because of its command
    bool machine_failed = false;   // it brought no process, and not because of its command

 private:
    process::BotProcess& its_process() const { return *std::get<Running>(phase).process; }
    static Duration of_us(std::uint64_t us) { return from_us(static_cast<std::int64_t>(us)); }
};

}  // namespace referee::supply

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

#include "protocol/messages.h"
#include "referee/config/config.h"
#include "referee/game/play/play.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/process/launched_bot.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/net/lobby/bot.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/listener.h"

// What is told of a launched bot that came too late or has ended.

namespace referee::supply {

// "; it printed: " and the end of what it printed on standard error; empty where it printed
// nothing.
std::string printed(const std::string& tail);

// The words with what may help behind them.
std::string with_hint(std::string words, const std::string& hint);

// Whether it answers a login, and no other line.
bool refuses_login(const protocol::ProtocolError& error);
// Why a bot didn't come, and what helps: how what it said first was answered.
std::string told_of(const protocol::ProtocolError& error);

// Whether a process ended because nobody read any more what it wrote, as its signal or its last
// words on standard error tell.
bool died_of_closed_pipe(const process::ExitStatus& status, std::string_view tail);

protocol::Evidence evidence_of(const std::optional<lobby::Process::Exit>& exit,
                               const std::string& tail);

// How a bot's process ended, or that it still runs: then only what it printed is known.
struct ProcessEnding {
    std::optional<int> signal = std::nullopt;
    process::LimitsMet met{};
    std::string_view printed{};  // the end of its standard error
};

// Which limit it met, with its number, and what gives more, in words that its author and the
// instructor can act on; empty where nothing tells. What was printed is only a sign: a program may
// print such words for another reason. `tier`: none for a bot without a sandbox.
std::string hint_of(const config::BotConfig& bot, sandbox::Tier tier, const ProcessEnding& ending);

// The same for who handed the program in, and has no config.
std::string for_who_handed_it_in(std::string words);

// What would be told of one bot again and again, launch after launch.
class RepeatedWords {
 public:
    // `what`: what happened, in a line. `details`: all else, as what the bot printed. The words in
    // full where they are new; where they were told last, nothing, but for the tenth, hundredth,
    // ... time, which are a few words.
    std::optional<std::string> once(const std::string& what, const std::string& details);

 private:
    std::string last_;
    std::uint64_t times_ = 0;
    std::uint64_t told_next_ = 1;
};

// Where a launched bot with a network of its own dials in: a socket that listens there. What
// connects is as good as what connects to the referee's own port from this machine, but only this
// bot can do it.
class BotListener {
 public:
    // A bot needs one connection, and a second one while it comes back. All bots with a network of
    // their own have the same address, so one of them could use up what all may have together.
    static constexpr int connections_max = 4;

    struct Calls {
        std::string bot;  // whose door it is
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

// A bot that is launched, and how far it has come. LaunchedBots leads it from phase to phase. While
// it has a process, its games see that as a lobby::Process, whose calls require it.
class RunningBot final : public lobby::Process {
 public:
    RunningBot(const config::BotConfig& bot, lobby::Bot& its_place)
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
    struct Launched {
        process::OwnedBot process;
        // Where it dials in if it has a network of its own; else null.
        std::unique_ptr<BotListener> door;
        std::variant<Starting, TooSlow, Here> login;
        std::optional<Leaving> leaving;

        bool came() const { return std::holds_alternative<Here>(login); }
    };

    Launched* launched() { return std::get_if<Launched>(&phase); }
    const Launched* launched() const { return std::get_if<Launched>(&phase); }
    Starting* starting() {
        auto* its = launched();
        return its == nullptr ? nullptr : std::get_if<Starting>(&its->login);
    }
    // Whether it has ended, and its end is still being heard.
    bool is_leaving() const {
        const auto* its = launched();
        return its != nullptr && its->leaving.has_value();
    }
    // Whether its command runs and it has not logged in yet.
    bool is_awaited() const {
        const auto* its = launched();
        return its != nullptr && !its->came();
    }

    config::BotConfig config;
    lobby::Bot& place;
    std::variant<Away, Pausing, Launching, Launched> phase;
    LaunchedProgram its_program;
    bool started =
        false;  // whether any launch of it has brought a process, since it was made known
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

 private:
    process::LaunchedBot& its_process() const { return *std::get<Launched>(phase).process; }
    static Duration of_us(std::uint64_t us) { return from_us(static_cast<std::int64_t>(us)); }
};

}  // namespace referee::supply

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/config/config.h"
#include "referee/launch/process/launcher.h"
#include "referee/launch/supply/launched_bot.h"
#include "referee/launch/supply/program_launches.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/scheduler/bot_supply.h"

namespace referee::supply {

// All bots that the config tells the referee to launch. Has each started by the launcher when a
// game wants it, joins it to the lobby, tries again where its launch failed, and releases it at the
// end of its lifetime: nothing of it keeps running then. How often it is tried, and how long it is
// waited for, stands in LaunchedBot. Not thread safe.
class LaunchedBots final : public scheduler::BotSupply {
 public:
    // What is told of bots; each may be null but the first two.
    struct Calls {
        // What goes wrong, for the log.
        std::function<void(const std::string& bot, const std::string& message)> on_trouble;
        // A shortcoming that keeps no bot from playing, such as a pipe in place of a socket.
        std::function<void(const std::string& message)> on_remark;
        // A bot is launched no more: games need not wait for it. The call may ask this for bots.
        std::function<void(const std::string& bot)> on_given_up{};
        // What a bot prints on standard error, as it comes.
        std::function<void(const std::string& bot, std::string_view text)> on_printed{};
    };

    // What it works with; all references outlive it.
    struct Context {
        boost::asio::any_io_executor executor;  // of the loop
        loop::Timers& timers;
        loop::Background& reading;  // on which files are read
        lobby::Lobby& lobby;
        const std::map<std::string, std::string>& tokens;  // of each launched bot, for this run
    };
    LaunchedBots(Context context, Calls calls);
    ~LaunchedBots() override;
    LaunchedBots(const LaunchedBots&) = delete;
    LaunchedBots& operator=(const LaunchedBots&) = delete;

    // Tells what bots have printed by now.
    void read_printed() {
        for (auto& [name, bot] : bots_)
            if (auto* its = bot->running()) static_cast<void>(its->process->error_tail());
    }

    // The launcher that starts the bots. Call it once, before the first of them is made known. A
    // launcher whose means excuse no wait for a core is worth a remark.
    void launch_by(std::unique_ptr<process::Launcher> launcher);
    // Null before that.
    const process::Launcher* launcher() const { return launcher_.get(); }
    // A bot whose command can't be started, as far as was tried: no launch of it has ever brought a
    // process, or its process ended because the sandbox hides what it needs, or the machine
    // launches it no more. That is the config's or the machine's doing, not its program's.
    struct NeverStarted {
        std::string bot;
        std::string why;  // of the last launch
        // Its command is no program that can be started: it isn't there, may not be run, has no
        // interpreter.
        bool by_its_command = false;
        bool by_the_sandbox = false;  // what it needs is there, and hidden
    };
    // By name.
    std::vector<NeverStarted> never_started() const;
    bool has_never_started(std::string_view bot) const;
    // Whether its last launch brought no process, by the machine's doing: nothing is known of its
    // program then.
    bool fails_by_machine(std::string_view bot) const;
    // Those that are not launched again, a sentence each, by name.
    std::vector<std::string> given_up() const;
    // The same of one bot: why its last launch failed, and what it printed then; nothing where it
    // is launched.
    std::optional<play::Absence> given_up_because(std::string_view bot) const;
    // Makes a launched bot known; its token is known by now. For a bot that is known already,
    // changes hold from its next launch on; a bot that was given up is tried again.
    void know(const config::BotConfig& bot) override;
    void launch_anew(lobby::Bot& bot) override;
    void retire(lobby::Bot& bot) override;
    void match_dropped(lobby::Bot& bot) override;
    // Which programs would be launched for these bots now, of those that it launches. The call
    // comes once, later; not at all once this has ended.
    void name_programs(const std::vector<std::string>& bots, ProgramLaunches::OnNamed call);
    // Those whose processes are of other programs than these are launched anew.
    void leave_for(const std::map<std::string, std::string>& programs);
    // Where bots are to dial in from now on, "127.0.0.1:7777"; nowhere before. Bots that are
    // connected stay. Bots that are being started were told the old address, so they are started
    // again.
    void set_dial_in_address(const std::string& address);

    bool launches(const lobby::Bot& bot) const override;
    void want(lobby::Bot& place) override;
    Coming coming(const lobby::Bot& bot) const override;
    // Whether it has a process, and that was launched as it is known now.
    bool runs_newest(const lobby::Bot& bot) const;
    bool stays(const lobby::Bot& bot) const override;
    void game_over(lobby::Bot& place, bool match_over) override;
    // How long a connection from this machine may take to log in, because it may be a bot that is
    // being started; nothing where no bot is being started.
    std::optional<Duration> login_time_max() const;
    void turned_away(lobby::Bot& bot, const protocol::ProtocolError& error) override;
    void arrived(lobby::Bot& bot) override;
    // What is left of its process is released only after its games have read how it ended.
    void left(lobby::Bot& bot) override;
    void release_all();

 private:
    void launch(LaunchedBot& bot);
    void launched(LaunchedBot& bot, process::LaunchResult result);
    void await_login(LaunchedBot& bot);
    void tell_no_socket(const process::BotProcess& process);
    void ended(LaunchedBot& bot, const process::ExitStatus& status);
    void too_slow(LaunchedBot& bot);
    void leave(LaunchedBot& bot);
    void tell_given_up(const LaunchedBot& bot);
    void start_again(LaunchedBot& bot);
    LaunchedBot* known(std::string_view bot) const;
    LaunchedBot* known(const lobby::Bot& bot) const { return known(bot.name()); }

    std::string dial_in_address_;
    Context context_;
    Calls calls_;
    ProgramLaunches programs_;
    bool no_socket_told_ = false;
    std::unique_ptr<process::Launcher> launcher_;
    std::map<std::string, std::unique_ptr<LaunchedBot>, std::less<>> bots_;
    // The result of a launch that was under way when this ended is dropped.
    loop::Life life_;
};

}  // namespace referee::supply

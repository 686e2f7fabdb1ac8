#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/net/control/control_server.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/process_resources.h"
#include "referee/net/loop/timers.h"
#include "referee/report/output_folder.h"
#include "referee/server/bot_ports.h"
#include "referee/server/event_log.h"
#include "referee/server/filed_games.h"
#include "referee/server/launches.h"
#include "referee/server/other_machines.h"
#include "referee/server/publisher.h"
#include "referee/server/web_feed.h"
#include "referee/store/store.h"
#include "referee/tournament/referee.h"
#include "referee/tournament/token.h"

namespace referee::server {

struct ServerOptions {
    std::string out;     // the folder of the store and of all that is written; an old one goes on
    bool stays = false;  // for a daemon: goes on when every tournament is over
    sandbox::SandboxWish sandbox{};
    // The folder may hold tournaments that the config doesn't name, as a daemon's may.
    bool beside_others = false;
};

// A referee on a real machine: gives a tournament::Referee its loop, clock, store, ports and
// launches, and has the log, the files and the pages told of what it does. run::run_tournaments
// uses one until its tournaments are over, daemon::serve one that stays and takes orders. All runs
// on the loop's thread, except for the threads of the store and of the background.
class Server final : public tournament::RefereeObserver {
 public:
    using OnEnded = std::function<void(const scheduler::SchedulerEnding&)>;

    Server(config::Config config, ServerOptions options, OnEnded on_ended);
    ~Server() override;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Opens everything: the store with what a former run left in it, the ports, the launcher. From
    // then on the scheduler takes observers, who are told after the server has asked for the files
    // to be written. `on_never_started`: as Launches::open() has it.
    base::Result<void, Ending> prepare(std::function<void()> on_never_started = nullptr);
    // Lets bots in and begins to play.
    void start();
    // Until it is closed, SIGINT and SIGTERM stop it: games that run may end within the grace time,
    // and end at once when a signal comes again. Before that `tell` is called. After release() a
    // signal is only told, also one that has come since it was closed.
    void stop_by_signals(std::function<void(const std::string& signal, bool again)> tell);
    // Everything is over: writes the last files, says goodbye to all bots, closes everything. When
    // the loop may end, `on_closed` is called.
    void close(protocol::ByeReason reason, std::string message, std::function<void()> on_closed);
    // Runs the loop until it ends.
    void run() { timers_.run(loop_); }
    // After the loop has ended: destroys in the right order what still depends on the loop.
    void release();

    // Takes over a config that was read again: new bots, another class password, another address,
    // new tournaments. Also tries again the launched bots that were given up. A refusal says why,
    // and changes nothing; nor does one that only previews.
    base::Result<void, std::string> reload(config::Config config, bool previews);

    // Carries out what is ordered on the instructor's page; the server's loop ends before it.
    void take_orders(control::ControlCommands& commands) { commands_ = &commands; }
    void carry_out(protocol::json::View request, control::ControlCommands::Answer answer);
    // An arbiter's order was carried out: the log tells it, and files are drawn up anew.
    void tell_order(const std::string& tournament, const std::string& what);

    boost::asio::io_context& loop() { return loop_; }
    loop::Timers& timers() { return timers_; }
    const ServerOptions& options() const { return options_; }
    const report::OutputFolder& folder() const { return folder_; }
    const std::string& store_file() const { return store_file_; }
    // How far the check of all records is, and what it found.
    const store::StoreCheck& store_check() const { return store_check_; }
    // For what reads much and is in no hurry: standings are written there.
    loop::Background& background_of_standings() { return background_of_standings_; }
    Publisher& publisher() { return publisher_; }
    FiledGames& filed_games() { return filed_games_; }
    const EventLog& log() const { return log_; }
    // Requires of its text: start().
    const loop::KeptPriority& priority() const { return priority_; }
    const OtherMachines& other_machines() const { return other_machines_; }
    // What pseudonyms are made with; empty: none was needed yet.
    const std::string& names_secret() const { return names_secret_; }

    // All of these require prepare().
    tournament::Referee& referee() { return *referee_; }
    scheduler::Scheduler& scheduler() { return referee_->scheduler(); }
    const config::Config& config() const { return referee_->config(); }
    const BotPorts& ports() const { return ports_; }
    Launches& launches() { return launches_; }
    const Launches& launches() const { return launches_; }
    // What a former run left in the store.
    const tournament::Recovery& recovery() const { return recovery_; }
    // Where pages are served; empty: nowhere.
    std::string web_url() const { return web_ == nullptr ? std::string() : web_->url(); }

    void on_arrived(const lobby::Bot& bot) override { launches_.arrived(bot); }
    void on_token(const std::string& bot) override {
        if (web_) web_->forget_logins(bot);
    }
    void on_timetable(const contests::ContestStatus& contest) override {
        if (web_) web_->tournament(contest);
    }
    void on_game_started(const std::string& tournament, const table::Table& table) override;
    void on_game(const std::shared_ptr<const records::GameRecord>& game,
                 const table::Table* table) override;
    void on_state(const std::string& tournament, records::TournamentState state,
                  const std::string& reason) override;
    void on_set_aside(const std::string& /*tournament*/) override { watch_as_needed(); }

 private:
    base::Result<void, Ending> open_store();
    base::Result<void, Ending> recover_past();
    // Looks at all records while games are played; tells what is damaged, and the end.
    void check_store();
    base::Result<void, Ending> open_web();
    // The one that is known; where there is none and the config hides names, that of its file.
    base::Result<std::string, std::string> names_secret_for(const config::Config& config,
                                                            MadeFiles& made) const;
    // A config that is read again changes what is shown, but not where.
    base::Result<void, std::string> check_web(const config::Config& config) const;
    void admit(std::unique_ptr<transport::Transport> transport);
    // The watch is awake while a game is played, and while a game is set aside, because that one is
    // tried again when the machine has been calm.
    void watch_as_needed();
    // Whether its games leave files in the output folder.
    bool has_files(const std::string& tournament) const;

    // What a config that was read again needs of the machine. All of it is made before anything is
    // changed.
    struct Change {
        tournament::Referee::Change of_referee;
        BotPorts::Change ports;
        Launches::Change launches;
        std::string names_secret;
        MadeFiles made;  // for names
    };
    base::Result<Change, std::string> prepare_change(const config::Config& config);
    void commit(config::Config config, Change change);

    std::unique_ptr<loop::Machine> machine_;  // before all that has threads or descriptors
    config::Config config_;                   // as it was at the beginning
    ServerOptions options_;
    OnEnded on_ended_;
    std::string store_file_;
    boost::asio::io_context loop_{1};
    boost::asio::signal_set signals_{loop_};
    bool signalled_ = false;
    loop::SystemTimers timers_;
    // One thread each for drawings, for standings, for the files of games and for what is read of
    // bots' programs: none waits for another.
    loop::BackgroundThread background_;
    loop::BackgroundThread background_of_standings_;
    loop::BackgroundThread background_of_games_;
    loop::BackgroundThread background_of_programs_;
    loop::SystemTimers ticks_;
    loop::LoopWatch watch_{ticks_, *machine_};
    loop::KeptPriority priority_;
    tournament::Tokens tokens_;
    OtherMachines other_machines_;
    report::OutputFolder folder_;
    EventLog log_;
    Publisher publisher_;
    FiledGames filed_games_;
    std::unique_ptr<store::Store> store_;
    store::StoreCheck store_check_;  // as it was told last
    BotPorts ports_;
    std::unique_ptr<tournament::Referee> referee_;
    Launches launches_;
    std::string names_secret_;
    control::ControlCommands* commands_ = nullptr;  // null: none are carried out
    std::unique_ptr<WebFeed> web_;                  // null: no pages are served
    tournament::Recovery recovery_;
};

}  // namespace referee::server

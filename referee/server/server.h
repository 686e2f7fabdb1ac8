#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/launch/process/launcher.h"
#include "referee/launch/supply/launch_supply.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/net/control/control_server.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/priority.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/listener.h"
#include "referee/report/instructor_news.h"
#include "referee/report/output_folder.h"
#include "referee/server/publisher.h"
#include "referee/server/tls_entrance.h"
#include "referee/server/web_feed.h"
#include "referee/store/store.h"
#include "referee/submit/versions/submissions.h"
#include "referee/tournament/referee.h"
#include "referee/tournament/token.h"

namespace referee::machines {
class BatchSystem;
class Coordinator;
struct JobTerms;
}  // namespace referee::machines

namespace referee::server {

struct ServerOptions {
    std::string out;     // the folder of the store and of all that is written; an old one goes on
    bool stays = false;  // for a daemon: goes on when every tournament is over
    bool unsandboxed = false;  // bots are launched without a sandbox
    // The least sandbox in which bots are launched where the config says nothing.
    sandbox::Tier tier_min = sandbox::Tier::none;
    // The folder may hold tournaments that the config doesn't name, as a daemon's may.
    bool beside_others = false;
};

// A referee on a real machine: builds the store, the listener, the launcher, the clock and the
// files, and gives them to a tournament::Referee. `run` and `serve` are two ways to use it. All
// runs on one thread, except for the thread of the store and those of the background.
class Server final : public tournament::RefereeObserver {
 public:
    using OnEnded = std::function<void(const scheduler::SchedulerEnding&)>;

    Server(config::Config config, ServerOptions options, OnEnded on_ended);
    ~Server() override;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Is called, before any game is forfeited for it, when a bot has been tried often enough that
    // never got a process. Call it before prepare().
    void on_never_started(std::function<void()> call) { on_never_started_ = std::move(call); }
    // The bots that are launched. Requires: prepare().
    supply::LaunchSupply& launched_bots() const { return *supply_; }

    // Opens everything: the store with what a former run left in it, the port, the launcher. From
    // then on the scheduler takes observers, who are told after the server has asked for the files
    // to be written.
    base::Result<void, Ending> prepare();
    // Lets bots in and begins to play.
    void start();
    // Until it is closed, SIGINT and SIGTERM stop it: games that run may end within the grace time,
    // and end at once when a signal comes again. Before that `tell` is called.
    void stop_by_signals(std::function<void(const std::string& signal, bool again)> tell);
    // Everything is over: writes the last files, says goodbye to all bots, closes everything. When
    // the loop may end, `on_closed` is called.
    void close(protocol::ByeReason reason, std::string message, std::function<void()> on_closed);
    // Runs the loop until it ends.
    void run() { timers_.run(loop_); }
    // How the kernel prefers the referee to other programs, as a sentence. Requires: start().
    std::string priority() const;
    // The same in a word, as it is now: "real-time", "lost" (until the next game begins), "nice",
    // "plain".
    std::string_view present_priority() const;
    std::uint64_t times_priority_was_lost() const;
    // In which sandbox bots are launched, as a sentence, and its tier; nothing where none are.
    struct Sandbox {
        std::string text;
        sandbox::Tier tier = sandbox::Tier::none;
        bool warned = false;  // whether the log has told it as a warning
    };
    std::optional<Sandbox> sandbox() const;
    // Where bots' owners hand in programs. Requires: prepare().
    const versions::Submissions& submissions() const { return *submissions_; }
    // After the loop has ended: destroys in the right order what still depends on the loop.
    void release();
    // Carries out what is ordered on the instructor's page; the server's loop ends before it.
    void take_orders(control::ControlCommands& commands) { commands_ = &commands; }
    void carry_out(protocol::json::View request, control::ControlCommands::Answer answer);

    // Takes over a config that was read again: new bots, another class password, another address,
    // new tournaments. Also tries again the launched bots that were given up. A refusal says why,
    // and changes nothing; nor does one that only previews.
    base::Result<void, std::string> reload(config::Config config, bool previews);

    boost::asio::io_context& loop() { return loop_; }
    loop::Timers& timers() { return timers_; }
    // Requires: prepare().
    tournament::Referee& referee() { return *referee_; }
    // As scheduler::remedy_of, and what has to be there before a tournament can begin.
    std::string remedy_of(const scheduler::Waiting& waiting) const;
    scheduler::Scheduler& scheduler() { return referee_->scheduler(); }
    const config::Config& config() const { return referee_->config(); }
    const ServerOptions& options() const { return options_; }
    const report::OutputFolder& folder() const { return folder_; }
    FiledGames& filed_games() { return filed_games_; }
    // What pseudonyms are made with; empty: none was needed yet.
    const std::string& names_secret() const { return names_secret_; }
    // On which day the disk is full; empty: none is in sight.
    const std::string& disk_forecast() const { return disk_forecast_.text(); }
    // That several bots were late in the same seconds, not long ago; empty: they weren't.
    std::string busy() const;
    // What bots are told to dial, "lab-server:7777" or "tls://...".
    std::string bots_dial_in_at() const;
    Publisher& publisher() { return publisher_; }
    // For what reads much and is in no hurry: standings are written there.
    loop::Background& background() { return background_of_standings_; }
    std::string endpoint() const { return listener_->endpoint(); }
    const TlsEntrance& tls() const { return tls_; }
    // Where pages are served; empty: nowhere.
    std::string web_url() const { return web_ == nullptr ? std::string() : web_->url(); }
    // An arbiter's order was carried out: the log tells it, and files are drawn up anew.
    void tell_order(const std::string& tournament, const std::string& what);
    // What a former run left in the store.
    const tournament::Referee::Recovery& recovery() const { return recovery_; }
    // Bots whose command, directory or environment isn't what it was in games of this folder that
    // were played before, a sentence each.
    const std::vector<std::string>& launch_changes() const { return launch_changes_; }
    const std::string& store_file() const { return store_file_; }
    // Who gives matches to other machines; null: all is played here.
    machines::Coordinator* coordinator() const { return coordinator_.get(); }
    // How far the check of all records is, and what it found, as a sentence.
    std::string store_check() const { return store::describe(store_check_); }
    bool store_is_damaged() const { return store_check_.damages_total > 0; }
    // When its connection ended last since the server began; nothing where none did.
    std::optional<Instant> left_at(std::string_view bot) const {
        const auto found = left_at_.find(bot);
        return found == left_at_.end() ? std::nullopt : std::optional(found->second);
    }
    // Of the games that the bot has played since the server began.
    clock::Doubts doubts_of(std::string_view bot) const { return doubted_turns_.of(bot); }

    void on_arrived(const lobby::Bot& bot) override;
    void on_left(const lobby::Bot& bot, session::CloseCause cause) override;
    void on_guessing(const std::string& news) override;
    void on_names_changed() override { registration_news_.changed(); }
    void on_token(const std::string& bot) override {
        if (web_) web_->forget_logins(bot);
    }
    void on_not_enrolled(const std::string& ladder, const std::string& reason) override;
    void on_waiting(const std::vector<scheduler::Waiting>& waiting) override;
    void on_timetable(const contests::ContestStatus& contest) override;
    void on_game_started(const std::string& tournament, const table::Table& table) override;
    void on_game(const std::shared_ptr<const records::GameRecord>& game,
                 const table::Table* table) override;
    void on_match(const std::string& tournament, const formats::MatchResult& match) override;
    void on_dropped(const std::string& tournament, const std::string& reason) override;
    void on_state(const std::string& tournament, records::TournamentState state,
                  const std::string& reason) override;
    void on_attendance(const std::string& tournament, const std::string& bot, bool out,
                       const std::string& reason) override;
    void on_set_aside(const std::string& tournament) override;
    void on_annulled(const std::string& tournament, const Annulled& annulled) override;
    void on_store_trouble(const std::string& trouble) override;

 private:
    base::Result<void, Ending> open_store();
    base::Result<void, Ending> recover_past();
    // Where other machines play: takes over what an earlier run left there.
    base::Result<void, Ending> prepare_machines();
    std::shared_ptr<const machines::JobTerms> job_terms(const config::Config& config) const;
    // They can't be changed while matches are out.
    base::Result<void, std::string> check_machines(const config::Config& config) const;
    // Cancels what is out and not wanted; then calls on.
    void close_machines(std::function<void()> then);
    // Tells how bots that played before are launched otherwise now.
    void note_launches(const config::Config& config);
    // Looks at all records while games are played; tells what is damaged, and the end.
    void check_store();
    base::Result<void, Ending> prepare_supply();
    // Takes programs that are handed in where the config says so, and goes on with those that were.
    bool takes_programs() const;
    void make_submissions();
    base::Result<void, Ending> open_submissions();
    // Not from the middle of what the supply does with the bot.
    void tell_submissions_of_given_up(const std::string& bot);
    base::Result<void, Ending> open_web();
    void start_web();
    // A config that is read again changes what is shown, but not where.
    base::Result<void, std::string> secret_of_names(const config::Config& config);
    base::Result<void, std::string> check_web(const config::Config& config);
    // Warns where bots can reach what they should not.
    void tell_sandbox();
    // Makes room for as many connections as the config allows, and warns where there is not enough.
    static void allow_connections(const config::Config& config);
    // Lets in the bots that connect to the listener.
    void listen();
    void admit(std::unique_ptr<loop::Transport> transport);
    void watch_as_needed();
    // A game was set aside until the machine is calm.
    bool waits_for_calm();
    // A referee that lost its class because it was busy for too long gets it back, and the log is
    // told now and then.
    void keep_priority();
    // Who waits for approval, and whether new names have room.
    void tell_registrations();
    void tell_outlier(const lobby::Bot& bot);
    // A warning for each bot that passed too many turns of the game by doubt, and where several
    // behind one address did.
    void count_doubts(const table::Table& table);
    // A warning where several bots were late in the same seconds.
    void count_late(const GameResult& game);
    void tell_versions(const std::string& tournament, const formats::MatchResult& match);
    void write_missing_games(const std::vector<GameKey>& games);
    // Whether its games leave files in the output folder.
    bool has_files(const std::string& tournament) const;
    bool has_played(const std::string& tournament) const;
    // Now and every ten minutes; in a daemon, which stays.
    void look_at_disk();
    void tell_dropped(const store::DroppedReplays& dropped);

    // What a config that was read again needs of the machine. All of it is made before anything is
    // changed.
    struct Change {
        tournament::Referee::Change of_referee;
        std::unique_ptr<transport::Listener> listener;  // null: the old one stays
        TlsEntrance::Change tls;
        std::unique_ptr<process::Launcher> launcher;  // for the first launched bots
        supply::SandboxTerms terms;
    };
    base::Result<void, std::string> prepare_launches(const config::Config& config, Change& change);
    base::Result<Change, std::string> prepare_change(const config::Config& config);
    void commit(config::Config config, Change change);

    std::unique_ptr<loop::Machine> machine_;  // before all that has threads or descriptors
    config::Config config_;                   // as it was at the beginning
    ServerOptions options_;
    OnEnded on_ended_;
    std::function<void()> on_never_started_;
    std::set<std::string, std::less<>> outliers_;          // bots that were told to be one
    std::map<std::string, Instant, std::less<>> left_at_;  // by bot
    std::map<std::string, Instant, std::less<>> arrival_told_at_;
    std::set<std::string, std::less<>> untold_;  // bots that are here, and the log doesn't say so
    report::DoubtedTurns doubted_turns_;
    report::LateBots late_bots_;
    report::VersionNews version_news_;
    report::StallNews stall_news_;
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
    std::unique_ptr<machines::BatchSystem> batch_;  // null: all is played here
    std::unique_ptr<loop::BackgroundThread> background_of_machines_;
    std::unique_ptr<machines::Coordinator> coordinator_;
    std::string store_id_;  // of jobs; empty: none was needed yet
    loop::SystemTimers ticks_;
    loop::LoopWatch watch_{ticks_, *machine_};
    loop::Priority priority_;
    report::PriorityLosses priority_losses_;
    tournament::KernelTokens tokens_;
    report::OutputFolder folder_;
    Publisher publisher_;
    FiledGames filed_games_;
    std::unique_ptr<store::Store> store_;
    store::StoreCheck store_check_;  // as it was told last
    store::DroppedReplays dropped_;  // since the start
    report::DiskForecast disk_forecast_;
    loop::Timers::Id disk_timer_ = 0;
    std::unique_ptr<transport::Listener> listener_;
    std::vector<std::unique_ptr<transport::Listener>>
        old_listeners_;  // closed; the loop may still know them
    TlsEntrance tls_;
    std::unique_ptr<tournament::Referee> referee_;
    std::unique_ptr<versions::Submissions> submissions_;
    std::string names_secret_;
    control::ControlCommands* commands_ = nullptr;  // null: none are carried out
    std::unique_ptr<WebFeed> web_;                  // null: no pages are served
    std::unique_ptr<supply::LaunchSupply> supply_;
    supply::SandboxTerms terms_;  // of what it launches
    tournament::Referee::Recovery recovery_;
    std::vector<std::string> launch_changes_;
    std::vector<scheduler::Waiting> waiting_;  // as it was told last
    scheduler::ToldWaits told_waits_;
    report::RegistrationNews registration_news_{timers_, [this] { tell_registrations(); }};
};

}  // namespace referee::server

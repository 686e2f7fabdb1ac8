#include "referee/run/tournament_run.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <filesystem>
#include <ostream>
#include <set>
#include <system_error>
#include <thread>

#include "referee/exit_code.h"
#include "referee/config/reader.h"
#include "referee/journal/file_journal.h"
#include "referee/limits.h"
#include "referee/log/log.h"
#include "referee/net/listener.h"
#include "referee/report/output_folder.h"
#include "referee/report/progress.h"
#include "referee/report/standings_report.h"
#include "referee/run/roster.h"
#include "referee/runtime/loop_watch.h"
#include "referee/runtime/system_timers.h"
#include "referee/supply/launched_bots.h"
#include "referee/version.h"

namespace referee::run {
namespace {

constexpr std::string_view journal_name = "journal.ndjson";
constexpr Duration progress_every = std::chrono::milliseconds(100);

std::size_t games_at_once(const config::Config& config) {
    if (config.games_at_once > 0) return config.games_at_once;
    for (const auto& bot : config.bots) {
        if (bot.launched()) return std::max(1U, std::thread::hardware_concurrency());
    }
    return limits::games_at_once_max;
}

std::size_t cores_for(const config::Config& config) {
    return config.cores > 0 ? config.cores : std::max(1U, std::thread::hardware_concurrency());
}

std::vector<std::string> games_of(const config::Config& config) {
    std::set<std::string> games;
    for (const auto& tournament : config.tournaments) games.insert(tournament.game);
    return {games.begin(), games.end()};
}

std::string signal_name(int signal) { return signal == SIGINT ? "SIGINT" : "SIGTERM"; }

// All parts of a run and the wires between them.
class Run final : public lobby::LobbyEvents, public scheduler::Observer {
 public:
    Run(const config::Config& config, RunOptions options, std::ostream& screen)
        : config_(config),
          options_(std::move(options)),
          screen_(screen),
          timers_(loop_.get_executor()),
          cores_(cores_for(config)),
          signals_(loop_, SIGINT, SIGTERM),
          roster_(config),
          lobby_(timers_, loop_.get_executor(), roster_, *this, games_of(config), lobby_limits(config), version),
          folder_(options_.out, config.tournaments.size() == 1),
          progress_(screen, options_.terminal) {}

    RunEnding play() {
        if (auto ending = prepare()) return *ending;
        listener_->start([this](auto transport) { lobby_.admit(std::move(transport)); },
                         [](const std::string& reason) { log::warn("accepting pauses: {}", reason); });
        signals_.async_wait([this](const boost::system::error_code& error, int signal) {
            if (!error) interrupted(signal);
        });
        scheduler_->start();
        tick();
        loop_.run();
        release();
        return ending_;
    }

    void on_arrived(lobby::Bot& bot) override {
        log::info("{} has arrived", bot.name());
        scheduler_->pump();
    }
    void on_left(lobby::Bot& bot, session::CloseCause cause) override {
        log::info("{} has left: {}", bot.name(), session::describe(cause));
        if (supply_ != nullptr) supply_->left(bot);
        scheduler_->pump();
    }

    void on_waiting(const std::vector<std::string>& missing) override {
        if (!options_.quiet) progress_.waiting(missing, timers_.now());
    }
    void on_game_started(const scheduler::Contest& /*contest*/, const table::Table& table) override {
        log::debug("game {} begins", table.play().id());
    }
    void on_game(const scheduler::Contest& /*contest*/, const table::Table& table, const journal::GameRecord& game) override {
        log::debug("game {}: {}", table.play().id(), game.result.reason);
        note(folder_.write_game(game));
        for (engines::Seat seat = 0; seat < table.bots().size(); ++seat) {
            const auto& text = table.debug_text(seat);
            if (!text.empty()) note(folder_.write_debug(game.result.key, table.bots()[seat]->name(), text));
        }
    }
    void on_match(const scheduler::Contest& /*contest*/, const tournament::MatchResult& /*match*/) override {}
    void on_contest_over(const scheduler::Contest& contest) override { log::info("tournament {} is over", contest.config().id); }

 private:
    static lobby::LobbyLimits lobby_limits(const config::Config& config) {
        lobby::LobbyLimits limits;
        limits.connections_max = config.connections_max;
        limits.connections_per_address_max = config.connections_per_address_max;
        return limits;
    }

    std::optional<RunEnding> prepare();
    std::optional<RunEnding> prepare_launcher(const std::string& address);
    void interrupted(int signal);
    void ended(const scheduler::Ending& ending);
    void finish_files();
    void release();
    void tick();
    // Output that can't be written is trouble, but what is recorded is recorded.
    void note(const std::optional<std::string>& wrong) {
        if (!wrong) return;
        if (output_trouble_.empty()) log::error("{}", *wrong);
        output_trouble_ = *wrong;
    }

    const config::Config& config_;
    RunOptions options_;
    std::ostream& screen_;
    boost::asio::io_context loop_{1};
    runtime::SystemTimers timers_;
    std::unique_ptr<runtime::Machine> machine_ = runtime::this_machine();
    runtime::LoopWatch watch_{timers_, *machine_};
    table::Cores cores_;
    boost::asio::signal_set signals_;
    ConfigRoster roster_;
    lobby::Lobby lobby_;
    report::OutputFolder folder_;
    report::Progress progress_;
    std::unique_ptr<net::Listener> listener_;
    std::unique_ptr<journal::FileJournal> journal_;
    std::unique_ptr<launcher::Launcher> launcher_;
    std::unique_ptr<supply::LaunchedBots> supply_;
    std::vector<std::unique_ptr<engines::Registry>> registries_;
    std::unique_ptr<scheduler::Scheduler> scheduler_;
    runtime::Timers::Id tick_ = 0;
    std::string output_trouble_;
    int signal_ = 0;
    RunEnding ending_;
};

// A config without launched bots has nobody to bring.
class NoSupply final : public scheduler::BotSupply {
 public:
    bool launches(const lobby::Bot& /*bot*/) const override { return false; }
    void want(lobby::Bot& /*bot*/) override {}
    void game_over(lobby::Bot& /*bot*/, bool /*match_over*/) override {}
};

std::optional<RunEnding> Run::prepare() {
    std::vector<std::string> ids;
    for (const auto& tournament : config_.tournaments) ids.push_back(tournament.id);
    if (const auto wrong = folder_.prepare(ids)) return RunEnding{exit_trouble, *wrong};
    const auto journal = options_.out + "/" + std::string(journal_name);
    if (std::filesystem::exists(journal)) {
        return RunEnding{exit_bad_input, options_.out + " holds a run already; expected a new folder for --out, such as --out " +
                                                  options_.out + "-2"};
    }
    auto listening = net::Listener::open(loop_.get_executor(), config_.address, config_.port);
    if (const auto* error = std::get_if<net::ListenError>(&listening)) return RunEnding{exit_trouble, error->message};
    listener_ = std::get<std::unique_ptr<net::Listener>>(std::move(listening));
    try {
        journal_ = std::make_unique<journal::FileJournal>(journal, loop_.get_executor());
    } catch (const std::system_error& error) {
        return RunEnding{exit_trouble, error.what()};
    }
    if (auto ending = prepare_launcher(listener_->endpoint())) return ending;
    static NoSupply nobody;
    auto& supply = supply_ != nullptr ? static_cast<scheduler::BotSupply&>(*supply_) : nobody;
    scheduler_ = std::make_unique<scheduler::Scheduler>(
        scheduler::Scheduler::Settings{games_at_once(config_), config_.join_within}, timers_, lobby_, *journal_, supply,
        watch_, cores_, *this, [this](const scheduler::Ending& ending) { ended(ending); });
    for (const auto& tournament : config_.tournaments) {
        auto registry = config::registry_for(tournament);
        if (const auto* error = std::get_if<config::ConfigError>(&registry)) return RunEnding{exit_bad_input, error->message};
        registries_.push_back(std::get<std::unique_ptr<engines::Registry>>(std::move(registry)));
        scheduler_->add(tournament, config_.bots, *registries_.back()->find(tournament.game));
    }
    if (!options_.quiet) progress_.say("listening on " + listener_->endpoint() + ", writing to " + options_.out);
    return std::nullopt;
}

std::optional<RunEnding> Run::prepare_launcher(const std::string& address) {
    if (roster_.launch_tokens().empty()) return std::nullopt;
    launcher::LauncherOptions options;
    options.search_path = program_search_path();
    auto created = launcher::Launcher::create(loop_.get_executor(), options);
    if (const auto* error = std::get_if<launcher::LaunchError>(&created)) return RunEnding{exit_trouble, error->message};
    launcher_ = std::get<std::unique_ptr<launcher::Launcher>>(std::move(created));
    supply_ = std::make_unique<supply::LaunchedBots>(
        supply::LaunchedBots::Settings{address}, config_.bots, roster_.launch_tokens(), *launcher_, lobby_, timers_,
        loop_.get_executor(),
        [](const std::string& bot, const std::string& message) { log::warn("{}: {}", bot, message); });
    return std::nullopt;
}

void Run::tick() {
    if (!options_.quiet && scheduler_->games_running() > 0) progress_.update(*scheduler_, timers_.now());
    tick_ = timers_.schedule(timers_.now() + progress_every, [this] { tick(); });
}

void Run::interrupted(int signal) {
    signal_ = signal;
    progress_.say("stopping because of " + signal_name(signal));
    scheduler_->stop(signal_name(signal));
}

void Run::ended(const scheduler::Ending& ending) {
    using Kind = scheduler::Ending::Kind;
    switch (ending.kind) {
        case Kind::finished: ending_ = {exit_done, {}}; break;
        case Kind::stopped:
            ending_ = {signal_ == SIGINT ? exit_interrupt : exit_terminate,
                       "stopped before the end; what was played is in " + options_.out};
            break;
        case Kind::stuck:
        case Kind::not_recorded: ending_ = {exit_trouble, ending.message}; break;
    }
    if (!options_.quiet) progress_.done(*scheduler_, timers_.now());
    finish_files();
    lobby_.close_all(ending.kind == Kind::finished ? protocol::ByeReason::finished : protocol::ByeReason::shutdown,
                     ending.kind == Kind::finished ? "the tournament is over" : "the referee stops");
    listener_->close();
    signals_.cancel();
    timers_.cancel(tick_);
    if (supply_ != nullptr) supply_->release_all();
    loop_.stop();
}

void Run::finish_files() {
    for (const auto& contest : scheduler_->contests()) {
        note(folder_.write_standings(*contest));
        if (options_.quiet) continue;
        const auto folder = folder_.folder_of(contest->config().id);
        screen_ << '\n' << report::standings_of(*contest).text << "\nstandings: " << folder << "/standings.json, .csv, .txt\n"
                << "replays:   " << folder << "/games/*.ndjson\n";
    }
    screen_ << std::flush;
    if (!output_trouble_.empty() && ending_.status == exit_done) ending_ = {exit_trouble, output_trouble_};
}

// After the loop: what still hangs on it goes in order.
void Run::release() {
    supply_.reset();
    launcher_.reset();
    scheduler_.reset();
    journal_.reset();
    loop_.restart();
    loop_.poll();
}

}  // namespace

RunEnding run_tournaments(const config::Config& config, const RunOptions& options, std::ostream& screen) {
    Run run(config, options, screen);
    return run.play();
}

}  // namespace referee::run

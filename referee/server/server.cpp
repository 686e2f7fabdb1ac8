#include "referee/server/server.h"

#include <algorithm>
#include <csignal>

#include "referee/cluster/machines/coordinator.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/launch_remarks.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/limits.h"
#include "referee/net/loop/process_limits.h"
#include "referee/report/log/log.h"
#include "referee/tournament/config_limits.h"
#include "referee/tournament/scheduler/waiting.h"
#include "referee/version.h"

namespace referee::server {
namespace {

// The level of news that a run also shows on the screen: they must not be shown twice.
spdlog::level::level_enum level_of_news(const ServerOptions& options) {
    return options.stays ? spdlog::level::warn : spdlog::level::info;
}

// Launched bots come and go as their matches do; what goes wrong with them is told elsewhere.
spdlog::level::level_enum level_of_coming(const lobby::Bot& bot) {
    return bot.process() != nullptr ? spdlog::level::debug : spdlog::level::info;
}

Ending trouble(std::string message) {
    return {exit_trouble, std::move(message)};
}

}  // namespace

Server::Server(config::Config config, ServerOptions options, OnEnded on_ended)
    : machine_(loop::this_machine([](const auto& trouble) { log::warn("{}", trouble); })),
      config_(std::move(config)),
      options_(std::move(options)),
      on_ended_(std::move(on_ended)),
      store_file_(options_.out + "/" + std::string(store::name_in_output_folder)),
      timers_(loop_.get_executor()),
      background_(loop_.get_executor()),
      background_of_standings_(loop_.get_executor()),
      background_of_games_(loop_.get_executor()),
      background_of_programs_(loop_.get_executor()),
      ticks_(loop_.get_executor()),
      folder_(options_.out, !options_.stays && config_.tournaments.size() == 1),
      publisher_(
          folder_, timers_, {background_of_standings_, background_of_games_},
          [this](const std::string& tournament) {
              return scheduler().contest(tournament).snapshot();
          },
          [](const std::string& message) { log::error("{}", message); }),
      filed_games_(
          folder_, background_of_games_,
          [this](const std::string& tournament) { return has_played(tournament); },
          [this](const GameKey& key) { return referee_->ruling_of(key); }),
      tls_(loop_.get_executor(), timers_, options_.out) {}

Server::~Server() = default;

base::Result<void, Ending> Server::prepare() {
    if (const auto made = folder_.make(); !made) return base::failure(trouble(made.error()));
    // Its lock first: what another process writes in this folder isn't touched.
    if (auto opened = open_store(); !opened) return opened;
    std::vector<pages::FolderLink> links;
    for (const auto& tournament : config_.tournaments) links.push_back(report::link_to(tournament));
    if (const auto made = folder_.prepare(links); !made)
        return base::failure(trouble(made.error()));
    allow_connections(config_);
    make_submissions();
    if (auto secret = secret_of_names(config_); !secret)
        return base::failure(trouble(secret.error()));
    if (auto prepared = prepare_machines(); !prepared) return prepared;
    referee_ = std::make_unique<tournament::Referee>(
        config_,
        tournament::RefereeOptions{version, options_.stays, loop::descriptors_max(),
                                   options_.beside_others, [this] { return names_secret_; }},
        tournament::RefereeContext{
            loop_.get_executor(), timers_, *store_, watch_, background_, tokens_,
            std::bind_front(&FiledGames::story, &filed_games_),
            [this](const std::string& bot, auto session, const auto& message) {
                return submissions_->take(bot, std::move(session), message);
            },
            coordinator_.get(),
            [] {
                using std::chrono::system_clock;
                return std::chrono::floor<std::chrono::seconds>(system_clock::now());
            }},
        *this, on_ended_);
    if (auto recovered = recover_past(); !recovered) return recovered;
    note_launches(config_);
    write_missing_games(recovery_.games);
    auto listening = transport::Listener::open(loop_.get_executor(), config_.address, config_.port);
    if (!listening) return base::failure(trouble(listening.error().message));
    listener_ = *std::move(listening);
    auto tls = tls_.prepare(config_);
    if (!tls) return base::failure(std::move(tls.error()));
    tls_.commit(*std::move(tls));
    if (auto prepared = prepare_supply(); !prepared) return prepared;
    referee_->bring_bots_by(*supply_);
    if (auto opened = open_submissions(); !opened) return opened;
    if (auto opened = open_web(); !opened) return opened;
    for (const auto& contest : scheduler().statuses()) publisher_.changed(contest.config->id);
    return {};
}

base::Result<void, Ending> Server::open_store() {
    store::StoreOptions options;
    options.replay_bytes_max = config_.replays_mb * 1024 * 1024;
    options.on_dropped = [this](const auto& dropped) { tell_dropped(dropped); };
    auto opened = store::Store::open(store_file_, std::move(options), loop_.get_executor());
    if (!opened) {
        const auto& error = opened.error();
        const bool mistaken = error.trouble == store::StoreTrouble::foreign ||
                              error.trouble == store::StoreTrouble::other_version;
        return base::failure(Ending{mistaken ? exit_bad_input : exit_trouble, error.message});
    }
    store_ = *std::move(opened);
    filed_games_.use(store_.get());
    return {};
}

base::Result<void, Ending> Server::prepare_supply() {
    const auto& tokens = referee_->roster().launch_tokens();
    supply_ = std::make_unique<supply::LaunchSupply>(
        endpoint(), tokens, referee_->lobby(), timers_, loop_.get_executor(),
        background_of_programs_,
        [](const std::string& bot, const std::string& message) {
            log::warn("{}: {}", bot, message);
        },
        [](const std::string& message) { log::warn("{}", message); });
    supply_->on_given_up([this](const std::string& bot) {
        if (on_never_started_ && supply_->has_never_started(bot)) on_never_started_();
        timers_.schedule(timers_.now(), [this, bot] { tell_submissions_of_given_up(bot); });
        scheduler().pump();
    });
    auto terms = supply::terms_of(config_, options_.unsandboxed, options_.tier_min);
    if (!terms) return base::failure(Ending{exit_bad_input, std::move(terms.error())});
    terms_ = *std::move(terms);
    if (tokens.empty() && !takes_programs()) return {};
    const auto secrets = supply::secrets_of(config_, options_.out);
    if (const auto checked = supply::reads_no_secret(config_, secrets); !checked)
        return base::failure(Ending{exit_bad_input, checked.error()});
    auto opened = supply::open_launcher(loop_.get_executor(), terms_);
    if (!opened) return base::failure(trouble(std::move(opened.error())));
    supply_->launch_by(*std::move(opened));
    tell_sandbox();
    return {};
}

std::optional<Server::Sandbox> Server::sandbox() const {
    const auto* launcher = supply_->launcher();
    if (launcher == nullptr) return std::nullopt;
    const auto& offer = launcher->sandbox();
    return Sandbox{supply::describe(terms_, offer), offer.tier,
                   supply::worth_a_warning(terms_, offer)};
}

void Server::tell_sandbox() {
    const auto told = *sandbox();
    spdlog::log(told.warned ? spdlog::level::warn : spdlog::level::info, "{}", told.text);
    if (!terms_.sandboxed) return;
    const auto remarks = supply::remarks_on_folders(
        config(), supply::secrets_of(config(), options_.out), process::program_search_path());
    for (const auto& warning : remarks.warnings) log::warn("{}", warning);
    const auto holding = supply::limits_held_by(*supply_->launcher());
    for (const auto& remark : supply::remarks_on_limits(config(), holding, supply::this_machine()))
        log::warn("{}", remark);
}

void Server::allow_connections(const config::Config& config) {
    loop::allow_descriptors(tournament::descriptors_needed(config));
    if (const auto lack = tournament::describe_lack(config, loop::descriptors_max()))
        log::warn("{}", *lack);
}

void Server::listen() {
    listener_->start(
        [this](auto transport) { admit(std::move(transport)); },
        [](const std::string& reason) { log::warn("accepting pauses: {}", reason); },
        &referee_->lobby().strangers_time(), transport::StreamOf::lines,
        [this](const auto& peer) { tls_.tell_of_tls_at_plain_port(peer, endpoint()); });
}

void Server::admit(std::unique_ptr<loop::Transport> transport) {
    const auto login_time_max =
        transport->from_this_machine() ? supply_->login_time_max() : std::nullopt;
    referee_->lobby().admit(std::move(transport), {login_time_max, {}});
}

void Server::start() {
    watch_.tell_stalls([this](std::string_view cause, Duration stood) {
        const auto turns = scheduler().turns_running();
        if (const auto line = stall_news_.told(timers_.now(), cause, stood, turns))
            log::warn("{}", *line);
    });
    if (config_.high_priority) priority_ = loop::raise_priority();
    watch_as_needed();
    listen();
    check_store();
    tls_.start([this](auto transport) { admit(std::move(transport)); },
               [](const std::string& reason) { log::warn("accepting pauses: {}", reason); },
               referee_->lobby().strangers_time());
    start_web();
    referee_->start();
    registration_news_.changed();
    if (options_.stays) look_at_disk();
}

void Server::stop_by_signals(std::function<void(const std::string& signal, bool again)> tell) {
    if (!signalled_) {
        signals_.add(SIGINT);
        signals_.add(SIGTERM);
    }
    signals_.async_wait([this, tell](const boost::system::error_code& error, int signal) {
        if (error) return;
        const bool again = std::exchange(signalled_, true);
        const std::string name = signal == SIGINT ? "SIGINT" : "SIGTERM";
        tell(name, again);
        scheduler().stop(name, again ? Duration::zero() : config().grace);
        stop_by_signals(tell);
    });
}

// The watch is awake while a game is played, and while a game is set aside, because that one is
// tried again when the machine has been calm.
void Server::watch_as_needed() {
    if (scheduler().games_running() > 0 || waits_for_calm()) {
        watch_.wake();
    } else {
        watch_.fall_asleep();
    }
}

bool Server::waits_for_calm() {
    const auto statuses = scheduler().statuses();
    return std::ranges::any_of(statuses, [](const auto& contest) {
        return contest.state == records::TournamentState::running && !contest.set_aside.empty();
    });
}

void Server::close(protocol::ByeReason reason, std::string message,
                   std::function<void()> on_closed) {
    timers_.cancel(std::exchange(disk_timer_, 0));
    for (const auto& contest : scheduler().statuses()) publisher_.standings(contest.config->id);
    close_machines([this, reason, message = std::move(message), on_closed] {
        publisher_.when_written([this, reason, message, on_closed] {
            web_.reset();
            referee_->lobby().close_all(reason, message);
            listener_->close();
            signals_.cancel();
            tls_.close();
            submissions_->close();
            supply_->release_all();
            on_closed();
        });
    });
}

void Server::release() {
    // From here on nobody is there who could be told of a stall.
    watch_.fall_asleep();
    publisher_.close();
    web_.reset();
    if (submissions_) submissions_->close();
    supply_.reset();
    if (referee_ != nullptr) referee_->end();
    filed_games_.use(nullptr);
    store_.reset();
    loop_.restart();
    loop_.poll();
}

void Server::on_arrived(const lobby::Bot& bot) {
    if (supply_->runs_newest(bot)) submissions_->logged_in(bot.name());
    const auto now = timers_.now();
    const auto [told, first] = arrival_told_at_.try_emplace(bot.name(), now);
    if (!first && now - told->second < limits::arrival_told_every) {
        untold_.insert(bot.name());
        return;
    }
    told->second = now;
    untold_.erase(bot.name());
    spdlog::log(level_of_coming(bot), "{} has arrived", bot.name());
    tell_outlier(bot);
    const auto allowance = bot.allowance();
    for (const auto& contest : scheduler().statuses()) {
        if (!contest.entrant_named(bot.name())) continue;
        if (const auto lost = clock::lost_on_the_way(contest.config->clock, allowance))
            log::warn("bot {} in tournament {}: {}", bot.name(), contest.config->id, *lost);
    }
}

void Server::on_left(const lobby::Bot& bot, session::CloseCause cause) {
    if (cause != session::CloseCause::left || !untold_.contains(bot.name()))
        spdlog::log(level_of_coming(bot), "{} has left: {}", bot.name(), session::describe(cause));
    outliers_.erase(bot.name());
    left_at_[bot.name()] = timers_.now();
}

// Logs each wait when it begins and when it ends, but not when it only becomes a wait for fewer
// bots.
void Server::on_waiting(const std::vector<scheduler::Waiting>& waiting) {
    const auto level = [this](const auto& wait) {
        if (wait.routine) return spdlog::level::debug;
        return wait.kind == scheduler::Waiting::Kind::for_calm ? level_of_news(options_)
                                                               : spdlog::level::info;
    };
    for (const auto& over : scheduler::without(waiting_, waiting))
        if (told_waits_.ends(over))
            spdlog::log(level(over), "no longer: {}", scheduler::subject_of(over));
    for (const auto& wait : scheduler::without(waiting, waiting_)) {
        const auto text = told_waits_.begins(wait, timers_.now());
        if (text.empty()) continue;
        const auto remedy = options_.stays ? remedy_of(wait) : std::string();
        spdlog::log(level(wait), "{}{}{}", text, remedy.empty() ? "" : "; ", remedy);
    }
    waiting_ = waiting;
}

void Server::on_timetable(const contests::ContestStatus& contest) {
    if (web_) web_->tournament(contest);
}

void Server::on_game_started(const std::string& /*tournament*/, const table::Table& table) {
    log::debug("game {} begins", table.play().id());
    late_bots_.game_began(table.play().id(), timers_.now());
    keep_priority();
    watch_as_needed();
    if (web_) web_->game_began(table);
}

void Server::on_game(const std::shared_ptr<const records::GameRecord>& game,
                     const table::Table* table) {
    const auto& result = game->result;
    const auto id = game_id(result.key);
    if (table == nullptr) {
        log::debug("game {}, played elsewhere: {}", id, result.reason);
    } else {
        const bool annulled = result.status == GameStatus::annulled;
        spdlog::log(annulled ? level_of_news(options_) : spdlog::level::debug, "game {}{}: {}", id,
                    annulled ? " is annulled" : "", result.reason);
        for (const auto* bot : table->bots()) tell_outlier(*bot);
        count_doubts(*table);
        count_late(result);
        watch_as_needed();
    }
    publisher_.game(game, table, has_files(result.key.tournament));
    if (web_) web_->game_ended(game);
}

void Server::on_state(const std::string& tournament, records::TournamentState state,
                      const std::string& reason) {
    log::info("tournament {} is {}: {}", tournament, records::name_of(state), reason);
    watch_as_needed();
    publisher_.standings(tournament);
    const auto contest = scheduler().status_of(tournament);
    if (web_ && contest) web_->tournament(*contest);
}

void Server::on_attendance(const std::string& tournament, const std::string& bot, bool out,
                           const std::string& reason) {
    if (out) {
        spdlog::log(level_of_news(options_), "{} is withdrawn from {}: {}", bot, tournament,
                    reason);
    } else {
        log::info("{}", scheduler::takes_part(bot, *scheduler().status_of(tournament)->config));
    }
    publisher_.changed(tournament);
}

void Server::tell_order(const std::string& tournament, const std::string& what) {
    spdlog::log(level_of_news(options_), "arbiter of {}: {}", tournament, what);
    publisher_.changed(tournament);
}

void Server::on_set_aside(const std::string& tournament) {
    watch_as_needed();
    publisher_.changed(tournament);
}

void Server::on_store_trouble(const std::string& trouble) {
    if (trouble.empty()) {
        spdlog::log(level_of_news(options_), "the store can be written again: games go on");
    } else {
        spdlog::log(options_.stays ? spdlog::level::err : level_of_news(options_), "{}", trouble);
    }
}

}  // namespace referee::server

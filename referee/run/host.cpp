#include "referee/run/host.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <thread>

#include "referee/exit_code.h"
#include "referee/limits.h"
#include "referee/log/log.h"
#include "referee/version.h"

namespace referee::run {
namespace {

// A config without launched bots has nobody to bring.
class NoSupply final : public scheduler::BotSupply {
 public:
    bool launches(const lobby::Bot& /*bot*/) const override { return false; }
    void want(lobby::Bot& /*bot*/) override {}
    void game_over(lobby::Bot& /*bot*/, bool /*match_over*/) override {}
};

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

lobby::LobbyLimits lobby_limits(const config::Config& config) {
    lobby::LobbyLimits limits;
    limits.connections_max = config.connections_max;
    limits.connections_per_address_max = config.connections_per_address_max;
    return limits;
}

}  // namespace

Host::Host(config::Config config, HostOptions options, scheduler::Observer& audience,
           OnEnded on_ended)
    : config_(std::move(config)),
      options_(std::move(options)),
      audience_(audience),
      on_ended_(std::move(on_ended)),
      store_file_(options_.out + "/" + std::string(store::name_in_output_folder)),
      timers_(loop_.get_executor()),
      background_(loop_.get_executor()),
      cores_(cores_for(config_)),
      roster_(config_, [this](journal::TokenRecord record) { register_bot(std::move(record)); }),
      lobby_(timers_, loop_.get_executor(), roster_, *this, games_of(config_),
             lobby_limits(config_), version),
      folder_(options_.out, !options_.stays && config_.tournaments.size() == 1),
      publisher_(folder_, timers_, [](const std::string& message) { log::error("{}", message); }) {}

Host::~Host() = default;

std::optional<HostFailure> Host::prepare() {
    std::vector<std::string> ids;
    for (const auto& tournament : config_.tournaments) ids.push_back(tournament.id);
    if (const auto wrong = folder_.prepare(ids)) return HostFailure{exit_trouble, *wrong};
    if (auto failure = open_store()) return failure;
    auto opened = open_tournaments(config_, *store_, options_.stays);
    if (auto* refused = std::get_if<CannotGoOn>(&opened))
        return HostFailure{exit_bad_input, refused->message};
    auto& tournaments = std::get<OpenTournaments>(opened);
    went_on_ = tournaments.went_on;
    notes_ = std::move(tournaments.notes);
    for (const auto& token : tournaments.tokens) roster_.know(token);
    write_missing_games(tournaments.games);
    if (const auto wrong = listen(config_.address, config_.port))
        return HostFailure{exit_trouble, *wrong};
    if (auto failure = prepare_launcher()) return failure;
    static NoSupply nobody;
    auto& supply = supply_ != nullptr ? static_cast<scheduler::BotSupply&>(*supply_) : nobody;
    scheduler_ = std::make_unique<scheduler::Scheduler>(
        scheduler::Scheduler::Settings{games_at_once(config_), config_.join_within, options_.stays},
        scheduler::Surroundings{timers_, lobby_, *store_, supply, watch_, cores_, background_},
        *this, [this](const scheduler::Ending& ending) { on_ended_(ending); });
    for (auto& tournament : tournaments.all) add(std::move(tournament));
    return std::nullopt;
}

std::optional<HostFailure> Host::open_store() {
    auto opened = store::Store::open(store_file_, {}, loop_.get_executor());
    if (const auto* error = std::get_if<store::StoreError>(&opened)) {
        const bool mistaken = error->trouble == store::StoreTrouble::foreign ||
                              error->trouble == store::StoreTrouble::newer;
        return HostFailure{mistaken ? exit_bad_input : exit_trouble, error->message};
    }
    store_ = std::get<std::unique_ptr<store::Store>>(std::move(opened));
    return std::nullopt;
}

std::optional<HostFailure> Host::prepare_launcher() {
    if (roster_.launch_tokens().empty()) return std::nullopt;
    launcher::LauncherOptions options;
    options.search_path = program_search_path();
    auto created = launcher::Launcher::create(loop_.get_executor(), options);
    if (const auto* error = std::get_if<launcher::LaunchError>(&created))
        return HostFailure{exit_trouble, error->message};
    launcher_ = std::get<std::unique_ptr<launcher::Launcher>>(std::move(created));
    supply_ = std::make_unique<supply::LaunchedBots>(
        supply::LaunchedBots::Settings{endpoint()}, config_.bots, roster_.launch_tokens(),
        *launcher_, lobby_, timers_, loop_.get_executor(),
        [](const std::string& bot, const std::string& message) {
            log::warn("{}: {}", bot, message);
        });
    return std::nullopt;
}

std::optional<std::string> Host::listen(const std::string& address, std::uint16_t port) {
    auto listening = net::Listener::open(loop_.get_executor(), address, port);
    if (const auto* error = std::get_if<net::ListenError>(&listening)) return error->message;
    if (listener_ != nullptr) {
        listener_->close();
        old_listeners_.push_back(std::move(listener_));
    }
    listener_ = std::get<std::unique_ptr<net::Listener>>(std::move(listening));
    if (started_) {
        listener_->start(
            [this](auto transport) { lobby_.admit(std::move(transport)); },
            [](const std::string& reason) { log::warn("accepting pauses: {}", reason); });
    }
    return std::nullopt;
}

void Host::add(OpenTournament tournament) {
    registries_.push_back(std::move(tournament.registry));
    const auto& contest =
        scheduler_->add(std::move(tournament.contest), std::move(tournament.opening));
    publisher_.changed(contest);
}

// A game's files can be made again from the store: those that a former run did not come to write.
void Host::write_missing_games(const std::vector<GameKey>& games) {
    for (const auto& key : games) {
        std::error_code ignored;
        const auto size = std::filesystem::file_size(folder_.replay_file(key), ignored);
        if (!ignored && size > 0) continue;
        store_->replay(key, [file = folder_.replay_file(key)](const store::FoundReplay& found) {
            if (const auto* error = std::get_if<store::StoreError>(&found))
                return log::error("{}", error->message);
            const auto& replay = std::get<std::optional<std::string>>(found);
            if (!replay || replay->empty()) return;
            if (const auto wrong = report::write_file(file, *replay)) log::error("{}", *wrong);
        });
    }
}

void Host::start() {
    started_ = true;
    watch_.rest();  // until a game begins
    listener_->start([this](auto transport) { lobby_.admit(std::move(transport)); },
                     [](const std::string& reason) { log::warn("accepting pauses: {}", reason); });
    scheduler_->start();
}

void Host::close(protocol::ByeReason reason, std::string_view message) {
    for (const auto* contest : scheduler_->contests()) publisher_.standings(*contest);
    lobby_.close_all(reason, message);
    listener_->close();
    if (supply_ != nullptr) supply_->release_all();
}

void Host::release() {
    supply_.reset();
    launcher_.reset();
    scheduler_.reset();
    store_.reset();
    loop_.restart();
    loop_.poll();
}

void Host::register_bot(journal::TokenRecord record) {
    const auto bot = record.bot;
    give_token(record, [this, bot] { lobby_.settle(bot); });
}

void Host::give_token(const journal::TokenRecord& record, std::function<void()> on_given) {
    std::vector<journal::Record> records;
    records.emplace_back(record);
    store_->append(std::move(records),
                   [this, record, on_given = std::move(on_given)](const auto& failure) {
                       if (failure) {
                           roster_.forget(record.bot);
                           return;
                       }
                       roster_.know(record);
                       on_given();
                   });
}

// Whoever comes may play on the ladders of the games that it plays.
void Host::enter_ladders(const lobby::Bot& bot) {
    for (const auto* contest : scheduler_->contests()) {
        const auto& tournament = contest->config();
        if (tournament.format.kind != tournament::FormatKind::ladder || !contest->begun() ||
            !bot.plays(tournament.game))
            continue;
        if (contest->entrant_named(bot.name())) continue;
        tournament::Entry entry{.name = bot.name(), .team = {}, .half_point_byes = {}};
        for (const auto& known : config_.bots) {
            if (known.name != bot.name()) continue;
            entry.rating = known.rating;
            entry.team = known.team;
        }
        scheduler_->admit(*scheduler_->contest_named(tournament.id), entry,
                          [id = tournament.id](const auto& refused) {
                              if (refused) log::warn("ladder {}: {}", id, *refused);
                          });
    }
}

void Host::on_arrived(lobby::Bot& bot) {
    log::info("{} has arrived", bot.name());
    enter_ladders(bot);
    scheduler_->welcome_back(bot);
}

void Host::on_left(lobby::Bot& bot, session::CloseCause cause) {
    log::info("{} has left: {}", bot.name(), session::describe(cause));
    if (supply_ != nullptr) supply_->left(bot);
    scheduler_->pump();
}

void Host::on_waiting(const std::vector<std::string>& missing) {
    audience_.on_waiting(missing);
}

void Host::on_game_started(const scheduler::Contest& contest, const table::Table& table) {
    log::debug("game {} begins", table.play().id());
    watch_.wake();
    audience_.on_game_started(contest, table);
}

void Host::on_game(const scheduler::Contest& contest, const table::Table& table,
                   const journal::GameRecord& game) {
    log::debug("game {}: {}", table.play().id(), game.result.reason);
    publisher_.game(table, game);
    if (scheduler_->games_running() == 0) watch_.rest();
    audience_.on_game(contest, table, game);
}

void Host::on_match(const scheduler::Contest& contest, const tournament::MatchResult& match) {
    publisher_.changed(contest);
    audience_.on_match(contest, match);
}

void Host::on_state(const scheduler::Contest& contest, const std::string& reason) {
    log::info("tournament {} is {}: {}", contest.config().id, journal::name_of(contest.state()),
              reason);
    publisher_.standings(contest);
    audience_.on_state(contest, reason);
}

void Host::on_attendance(const scheduler::Contest& contest, const std::string& bot, bool out,
                         const std::string& reason) {
    if (out) {
        log::warn("{} is withdrawn from {}: {}", bot, contest.config().id, reason);
    } else {
        log::info("{} takes part in {} from the next round on", bot, contest.config().id);
    }
    publisher_.changed(contest);
    audience_.on_attendance(contest, bot, out, reason);
}

void Host::on_set_aside(const scheduler::Contest& contest, const std::string& which) {
    log::warn("tournament {} goes on without a game: {}", contest.config().id, which);
    publisher_.changed(contest);
    audience_.on_set_aside(contest, which);
}

void Host::on_strain(const std::string& trouble) {
    if (trouble.empty()) {
        log::warn("the store can be written again: games go on");
    } else {
        log::error("{}", trouble);
    }
    audience_.on_strain(trouble);
}

// Of a config that was read again: what can't be changed while tournaments are played.
std::optional<std::string> Host::cannot_change(const config::Config& config) const {
    for (const auto& old : config_.tournaments) {
        const auto same = [&old](const auto& other) { return other.id == old.id; };
        const auto now = std::find_if(config.tournaments.begin(), config.tournaments.end(), same);
        if (now == config.tournaments.end())
            return "tournament " + old.id + " is gone from the config; `referee ctl abort` ends it";
        if (now->text != old.text)
            return "tournament " + old.id +
                   " is another one in the config, and it is being played; expected it as it was";
    }
    for (const auto& old : config_.bots) {
        const auto same = [&old](const auto& other) { return other.name == old.name; };
        const auto now = std::find_if(config.bots.begin(), config.bots.end(), same);
        if (now == config.bots.end())
            return "bot " + old.name +
                   " is gone from the config; `referee ctl withdraw` ends its part";
        if (now->launch != old.launch)
            return "bot " + old.name +
                   " has another launch command; expected it as it was until the daemon begins "
                   "anew";
    }
    return std::nullopt;
}

std::optional<std::string> Host::reload(config::Config config) {
    if (auto wrong = cannot_change(config)) return wrong;
    std::vector<OpenTournament> added;
    for (const auto& tournament : config.tournaments) {
        if (scheduler_->contest_named(tournament.id) != nullptr) continue;
        auto opened = open_tournament(tournament, config.bots);
        if (auto* refused = std::get_if<CannotGoOn>(&opened)) return refused->message;
        added.push_back(std::get<OpenTournament>(std::move(opened)));
    }
    if (config.address != config_.address || config.port != config_.port) {
        if (auto wrong = listen(config.address, config.port)) return wrong;
    }
    std::vector<config::BotConfig> launched;
    for (const auto& bot : config.bots) {
        const auto same = [&bot](const auto& other) { return other.name == bot.name; };
        if (bot.launched() && std::none_of(config_.bots.begin(), config_.bots.end(), same))
            launched.push_back(bot);
    }
    if (!launched.empty() && supply_ == nullptr)
        return "the first launched bots need a new start of the daemon";
    config_ = std::move(config);
    roster_.set_config(config_);
    lobby_.set_games(games_of(config_));
    for (const auto& bot : launched) supply_->add(bot);
    for (auto& tournament : added) {
        std::error_code ignored;
        std::filesystem::create_directories(
            folder_.folder_of(tournament.contest->config().id) + "/games", ignored);
        add(std::move(tournament));
    }
    scheduler_->pump();
    return std::nullopt;
}

}  // namespace referee::run

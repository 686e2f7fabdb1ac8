#include "referee/office/run/host.h"

#include <algorithm>
#include <filesystem>

#include "referee/exit_code.h"
#include "referee/office/log/log.h"
#include "referee/office/run/config_limits.h"
#include "referee/version.h"

namespace referee::run {
namespace {

// Of what a run shows on the screen itself: once is enough there.
spdlog::level::level_enum level_of_news(const HostOptions& options) {
    return options.stays ? spdlog::level::warn : spdlog::level::info;
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
      background_of_standings_(loop_.get_executor()),
      background_of_games_(loop_.get_executor()),
      cores_(thinking_cores(config_)),
      roster_(config_, [this](journal::TokenRecord record) { register_bot(std::move(record)); }),
      lobby_(timers_, loop_.get_executor(), roster_, *this, games_of(config_),
             lobby_limits_of(config_), version),
      folder_(options_.out, !options_.stays && config_.tournaments.size() == 1),
      publisher_(
          folder_, timers_, {background_of_standings_, background_of_games_},
          [this](const std::string& tournament) { return scheduler_->snapshot_of(tournament); },
          [](const std::string& message) { log::error("{}", message); }) {}

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
    resting_ = std::move(tournaments.resting);
    notes_ = std::move(tournaments.notes);
    for (const auto& token : tournaments.tokens) roster_.know(token);
    write_missing_games(tournaments.games);
    auto listening = net::Listener::open(loop_.get_executor(), config_.address, config_.port);
    if (!listening) return HostFailure{exit_trouble, listening.error().message};
    listener_ = *std::move(listening);
    if (auto failure = prepare_supply()) return failure;
    scheduler_ = std::make_unique<scheduler::Scheduler>(
        scheduler_settings(),
        scheduler::Surroundings{timers_, lobby_, *store_, *supply_, watch_, cores_, background_},
        *this, [this](const scheduler::Ending& ending) { on_ended_(ending); });
    for (auto& tournament : tournaments.all) add(std::move(tournament));
    return std::nullopt;
}

std::optional<HostFailure> Host::open_store() {
    auto opened = store::Store::open(store_file_, {}, loop_.get_executor());
    if (!opened) {
        const auto& error = opened.error();
        const bool mistaken = error.trouble == store::StoreTrouble::foreign ||
                              error.trouble == store::StoreTrouble::newer;
        return HostFailure{mistaken ? exit_bad_input : exit_trouble, error.message};
    }
    store_ = *std::move(opened);
    return std::nullopt;
}

std::optional<HostFailure> Host::prepare_supply() {
    supply_ = std::make_unique<supply::LaunchedBots>(
        endpoint(), roster_.launch_tokens(), lobby_, timers_, loop_.get_executor(),
        [](const std::string& bot, const std::string& message) {
            log::warn("{}: {}", bot, message);
        });
    if (roster_.launch_tokens().empty()) return std::nullopt;
    auto created = open_launcher();
    if (!created) return HostFailure{exit_trouble, created.error().message};
    supply_->launch_by(*std::move(created));
    know_launched_bots();
    return std::nullopt;
}

base::Result<std::unique_ptr<launcher::Launcher>, launcher::LaunchError> Host::open_launcher() {
    launcher::LauncherOptions options;
    options.search_path = program_search_path();
    return launcher::Launcher::create(loop_.get_executor(), options);
}

void Host::know_launched_bots() {
    for (const auto& bot : config_.bots) {
        if (bot.launched()) supply_->know(bot);
    }
}

scheduler::Scheduler::Settings Host::scheduler_settings() const {
    return {games_at_once(config_), config_.join_within, options_.stays};
}

void Host::listen() {
    listener_->start(
        [this](auto transport) {
            const auto login_time_max =
                transport->from_this_machine() ? supply_->login_time_max() : std::nullopt;
            lobby_.admit(std::move(transport), login_time_max);
        },
        [](const std::string& reason) { log::warn("accepting pauses: {}", reason); });
}

void Host::add(OpenTournament tournament) {
    registries_.push_back(std::move(tournament.registry));
    const auto id = tournament.contest->config().id;
    scheduler_->add(std::move(tournament.contest), std::move(tournament.opening));
    publisher_.changed(id);
}

// A game's files can be made again from the store: those that a former run did not come to write.
void Host::write_missing_games(const std::vector<GameKey>& games) {
    for (const auto& key : games) {
        std::error_code ignored;
        const auto size = std::filesystem::file_size(folder_.replay_file(key), ignored);
        if (!ignored && size > 0) continue;
        store_->replay(key, [this, key](const store::FoundReplay& found) {
            if (!found) return log::error("{}", found.error().message);
            const auto& replay = *found;
            if (!replay || replay->empty()) return;
            publisher_.replay(key, *replay);
        });
    }
}

void Host::start() {
    watch_as_needed();
    listen();
    scheduler_->start();
}

// The watch is awake while a game is played, and while one is set aside: that is tried when the
// machine has been calm.
void Host::watch_as_needed() {
    const auto statuses = scheduler_->statuses();
    const bool waits_for_calm =
        std::any_of(statuses.begin(), statuses.end(), [](const auto& contest) {
            return contest.state == journal::TournamentState::running && !contest.set_aside.empty();
        });
    if (scheduler_->games_running() > 0 || waits_for_calm) {
        watch_.wake();
    } else {
        watch_.rest();
    }
}

void Host::close(protocol::ByeReason reason, std::string message, std::function<void()> on_closed) {
    for (const auto& contest : scheduler_->statuses()) publisher_.standings(contest.config->id);
    publisher_.when_written([this, reason, message = std::move(message), on_closed] {
        lobby_.close_all(reason, message);
        listener_->close();
        supply_->release_all();
        on_closed();
    });
}

void Host::release() {
    publisher_.close();
    supply_.reset();
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
    store_->append(std::move(records), [this, record, on_given = std::move(on_given)](
                                           const journal::Committed& committed) {
        if (!committed) {
            roster_.forget(record.bot);
            return;
        }
        roster_.know(record);
        on_given();
    });
}

// Whoever comes may play on the ladders of the games that it plays.
void Host::enter_ladders(const lobby::Bot& bot) {
    for (const auto& contest : scheduler_->statuses()) {
        const auto& tournament = *contest.config;
        if (!tournament::traits_of(tournament.format).open_field || !contest.begun ||
            contest.state == journal::TournamentState::aborted || !bot.plays(tournament.game))
            continue;
        if (contest.entrant_named(bot.name())) continue;
        tournament::Entry entry{.name = bot.name(), .team = {}, .half_point_byes = {}};
        for (const auto& known : config_.bots) {
            if (known.name != bot.name()) continue;
            entry.rating = known.rating;
            entry.team = known.team;
        }
        scheduler_->admit(tournament.id, entry, [id = tournament.id](const auto& refused) {
            if (refused) log::warn("ladder {}: {}", id, *refused);
        });
    }
}

void Host::on_arrived(lobby::Bot& bot) {
    log::info("{} has arrived", bot.name());
    supply_->arrived(bot);
    enter_ladders(bot);
    scheduler_->welcome_back(bot);
}

void Host::on_left(lobby::Bot& bot, session::CloseCause cause) {
    log::info("{} has left: {}", bot.name(), session::describe(cause));
    supply_->left(bot);
    scheduler_->pump();
}

// Each wait is logged when it begins and when it ends, not while fewer bots are waited for.
void Host::on_waiting(const std::vector<scheduler::Waiting>& waiting) {
    const auto level = [this](const auto& wait) {
        if (wait.routine) return spdlog::level::debug;
        return wait.kind == scheduler::Waiting::Kind::for_calm ? level_of_news(options_)
                                                               : spdlog::level::info;
    };
    for (const auto& over : scheduler::without(waiting_, waiting))
        spdlog::log(level(over), "no longer: {}", scheduler::subject_of(over));
    for (const auto& wait : scheduler::without(waiting, waiting_)) {
        const auto remedy = options_.stays ? scheduler::remedy_of(wait) : std::string();
        spdlog::log(level(wait), "{}{}{}", scheduler::describe(wait, timers_.now()),
                    remedy.empty() ? "" : "; ", remedy);
    }
    waiting_ = waiting;
    audience_.on_waiting(waiting);
}

void Host::on_game_started(const std::string& tournament, const table::Table& table) {
    log::debug("game {} begins", table.play().id());
    watch_as_needed();
    audience_.on_game_started(tournament, table);
}

void Host::on_game(const std::string& tournament, const table::Table& table,
                   const std::shared_ptr<const journal::GameRecord>& game) {
    log::debug("game {}: {}", table.play().id(), game->result.reason);
    publisher_.game(table, game);
    watch_as_needed();
    audience_.on_game(tournament, table, game);
}

void Host::on_match(const std::string& tournament, const tournament::MatchResult& match) {
    publisher_.changed(tournament);
    audience_.on_match(tournament, match);
}

void Host::on_dropped(const std::string& tournament, const std::string& reason) {
    log::info("match {}; it is dropped", reason);
    publisher_.changed(tournament);
    audience_.on_dropped(tournament, reason);
}

void Host::on_state(const std::string& tournament, journal::TournamentState state,
                    const std::string& reason) {
    log::info("tournament {} is {}: {}", tournament, journal::name_of(state), reason);
    watch_as_needed();
    publisher_.standings(tournament);
    audience_.on_state(tournament, state, reason);
    if (state != journal::TournamentState::running) return;
    // Whoever came while it was not on.
    for (const auto& [name, bot] : lobby_.bots()) {
        if (bot->connected()) enter_ladders(*bot);
    }
}

void Host::on_attendance(const std::string& tournament, const std::string& bot, bool out,
                         const std::string& reason) {
    if (out) {
        spdlog::log(level_of_news(options_), "{} is withdrawn from {}: {}", bot, tournament,
                    reason);
    } else {
        log::info("{} takes part in {} from the next round on", bot, tournament);
    }
    publisher_.changed(tournament);
    audience_.on_attendance(tournament, bot, out, reason);
}

void Host::on_set_aside(const std::string& tournament) {
    watch_as_needed();
    publisher_.changed(tournament);
    audience_.on_set_aside(tournament);
}

void Host::on_strain(const std::string& trouble) {
    if (trouble.empty()) {
        spdlog::log(level_of_news(options_), "the store can be written again: games go on");
    } else {
        spdlog::log(options_.stays ? spdlog::level::err : level_of_news(options_), "{}", trouble);
    }
    audience_.on_strain(trouble);
}

}  // namespace referee::run

#include "referee/server/server.h"

#include <algorithm>
#include <csignal>

#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/files/log/log.h"
#include "referee/net/loop/machine.h"
#include "referee/tournament/config_limits.h"
#include "referee/version.h"

namespace referee::server {
namespace {

// While records are read at a start: who waits for it sees that it goes on.
constexpr std::chrono::seconds reading_told_every{2};

Ending trouble(std::string message) {
    return {exit_trouble, std::move(message)};
}

// Makes room for as many connections as the config allows, and warns where there is not enough. An
// error says that there isn't any.
base::Result<void, std::string> allow_connections(const config::Config& config) {
    loop::allow_descriptors(tournament::descriptors_needed(config));
    if (auto some = tournament::enough_descriptors(loop::descriptors_max()); !some) return some;
    if (const auto lack = tournament::describe_lack(config, loop::descriptors_max()))
        log::warn("{}", *lack);
    return {};
}

// The first standings that a run in this folder would write over; empty where none are there.
std::string standings_in(const report::OutputFolder& folder, const config::Config& config) {
    for (const auto& tournament : config.tournaments) {
        auto file = folder.folder_of(tournament.id) + "/standings.json";
        if (files::is_there(file)) return file;
    }
    return {};
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
      other_machines_(loop_.get_executor(), timers_, {{}, version, options_.sandbox, {}}),
      folder_(options_.out, !options_.stays && config_.tournaments.size() == 1),
      log_(timers_, {options_.out, options_.stays, config_.replays_mb}),
      publisher_(
          folder_, timers_, {background_of_standings_, background_of_games_},
          [this](const std::string& id) { return scheduler().contest(id).snapshot(); },
          [this](const std::string& id) { return has_files(id); },
          [](const std::string& message) { log::error("{}", message); }),
      filed_games_(folder_, background_of_games_),
      ports_(loop_.get_executor(), timers_, options_.out),
      launches_(loop_, timers_, background_of_programs_, config_, options_.out, options_.sandbox) {}

Server::~Server() = default;

base::Result<void, Ending> Server::prepare(std::function<void()> on_never_started) {
    if (const auto made = folder_.make(); !made) return base::failure(trouble(made.error()));
    if (const auto remark = folder_.remark(); !remark.empty()) log::warn("{}", remark);
    // Its lock first: what another process writes in this folder isn't touched.
    if (auto opened = open_store(); !opened) return opened;
    std::vector<pages::FolderLink> links;
    for (const auto& tournament : config_.tournaments) links.push_back(report::link_to(tournament));
    if (const auto made = folder_.prepare(links); !made)
        return base::failure(trouble(made.error()));
    if (auto allowed = allow_connections(config_); !allowed)
        return base::failure(trouble(allowed.error()));
    MadeFiles made;
    auto secret = names_secret_for(config_, made);
    if (!secret) return base::failure(trouble(secret.error()));
    names_secret_ = *std::move(secret);
    made.keep();
    if (auto prepared = other_machines_.prepare(config_, options_.out, tokens_); !prepared)
        return prepared;
    referee_ = std::make_unique<tournament::Referee>(
        config_,
        tournament::RefereeOptions{version, options_.stays, loop::descriptors_max(),
                                   options_.beside_others, [this] { return names_secret_; }},
        tournament::RefereeContext{
            loop_.get_executor(), timers_, *store_, watch_, background_, tokens_,
            std::bind_front(&FiledGames::story, &filed_games_),
            [this](const std::string& bot, auto session, const auto& message) {
                return launches_.submissions().take(bot, std::move(session), message);
            },
            other_machines_.coordinator(),
            [] {
                using std::chrono::system_clock;
                return std::chrono::floor<std::chrono::seconds>(system_clock::now());
            }},
        *this, on_ended_);
    log_.follow(*referee_);
    filed_games_.follow(*referee_);
    referee_->observe(publisher_);
    if (auto recovered = recover_past(); !recovered) return recovered;
    launches_.note_changes(config_);
    publisher_.write_missing(*store_, recovery_.games);
    auto ports = ports_.prepare(config_);
    if (!ports) return base::failure(std::move(ports.error()));
    ports_.commit(*std::move(ports));
    auto opened = launches_.open(*referee_, ports_.endpoint(), std::move(on_never_started));
    if (!opened) return opened;
    if (opened = open_web(); !opened) return opened;
    for (const auto& contest : scheduler().statuses()) publisher_.changed(contest.config->id);
    return {};
}

base::Result<void, Ending> Server::open_store() {
    store::StoreOptions options;
    options.replay_bytes_max = config_.replays_mb * 1024 * 1024;
    options.on_dropped = [this](const auto& dropped) { log_.dropped(dropped); };
    // A store is there before results are, so results without it have lost theirs.
    const auto standings = standings_in(folder_, config_);
    if (!standings.empty()) options.making = store::Making::never;
    auto opened = store::Store::open(store_file_, std::move(options), loop_.get_executor());
    if (!opened) {
        const auto& error = opened.error();
        if (error.trouble == store::StoreTrouble::missing)
            return base::failure(
                trouble(store_file_ + " is gone, but results of it are there: " + standings +
                        ". Put the file back; or take another --out, or move the results away, to "
                        "begin anew"));
        const bool mistaken = error.trouble == store::StoreTrouble::foreign ||
                              error.trouble == store::StoreTrouble::other_version;
        return base::failure(Ending{mistaken ? exit_bad_input : exit_trouble, error.message});
    }
    store_ = *std::move(opened);
    filed_games_.use(store_.get());
    return {};
}

base::Result<void, Ending> Server::recover_past() {
    const auto now = timers_.now();
    const auto now_ms = loop::wall_clock_ms();
    const auto remember = [&](const store::StoredRecord& stored) {
        const auto then = now - std::chrono::milliseconds(now_ms - stored.time_ms);
        if (const auto* game = std::get_if<records::GameRecord>(&stored.record))
            referee_->questions().know(game->result, then);
        if (const auto* annulled = std::get_if<records::AnnulmentRecord>(&stored.record)) {
            referee_->questions().annul(annulled->key, annulled->reason, false);
            filed_games_.annul(annulled->key, annulled->reason);
        }
        if (const auto* restored = std::get_if<records::RestorationRecord>(&stored.record)) {
            referee_->questions().annul(restored->key, restored->reason, true);
            filed_games_.count_again(restored->key);
        }
        if (const auto* opening = std::get_if<records::OpeningRecord>(&stored.record))
            referee_->remember_opening(opening->tournament, then);
    };
    std::uint64_t read = 0;
    auto told = now;
    auto recovery = referee_->recover([&](const auto& take) -> base::Result<void, std::string> {
        return store_
            ->history([&](const store::StoredRecord& stored) {
                take(stored.record);
                remember(stored);
                ++read;
                if (timers_.now() < told + reading_told_every) return;
                told = timers_.now();
                log::info("{} is read: {} records so far", store_file_, read);
            })
            .map_error([](const store::StoreError& error) { return error.message; });
    });
    if (!recovery) return base::failure(Ending{exit_bad_input, recovery.error()});
    recovery_ = std::move(*recovery);
    return {};
}

void Server::check_store() {
    store_->check_all([this](const store::StoreCheck& check) {
        for (auto i = store_check_.damages.size(); i < check.damages.size(); ++i) {
            const auto& [seq, counts, what, remedy] = check.damages[i];
            log::error("{} is damaged: {}; {}", store_file_, what,
                       remedy.empty() ? store::remedy_of_damage(store_file_) : remedy);
        }
        store_check_ = check;
        if (check.is_over) log::debug("{} is checked: {}", store_file_, store::describe(check));
    });
}

base::Result<void, Ending> Server::open_web() {
    if (!config_.web) return {};
    auto opened = WebFeed::open(*this);
    if (!opened) return base::failure(trouble(std::move(opened.error())));
    web_ = *std::move(opened);
    publisher_.on_standings([this](const std::string& tournament) {
        const auto contest = scheduler().status_of(tournament);
        if (web_ != nullptr && contest) web_->standings(*contest);
    });
    return {};
}

base::Result<std::string, std::string> Server::names_secret_for(const config::Config& config,
                                                                MadeFiles& made) const {
    const bool hides = config.pseudonyms || (config.web && config.web->pseudonyms);
    if (!hides || !names_secret_.empty()) return names_secret_;
    const auto file = options_.out + "/names.secret";
    if (!files::is_there(file)) made.add(file);
    return tournament::secret_in(file);
}

void Server::admit(std::unique_ptr<transport::Transport> transport) {
    const auto login_time_max =
        transport->from_this_machine() ? launches_.bots().login_time_max() : std::nullopt;
    referee_->lobby().admit(std::move(transport), {login_time_max, {}});
}

void Server::start() {
    watch_.tell_stalls(
        [this](std::string_view cause, Duration stood) { log_.stood(cause, stood); });
    if (config_.high_priority) priority_.raise();
    watch_as_needed();
    ports_.start([this](auto transport) { admit(std::move(transport)); },
                 referee_->lobby().strangers_time());
    check_store();
    if (web_ != nullptr) {
        web_->start();
        log::info("pages are served at {}", web_->url());
    }
    referee_->start();
    log_.start();
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
        const bool released = store_ == nullptr;
        if (!released) scheduler().stop(name, again ? Duration::zero() : config().grace);
        stop_by_signals(tell);
    });
}

void Server::watch_as_needed() {
    const auto waits_for_calm = [](const auto& contest) {
        return contest.state == records::TournamentState::running && !contest.set_aside.empty();
    };
    if (scheduler().games_running() > 0 ||
        std::ranges::any_of(scheduler().statuses(), waits_for_calm)) {
        watch_.wake();
    } else {
        watch_.fall_asleep();
    }
}

void Server::close(protocol::ByeReason reason, std::string message,
                   std::function<void()> on_closed) {
    log_.close();
    for (const auto& contest : scheduler().statuses()) publisher_.standings(contest.config->id);
    other_machines_.close([this, reason, message = std::move(message), on_closed] {
        publisher_.when_written([this, reason, message, on_closed] {
            web_.reset();
            referee_->lobby().close_all(reason, message);
            signals_.cancel();
            ports_.close();
            launches_.close();
            on_closed();
        });
    });
}

void Server::release() {
    // From here on nobody is there who could be told of a stall.
    watch_.fall_asleep();
    publisher_.close();
    web_.reset();
    launches_.release();
    if (referee_ != nullptr) referee_->end();
    filed_games_.use(nullptr);
    store_.reset();
    loop_.restart();
    loop_.poll();
}

void Server::carry_out(protocol::json::View request, control::ControlCommands::Answer answer) {
    if (commands_ != nullptr) return commands_->carry_out(request, std::move(answer));
    answer(control::refusal("this run takes no orders; expected `referee serve`"));
}

void Server::tell_order(const std::string& tournament, const std::string& what) {
    log_.order(tournament, what);
    publisher_.changed(tournament);
}

void Server::on_game_started(const std::string& /*tournament*/, const table::Table& table) {
    log_.keep(priority_);
    watch_as_needed();
    if (web_) web_->game_began(table);
}

void Server::on_game(const std::shared_ptr<const records::GameRecord>& game,
                     const table::Table* table) {
    if (table != nullptr) watch_as_needed();
    if (web_) web_->game_ended(game);
}

void Server::on_state(const std::string& tournament, records::TournamentState /*state*/,
                      const std::string& /*reason*/) {
    watch_as_needed();
    const auto contest = scheduler().status_of(tournament);
    if (web_ && contest) web_->tournament(*contest);
}

bool Server::has_files(const std::string& tournament) const {
    const auto& all = config().tournaments;
    const auto found = std::ranges::find(all, tournament, &config::TournamentConfig::id);
    return found == all.end() ? config().game_files != config::GameFiles::none
                              : config().has_files_of(found->format);
}

base::Result<void, std::string> Server::check_web(const config::Config& config) const {
    const bool same = web_ == nullptr ? !config.web : web_->serves_at(config.web);
    if (same) return {};
    return base::failure(std::string(
        "listen.web: its address, port and tls, and whether there is one, can only be changed by "
        "another start of the daemon; expected them as they were"));
}

base::Result<Server::Change, std::string> Server::prepare_change(const config::Config& config) {
    std::vector<std::string> refused;
    auto of_referee = referee_->prepare_change(config);
    if (!of_referee) refused.push_back(std::move(of_referee.error()));
    auto launches = launches_.prepare(config);
    if (!launches) refused.push_back(std::move(launches.error().message));
    for (const auto& checked : {other_machines_.check(config), check_web(config)})
        if (!checked) refused.push_back(checked.error());
    auto ports = ports_.prepare(config);
    if (!ports) refused.push_back(std::move(ports.error().message));
    MadeFiles made;
    auto secret = names_secret_for(config, made);
    if (!secret) refused.push_back(std::move(secret.error()));
    if (!refused.empty()) return base::failure(base::joined(refused, "; also: "));
    return Change{*std::move(of_referee), *std::move(ports), *std::move(launches),
                  *std::move(secret), std::move(made)};
}

void Server::commit(config::Config config, Change change) {
    change.made.keep();
    names_secret_ = std::move(change.names_secret);
    ports_.commit(std::move(change.ports));
    launches_.bots().set_dial_in_address(ports_.endpoint());
    if (web_) web_->set_config(config, ports_.tls_context());
    static_cast<void>(allow_connections(config));  // there were enough at the start
    std::vector<std::string> added;
    for (const auto& tournament : change.of_referee)
        added.push_back(tournament.contest->config().id);
    launches_.commit(config, std::move(change.launches));
    launches_.note_changes(config);
    other_machines_.change(config);
    referee_->commit(std::move(config), std::move(change.of_referee));
    if (!added.empty()) {
        std::vector<pages::FolderLink> all;
        for (const auto& contest : scheduler().statuses())
            all.push_back(report::link_to(*contest.config));
        publisher_.folders(std::move(all));
    }
    for (const auto& id : added) publisher_.changed(id);
    if (web_) {
        for (const auto& contest : scheduler().statuses()) web_->tournament(contest);
    }
    log_.on_names_changed();
}

base::Result<void, std::string> Server::reload(config::Config config, bool previews) {
    auto prepared = prepare_change(config);
    if (!prepared) return base::failure(std::move(prepared.error()));
    std::vector<std::string> added;
    for (const auto& tournament : prepared->of_referee)
        added.push_back(tournament.contest->config().id);
    if (auto made = folder_.make_for(added, previews); !made || previews) return made;
    commit(std::move(config), std::move(*prepared));
    return {};
}

}  // namespace referee::server

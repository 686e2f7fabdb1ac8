#include "referee/tournament/referee.h"

#include <algorithm>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/tournament/config_limits.h"

namespace referee::tournament {

Referee::Referee(config::Config config, RefereeOptions options, RefereeContext context,
                 RefereeObserver& observer, OnEnded on_ended)
    : config_(std::move(config)),
      options_(std::move(options)),
      context_(std::move(context)),
      on_ended_(std::move(on_ended)),
      cores_(thinking_cores(config_)),
      roster_(config_, context_.tokens, context_.timers,
              [this](const records::TokenRecord& record) { register_bot(record); }),
      questions_(context_.timers, context_.tell_story,
                 [this](const GameKey& key) { return ruling_of(key); }),
      lobby_(context_.timers, context_.executor, roster_, *this, games_of(config_),
             lobby_limits_of(config_, options_.descriptors_max), options_.version),
      calendar_(context_.timers, context_.wall_clock,
                [this](const auto& tournament, const auto& reason) {
                    return begin(tournament, reason);
                }) {
    observe(observer);
}

Referee::~Referee() = default;

base::Result<Recovery, std::string> Referee::recover(const Past& past) {
    auto opened =
        open_tournaments(config_, options_.version, options_.stays || options_.beside_others, past);
    if (!opened) return base::failure(std::move(opened.error()));
    for (const auto& token : opened->tokens) roster_.know(token);
    unnamed_ = std::move(opened->unnamed);
    recovered_ = std::move(opened->all);
    return static_cast<Recovery&&>(*opened);
}

void Referee::bring_bots_by(scheduler::BotSupply& supply) {
    supply_ = &supply;
    know_launched_bots();
    scheduler_ = std::make_unique<scheduler::Scheduler>(
        scheduler_settings(),
        scheduler::SchedulerContext{context_.timers, lobby_, context_.journal, supply,
                                    context_.stalls, cores_, context_.background,
                                    context_.machines},
        on_ended_);
    for (auto* observer : observers_.all()) scheduler_->observe(*observer);
    scheduler_->observe(*this);
    for (auto& tournament : recovered_) add(std::move(tournament));
    recovered_.clear();
}

void Referee::observe(RefereeObserver& observer) {
    observers_.add(observer);
    if (scheduler_ != nullptr) scheduler_->observe(observer);
}

std::string Referee::remedy_of(const scheduler::Wait& wait) const {
    auto remedy = scheduler::remedy_of(wait);
    if (wait.kind != scheduler::Wait::Kind::for_start || scheduler_ == nullptr) return remedy;
    const auto contest = scheduler_->status_of(wait.tournament);
    if (!contest) return remedy;
    const auto field = field_of(*contest->config);
    return field ? remedy : "it can't begin yet: " + field.error() + "; once it can, " + remedy;
}

void Referee::start() {
    calendar_.keep(config_.tournaments, *scheduler_);  // before anybody is told what waits
    scheduler_->start();
}

void Referee::end() {
    calendar_.close();
    scheduler_.reset();
}

std::string Referee::names_secret() const {
    return config_.pseudonyms && options_.names_secret ? options_.names_secret() : std::string();
}

scheduler::Scheduler::Settings Referee::scheduler_settings() const {
    scheduler::Scheduler::Settings settings{games_at_once(config_), launched_games_at_once(config_),
                                            config_.join_within, options_.stays, names_secret()};
    if (config_.pseudonyms)
        for (const auto& bot : config_.bots) settings.names.push_back(bot.name);
    return settings;
}

void Referee::know_launched_bots() {
    for (const auto& bot : config_.bots) {
        if (bot.launched()) supply_->know(bot);
    }
}

void Referee::add(OpenTournament tournament) {
    // Who takes part is known, whether it comes again or not.
    for (const auto& entry : tournament.contest->entries()) lobby_.bot(entry.name);
    registries_.push_back(std::move(tournament.registry));
    const auto opened = opened_.find(tournament.contest->config().id);
    scheduler_->add(
        std::move(tournament.contest), std::move(tournament.opening),
        opened == opened_.end() ? std::nullopt : std::optional<Instant>(opened->second));
}

void Referee::register_bot(const records::TokenRecord& record) {
    give_tokens({record}, [this, bot = record.bot] { lobby_.settle(bot); });
}

void Referee::give_tokens(std::vector<records::TokenRecord> tokens,
                          std::function<void()> on_given) {
    std::vector<records::Record> records(tokens.begin(), tokens.end());
    const auto committed = [this, tokens = std::move(tokens),
                            on_given = std::move(on_given)](const records::Committed& told) {
        if (scheduler_ == nullptr) return;  // it has ended
        if (!told) return scheduler_->end_not_recorded(told.error());
        for (const auto& token : tokens) roster_.know(token);
        for (const auto& token : tokens) observers_.tell(&RefereeObserver::on_token, token.bot);
        on_given();
        observers_.tell(&RefereeObserver::on_names_changed);
    };
    context_.journal.append(std::move(records), life_.while_it_lasts(committed));
}

void Referee::give_new_token(const std::string& bot, const std::string& message,
                             std::function<void(const std::string& token)> on_given) {
    const auto token = context_.tokens.fresh();
    give_tokens({{bot, context_.tokens.hash_of(token), std::string(name_of(Standing::given))}},
                [this, bot, message, token, on_given = std::move(on_given)] {
                    lobby_.disconnect(bot, message);
                    on_given(token);
                });
}

formats::Entry Referee::entry_of(const std::string& bot) const {
    formats::Entry entry{.name = bot};
    for (const auto& known : config_.bots) {
        if (known.name != bot) continue;
        entry.rating = known.rating;
        entry.team = known.team;
    }
    const auto& students = config_.registration.class_roster;
    const auto* student = students ? students->named(bot) : nullptr;
    if (student != nullptr && entry.team.empty()) entry.team = student->team;
    return entry;
}

base::Result<void, std::string> Referee::launch_for(config::BotConfig bot,
                                                    std::vector<std::string> games) {
    const auto of_config = std::ranges::find(config_.bots, bot.name, &config::BotConfig::name);
    if (of_config != config_.bots.end() && of_config->launched())
        return base::failure("the config launches " + bot.name +
                             " itself: expected another name for a program that is handed in");
    const auto name = bot.name;
    auto& place = lobby_.bot(name);
    handed_in_.insert_or_assign(name, std::move(games));
    bot.handed_in = true;
    roster_.launch_for(name);
    supply_->know(bot);
    make_way(name);
    supply_->launch_anew(place);
    enter_ladders_handed_in(name);
    scheduler_->welcome_anew(place);
    return {};
}

// The bot's own connection ends where a program plays in its name; not in the middle of a game.
void Referee::make_way(const std::string& bot) {
    auto& place = lobby_.bot(bot);
    if (!place.connected() || place.process() != nullptr || !place.places().empty()) return;
    const auto own = place.session()->shared_from_this();
    own->send(protocol::Bye{protocol::name_of(protocol::ByeReason::replaced),
                            "the program that was handed in plays in this name from now on"});
    own->close(session::CloseCause::replaced);
}

// A match is over. Not in the middle of what its end brings.
void Referee::all_make_way() {
    if (handed_in_.empty()) return;
    context_.timers.schedule(context_.timers.now(), life_.while_it_lasts([this] {
        for (const auto& [name, games] : handed_in_) make_way(name);
    }));
}

void Referee::launch_no_more(const std::string& bot) {
    if (handed_in_.erase(bot) == 0) return;
    roster_.launch_no_more(bot);
    supply_->retire(lobby_.bot(bot));
    scheduler_->pump();
}

// What it plays is known when it comes.
void Referee::enter_ladders_handed_in(const std::string& bot) {
    auto& place = lobby_.bot(bot);
    place.connected() ? enter_ladders(place) : supply_->want(place);
}

void Referee::enter_ladders(const lobby::Bot& bot) {
    const auto handed_in = handed_in_.find(bot.name());
    const auto plays = [&](const std::string& game) {
        if (handed_in == handed_in_.end()) return bot.plays(game);
        const auto& games = handed_in->second;
        return bot.plays(game) && base::contains(games, game);
    };
    for (const auto& contest : scheduler_->statuses()) {
        const auto& tournament = *contest.config;
        if (!formats::traits_of(tournament.format).open_field || !contest.begun ||
            records::ended(contest.state) || !plays(tournament.game))
            continue;
        if (contest.entrant_named(bot.name())) continue;
        scheduler_->orders().admit(
            {tournament.id}, entry_of(bot.name()), [this, id = tournament.id](const auto& done) {
                if (!done) observers_.tell(&RefereeObserver::on_not_enrolled, id, done.error());
            });
    }
}

void Referee::all_enter_ladders() {
    for (const auto& [name, bot] : lobby_.bots()) {
        if (bot->connected()) enter_ladders(*bot);
    }
    for (const auto& [name, games] : handed_in_) enter_ladders_handed_in(name);
}

void Referee::on_arrived(lobby::Bot& bot) {
    supply_->arrived(bot);
    observers_.tell(&RefereeObserver::on_arrived, bot);
    enter_ladders(bot);
    scheduler_->welcome_back(bot);
}

void Referee::on_turned_away(lobby::Bot& bot, const protocol::ProtocolError& error) {
    supply_->turned_away(bot, error);
}

void Referee::on_left(lobby::Bot& bot, session::CloseCause cause) {
    observers_.tell(&RefereeObserver::on_left, bot, cause);
    supply_->left(bot);
    scheduler_->left(bot);
}

void Referee::on_state(const std::string& /*tournament*/, records::TournamentState state,
                       const std::string& /*reason*/) {
    if (state == records::TournamentState::running) all_enter_ladders();
}

void Referee::on_question(const lobby::Bot& bot, session::Session& session,
                          const protocol::Question& question) {
    const auto hidden = config_.pseudonyms ? scheduler_->names() : std::vector<std::string_view>();
    questions_.hide_names(names_secret(), hidden);
    questions_.ask(bot, session, question);
}

bool Referee::on_handing_in(const lobby::Bot& bot, session::Session& session,
                            const protocol::HandingIn& message) {
    if (!context_.take_program) return session::takes_no_program(session);
    return context_.take_program(bot.name(), session.shared_from_this(), message);
}

void Referee::on_game(const std::shared_ptr<const records::GameRecord>& game,
                      const table::Table* /*table*/) {
    questions_.know(game->result, context_.timers.now());
}

void Referee::on_guessing(const std::string& news) {
    observers_.tell(&RefereeObserver::on_guessing, news);
}

void Referee::on_match(const std::string& /*tournament*/, const formats::MatchResult& /*match*/) {
    all_make_way();
}

void Referee::on_dropped(const std::string& /*tournament*/, const std::string& /*reason*/) {
    context_.timers.schedule(context_.timers.now(), life_.while_it_lasts([this] {
        for (const auto& [name, bot] : lobby_.bots()) {
            if (bot->places().empty()) supply_->match_dropped(*bot);
        }
    }));
    all_make_way();
}

void Referee::on_annulled(const std::string& /*tournament*/, const Annulled& annulled) {
    for (const auto& key : annulled.games)
        questions_.annul(key, annulled.reason, annulled.count_again);
}

namespace {

constexpr std::string_view new_start =
    " can't be changed by a reload; expected it as it was until a new start of the daemon";

using Refused = std::vector<std::string>;

void check_change_of_bots(const std::vector<config::BotConfig>& was,
                          const std::vector<config::BotConfig>& is, Refused& refused) {
    for (const auto& old : was) {
        const auto now = std::ranges::find(is, old.name, &config::BotConfig::name);
        if (now == is.end()) {
            refused.push_back("bot " + old.name +
                              " is gone from the config; the order withdraw ends its part in a "
                              "tournament");
        } else if (now->launch != old.launch) {
            refused.push_back(
                "bot " + old.name +
                " has another launch command; expected it as it was until the daemon begins anew");
        }
    }
}

// "one; also: another; also: 3 more".
std::string told(Refused refused) {
    constexpr std::size_t told_max = 10;
    if (refused.size() > told_max) {
        const auto more = refused.size() - told_max;
        refused.resize(told_max);
        refused.push_back(std::to_string(more) + " more");
    }
    return base::joined(refused, "; also: ");
}

}  // namespace

base::Result<void, std::string> Referee::check_change(const config::Config& config) const {
    Refused refused;
    for (const auto& old : config_.tournaments) {
        const auto now =
            std::ranges::find(config.tournaments, old.id, &config::TournamentConfig::id);
        if (now == config.tournaments.end()) {
            const auto status = scheduler_->status_of(old.id);
            if (!status || records::ended(status->state)) continue;
            refused.push_back("tournament " + old.id +
                              " is gone from the config; `referee ctl abort " + old.id +
                              "` ends it");
        } else if (now->text != old.text) {
            const auto status = scheduler_->status_of(old.id);
            refused.push_back("tournament " + old.id + " is another one in the config, and " +
                              (status && !status->begun
                                   ? "it waits to begin: that" + std::string(new_start)
                                   : "it is being played; expected it as it was"));
        }
    }
    for (const auto& tournament : config.tournaments) {
        if (unnamed_.contains(tournament.id))
            refused.push_back(
                "tournament " + tournament.id +
                " was begun by a former daemon, and the store has it; it goes on with a new "
                "start of the daemon");
    }
    if (config.control != config_.control)
        refused.push_back("\"control\"" + std::string(new_start));
    if (thinking_cores(config) != thinking_cores(config_))
        refused.push_back("\"cores\"" + std::string(new_start));
    if (config.high_priority != config_.high_priority)
        refused.push_back("\"priority\"" + std::string(new_start));
    for (const auto& bot : config.bots) {
        if (bot.launched() && handed_in_.contains(bot.name))
            refused.push_back("bot " + bot.name +
                              " is launched by the config, and a program that was handed in "
                              "plays in its name; expected that it is withdrawn before");
    }
    check_change_of_bots(config_.bots, config.bots, refused);
    if (refused.empty()) return {};
    return base::failure(told(std::move(refused)));
}

base::Result<Referee::Change, std::string> Referee::prepare_change(
    const config::Config& config) const {
    if (auto checked = check_change(config); !checked)
        return base::failure(std::move(checked.error()));
    Change change;
    for (const auto& tournament : config.tournaments) {
        if (scheduler_->status_of(tournament.id)) continue;
        auto opened = open_tournament(tournament, config.bots, options_.version);
        if (!opened) return base::failure(std::move(opened.error()));
        change.push_back(std::move(*opened));
    }
    return change;
}

void Referee::commit(config::Config config, Change change) {
    config_ = std::move(config);
    roster_.set_config(config_);
    lobby_.set_games(games_of(config_));
    lobby_.set_limits(lobby_limits_of(config_, options_.descriptors_max));
    scheduler_->set_settings(scheduler_settings());
    know_launched_bots();
    for (auto& tournament : change) add(std::move(tournament));
    all_enter_ladders();
    calendar_.keep(config_.tournaments, *scheduler_);
    scheduler_->pump();
}

}  // namespace referee::tournament

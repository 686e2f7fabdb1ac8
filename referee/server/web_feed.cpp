#include "referee/server/web_feed.h"

#include <utility>

#include "protocol/address.h"
#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/codes.h"
#include "referee/files/log/log.h"
#include "referee/net/lobby/guesses.h"
#include "referee/server/bot_ports.h"
#include "referee/server/server.h"
#include "referee/tournament/token.h"
#include "referee/watch/web/request.h"

namespace referee::server {
namespace {

// Turns of a game that is watched, as text: beyond that it can't be watched.
constexpr std::size_t watched_history_bytes_max = 8 * 1024 * 1024;
// How often the frames of a watched game go to the web server, and so to spectators: as often as an
// eye wants it.
constexpr std::chrono::milliseconds frames_handed_over_every{100};

using protocol::ErrorCode;

std::string host_of_url(const std::string& url) {
    const auto begin = url.find("://") + 3;
    const auto host = url.substr(begin);
    if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
    return host.substr(0, host.find(':'));
}

std::map<std::string, std::string> tokens_in(const config::Config& config) {
    std::map<std::string, std::string> tokens;
    for (const auto& bot : config.bots) tokens.emplace(bot.name, bot.token);
    return tokens;
}

}  // namespace

base::Result<std::unique_ptr<WebFeed>, std::string> WebFeed::open(Server& server) {
    const auto& web = *server.config().web;
    // A lab behind one address may take nearly all places; somebody elsewhere still gets in.
    constexpr std::size_t left_for_others = 8;
    auto web_server = web::WebServer::open(
        {web.address, web.port, web.tls ? server.ports().tls_context() : nullptr, web.connections,
         web.connections - web.connections / left_for_others});
    if (!web_server) return base::failure(std::move(web_server.error()));
    return std::unique_ptr<WebFeed>(new WebFeed(server, *std::move(web_server)));
}

WebFeed::WebFeed(Server& server, std::unique_ptr<web::WebServer> web_server)
    : config_(*server.config().web),
      admin_token_(server.config().control.token),
      tokens_(tokens_in(server.config())),
      has_password_(!server.config().registration.password.empty()),
      server_(server),
      guesses_(server.timers(), [](const std::string& news) { log::warn("{}", news); }),
      inbox_(server.loop().get_executor()),
      web_server_(std::move(web_server)) {}

WebFeed::~WebFeed() {
    server_.timers().cancel(timer_);
    server_.referee().lobby().tell_pages(nullptr);
}

void WebFeed::start() {
    const web::RunFiles files{
        [folder = server_.folder()](const std::string& id) { return folder.folder_of(id); },
        [folder = server_.folder()](const GameKey& key) { return folder.replay_file(key); },
        [folder = server_.folder()](const GameKey& key, const std::string& bot) {
            return folder.debug_file(key, bot);
        }};
    web_server_->start(site_terms(), *this, files, tournament::fresh_token);
    server_.referee().lobby().tell_pages(
        [this](const lobby::Bot& bot) { return link_with_ticket(bot.name()); });
    for (const auto& contest : server_.referee().scheduler().statuses()) tournament(contest);
}

// Secrets travel encrypted, or not beyond this machine.
bool WebFeed::lets_in() const {
    return config_.tls || protocol::is_loopback(config_.address);
}

web::SiteTerms WebFeed::site_terms() const {
    web::SiteTerms terms;
    terms.delay = {config_.delay_turns, config_.delay};
    terms.title = config_.title;
    terms.logins = lets_in();
    terms.registration = config_.registration && has_password_;
    terms.secure = config_.tls;
    if (config_.pseudonyms) terms.names_secret = server_.names_secret();
    terms.bots_dial_in_at = server_.ports().bots_dial_in_at();
    terms.hosts.push_back(host_seen_from_outside(config_.address));
    if (!config_.url.empty()) terms.hosts.push_back(host_of_url(config_.url));
    return terms;
}

bool WebFeed::serves_at(const std::optional<config::WebConfig>& config) const {
    return config && config->address == config_.address && config->port == config_.port &&
           config->tls == config_.tls;
}

void WebFeed::set_config(const config::Config& config,
                         std::shared_ptr<const tls::Context> context) {
    if (config_.pseudonyms != config.web->pseudonyms) display_names_.clear();
    config_ = *config.web;
    forget_changed_tokens(config);
    has_password_ = !config.registration.password.empty();
    if (config_.tls) web_server_->use(std::move(context));
    web_server_->post([terms = site_terms()](web::Site& site) { site.set_terms(terms); });
}

void WebFeed::forget_changed_tokens(const config::Config& config) {
    auto tokens = tokens_in(config);
    for (const auto& [bot, token] : tokens_) {
        const auto found = tokens.find(bot);
        if (found == tokens.end() || found->second != token) forget_logins(bot);
    }
    tokens_ = std::move(tokens);
    if (admin_token_ != config.control.token) forget_logins({});
    admin_token_ = config.control.token;
}

std::string WebFeed::url() const {
    if (!config_.url.empty()) return config_.url + "/";
    const auto endpoint = web_server_->endpoint();
    const protocol::ServerAddress address{.host = host_seen_from_outside(config_.address),
                                          .port = endpoint.substr(endpoint.rfind(':') + 1),
                                          .tls = config_.tls,
                                          .fingerprint = {}};
    return (address.tls ? "https://" : "http://") + host_and_port(address) + "/";
}

std::string WebFeed::link_with_ticket(const std::string& bot) {
    if (!lets_in()) return {};
    const auto ticket = tournament::fresh_token();
    web_server_->post([ticket, bot](web::Site& site) { site.expect(ticket, bot); });
    return url() + "enter?ticket=" + ticket;
}

void WebFeed::forget_logins(const std::string& bot) {
    web_server_->post([bot](web::Site& site) { site.forget(bot); });
}

web::TournamentNews WebFeed::news_of(const contests::ContestStatus& contest) {
    web::TournamentNews news{.id = contest.config->id,
                             .game = contest.config->game,
                             .state = std::string(records::name_of(contest.state)),
                             .reason = contest.state_reason,
                             .comes_next = contest.comes_next,
                             .over = records::ended(contest.state),
                             .bots = contest.entries->size(),
                             .round = contest.round,
                             .rounds = contest.rounds_planned,
                             .games_played = contest.games_played,
                             .matches_played = contest.matches_played,
                             .matches_total = contest.matches_total,
                             .names = nullptr};
    auto& told = display_names_[news.id];
    if (!config_.pseudonyms || told == contest.entries) return news;
    told = contest.entries;
    std::vector<std::string> names;
    for (const auto& entry : *told) names.push_back(entry.name);
    news.names = std::make_shared<const std::vector<std::string>>(std::move(names));
    return news;
}

void WebFeed::tournament(const contests::ContestStatus& contest) {
    web_server_->post([news = news_of(contest)](web::Site& site) { site.tournament(news); });
}

void WebFeed::standings(const contests::ContestStatus& contest) {
    web_server_->post([news = news_of(contest)](web::Site& site) {
        site.tournament(news);
        site.standings(news.id);
    });
}

void WebFeed::game_began(const table::Table& table) {
    const auto& setup = table.play().setup();
    tables_[table.play().id()] = &table;
    web::GameNews news{setup.key, table.play().id(), std::string(setup.game->info().id),
                       setup.bots};
    web_server_->post([news = std::move(news)](web::Site& site) { site.game_began(news); });
}

// Nobody watches a game that is played elsewhere: it has no table.
void WebFeed::game_ended(const std::shared_ptr<const records::GameRecord>& game) {
    const auto id = game_id(game->result.key);
    const auto table = tables_.extract(id);
    if (const auto watched = watched_.extract(id)) hand_over(id, *table.mapped(), watched.mapped());
    std::shared_ptr<const std::string> replay(game, &game->replay);
    web_server_->post([key = game->result.key, replay = std::move(replay)](web::Site& site) {
        site.game_ended(key, replay);
    });
}

void WebFeed::on_loop(std::function<void()> work) {
    inbox_.post([lasts = lasts_, work = std::move(work)] {
        if (lasts()) work();
    });
}

void WebFeed::answer(const web::OnOutcome& on_outcome, web::WebOutcome outcome) {
    web_server_->post(
        [on_outcome, outcome = std::move(outcome)](web::Site& /*site*/) { on_outcome(outcome); });
}

void WebFeed::refuse(const web::OnOutcome& on_outcome, ErrorCode code, std::string message) {
    answer(on_outcome, {false, std::string(protocol::name_of(code)), std::move(message), {}});
}

void WebFeed::begin_watching(const std::string& game_id) {
    const auto found = tables_.find(game_id);
    web::PlayedSoFar so_far;
    if (found != tables_.end()) {
        const auto& play = found->second->play();
        so_far.too_long = play.history().size() > watched_history_bytes_max;
        so_far.setup_line = play.setup_line();
        if (!so_far.too_long) {
            so_far.history = play.history();
            watched_[game_id] = so_far.history.size();
        }
    }
    web_server_->post(
        [game_id, so_far = std::move(so_far)](web::Site& site) { site.so_far(game_id, so_far); });
    if (timer_ == 0 && !watched_.empty()) hand_over();
}

void WebFeed::hand_over() {
    timer_ = 0;
    for (auto& [id, told] : watched_) hand_over(id, *tables_.at(id), told);
    if (watched_.empty()) return;
    timer_ = server_.timers().schedule(server_.timers().now() + frames_handed_over_every,
                                       [this] { hand_over(); });
}

void WebFeed::hand_over(const std::string& game_id, const table::Table& table, std::size_t& told) {
    const auto history = table.play().history();
    if (history.size() == told) return;
    web_server_->post([game_id, lines = std::string(history.substr(told))](web::Site& site) {
        site.more(game_id, lines);
    });
    told = history.size();
}

void WebFeed::enter(web::Credentials credentials, web::OnOutcome on_outcome) {
    on_loop([this, credentials = std::move(credentials), on_outcome = std::move(on_outcome)] {
        if (credentials.name.empty()) return enter_as_instructor(credentials, on_outcome);
        log_in(credentials, protocol::Purpose::ask, on_outcome);
    });
}

void WebFeed::register_name(web::Credentials credentials, web::OnOutcome on_outcome) {
    on_loop([this, credentials = std::move(credentials), on_outcome = std::move(on_outcome)] {
        if (server_.referee().roster().knows(credentials.name))
            return refuse(on_outcome, ErrorCode::name_too_similar,
                          "this name is known here already; expected "
                          "another one, or a login with its token");
        log_in(credentials, protocol::Purpose::play, on_outcome);
    });
}

void WebFeed::enter_as_instructor(const web::Credentials& credentials,
                                  const web::OnOutcome& on_outcome) {
    const lobby::Guesses::Try tried{lobby::network_of(credentials.address), "the admin token"};
    if (guesses_.wait_of(tried) > Duration::zero())
        return refuse(on_outcome, ErrorCode::too_many_tries,
                      "the admin token was told wrongly again and again; "
                      "expected another try in some seconds");
    if (admin_token_.empty())
        return refuse(on_outcome, ErrorCode::unknown_name,
                      "expected a bot's name; the instructor logs in "
                      "without one where the config has control.token");
    if (!base::same_secret(admin_token_, credentials.token)) {
        guesses_.was_wrong(tried);
        return refuse(on_outcome, ErrorCode::wrong_token,
                      "that is not the admin token; expected control.token "
                      "of the config, or a bot's name and token");
    }
    guesses_.was_right(tried);
    done(on_outcome, {});
}

void WebFeed::log_in(const web::Credentials& credentials, protocol::Purpose purpose,
                     const web::OnOutcome& on_outcome) {
    for (const auto* secret : {&credentials.token, &credentials.password}) {
        if (secret->size() > protocol::limits::token_bytes_max)
            return refuse(on_outcome, ErrorCode::wrong_token,
                          fmt::format("expected tokens and passwords of at most {} bytes",
                                      protocol::limits::token_bytes_max));
    }
    // Anybody may play in the name of a bot without a token, and nobody owns it.
    if (purpose == protocol::Purpose::ask && server_.referee().roster().is_open(credentials.name))
        return refuse(on_outcome, ErrorCode::token_needed,
                      "this name has no token, so it has no pages of its "
                      "own; expected one with a token, ask the instructor");
    const protocol::Login login{.name = credentials.name,
                                .token = credentials.token,
                                .password = credentials.password,
                                .purpose = purpose};
    server_.referee().lobby().judge_from_web(
        login, credentials.address, life_.while_it_lasts([this, on_outcome](const auto& judged) {
            if (!judged) return refuse(on_outcome, judged.error().code, judged.error().message);
            done(on_outcome, {});
        }));
}

void WebFeed::new_token(const std::string& bot, web::OnOutcome on_outcome) {
    on_loop([this, bot, on_outcome = std::move(on_outcome)] {
        const auto& roster = server_.referee().roster();
        if (roster.launch_tokens().contains(bot) || roster.is_open(bot) || roster.is_kept_out(bot))
            return refuse(on_outcome, ErrorCode::token_needed,
                          "this name gets no new token here; ask the instructor");
        server_.referee().give_new_token(
            bot, "this name has a new token, made on its page",
            life_.while_it_lasts(
                [this, on_outcome](const std::string& token) { done(on_outcome, token); }));
    });
}

void WebFeed::games_of(const std::string& bot, web::OnOutcome on_outcome) {
    on_loop([this, bot, on_outcome = std::move(on_outcome)] {
        done(on_outcome,
             server_.referee().questions().listed(bot, protocol::limits::games_listed_max));
    });
}

void WebFeed::replay_of(const GameKey& key, web::OnOutcome on_outcome) {
    on_loop([this, key, on_outcome = std::move(on_outcome)] {
        server_.filed_games().stored(
            key, life_.while_it_lasts([this, on_outcome](std::string replay) {
                answer(on_outcome, {!replay.empty(), {}, {}, std::move(replay)});
            }));
    });
}

void WebFeed::order(std::string request, web::OnOutcome on_outcome) {
    on_loop([this, request = std::move(request), on_outcome = std::move(on_outcome)] {
        protocol::json::Document document;
        const auto parsed = document.parse(request);
        REFEREE_ASSERT(parsed);  // the site wrote it
        server_.carry_out(document.root(),
                          life_.while_it_lasts([this, on_outcome](std::string line) {
                              line.pop_back();  // the line feed
                              done(on_outcome, std::move(line));
                          }));
    });
}

void WebFeed::story_of(const std::string& bot, const GameKey& key,
                       const pseudonyms::NameMask& names, web::OnOutcome on_outcome) {
    on_loop([this, bot, key, names, on_outcome = std::move(on_outcome)] {
        server_.filed_games().story(
            key, bot, names,
            life_.while_it_lasts([this, on_outcome](const tournament::Story& story) {
                if (!story)
                    return refuse(on_outcome, story.error(),
                                  "expected the id of a game of this bot "
                                  "that is over and kept here");
                auto line = *story;
                line.pop_back();  // the line feed
                done(on_outcome, std::move(line));
            }));
    });
}

}  // namespace referee::server

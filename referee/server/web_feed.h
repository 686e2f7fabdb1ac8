#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/net/lobby/guesses.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"
#include "referee/net/tls/certificate.h"
#include "referee/tournament/contests/contest_snapshot.h"
#include "referee/tournament/table/table.h"
#include "referee/watch/web/web_server.h"

namespace referee::server {

class Server;

// Joins the loop to the web server, which has a thread of its own: hands over what is new, and
// answers the server's questions on the loop's thread. What was played of a game is handed over
// only while somebody watches that game, and some times a second: no turn waits for it, and a game
// that nobody watches costs nothing.
class WebFeed final : public web::LoopQuestions {
 public:
    // The address of a web server that the server's config asks for. An error says why it can't be
    // had. Requires of the server: prepare() made its referee; it outlives the feed.
    static base::Result<std::unique_ptr<WebFeed>, std::string> open(Server& server);
    ~WebFeed() override;
    WebFeed(const WebFeed&) = delete;
    WebFeed& operator=(const WebFeed&) = delete;

    void start();
    // Whether a config that was read again asks for the same address.
    bool serves_at(const std::optional<config::WebConfig>& config) const;
    void set_config(const config::Config& config, std::shared_ptr<const tls::Context> context);
    // "http://127.0.0.1:8777/"
    std::string url() const;

    // The bot's token, or what it may, has changed: its links and sessions are void.
    void forget_logins(const std::string& bot);
    void tournament(const contests::ContestStatus& contest);
    void standings(const contests::ContestStatus& contest);
    void game_began(const table::Table& table);
    void game_ended(const std::shared_ptr<const records::GameRecord>& game);

    // On the web server's thread.
    void watch(const std::string& game_id) override {
        on_loop([this, game_id] { begin_watching(game_id); });
    }
    void unwatch(const std::string& game_id) override {
        on_loop([this, game_id] { watched_.erase(game_id); });
    }
    void enter(web::Credentials credentials, web::OnOutcome on_outcome) override;
    void register_name(web::Credentials credentials, web::OnOutcome on_outcome) override;
    void new_token(const std::string& bot, web::OnOutcome on_outcome) override;
    void games_of(const std::string& bot, web::OnOutcome on_outcome) override;
    void replay_of(const GameKey& key, web::OnOutcome on_outcome) override;
    void order(std::string request, web::OnOutcome on_outcome) override;
    void story_of(const std::string& bot, const GameKey& key, const pseudonyms::NameMask& names,
                  web::OnOutcome on_outcome) override;

 private:
    void forget_changed_tokens(const config::Config& config);
    // From any thread: `work` is done on the loop's, if this still exists then.
    void on_loop(std::function<void()> work);
    // On the loop's thread: the outcome reaches the web server's.
    void answer(const web::OnOutcome& on_outcome, web::WebOutcome outcome);
    void done(const web::OnOutcome& on_outcome, std::string text) {
        answer(on_outcome, {true, {}, {}, std::move(text)});
    }
    void refuse(const web::OnOutcome& on_outcome, protocol::ErrorCode code, std::string message);

    WebFeed(Server& server, std::unique_ptr<web::WebServer> web_server);
    web::SiteTerms site_terms() const;
    web::TournamentNews news_of(const contests::ContestStatus& contest);
    bool lets_in() const;
    std::string link_with_ticket(const std::string& bot);
    void begin_watching(const std::string& game_id);
    void hand_over();
    void hand_over(const std::string& game_id, const table::Table& table, std::size_t& told);
    void enter_as_instructor(const web::Credentials& credentials, const web::OnOutcome& on_outcome);
    void log_in(const web::Credentials& credentials, protocol::Purpose purpose,
                const web::OnOutcome& on_outcome);

    config::WebConfig config_;
    std::string admin_token_;
    std::map<std::string, std::string> tokens_;  // of the config's bots, by name
    bool has_password_ = false;
    Server& server_;
    lobby::Guesses guesses_;                             // at the admin token
    std::map<std::string, const table::Table*> tables_;  // of games that go on, by their ids
    // Names of tournaments as they were told last, where they are hidden.
    std::map<std::string, std::shared_ptr<const std::vector<formats::Entry>>> display_names_;
    std::map<std::string, std::size_t> watched_;  // bytes that were handed over of their history
    loop::Timers::Id timer_ = 0;
    loop::Life life_;
    std::function<bool()> lasts_ = life_.watch();
    loop::LoopInbox inbox_;
    std::unique_ptr<web::WebServer> web_server_;  // its thread ends before all else
};

}  // namespace referee::server

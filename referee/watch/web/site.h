#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/recent_table.h"
#include "referee/game/clock/time.h"
#include "referee/roster/pseudonyms/pseudonyms.h"
#include "referee/watch/showing/showing.h"
#include "referee/watch/web/replays.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/tournament_data.h"
#include "referee/watch/web/wall.h"
#include "referee/watch/web/web_news.h"
#include "referee/watch/web/web_sessions.h"

namespace referee::web {

// What the site offers, and to whom.
struct SiteTerms {
    Delay delay;
    std::string title{};        // of the course; empty: it has no name
    bool logins = false;        // whoever knows a bot's token may log in
    bool registration = false;  // names may be registered
    bool secure = false;        // browsers come by TLS
    // What pseudonyms are made with; empty: names are shown.
    std::string names_secret;
    // Names of hosts by which browsers may call the site, beside addresses and "localhost".
    std::vector<std::string> hosts;
    std::string bots_dial_in_at{};  // for a bot that dials in here
};

// What is known of a game where a page asks for it.
struct GameTold {
    const GameSummary* summary = nullptr;
    // Nobody has its replay any more; else it may only not be shown yet.
    bool gone = false;
};

// All that the web server knows, and what it answers: the tournaments, the games that go on, who is
// logged in. Knows no socket and reads no clock; of files only those that `files` names. On the web
// server's thread alone.
class Site {
 public:
    struct Dependencies {
        LoopQuestions& loop;
        RunFiles files;
        std::function<Instant()> now;
        std::function<std::string()> fresh;  // a secret that can't be guessed
    };
    // The loop outlives it.
    Site(SiteTerms terms, Dependencies dependencies);

    // Answers at once or later, exactly once.
    void answer(const Request& request, Reply reply);

    // News of the loop.
    void tournament(TournamentNews news);
    void standings(const std::string& tournament);
    void game_began(const GameNews& news);
    // `replay`: null where nothing was kept.
    void game_ended(const GameKey& key, const std::shared_ptr<const std::string>& replay);
    void so_far(const std::string& game_id, const PlayedSoFar& so_far);
    void more(const std::string& game_id, std::string_view lines);
    void expect(std::string_view ticket, const std::string& bot) {
        sessions_.expect(ticket, bot, dependencies_.now());
    }
    // What let the bot in is void; without a name, what let the instructor in.
    void forget(const std::string& bot) { sessions_.forget(bot); }
    void set_terms(SiteTerms terms);
    const SiteTerms& terms() const { return terms_; }

    // Now and then: what was held back is shown, streams that are silent get a sign of life, games
    // that nobody watches are given up.
    void look();
    // For tests: they can't see from outside what is given up.
    std::size_t games_watched() const { return games_.watched(); }
    std::size_t listeners() const { return listeners_.size(); }

 private:
    // What a path has where its row of the table leaves it open.
    enum class Open : std::uint8_t { nothing, text, tournament, game };
    // A request, as the function gets it that answers at its path.
    struct Asked {
        Request request;
        std::string id;  // what the path has there
        Visitor visitor;
        Reply reply;
        GameKey game{};                // where that is a game's id, of a tournament that there is
        pseudonyms::NameMask names{};  // of the tournament, where it names one

        void refuse(unsigned status, std::string_view code, std::string_view message) const {
            reply(error_answer(status, code, message));
        }
    };
    using Handler = void(const Asked& asked);
    struct Route {
        std::string_view method;
        std::string_view begin;
        Open open;
        std::string_view end;
        Handler Site::*handler;
    };
    static const std::vector<Route>& routes();
    // Whether there is what the path names; else that is answered.
    bool is_found(Open open, Asked& asked);

    // What is wrong with a request before anything else is looked at.
    bool is_refused(const Request& request, const Reply& reply) const;
    bool host_is_ours(std::string_view host) const;
    bool origin_is_ours(const Request& request) const;
    Visitor visitor_of(const Request& request) const;
    Answer no_such_tournament() const;
    void tell_all(const Piece& piece, bool of_game = false);

    // ---- A tournament, in site.cpp too ----
    Handler list_tournaments, json_file, crosstable_csv, table, matches, certainty;
    Handler games_of_tournament;
    // Empty where there is no such file.
    std::string text_of_file(const std::string& tournament, std::string_view name) const;
    // What the file of a tournament says; empty: it has been answered that there is none.
    std::string file_of_tournament(const Asked& asked, std::string_view name) const;
    // Read once for each time that the files are written.
    const TournamentData& data_of(const std::string& tournament);
    // The same where the table is there; null: it has been answered that it isn't.
    const TournamentData* table_data_of(const Asked& asked);
    void tell_standings(const std::string& tournament);

    // ---- site_bot.cpp ----
    Handler bot;
    // The name of the bot that the visitor knows by that one, in the standings; empty: it has been
    // answered that there is none.
    std::string known_bot(const Asked& asked, std::string_view name);
    // What is told of a game on a bot's page; of one whose summary is not kept nothing.
    GameTold told_of(const std::string& tournament, const std::string& id,
                     const Visitor& visitor) const;

    // ---- site_games.cpp ----
    Handler list_games, showing, live, replay, review, events, wall_events;
    // Why that play doesn't count any more; empty: it does, or it isn't by order.
    std::string why_annulled(const GameKey& key);
    // Whether a game of one seat is not shown yet to somebody whose it isn't.
    bool is_secret(std::string_view game, const std::vector<std::string>& bots,
                   const Visitor& visitor) const;
    // The same of a game that goes on, or whose end is held back.
    bool is_secret_live(const std::string& game_id, const Visitor& visitor) const;
    static Answer no_such_game();
    // The replay of a game that is over; where there is none, that is answered.
    void with_replay(const Asked& asked, const ReplaySource::WithReplay& then);
    void showing_of_replay(const Asked& asked);
    struct Shown {
        std::optional<showing::Range> range;
        std::string review;    // as it lies beside the replay
        std::string annulled;  // why it doesn't count
        std::string place;     // where the whole of it is kept
    };
    void show_replay(const Asked& asked, const Shown& of, const std::string& replay);
    void tell_began(const GameNews& news);

    // ---- site_pages.cpp ----
    Handler home_page, tournament_page, game_page, wall_page, my_story_page, part_of_page, icon;
    // The same answer for a person who looks at a page.
    static Answer page_of_error(Answer answer);
    // The first rows of a tournament's table as HTML; empty: there is none.
    std::string leader_board(const std::string& id, const Visitor& visitor);
    // Where a game's page leads to: its tournament, the games before and behind it.
    std::string game_links(const GameKey& key);

    // ---- site_people.cpp ----
    Handler enter_by_ticket, enter_by_token, leave, register_name, new_token;
    Handler my_page, who_am_i, my_games, my_story;
    Answer let_in(const Visitor& visitor);
    static bool needs_login(const Asked& asked);
    // Where the bot stands in each tournament, and whether it was taken out of it.
    std::string own_places(const Visitor& visitor);

    // ---- site_instructor.cpp ----
    Handler instructor_page, order;
    // Of the instructor's page, for that session: forms, and what is known; `bots` as the daemon
    // tells them.
    std::string orders_html(std::string_view session, std::string_view bots);

    SiteTerms terms_;
    Dependencies dependencies_;
    WebSessions sessions_;
    engines::Registry registry_;
    std::map<std::string, TournamentNews, std::less<>> tournaments_;
    BotNames names_;
    LiveGames games_;
    Wall wall_{games_, names_,
               [this](const GameNews& game) { return !is_secret(game.game, game.bots, {}); }};
    ReplaySource replays_;
    struct Listener {
        std::shared_ptr<Spectator> spectator;
        Visitor visitor;
        bool of_games;  // or of standings alone
    };
    std::vector<Listener> listeners_;  // of /events
    struct KeptData {
        TournamentData data;
        bool stale = true;
    };
    std::map<std::string, KeptData> kept_data_;  // by tournament
    Instant last_sign_{};
};

// ---- site_pages.cpp: pages with the site's style and what leads through it ----

// A page of that HTML below its title. `script`: "live.js"; empty: none.
Answer page_answer(std::string_view title, std::string_view script, const std::string& html);
// A page that its script draws, with `links`, HTML, above it.
Answer drawn_page(std::string_view title, std::string_view script, const std::string& links = {});

std::string tournament_link(const std::string& id);
std::string game_link(const std::string& id);
// The address of a bot's page in a tournament.
std::string bot_path(std::string_view tournament, std::string_view bot);

}  // namespace referee::web

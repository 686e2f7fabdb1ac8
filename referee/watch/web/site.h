#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/registry.h"
#include "referee/game/clock/time.h"
#include "referee/net/lobby/recent_table.h"
#include "referee/roster/pseudonyms/pseudonyms.h"
#include "referee/watch/showing/showing.h"
#include "referee/watch/web/live_game.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/tournament_data.h"
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

// What a bot's page tells of one game, by seat; as everybody may see it.
struct GameSummary {
    struct Seat {
        std::string bot;
        std::uint64_t used_us = 0;
        std::string faults;  // a JSON array
        std::uint64_t faults_total = 0;
    };
    std::uint64_t turns = 0;
    std::string clock;            // what its budget is for: "turn"
    std::uint64_t budget_us = 0;  // 0: it has none
    std::vector<Seat> seats;
};

// What is known of a game where a page asks for it.
struct GameTold {
    const GameSummary* summary = nullptr;
    // Nobody has its replay any more; else it may only not be shown yet.
    bool gone = false;
};

// The summaries that were asked for last, by game, so that a replay is not read for each look.
using Summaries = lobby::RecentTable<GameSummary>;

// All that the web server knows, and what it answers: the tournaments, the games that go on, who is
// logged in. Knows no socket and reads no clock; of files only those that `files` names. On the web
// server's thread alone.
class Site {
 public:
    struct Dependencies {
        Loop& loop;
        Files files;
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
    void game_began(GameNews news);
    // `replay`: null where nothing was kept.
    void game_ended(const GameKey& key, std::shared_ptr<const std::string> replay);
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
    // What bots of a tournament are called for that visitor.
    pseudonyms::NameMask name_mask_for(const std::string& tournament, const Visitor& visitor);
    // The newest game that goes on, may be shown to everybody, and is not one of these. Null: there
    // is none, or no more may be watched.
    LiveGame* newest_game(const std::function<bool(const std::string&)>& is_shown);
    // Null: that game is not followed any more.
    LiveGame* followed(const std::string& game_id);

    // For tests: they can't see from outside what is given up.
    std::size_t games_watched() const { return live_.size(); }
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

    // The same answer for a person who looks at a page.
    static Answer page_of_error(Answer answer);
    // What is wrong with a request before anything else is looked at.
    bool is_refused(const Request& request, const Reply& reply) const;
    bool host_is_ours(std::string_view host) const;
    bool origin_is_ours(const Request& request) const;
    Visitor visitor_of(const Request& request) const;
    static bool needs_login(const Asked& asked);
    Answer no_such_tournament() const;

    Handler home_page, tournament_page, game_page, wall_page, my_page, my_story_page;
    Handler instructor_page, part_of_page, icon;
    Handler enter_by_ticket, enter_by_token, leave, register_name, new_token, order;
    Handler list_tournaments, json_file, crosstable_csv;
    Handler table, matches, certainty, bot, games_of_tournament;
    Handler list_games, showing, live, replay, review, events, wall_events;
    Handler who_am_i, my_games, my_story;

    // What the file of a tournament says; empty: it has been answered that there is none.
    std::string file_of_tournament(const Asked& asked, std::string_view name) const;
    // Read once for each time that the files are written.
    const TournamentData& data_of(const std::string& tournament);
    // The same where the table is there; null: it has been answered that it isn't.
    const TournamentData* table_data_of(const Asked& asked);
    // Why that play doesn't count any more; empty: it does, or it isn't by order.
    std::string why_annulled(const GameKey& key);
    // What only the bot's own page has: its place in each tournament, and its games, as the
    // protocol's `game_list` has them.
    std::string own_places(const Visitor& visitor);
    static std::string own_games(std::string_view list);

    // The first rows of a tournament's table as HTML; empty: there is none.
    std::string leader_board(const std::string& id, const Visitor& visitor);
    // Where a game's page leads to: its tournament, the games before and behind it.
    std::string game_links(const GameKey& key);
    // The name of the bot that the visitor knows by that one, in the standings; empty: it has been
    // answered that there is none.
    std::string known_bot(const Asked& asked, std::string_view name);
    // Names that may stand in any text.
    void learn(const std::vector<std::string>& names);
    WebOutcome discreet_login(WebOutcome outcome) const;
    WebOutcome discreet_registration(WebOutcome outcome) const;
    std::string masked_games(const std::string& list, const Visitor& visitor);
    // Whether a game of one seat is not shown yet to somebody whose it isn't.
    bool is_secret(std::string_view game, const std::vector<std::string>& bots,
                   const Visitor& visitor) const;
    // The same of a game that goes on, or whose end is held back.
    bool is_secret_live(const Asked& asked) const;
    // The replay of a game that is over, from its file or from where else it is kept; where there
    // is none, that is answered.
    using WithReplay = std::function<void(const std::string& replay)>;
    void with_replay(const Asked& asked, const WithReplay& then);
    void showing_of_replay(const Asked& asked);
    // What lies beside a replay, as it stands there; empty: nothing. Whether it is a review of that
    // game is still to be seen.
    std::string review_beside(const GameKey& key) const;
    struct Shown {
        std::optional<showing::Range> range;
        std::string review;    // as it lies beside the replay
        std::string annulled;  // why it doesn't count
    };
    void show_replay(const Asked& asked, const Shown& of, const std::string& replay);
    void show_review(const Asked& asked, const std::string& replay);
    // What is told of a game on a bot's page; of those that are not in `summaries_` nothing.
    GameTold told_of(const std::string& tournament, const std::string& id,
                     const Visitor& visitor) const;
    // Sees to it that the summaries of these games are kept, as far as their replays are.
    void gather_summaries(std::vector<std::string> ids, const std::function<void()>& then);
    bool goes_on(const std::string& game_id) const;
    // Whether it is over, and may not be shown yet.
    bool is_held(const std::string& game_id) const;
    LiveGame* watch(const std::string& game_id);
    void tell_waiting(LiveGame& game);
    void give_up(const std::string& game_id);
    Answer let_in(const Visitor& visitor);
    std::string cookie(std::string_view session, Duration lasts) const;
    void keep_showing(const std::string& key, const Piece& showing);
    void tell_all(const Piece& piece, bool of_game = false);
    void tell_standings(const std::string& tournament);
    void tell_began(const GameNews& news);

    SiteTerms terms_;
    Dependencies dependencies_;
    WebSessions sessions_;
    engines::Registry registry_;
    std::map<std::string, TournamentNews, std::less<>> tournaments_;
    std::map<std::string, GameNews, std::less<>> games_;  // that go on
    std::map<std::string, LiveGame, std::less<>> live_;   // that somebody watches
    // Games that are over, and may not be shown before these instants.
    std::deque<std::pair<Instant, std::string>> held_ends_;
    std::deque<std::pair<std::string, Piece>>
        showings_;  // of games that are over; the newest behind
    std::size_t showings_bytes_ = 0;
    struct Listener {
        std::shared_ptr<Spectator> spectator;
        Visitor visitor;
        bool of_games;  // or of standings alone
    };
    std::vector<Listener> listeners_;  // of /events
    Wall wall_{*this};
    Summaries summaries_{limits::summaries_kept_max};
    struct KeptData {
        TournamentData data;
        bool stale = true;
    };
    std::map<std::string, KeptData> kept_data_;  // by tournament
    std::uint64_t games_begun_ = 0;
    std::size_t questions_ = 0;  // for replays, that wait for the loop's answers
    std::size_t waiting_ = 0;    // replies for a game's first frames
    // Where names are hidden: those of all bots, and by tournament what they are called.
    std::set<std::string> names_;
    std::map<std::string, std::shared_ptr<const pseudonyms::Pseudonyms>> pseudonyms_;
    Instant last_sign_{};
};

}  // namespace referee::web

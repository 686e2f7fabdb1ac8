#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/life.h"
#include "referee/store/records/records.h"
#include "referee/tournament/calendar.h"
#include "referee/tournament/config_roster.h"
#include "referee/tournament/game_questions.h"
#include "referee/tournament/scheduler/scheduler.h"
#include "referee/tournament/tournaments.h"

namespace referee::tournament {

// Whom the referee tells how things go: all that the scheduler tells, and which bots come and
// leave.
class RefereeObserver : public scheduler::Observer {
 public:
    virtual void on_arrived(const lobby::Bot& /*bot*/) {}
    virtual void on_left(const lobby::Bot& /*bot*/, session::CloseCause /*cause*/) {}
    // Wrong tokens or passwords are tried: a line for the log, now and then.
    virtual void on_guessing(const std::string& /*news*/) {}
    // Names were registered, or stand otherwise, and it is written down.
    virtual void on_names_changed() {}
    // The bot has another token, or stands otherwise: whoever is let in by what was before must not
    // be any more. Told before the bot itself hears of it.
    virtual void on_token(const std::string& /*bot*/) {}
    // A bot has come and can't play on a ladder; `reason` says why.
    virtual void on_not_enrolled(const std::string& /*ladder*/, const std::string& /*reason*/) {}
};

// Takes a program that a bot's owner hands in, piece by piece; the owner has proved the bot's name.
// Answers on the session, now or later. Returns whether the message was asked for. The message
// holds views that are valid during the call.
using TakeProgram =
    std::function<bool(const std::string& bot, std::shared_ptr<session::Session> session,
                       const protocol::HandingIn& message)>;

// What a referee works with. All of it comes from outside, and outlives the referee.
struct RefereeContext {
    boost::asio::any_io_executor executor;  // of the loop
    loop::Timers& timers;
    records::Journal& journal;
    const loop::StallSource& stalls;
    loop::Background& background;
    Tokens& tokens;
    TellStory tell_story = nullptr;            // null: no games are kept
    TakeProgram take_program = nullptr;        // null: no programs are taken
    scheduler::Executor* machines = nullptr;   // null: all matches are played here
    Calendar::WallClock wall_clock = nullptr;  // null: nothing begins or ends by it
};

struct RefereeOptions {
    std::string version;  // as bots and records are told it
    bool stays = false;   // the referee goes on when every tournament is over: more may come
    // That the process may have open at once; connections must fit in.
    std::size_t descriptors_max = std::numeric_limits<std::size_t>::max();
    // Among the records there may be tournaments that the config doesn't name; where the referee
    // stays, always.
    bool beside_others = false;
    // What pseudonyms are made with; asked where the config hides names. Null: none are hidden.
    std::function<std::string()> names_secret = nullptr;
};

// A referee: lets bots in, plays the tournaments of a config, and goes on with what a former run
// recorded; takes new names, new configs and orders. It owns the lobby, the roster, the cores and
// the scheduler. Clock, network, disk, processes and secrets come in from outside, so that a
// simulation plays with the same referee. Everything runs on the loop's thread.
//
//     Referee referee(config, terms, with, observer, on_ended);
//     referee.recover(past);       // what was recorded, if anything
//     referee.bring_bots_by(supply);
//     referee.start();
//     referee.lobby().admit(...);  // each new connection
class Referee final : public lobby::LobbyEvents, public scheduler::Observer {
 public:
    using OnEnded = std::function<void(const scheduler::SchedulerEnding&)>;

    // `observer` outlives the referee.
    Referee(config::Config config, RefereeOptions options, RefereeContext context,
            RefereeObserver& observer, OnEnded on_ended);
    ~Referee() override;
    Referee(const Referee&) = delete;
    Referee& operator=(const Referee&) = delete;

    // Goes on from the records of a former run; a new run has none. Says why the records don't fit
    // the config; then the referee must not be used. Call it once, before bring_bots_by().
    base::Result<Recovery, std::string> recover(const Past& past);
    // It is told from now on, after those who are told already. It outlives the referee.
    void observe(RefereeObserver& observer);
    // From now on the tournaments are there. The supply outlives the referee. Call it once.
    void bring_bots_by(scheduler::BotSupply& supply);
    // Begins to play.
    void start();
    // Destroys its tournaments, once the loop has ended; only the lobby is left.
    void end();

    // Takes over a config that was read again, in two steps: first everything that can fail, then
    // the change, which can't fail. A refusal leaves everything as it was.
    using Change = std::vector<OpenTournament>;  // those that it adds
    base::Result<Change, std::string> prepare_change(const config::Config& config) const;
    // Requires: nothing else was done with the referee since the Change was made.
    void commit(config::Config config, Change change);

    // Each bot's name belongs to another token, or stands otherwise, as soon as that is recorded;
    // then `on_given` is called.
    void give_tokens(std::vector<records::TokenRecord> tokens, std::function<void()> on_given);
    // The same with a token that is made for it. Who is logged in by the old one is shown out, with
    // that message.
    void give_new_token(const std::string& bot, const std::string& message,
                        std::function<void(const std::string& token)> on_given);

    // A program that was handed in plays in the bot's name from now on: the referee launches it as
    // `bot` says, and it enters the ladders of these games. The bot's own connection is closed.
    // Where another one plays in that name already, this one takes its place after its match. An
    // error says why it can't be: the config launches that bot itself.
    base::Result<void, std::string> launch_for(config::BotConfig bot,
                                               std::vector<std::string> games);
    // No program plays in that name any more, once the match that it is in is over.
    void launch_no_more(const std::string& bot);

    // Of a tournament that a former run began. Before bring_bots_by().
    void remember_opening(const std::string& tournament, Instant opened) {
        opened_[tournament] = opened;
    }

    // The field of a tournament that begins now: the bots of its list, or the best of a ladder; or
    // why it can't begin with that.
    struct Field {
        std::vector<formats::Entry> entries;
        // Who was left out, or taken with too few matches of the ladder, in words that follow
        // others; empty: nobody.
        std::string remark;
        // What can still be done about that before it begins, in words that follow these.
        std::string remedy;
    };
    base::Result<Field, std::string> field_of(const config::TournamentConfig& tournament) const;

    // As scheduler::remedy_of, and what has to be there before a tournament can begin.
    std::string remedy_of(const scheduler::Wait& wait) const;

    // What an arbiter set as the result of the game's match, and why; empty: nobody did.
    std::string ruling_of(const GameKey& key) const {
        return scheduler_ == nullptr ? std::string() : scheduler_->ruling_of(key);
    }

    // For what it isn't told by the scheduler: games that a former run played, which bots may ask
    // for too.
    GameQuestions& questions() { return questions_; }
    lobby::Lobby& lobby() { return lobby_; }
    const lobby::Lobby& lobby() const { return lobby_; }
    // Requires: bring_bots_by().
    scheduler::Scheduler& scheduler() { return *scheduler_; }
    const scheduler::Scheduler& scheduler() const { return *scheduler_; }
    table::Cores& cores() { return cores_; }
    const ConfigRoster& roster() const { return roster_; }
    const config::Config& config() const { return config_; }
    // How a bot of that name enters a tournament: as the config says where it names the bot; other
    // bots enter by their name alone.
    formats::Entry entry_of(const std::string& bot) const;

    void on_arrived(lobby::Bot& bot) override;
    void on_turned_away(lobby::Bot& bot, const protocol::ProtocolError& error) override;
    void on_left(lobby::Bot& bot, session::CloseCause cause) override;
    void on_guessing(const std::string& news) override;
    void on_question(const lobby::Bot& bot, session::Session& session,
                     const protocol::Question& question) override;
    bool on_handing_in(const lobby::Bot& bot, session::Session& session,
                       const protocol::HandingIn& message) override;
    void on_game(const std::shared_ptr<const records::GameRecord>& game,
                 const table::Table* table) override;
    void on_match(const std::string& tournament, const formats::MatchResult& match) override;
    void on_dropped(const std::string& tournament, const std::string& reason) override;
    void on_state(const std::string& tournament, records::TournamentState state,
                  const std::string& reason) override;
    void on_annulled(const std::string& tournament, const Annulled& annulled) override;

 private:
    scheduler::Scheduler::Settings scheduler_settings() const;
    std::string names_secret() const;  // empty: names are told
    void know_launched_bots();
    void add(OpenTournament tournament);
    // In referee_field.cpp, as field_of():
    bool is_expected(const std::string& bot) const;
    Field best_of_ladder(const config::TournamentConfig& tournament) const;
    base::Result<void, std::string> begin(const config::TournamentConfig& tournament,
                                          const std::string& reason);
    void register_bot(const records::TokenRecord& record);
    // Any bot that comes may play on the ladders of the games that it plays.
    void enter_ladders(const lobby::Bot& bot);
    void enter_ladders_handed_in(const std::string& bot);
    void make_way(const std::string& bot);
    void all_make_way();
    // The same for all who came before there was a ladder to enter.
    void all_enter_ladders();
    // An error says which changes of the config can't be made while tournaments are played.
    base::Result<void, std::string> check_change(const config::Config& config) const;

    config::Config config_;
    RefereeOptions options_;
    RefereeContext context_;
    scheduler::ObserverList<RefereeObserver> observers_;
    OnEnded on_ended_;
    table::Cores cores_;
    ConfigRoster roster_;
    GameQuestions questions_;
    lobby::Lobby lobby_;
    scheduler::BotSupply* supply_ = nullptr;
    // Bots for which programs that were handed in are launched, and what these play.
    std::map<std::string, std::vector<std::string>> handed_in_;
    std::vector<OpenTournament> recovered_;  // until the scheduler has them
    std::map<std::string, Instant> opened_;  // when former runs began tournaments
    std::vector<std::unique_ptr<engines::Registry>> registries_;
    std::set<std::string> unnamed_;  // recorded tournaments that the config doesn't name
    std::unique_ptr<scheduler::Scheduler> scheduler_;
    Calendar calendar_;
    loop::Life life_;
};

}  // namespace referee::tournament

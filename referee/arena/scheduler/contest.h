#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "referee/arena/scheduler/drawing.h"
#include "referee/arena/scheduler/idle_matches.h"
#include "referee/arena/scheduler/snapshot.h"
#include "referee/config/config.h"
#include "referee/contests/standings/result_list.h"
#include "referee/contests/tournament/match.h"
#include "referee/contests/tournament/schedule.h"
#include "referee/memory/journal/journal.h"

namespace referee::scheduler {

using tournament::Entrant;

// A game that can be begun as soon as its bots are free.
struct GamePlan {
    GameKey key;
    std::uint32_t round = 1;
    std::uint32_t games_max = 1;  // of its match, as it stands
    std::size_t setup = 0;        // index into the tournament's setups
    std::uint32_t seed = 1;
    std::vector<Entrant> entrants;  // by seat
    unsigned try_alone = 0;         // set aside: how many times it will have been played alone
};

// One tournament being played: its field, its schedule, its matches and what they came to. Starts
// nothing and knows no time: the scheduler plays what it hands out and tells it what happened.
//
// It is the sum of its records: whatever changes it is a record, made by one of the verbs below,
// appended to the journal in that order, and a restart applies the same records in the same order
// and has the same contest. A change shows to the outside (games that can begin, results) only once
// the journal has committed it: see committed().
class Contest {
 public:
    // Requires a checked config; `game` outlives the contest. The field is empty: begin(), or the
    // records of a former run, fill it.
    Contest(const config::TournamentConfig& config, const engines::Game& game);

    // What was recorded by a former run, in its order. Says what doesn't fit (another match is
    // drawn than the one that stands recorded); the contest must not be used then.
    std::optional<std::string> apply(const journal::Record& record);
    // After the last of these: why nothing can be drawn of what they came to (entries are missing);
    // the contest must not be used then either.
    std::optional<std::string> cannot_be_drawn() const;
    // After the last of these. Plays that began and never ended were cut off: they are to be ended
    // as interrupted by finished().
    std::vector<GamePlan> cut_off() const;

    // The field, in the order of entry. Requires: nothing is drawn or recorded yet.
    std::vector<journal::Record> begin(std::vector<tournament::Entry> entries,
                                       std::string config_text, std::string version);
    bool begun() const { return begun_; }

    // Draws matches until `window` games wait to be begun, or nothing more can be drawn now.
    std::vector<journal::Record> draw(std::size_t window);
    // Whether the next draw() may take long, so that its drawing() belongs on another thread first.
    bool drawing_due() const;
    // The long part of the next draw(), to be run anywhere; the contest stays as it is until
    // adopt(). Requires: drawing_due().
    Drawing drawing() const;
    // Takes in a drawing that has run: the next draw() hands out what it came to. One of a contest
    // that was changed since is dropped, and drawing is due as before.
    void adopt(Drawing drawing);
    // Before draw(): who could play now, of how many who are here, in formats that pair whoever is
    // there (a ladder).
    void offer(std::vector<Entrant> free, std::size_t here);

    // Games that wait to be begun, in the order in which they should be.
    const std::deque<GamePlan>& waiting() const { return waiting_; }
    // Takes the i-th of them: it is being played now.
    GamePlan take(std::size_t i);
    static journal::StartRecord start_of(const GamePlan& plan, std::vector<std::string> bots);
    // A game has ended; its record is being written. One that doesn't count waits to be played
    // again. The match's result when the game was its last.
    std::optional<tournament::MatchResult> finished(const GameResult& result);

    // Whether a match of a ladder may be dropped: no game of it counts or has counted.
    bool droppable(std::uint64_t match) const;
    // It is not played, because bots that it seats are gone; `left`: those who went by themselves.
    // It counts for nobody. Requires: droppable, and no game of it is being played.
    std::vector<journal::Record> drop(std::uint64_t match, const std::vector<Entrant>& left,
                                      const std::string& reason);
    // Matches in a row that were dropped because this bot had left: since it came to play one.
    unsigned left_in_a_row(Entrant entrant) const;
    // After finished(): withdraws those who were away or silent in too many matches in a row.
    std::vector<journal::Record> withdraw_idle();

    // Orders from outside, as records or as the reason why not.
    using Ordered = std::variant<std::vector<journal::Record>, std::string>;
    Ordered withdraw(const std::string& bot, const std::string& reason);
    Ordered admit(const tournament::Entry& entry);
    // A play that counted is played again.
    Ordered annul(const GameKey& key, const std::string& reason);
    // Of the ends only an abort can be undone: it runs, or waits for the order to begin, as before.
    // Whenever it is to run, its games that are set aside are played among the others again; that
    // may be all that this changes.
    Ordered set_state(journal::TournamentState state, const std::string& reason);

    // Everything that was changed up to now, all in all so often; to be told to committed() once
    // the journal has committed the records that came of it.
    std::uint64_t changes() const { return changes_; }
    void committed(std::uint64_t changes);

    // Every match has its result.
    bool over() const;
    journal::TournamentState state() const { return state_; }
    // Of whoever brought it into this state.
    const std::string& state_reason() const { return state_reason_; }
    // Nothing more can be drawn.
    bool drawn_out() const { return drawn_out_; }
    // A game that is set aside because it was annulled again and again.
    struct Aside {
        GameKey key;  // of its last play
        unsigned annulled = 0;
        std::string why;  // the last time
    };
    // By match and number.
    const std::map<std::pair<std::uint64_t, std::uint32_t>, Aside>& aside() const { return aside_; }
    // All of these, in a person's words; empty where there are none.
    std::string set_aside() const;

    const config::TournamentConfig& config() const { return config_; }
    const engines::Game& game() const { return game_; }
    std::size_t entrants() const { return entries_.size(); }
    const std::string& name(Entrant entrant) const { return entries_[entrant].name; }
    const tournament::Entry& entry(Entrant entrant) const { return entries_[entrant]; }
    std::optional<Entrant> entrant_named(std::string_view bot) const;
    const std::vector<tournament::Entry>& entries() const { return entries_; }
    bool withdrawn(Entrant entrant) const { return gone_.contains(entrant); }
    // Those who are withdrawn, and why.
    const Withdrawn& gone() const { return gone_; }
    // Whether that took anything from it: a match that it had yet to play, or could have been drawn
    // for. Requires: it is withdrawn.
    bool left_early(Entrant entrant) const;
    // Withdrawn because it was away or silent: it is let in again when it comes back.
    bool withdrawn_as_idle(Entrant entrant) const { return idle_.is_gone(entrant); }
    // Its games of that round, and of later ones, are forfeited without being played.
    bool plays_no_more(Entrant entrant, std::uint32_t round) const;
    // As of the last draw.
    std::optional<std::uint64_t> matches_total() const { return matches_total_; }
    // In the order of their ordinals; of a ladder the last ones (tournament::ladder_matches_kept).
    const standings::ResultList& results() const { return results_; }
    // The plays that count of a match that has its result, by number.
    std::vector<GameKey> games_of(std::uint64_t match) const;
    const std::vector<tournament::Bye>& byes() const { return byes_; }
    // What the format asks of a match that is drawn. Requires: it was, and isn't forgotten.
    const tournament::MatchTerms& terms_of(std::uint64_t match) const {
        return matches_.at(match).terms;
    }
    // Whether it sits in a match that was drawn and has no result yet.
    bool in_match(Entrant entrant) const { return open_matches_of_.contains(entrant); }
    // Who sits in it. Requires: a match without a result.
    const std::vector<Entrant>& seats_of(std::uint64_t match) const {
        return matches_.at(match).pairing.seats;
    }
    // Matches without a result, drawn and shown, by ordinal.
    std::vector<tournament::Pairing> open_matches() const;
    std::uint64_t games_played() const { return games_played_; }
    std::uint64_t matches_played() const { return matches_played_; }
    std::uint32_t round() const { return round_; }
    // As it stands now, for whoever looks at it from outside.
    ContestStatus status() const;
    ContestSnapshot snapshot() const;
    // The schedule's own ranking, where it has one.
    std::optional<std::vector<std::size_t>> places() const;
    std::string ended_early() const;

 private:
    struct Match {
        tournament::Pairing pairing;
        tournament::MatchTerms terms;
        std::vector<GameResult> results;  // of all attempts, without what only files need
        std::map<std::uint32_t, unsigned> annulled;  // how often, by number
        std::uint32_t next_number = 1;
        std::uint32_t games_due = 0;  // more where the match is level and one has to go on
        std::uint32_t in_play = 0;    // handed out or waiting, without a result that counts
        bool over = false;
        bool reopened = false;  // it had a result, which was taken back
    };
    // What a change shows to the outside, once it is committed.
    struct Effect {
        std::uint64_t change = 0;
        bool first = false;  // the plan waits before all others
        std::variant<GamePlan, tournament::MatchResult, tournament::Bye, tournament::Pairing> what;
    };

    void make_schedule();
    void changed() { ++changes_; }
    // Another field, or others who are withdrawn.
    void field_changed() {
        changed();
        told_ = {};
    }
    void show(
        std::variant<GamePlan, tournament::MatchResult, tournament::Bye, tournament::Pairing> what,
        bool first = false);
    std::optional<journal::PairingRecord> take_drawn(tournament::Schedule::Next next);
    void plan_games(Match& match);
    GamePlan plan(const Match& match, std::uint32_t number, std::uint32_t attempt) const;
    void plan_again(Match& match, std::uint32_t number);
    std::optional<tournament::MatchResult> settle(Match& match);
    void opened(const Match& match);
    void closed(const Match& match);
    void forget_what_lies_far_back();
    std::uint32_t next_round() const { return drawn_round_ + 1; }

    std::optional<std::string> applied(const journal::Record& record);
    std::optional<std::string> apply_entry(const journal::EntryRecord& record);
    std::optional<std::string> apply_pairing(const journal::PairingRecord& record);
    std::optional<std::string> apply_start(const journal::StartRecord& record);
    std::optional<std::string> apply_drop(const journal::DroppedRecord& record);
    void apply_withdrawal(Entrant entrant, std::uint32_t round, const std::string& reason);
    void note_presence(const Match& match, const tournament::MatchResult& result);
    void apply_annulment(const GameKey& key);
    void apply_state(journal::TournamentState state, const std::string& reason);
    void forget_annulments();

    std::shared_ptr<const config::TournamentConfig> kept_config_;
    const config::TournamentConfig& config_ = *kept_config_;
    const engines::Game& game_;
    std::vector<tournament::Entry> entries_;
    // The same, and who is withdrawn, for others to see; null: to be made again.
    struct Told {
        std::shared_ptr<const std::vector<tournament::Entry>> entries;
        std::shared_ptr<const Withdrawn> withdrawn;
    };
    mutable Told told_;
    Withdrawn gone_;
    struct Leave {
        bool in_match = false;            // it sat in one that had no result
        std::uint64_t matches_drawn = 0;  // then
    };
    std::map<Entrant, Leave> leaves_;            // of those
    std::map<Entrant, unsigned> left_in_a_row_;  // those who left matches of a ladder
    IdleMatches idle_;
    std::unique_ptr<tournament::Schedule> schedule_;  // made with the first draw
    std::optional<tournament::Schedule::Next> prepared_;
    std::map<std::uint64_t, Match> matches_;
    std::uint64_t open_matches_ = 0;
    std::multiset<Entrant> open_matches_of_;  // everybody as often as it sits in one
    std::map<GameKey, GamePlan> running_;
    std::deque<Effect> effects_;
    std::size_t plans_due_ = 0;  // among these
    std::uint64_t changes_ = 0;
    journal::TournamentState state_ = journal::TournamentState::waiting;
    std::string state_reason_;
    bool begun_ = false;
    bool drawn_out_ = false;
    std::uint32_t drawn_round_ = 0;
    std::optional<std::uint64_t> matches_total_;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Aside> aside_;

    // Shown.
    standings::ResultList results_;
    std::set<std::uint64_t> open_;  // matches without a result
    std::vector<tournament::Bye> byes_;
    std::deque<GamePlan> waiting_;
    std::uint64_t games_played_ = 0;
    std::uint64_t matches_played_ = 0;
    std::uint32_t round_ = 0;
};

}  // namespace referee::scheduler

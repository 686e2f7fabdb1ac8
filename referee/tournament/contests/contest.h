#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/arbiter.h"
#include "referee/tournament/contests/contest_snapshot.h"
#include "referee/tournament/contests/entrants.h"
#include "referee/tournament/contests/matches.h"
#include "referee/tournament/contests/rounds.h"

namespace referee::contests {

// One tournament that is being played: its entrants, its rounds, its matches and what they came to.
// It starts nothing and knows no time: the scheduler plays what the contest hands out, and tells it
// what happened.
//
// A contest is the sum of its records. Whatever changes it is a record: one of the verbs below
// makes it, and the caller appends it to the journal, in the order of the calls. A restart applies
// the same records in the same order, by the same steps, and has the same contest. A change shows
// to the outside (games that can begin, results) only when the journal has committed it: see
// committed(). contest_orders.cpp has what orders come to, contest_records.cpp how records are
// applied.
class Contest {
 public:
    // Requires a checked config; `game` outlives the contest. Nobody has entered yet: begin(), or
    // the records of a former run, fill the field.
    Contest(const config::TournamentConfig& config, const engines::Game& game);

    // The field, in the order of entry; from then on it runs. Requires: nothing is drawn or
    // recorded yet.
    std::vector<records::Record> begin(const std::vector<formats::Entry>& entries,
                                       std::string config_text, std::string version,
                                       const std::string& reason = "started");
    bool begun() const { return begun_; }

    // Whether a record fits, or what is wrong; then the contest must not be used.
    using Fits = base::Result<void, std::string>;
    // The next record of a former run, in their order: of a new contest for the same tournament
    // they make the same contest. They may come from elsewhere and be damaged, so each is looked at
    // first. What it changes shows at once: it is committed already.
    Fits apply(const records::Record& record);
    // After the last record: whether matches can be drawn of the field that it came to. Too few
    // entries may be on record.
    Fits drawable() const;

    // Draws matches until `window` games wait to begin, or nothing more can be drawn now.
    std::vector<records::Record> draw(std::size_t window);
    // Whether the next draw() may take long, so that its drawing() belongs on another thread first.
    bool drawing_due() const { return begun_ && rounds_.drawing_due(); }
    // The long part of the next draw(), to be run anywhere; the contest stays as it is until
    // adopt(). Requires: drawing_due().
    Drawing drawing() const;
    // Takes in a drawing that has run: the next draw() hands out what it came to. If the contest
    // has changed since, the drawing is dropped, and another is due.
    void adopt(Drawing drawing) { rounds_.adopt(std::move(drawing), changes_); }
    // No more rounds are drawn, because the format's time is over. What is told is the same after a
    // restart: only in draw() does it matter, and what was drawn is on record.
    void end_by_time();
    // On a ladder: whether any match that counts for it has ended.
    bool has_played(Entrant entrant) const {
        const auto* ladder = formats::ladder_of(rounds_.schedule());
        return ladder != nullptr && ladder->has_played(entrant);
    }
    // Before draw(), of a ladder alone: who could play now, how many are here in all, who rest from
    // each other, and whose open matches wait because they are away.
    // Nobody waits for a bot that never played and sits in a match or left one, so such a one
    // counts only while it could play.
    void offer(std::vector<Entrant> free, std::size_t here, formats::EntrantPairs apart = {},
               const std::set<Entrant>& absent = {});

    // Games that wait to begin, in the order in which they should.
    const std::deque<GamePlan>& waiting() const { return view_.waiting(); }
    // Takes the i-th of them: it is being played now.
    GamePlan take(std::size_t i);
    static records::StartRecord start_of(const GamePlan& plan, std::vector<std::string> bots);
    // Of a play that came to no end, to be given to finished().
    records::GameRecord interrupted(const GamePlan& plan, const std::string& reason) const;
    // A game has ended; the caller writes its record. A game that doesn't count waits to be played
    // again. Returns the result of the match if this was its last game.
    std::optional<formats::MatchResult> finished(const GameResult& result);
    // Plays that have begun and not ended. Made from the records of a former run, a contest has
    // here those that were cut off: the caller ends them as interrupted, by finished().
    std::vector<GamePlan> cut_off() const;

    // A match of a ladder is not played, because bots that sit in it are gone; `left`: those who
    // went by themselves.
    // It counts for nobody. Requires: it is droppable(), and no game of it is being played.
    std::vector<records::Record> drop(std::uint64_t match, const std::vector<Entrant>& left,
                                      const std::string& reason);
    // How many matches in a row were dropped because this bot had left, since it last played one.
    unsigned left_in_a_row(Entrant entrant) const { return entrants_.left_in_a_row(entrant); }
    // After finished(): withdraws the bots that were away or silent in too many matches in a row.
    std::vector<records::Record> withdraw_idle();

    // Orders from outside, beside those of arbiter.h and play_again.h: what each comes to, or why
    // it is refused. None changes anything by itself: carry_out() does. Requires: nothing changed
    // in between.
    void carry_out(const std::vector<records::Record>& ordered);
    Ordered withdraw(const std::string& bot, const std::string& reason) const;
    Ordered admit(const formats::Entry& entry) const;
    // Lets in all that were withdrawn because they were away or silent, as far as they can be.
    Ordered admit_idle() const;
    // Why no matches can be drawn for such a field; empty where they can.
    std::string unfit(std::vector<formats::Entry> field) const;
    // A play that counted is played again.
    Ordered annul(const GameKey& key, const std::string& reason) const;
    // What an arbiter ordered.
    const ArbiterLog& arbiter() const { return *arbiter_; }
    // An end stays, except for an abort: that can be undone, and the contest runs, or waits for the
    // order to begin, as before. Whenever it is ordered to run, games that are set aside are played
    // among the others again; that may be all that this changes.
    Ordered set_state(records::TournamentState state, const std::string& reason) const;

    // The number of all changes up to now. Once the journal has committed the records that came of
    // them, the caller tells it to committed().
    std::uint64_t changes() const { return changes_; }
    void committed(std::uint64_t changes);

    // Every match has its result.
    bool over() const;
    records::TournamentState state() const { return state_; }
    // The reason that was given for this state.
    const std::string& state_reason() const { return state_reason_; }

    const config::TournamentConfig& config() const { return config_; }
    const engines::Game& game() const { return game_; }
    std::size_t entrants() const { return entrants_.size(); }
    const std::string& name(Entrant entrant) const { return entrants_.entry(entrant).name; }
    const formats::Entry& entry(Entrant entrant) const { return entrants_.entry(entrant); }
    std::optional<Entrant> entrant_named(std::string_view bot) const {
        return entrants_.named(bot);
    }
    const std::vector<formats::Entry>& entries() const { return entrants_.entries(); }
    bool withdrawn(Entrant entrant) const { return entrants_.withdrawn(entrant); }
    // Those who are withdrawn, and why.
    const Withdrawn& all_withdrawn() const { return entrants_.all_withdrawn(); }
    // Whether it was withdrawn by order, or that took anything from it: a match that it had yet to
    // play, or could have been drawn for; only this where the withdrawn's matches are dropped.
    // Requires: it is withdrawn.
    bool left_early(Entrant entrant) const;
    // It was withdrawn because it was away or silent: it is let in again when it comes back.
    bool withdrawn_as_idle(Entrant entrant) const { return entrants_.withdrawn_as_idle(entrant); }
    // Who meets whom doesn't depend on results: the games of a bot that is withdrawn are forfeited,
    // all that have not begun.
    bool has_fixed_list() const;
    // Its games of that round, and of later ones, are forfeited without being played.
    bool plays_no_more(Entrant entrant, std::uint32_t round) const;
    // All that are drawn and don't lie too far back, shown or not yet.
    const Matches& matches() const { return matches_; }
    const Rounds& rounds() const { return rounds_; }
    const CommittedView& view() const { return view_; }
    std::uint32_t next_round() const { return rounds_.first_undrawn(); }
    // It has a result on which what was drawn since depends.
    bool built_upon(std::uint64_t match) const;
    // Behind the records that change a result: a contest that was finished goes on.
    void go_on_after(std::vector<records::Record>& records, const std::string& reason) const;
    // That there is no such bot, in words; the same of a match, empty where there is one.
    std::string unknown_bot(const std::string& bot) const;
    std::string unknown_match(std::uint64_t match) const;
    // In the order of their ordinals; of a ladder the last ones (formats::ladder_matches_kept).
    const standings::ResultList& results() const { return view_.results(); }
    // Matches without a result, drawn and shown, by ordinal.
    std::vector<formats::Pairing> open_matches() const;
    std::uint32_t round() const { return view_.round(); }
    // As it stands now, for whoever looks at it from outside.
    ContestStatus status() const;
    ContestSnapshot snapshot() const;
    // The schedule's own ranking, where it has one.
    std::optional<std::vector<std::size_t>> places() const;
    std::string ended_early() const;
    // Why nothing more is played, in words. Requires: it is over.
    std::string end_reason() const;

 private:
    void changed() { ++changes_; }
    // As apply(), of what is not committed yet; then of each kind.
    Fits change_by(const records::Record& record);
    Fits enact(const records::OpeningRecord& opening);
    // A bot enters, perhaps late, or comes back, where the format lets it.
    Fits enact(const records::EntryRecord& entry);
    Fits enact(const records::WithdrawalRecord& withdrawal);
    Fits enact(const records::PairingRecord& pairing);
    Fits enact(const records::DroppedRecord& dropped);
    Fits enact(const records::StartRecord& start);
    Fits enact(const records::GameRecord& game);
    Fits enact(const records::AnnulmentRecord& annulment);
    Fits enact(const records::RestorationRecord& restoration);
    Fits enact(const records::StateRecord& state);
    Fits enact(const records::RulingRecord& ruling);
    Fits enact(const records::ForbiddenPairsRecord& pairs);
    Fits enact(const records::RequestedByeRecord& bye);
    Fits enact(const records::HandPairingRecord& pairing);
    static Fits enact(const records::TokenRecord& /*of no tournament*/) { return {}; }
    // Whether an arbiter's order about the rounds of these bots can be followed; then there is a
    // schedule.
    Fits takes_wish(const std::vector<std::string>& bots);
    // The part of an entry which the schedule has a say in; null before the first drawing.
    Fits take_in(formats::Schedule* schedule, const records::EntryRecord& record) const;
    // What comes next may depend on another result of the match. False where that was built upon.
    bool reopen(std::uint64_t match);
    // The record of what was drawn; nothing where all is drawn.
    std::optional<records::PairingRecord> take_drawn(const formats::Schedule::Next& drawn);
    // A game that has to be played again is the first of all, unless it is set aside.
    void post_again(GamePlan plan);
    // What comes of a game waits to be played, or is the match's result; which versions of the
    // bots' programs it was that came to that is told with it.
    std::optional<formats::MatchResult> follow(Matches::AfterGame after);

    std::shared_ptr<const config::TournamentConfig> kept_config_;
    const config::TournamentConfig& config_ = *kept_config_;
    const engines::Game& game_;
    Entrants entrants_;
    Rounds rounds_;
    Matches matches_;
    CommittedView view_;
    ProgramVersions versions_;
    Shared<AnnulledGames> annulled_;
    records::TournamentState state_ = records::TournamentState::waiting;
    std::string state_reason_;
    bool begun_ = false;
    bool out_of_time_ = false;
    std::size_t late_entries_ = 0;
    Shared<ArbiterLog> arbiter_;
    std::uint64_t changes_ = 0;
};

// What stays as it is, and what goes on, where a result of the match changes, or a game of it is
// played again: in words that follow others; empty: nothing needs saying.
std::string after_change(const Contest& contest, std::uint64_t match, bool played_again);

}  // namespace referee::contests

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

#include "engines/game.h"
#include "referee/config/config.h"
#include "referee/contest/formats/match_fold.h"
#include "referee/contest/formats/schedule.h"
#include "referee/game/result/game_result.h"

namespace referee::contests {

// A game that was annulled is played again this many times, then it is set aside: everything else
// goes on, and it is tried again with nothing beside it.
inline constexpr unsigned played_again_max = 3;

using formats::Entrant;

// A game that can begin as soon as its bots are free.
struct GamePlan {
    GameKey key;
    std::uint32_t round = 1;
    std::uint32_t games_max = 1;  // of its match, as it stands
    std::size_t setup = 0;        // index into the tournament's setups
    std::uint32_t seed = 1;
    std::vector<Entrant> entrants;  // by seat
    // Of a game that is set aside: which of its tries alone this will be, from 1. 0: of all others.
    unsigned try_alone = 0;
};

// What is told of a play to see whether machines are alike.
struct MachinePlay {
    struct Seat {
        std::size_t player = 0;  // a bot with one program; numbered from 0
        std::int64_t used_us = 0;
        std::int64_t turns = 0;  // in which it gave a move
        bool faulty = false;     // at least once
    };
    std::uint64_t match = 0;
    bool counts = true;                           // false: the trouble of that machine annulled it
    std::shared_ptr<const MachineFacts> machine;  // nameless: the referee itself played it
    std::vector<Seat> seats;
};

// Of a contest, as a value that may be read on any thread.
struct MachinePlays {
    std::vector<MachinePlay> plays;
    std::size_t players = 0;
};

// The versions of the bots of a contest: which programs played, as results name them.
class ProgramVersions {
 public:
    // Of a game that counts. Games are told in the order of their ends.
    void note(const GameResult& result);
    // With which version of its program a bot played these games: that of the last of them whose
    // program is known. Versions are numbered from 0, as they came.
    std::uint32_t in(const std::vector<GameKey>& games, const std::string& bot,
                     const std::function<std::string_view(const GameKey&)>& program_of) const;

 private:
    // The versions of one bot: of the last few their programs. An older one that comes again
    // counts as new.
    struct Versions {
        std::uint32_t count = 0;
        std::deque<std::string> last;  // the newest at the end
    };

    std::map<std::string, Versions> versions_;  // by bot
};

// The matches of a contest that were drawn, by ordinal: which games they need, which of these are
// being played, and what they came to; of which programs and machines played, in
// machines_and_programs.cpp. It knows nothing of what is shown to the outside.
class Matches {
 public:
    // Both outlive it.
    Matches(const config::TournamentConfig& config, const engines::Game& game)
        : config_(config), game_(game) {}

    // A match is drawn: its games that can be played now.
    std::vector<GamePlan> open(const formats::Pairing& pairing, const formats::MatchTerms& terms);
    // A play begins. Requires: it is of a match that is known.
    void begin(const GamePlan& plan) { running_.emplace(plan.key, plan); }
    // What follows from the end of a play: one of these, or nothing yet.
    struct AfterGame {
        std::optional<GamePlan> again;               // it didn't count: the same game once more
        std::vector<GamePlan> next;                  // more games of the match
        std::optional<formats::MatchResult> result;  // it was the last game of the match
    };
    // Requires: the play has begun, and not ended.
    AfterGame end(const GameResult& result);
    // A play that counted doesn't count any more: the same game once more. If the match had its
    // result, it is open again. Requires: the match is known.
    GamePlan annul(const GameKey& key);
    // Plays of the match that were annulled by that and can count again: none of their games was
    // begun once more, and no result of an arbiter stands.
    std::vector<GameKey> restorable(std::uint64_t match) const;
    // Whether a game of it that was annulled by order is being played once more.
    bool begun_again(std::uint64_t match) const;
    // Such a play counts again. Requires: restorable() names it.
    AfterGame restore(const GameKey& key);
    // The matches, the last first, that the bot missed in a row until its last one, in the order in
    // which they ended: it sat down at no game of them. Those with an arbiter's result are left
    // out.
    std::vector<std::uint64_t> missed_last(Entrant entrant) const;
    // The plays of the match that count and at which somebody didn't sit down.
    std::vector<GameKey> missed_games(std::uint64_t match) const;
    // An arbiter says how the seats of the match are placed: it is over, and what it came to stands
    // whatever its games came to. Requires: no game of it is being played.
    formats::MatchResult rule(std::uint64_t match, const std::vector<int>& placing);
    // That is taken back: what its games come to counts again. Requires: ruled().
    AfterGame take_ruling_back(std::uint64_t match);
    // The match is not played, and is known no more. Requires: droppable(), and no game of it is
    // being played.
    void drop(std::uint64_t match);
    // It lies far back: it is known no more. Requires: it is over.
    void forget(std::uint64_t match) { matches_.erase(match); }
    // What was annulled up to now doesn't count: no game is set aside any more.
    void forget_annulments();

    bool known(std::uint64_t match) const { return matches_.contains(match); }
    // Whether it has its result. Requires, as all that follows of one match: it is known.
    bool over(std::uint64_t match) const { return matches_.at(match).over; }
    // Whether that result is an arbiter's.
    bool ruled(std::uint64_t match) const { return matches_.at(match).ruled; }
    const formats::Pairing& pairing(std::uint64_t match) const {
        return matches_.at(match).pairing;
    }
    const formats::MatchTerms& terms(std::uint64_t match) const { return matches_.at(match).terms; }
    // Null where the play has not ended.
    const formats::KeptGame* play(const GameKey& key) const;
    // Which program played for the bot; empty where nobody could tell, or it had no seat in it.
    std::string_view program_of(const GameKey& key, Entrant entrant) const;
    // Which other machine played it; empty where the referee itself did, or nobody knows the play.
    std::string_view machine_of(const GameKey& key) const;
    // Those by whom anything stands that counts.
    std::set<std::string> machines() const;
    // How bots fared on each machine, the referee's own too.
    MachinePlays machine_plays() const;
    // How each bot took part in a match: the best that it made of any game that was counted.
    struct Showing {
        formats::Presence presence = formats::Presence::played;
        std::string cause;  // of an absence or a silence, where it is known
    };
    std::map<Entrant, Showing> showings_in(const formats::MatchResult& result) const;

    // Whether this is a match of a ladder of which no game counts or has counted.
    bool droppable(std::uint64_t match) const;
    // The plays that count of a match that has its result, by number; none of one that isn't known.
    std::vector<GameKey> games_of(std::uint64_t match) const;
    // The plays that have begun and not ended.
    const std::map<GameKey, GamePlan>& in_play() const { return running_; }
    // The play of that game that counts; nothing where none does.
    std::optional<GameKey> counted_play(std::uint64_t match, std::uint32_t number) const;
    bool in_play(std::uint64_t match) const;
    // Games that follow this one in its match unless the match is decided before: none of them has
    // begun. Solo games don't follow each other.
    std::vector<GamePlan> behind(const GamePlan& plan) const;
    // How many have no result.
    std::uint64_t open_count() const { return open_count_; }
    // These, by ordinal.
    std::vector<formats::Pairing> open() const;
    // Those in which both sit, by ordinal, over or not.
    std::vector<formats::Pairing> meetings_of(Entrant one, Entrant other) const;
    // Whether the bot sits in one of these.
    bool in_open_match(Entrant entrant) const { return open_seats_.contains(entrant); }
    // The ordinal of the last one that is known; 0: none.
    std::uint64_t last() const { return matches_.empty() ? 0 : matches_.rbegin()->first; }
    // Whether the bot sits in a match that was drawn behind this one.
    bool seated_behind(std::uint64_t match, Entrant entrant) const;

    // A game that is set aside because it was annulled again and again.
    struct Aside {
        GameKey key;  // of its last play
        unsigned annulled = 0;
        std::string why;  // the last time
    };
    using Asides = std::map<std::pair<std::uint64_t, std::uint32_t>, Aside>;  // by match and number
    const Asides& aside() const { return aside_; }
    // All of these, in a person's words; empty where there are none.
    std::string set_aside() const;

 private:
    struct Match {
        formats::Pairing pairing;
        formats::MatchTerms terms;
        std::vector<formats::KeptGame> results;      // of all attempts
        std::map<std::uint32_t, unsigned> annulled;  // how often, by number
        std::uint32_t next_number = 1;
        std::uint32_t games_due = 0;  // more where the match is level and one has to go on
        std::uint32_t in_play = 0;    // planned or being played, without a result that counts
        // Annulled by order, with what they were; none of their games has counted once more.
        std::map<GameKey, GameStatus> by_order;
        std::uint64_t ended = 0;  // by this the matches come in the order of their last ends
        bool over = false;
        bool reopened = false;  // it had a result, which was taken back
        bool ruled = false;     // its result is an arbiter's
    };

    std::vector<GamePlan> plan_games(Match& match) const;
    GamePlan plan(const Match& match, std::uint32_t number, std::uint32_t attempt) const;
    std::vector<Entrant> seats_of(const Match& match, std::uint32_t number) const;
    GameKey key_of(const Match& match, const formats::KeptGame& game) const;
    GamePlan plan_again(Match& match, std::uint32_t number) const;
    // What follows where no game of the match is to be played.
    AfterGame settle(Match& match);
    // It sat down at a game of the match that counts.
    bool came_to(const Match& match, Entrant entrant) const;
    void opened(const Match& match);
    void closed(const Match& match);

    const config::TournamentConfig& config_;
    const engines::Game& game_;
    std::map<std::uint64_t, Match> matches_;
    std::uint64_t ends_ = 0;  // of plays that counted
    std::uint64_t open_count_ = 0;
    std::multiset<Entrant> open_seats_;  // each bot as often as it sits in an open match
    std::map<GameKey, GamePlan> running_;
    Asides aside_;
    formats::ProgramNames programs_;
    // Of all plays. What is told of one shares the set.
    std::shared_ptr<std::set<MachineFacts>> machines_ = std::make_shared<std::set<MachineFacts>>();
};

}  // namespace referee::contests

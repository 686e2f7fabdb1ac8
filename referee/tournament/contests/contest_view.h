#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "referee/config/config.h"
#include "referee/contest/formats/schedule.h"
#include "referee/contest/standings/standings.h"
#include "referee/game/clock/time.h"
#include "referee/game/result/game_result.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/matches.h"

namespace referee::contests {

// What a contest shows to the outside: matches, byes and results, and the games that can begin.
// News is kept back until the journal has committed the change that brought it. Only then is it
// shown.
class CommittedView {
 public:
    // Games that count, more than before or fewer.
    struct GamesCounted {
        std::int64_t by = 0;
    };
    // A game was annulled.
    struct GameAnnulled {
        GameKey key;
        std::string why;
    };
    // It counts again.
    struct GameRestored {
        GameKey key;
    };
    using News = std::variant<GamePlan, GamesCounted, GameAnnulled, GameRestored,
                              formats::MatchResult, formats::Bye, formats::Pairing>;
    // Where a game waits, among those that can begin.
    enum class Place { last, first };

    // `news` was brought by the change with that number. `place` concerns games.
    void post(std::uint64_t change, News news, Place place = Place::last);
    // All changes up to that number are committed: what came of them is shown. News of a match
    // that was dropped or taken back meanwhile, as `matches` tells, is thrown away.
    void committed(std::uint64_t changes, const Matches& matches);
    // Whether all that was posted is shown.
    bool complete() const { return ready_.empty(); }

    // The game begins: it waits no more.
    GamePlan take(std::size_t i);
    // The match has no result any more. Nothing happens where none is shown.
    void take_back(std::uint64_t match);
    // The match is not played: neither it nor its games are shown any more.
    void drop(std::uint64_t match);
    // The match is as if nothing of it but its drawing had happened: no game of it waits, and it
    // has no result. What was played counts on.
    void clear(std::uint64_t match);
    // That game is not played after all: it waits no more.
    void take_game_off(std::uint64_t match, std::uint32_t number);
    // No game is set aside any more: all are played among the others.
    void play_among_others();
    // Takes the oldest result away, and says of which match it was. It stays in the sums below.
    // Requires: there is a result.
    std::uint64_t forget_oldest();

    // Games that wait to begin, in the order in which they should.
    const std::deque<GamePlan>& waiting() const { return waiting_; }
    std::optional<std::size_t> waiting_place(const GameKey& key) const;
    // How many wait, with those that aren't shown yet.
    std::size_t waiting_count() const { return waiting_.size() + plans_ready_; }
    const standings::ResultList& results() const { return results_; }
    // Matches without a result, by ordinal.
    const std::set<std::uint64_t>& open() const { return open_; }
    const std::vector<formats::Bye>& byes() const { return byes_; }
    // That count, of matches without a result too.
    std::uint64_t games_played() const { return static_cast<std::uint64_t>(games_played_); }
    std::uint64_t matches_played() const { return matches_played_; }
    // All attempts that were annulled and don't count again, whatever became of the game; and the
    // last of them, where that is still one.
    std::uint64_t games_annulled() const { return games_annulled_; }
    const GameAnnulled& last_annulled() const { return last_annulled_; }
    // The last round of which anything is shown; 0: none.
    std::uint32_t round() const { return round_; }

 private:
    struct Ready {
        std::uint64_t change = 0;
        Place place = Place::last;
        News news;
    };
    void publish(Ready& ready, const Matches& matches);
    template <typename IsIt>
    void take_games_off(const IsIt& is_it);

    std::deque<Ready> ready_;
    std::size_t plans_ready_ = 0;  // games among these
    std::deque<GamePlan> waiting_;
    standings::ResultList results_;
    std::set<std::uint64_t> open_;
    std::vector<formats::Bye> byes_;
    std::int64_t games_played_ = 0;
    std::uint64_t matches_played_ = 0;
    std::uint64_t games_annulled_ = 0;
    GameAnnulled last_annulled_;
    std::uint32_t round_ = 0;
};

// ---- What others see of a contest ----
// Values that say how it stood at one moment. They share what never changes (config, field,
// results), so they are cheap to make. They may be read on any thread while the contest goes on.

// A value that its owner changes, and that others get as it stood at one moment, also on other
// threads: calls between two changes share one copy.
template <typename Value>
class Shared {
 public:
    const Value& operator*() const { return value_; }
    const Value* operator->() const { return &value_; }
    Value& change() {
        shared_ = nullptr;
        return value_;
    }
    // Never null, and never changed.
    std::shared_ptr<const Value> shared() const {
        if (shared_ == nullptr) shared_ = std::make_shared<const Value>(value_);
        return shared_;
    }

 private:
    Value value_;
    mutable std::shared_ptr<const Value> shared_;  // null where there is none since the last change
};

// What an arbiter ordered of a tournament, in order; what was taken back or lifted is here too.
struct ArbiterLog {
    std::vector<records::RulingRecord> rulings;
    std::vector<records::ForbiddenPairsRecord> forbidden;
    std::vector<records::RequestedByeRecord> byes;
    std::vector<records::HandPairingRecord> by_hand;

    bool empty() const {
        return rulings.empty() && forbidden.empty() && byes.empty() && by_hand.empty();
    }
    // What stands of that round: matches that were set by hand and not taken back.
    std::vector<records::HandPairingRecord> by_hand_in(std::uint32_t round) const {
        std::vector<records::HandPairingRecord> standing;
        for (const auto& pairing : by_hand) {
            if (pairing.round != round) continue;
            std::erase_if(standing, [&](const auto& one) {
                return std::ranges::is_permutation(one.bots, pairing.bots);
            });
            if (pairing.order == records::ManualPairingOrder::paired) standing.push_back(pairing);
        }
        return standing;
    }
    // The last ruling about the match, where it stands; else null.
    const records::RulingRecord* ruling_of(std::uint64_t match) const {
        const records::RulingRecord* last = nullptr;
        for (const auto& ruling : rulings) {
            if (ruling.match == match) last = ruling.placing.empty() ? nullptr : &ruling;
        }
        return last;
    }
};

// Plays that counted and were annulled by order, and why.
using AnnulledGames = std::map<GameKey, std::string>;

// Those who are withdrawn, and why.
using Withdrawn = std::map<formats::Entrant, std::string>;

// How a tournament stands, without its matches.
struct ContestStatus {
    std::shared_ptr<const config::TournamentConfig> config;
    std::shared_ptr<const std::vector<formats::Entry>> entries;  // by entrant
    std::shared_ptr<const Withdrawn> withdrawn;
    records::TournamentState state = records::TournamentState::waiting;
    std::string state_reason;  // given by whoever brought it into this state
    bool begun = false;
    bool over = false;  // every match has its result
    std::uint32_t round = 0;
    std::optional<std::uint32_t> rounds_planned;  // where that is known beforehand
    std::uint64_t games_played = 0;
    std::uint64_t matches_played = 0;
    std::optional<std::uint64_t> matches_total;   // as of the last draw
    std::uint64_t games_annulled = 0;             // attempts, whatever became of the game
    CommittedView::GameAnnulled last_annulled{};  // where there is one
    // Until no more rounds are drawn, in formats that end by their time.
    std::optional<Duration> time_left{};
    // What the calendar brings next, such as "begins on Fri 2026-11-27 14:00 +0100"; empty:
    // nothing.
    std::string comes_next{};
    std::string set_aside;  // games that were annulled again and again, and why; empty: none

    const std::string& name(formats::Entrant entrant) const { return (*entries)[entrant].name; }
    bool is_withdrawn(formats::Entrant entrant) const { return withdrawn->contains(entrant); }
    std::optional<formats::Entrant> entrant_named(std::string_view bot) const {
        return formats::entrant_named(*entries, bot);
    }
};

// All that its files are written from.
struct ContestSnapshot : ContestStatus {
    standings::ResultList results;       // of a ladder the last ones
    std::vector<formats::Pairing> open;  // drawn, without a result; by ordinal
    std::vector<formats::Bye> byes;      // in the order in which they were given
    std::string ended_early;             // why it ended before its last round
    // Those of the withdrawn of whom Contest::left_early() says so.
    std::shared_ptr<const Withdrawn> left_early;
    // A copy of the schedule, where the format has places of its own; otherwise null.
    std::shared_ptr<const formats::Schedule> schedule;
    std::shared_ptr<const ArbiterLog> arbiter;      // what was ordered; never null
    std::shared_ptr<const AnnulledGames> annulled;  // by order; never null
    std::size_t late_entries = 0;  // the last of the entries: they came when rounds were drawn

    // On a ladder: whether it has played a match that counts.
    bool has_played(formats::Entrant entrant) const {
        return schedule == nullptr || schedule->has_played(entrant);
    }
    struct SplitResults {
        std::vector<formats::MatchResult> counted;
        // They count for nobody, because one of their bots is withdrawn and the config says so.
        std::vector<formats::MatchResult> dropped{};
    };
    // Both in the order of their ordinals. May take long.
    SplitResults split_results() const;
    // May take long.
    std::optional<std::vector<std::size_t>> places() const {
        return schedule == nullptr ? std::nullopt : schedule->places();
    }
};

}  // namespace referee::contests

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "referee/contest/formats/schedule.h"
#include "referee/contest/standings/match_result.h"
#include "referee/game/result/game_result.h"
#include "referee/tournament/contests/matches.h"

namespace referee::contests {

// A game was annulled.
struct GameAnnulled {
    GameKey key;
    std::string why;
};

// What is committed of a contest, counted.
struct CommittedCounts {
    std::uint64_t games_played = 0;  // that count, of matches without a result too
    std::uint64_t matches_played = 0;
    // All attempts that were annulled and don't count again, whatever became of the game; and the
    // last of them, where that is still one.
    std::uint64_t games_annulled = 0;
    GameAnnulled last_annulled{};
};

// What a contest shows to the outside: matches, byes and results, and the games that can begin.
// News is kept back until the journal has committed the change that brought it. Only then is it
// shown.
class CommittedView {
 public:
    // Games that count, more than before or fewer.
    struct GamesCounted {
        std::int64_t by = 0;
    };
    // One that was annulled counts again.
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
    const CommittedCounts& counts() const { return counts_; }
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
    CommittedCounts counts_;
    std::uint32_t round_ = 0;
};

}  // namespace referee::contests

#pragma once

// What standings follow from: the results of a tournament's matches, and its byes.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/score.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/find.h"

namespace referee::standings {

// A place in the field of a tournament: an index into its list of entrants.
using Entrant = std::size_t;

// A game's fingerprint (GameResult), or another text of at most 16 bytes: of a longer one the
// first. It takes no memory beside its own.
class GameFingerprint {
 public:
    GameFingerprint() = default;
    template <std::convertible_to<std::string_view> Text>
    GameFingerprint(const Text& text) {  // NOLINT(google-explicit-constructor): it is that text
        std::string_view(text).copy(bytes_.data(), bytes_.size());
    }
    std::string text() const { return {bytes_.begin(), std::ranges::find(bytes_, '\0')}; }
    bool operator==(const GameFingerprint&) const = default;

 private:
    std::array<char, 16> bytes_{};
};

// A game of a match that counted: the match's ordinal, this number and this attempt are its key.
struct CountedGame {
    std::uint32_t number = 1;  // in the match, from 1
    std::uint32_t attempt = 1;
    // The same of games in which the same happened; empty: not known.
    GameFingerprint fingerprint{};
};

// These games of a match, in their order. A long tournament has many, so copies share them, on any
// thread: they never change.
class CountedGames {
 public:
    // By match seat. A solo game is played by one of them alone: the others have no score.
    using Scores = std::span<const std::optional<engines::Score>>;
    struct Scored : CountedGame {
        Scores scores;
    };
    class Iterator {
     public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Scored;
        using difference_type = std::ptrdiff_t;
        using pointer = const Scored*;
        using reference = Scored;

        Scored operator*() const { return (*games_)[at_]; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

     private:
        friend class CountedGames;
        Iterator(const CountedGames& games, std::size_t at) : games_(&games), at_(at) {}

        const CountedGames* games_;
        std::size_t at_;
    };

    CountedGames() = default;
    // `scores`: those of the first game, then those of the next; of each game equally many.
    explicit CountedGames(std::vector<CountedGame> games,
                          std::vector<std::optional<engines::Score>> scores = {});

    std::size_t size() const { return all_ == nullptr ? 0 : all_->games.size(); }
    bool empty() const { return size() == 0; }
    Scored operator[](std::size_t i) const;
    Scored back() const { return (*this)[size() - 1]; }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

 private:
    struct All {
        std::vector<CountedGame> games;
        std::vector<std::optional<engines::Score>> scores;
    };
    std::shared_ptr<const All> all_;  // null: none
};

// What a match came to, folded from its games that count. Every list is by the seat in the first
// game of the match.
struct MatchResult {
    std::uint64_t match = 0;  // ordinal in the tournament, from 1
    std::uint32_t round = 1;  // from 1
    std::vector<Entrant> seats;
    std::vector<engines::Score> points;  // as the config says
    std::vector<engines::Score> scores;  // sums of the games' scores
    // What each game alone is worth, summed: 1 for each seat that is behind, 1/2 for each that is
    // level; of a solo game, on each setup that all have played.
    std::vector<engines::Score> game_points;
    std::vector<int> placing;           // 1 is best; equal seats share: 1, 2, 2, 4
    std::vector<std::int64_t> used_us;  // time charged over all games
    // The seats that never showed up: a match with an absent seat is a forfeit. For two seats it
    // isn't a game in the sense of tie-breaks and pairings: the two may meet again.
    std::vector<bool> absent;
    std::vector<std::uint32_t> wins;  // games (of solo games: setups) won alone
    // In a knockout one of the two goes on. If the match is level in everything, it is the seat
    // that was chosen by lot.
    bool one_goes_on = false;
    std::size_t lot = 0;
    // By seat: with which version of its program the bot played, numbered from 0 as they came in
    // this tournament. A program that nobody can name is the version before. Empty: all 0.
    std::vector<std::uint32_t> versions;
    // Which program of the seat's bot played, of several the last; empty where that isn't known.
    std::vector<std::string> programs;
    bool programs_mixed = false;  // some seat was played by more than one
    bool ruled = false;           // set by an arbiter, whatever the games came to
    std::uint32_t games = 0;      // how many counted
    CountedGames counted;

    std::uint32_t version_of(std::size_t seat) const {
        return seat < versions.size() ? versions[seat] : 0;
    }
    bool forfeit() const { return base::contains(absent, true); }
};

// The part of a match's points that a seat got, 0 to 1: 1 for whoever is ahead of all others, a
// half for an average seat, and where there are no points.
double share_of(const MatchResult& result, std::size_t seat);

// The same of its games (of a solo game, its setups): 1 for each that it won, 1/2 for a level one.
double share_of_games(const MatchResult& result, std::size_t seat);

// Tells matches that bring something new from those that only repeat. Bots that choose their moves
// without chance play the same game again when they meet again at the same start; the second time
// shows nothing that the first didn't. Tell it the matches in their order.
class NewGames {
 public:
    // False where an earlier match had all of the same games. A match with a game that was recorded
    // without a fingerprint is new.
    bool is_new(const MatchResult& match);
    // The same for any games, by their fingerprints.
    bool is_new(const std::set<std::string>& fingerprints);

 private:
    std::set<std::string> seen_;  // all fingerprints of a match in one: copied often
};

// The matches of a list that are new, by their places in it.
std::vector<bool> new_matches(const std::vector<MatchResult>& matches);

enum class ByeKind : std::uint8_t {
    pairing,     // nobody was left to play: the schedule gave it
    half_point,  // asked for beforehand
    full_point,  // given by the organiser
    zero_point,  // absent, withdrawn, or not yet there
};

inline constexpr std::array<base::Named<ByeKind>, 4> bye_kinds{
    {{ByeKind::pairing, "pairing"},
     {ByeKind::half_point, "half_point"},
     {ByeKind::full_point, "full_point"},
     {ByeKind::zero_point, "zero_point"}}};
static_assert(base::in_order(bye_kinds));
constexpr std::string_view name_of(ByeKind kind) {
    return base::row_of(bye_kinds, kind).name;
}

// A round without a match, and what it gives.
struct Bye {
    std::uint32_t round = 1;
    Entrant entrant = 0;
    engines::Score points;
    ByeKind kind = ByeKind::pairing;
};

// The results of a tournament's matches, in the order of their ordinals. A copy shares what is in
// it, so it costs a pointer for every few dozen results. A copy may be read on another thread while
// this one changes, because what is shared never changes.
class ResultList {
    using Block = std::vector<std::shared_ptr<const MatchResult>>;  // in order, never empty
    using Blocks = std::map<std::uint64_t, std::shared_ptr<const Block>>;

 public:
    class Iterator {
     public:
        // The ordinal, and the result.
        std::pair<std::uint64_t, const MatchResult&> operator*() const {
            const auto& result = *(*block_->second)[at_];
            return {result.match, result};
        }
        Iterator& operator++() {
            if (++at_ < block_->second->size()) return *this;
            ++block_;
            at_ = 0;
            return *this;
        }
        bool operator==(const Iterator& other) const = default;

     private:
        friend class ResultList;
        explicit Iterator(Blocks::const_iterator block) : block_(block) {}

        Blocks::const_iterator block_;
        std::size_t at_ = 0;
    };

    // Puts the result under its ordinal, in place of the one that was there.
    void put(MatchResult result);
    // Nothing happens where there is none.
    void erase(std::uint64_t match);

    // Null where there is none.
    const MatchResult* find(std::uint64_t match) const;
    bool contains(std::uint64_t match) const { return find(match) != nullptr; }
    // Requires: there is one.
    const MatchResult& at(std::uint64_t match) const;
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    // All of them, or those from an ordinal on, as a list of their own.
    std::vector<MatchResult> copied(std::uint64_t from = 0) const;
    // Requires: not empty.
    const MatchResult& front() const { return *blocks_.begin()->second->front(); }
    const MatchResult& back() const { return *blocks_.rbegin()->second->back(); }

    Iterator begin() const { return Iterator(blocks_.begin()); }
    Iterator end() const { return Iterator(blocks_.end()); }

 private:
    Blocks blocks_;  // by ordinal / block_size
    std::size_t size_ = 0;
};

// How many matches in a row came to the same games as the one before it of the same seats, up to
// this one: 0 where this one brought something new, or that isn't known. `results` may have it, and
// later ones.
unsigned repetitions(const ResultList& results, const MatchResult& match);

}  // namespace referee::standings

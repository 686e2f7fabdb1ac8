#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include <utility>
#include <variant>
#include <vector>

#include "referee/contest/standings/standings.h"

namespace referee::formats {

// No two of these bots meet in these rounds. By name: some of them may enter late, or never.
struct ForbiddenPairs {
    std::vector<std::string> bots;
    std::uint32_t first_round = 1;
    std::uint32_t last_round = UINT32_MAX;

    bool operator==(const ForbiddenPairs&) const = default;
};

// These are forbidden too.
void forbid(std::vector<ForbiddenPairs>& all, const ForbiddenPairs& pairs);

// Any two of these may meet again in these rounds, whoever forbade it; what is forbidden beside
// stays so.
void lift(std::vector<ForbiddenPairs>& all, const ForbiddenPairs& pairs);

using standings::Bye;
using standings::ByeKind;
using standings::Entrant;
using standings::MatchResult;

// Who takes part, in the order of the config: its place there is its Entrant.
struct Entry {
    std::string name;
    std::int32_t rating = 0;                // 0: none
    std::string team{};                     // entries of one team may be kept apart; empty: none
    std::uint32_t first_round = 1;          // later than 1: a late entry
    std::uint32_t last_round = UINT32_MAX;  // withdrawn after it
    std::vector<std::uint32_t> half_point_byes{};  // rounds that it asked to sit out, Swiss only
    std::vector<std::uint32_t> zero_point_byes{};  // the same, for nothing

    // Whether it has come by that round and has not left; and doesn't sit it out.
    bool is_there(std::uint32_t round) const { return first_round <= round && round <= last_round; }
    bool plays(std::uint32_t round) const { return is_there(round) && !bye_asked_for(round); }
    // For what it asked to sit that round out; nothing where it didn't.
    std::optional<ByeKind> bye_asked_for(std::uint32_t round) const;
    // It asks for that, whatever it asked for before; or for none.
    void ask_for_bye(std::uint32_t round, std::optional<ByeKind> kind);
    // It comes at once, stays to the end, and sits nothing out.
    void take_part_in_all();

    bool operator==(const Entry&) const = default;
};

// The entrant of that name; nothing where there is none.
std::optional<Entrant> entrant_named(std::span<const Entry> entries, std::string_view name);

// A match that is to be played.
struct Pairing {
    std::uint64_t match = 0;     // ordinal in the tournament, from 1
    std::uint32_t round = 1;     // from 1
    std::vector<Entrant> seats;  // by seat in the first game of the match
};

// A match of a round that is to come, set by hand: the others are drawn around it.
struct HandPairing {
    std::uint32_t round = 1;
    Entrant first = 0;  // on seat 0
    Entrant second = 0;

    bool operator==(const HandPairing&) const = default;
};

// What stands against it.
enum class PairingObstacle : std::uint8_t {
    none,
    no_pairs,   // rounds aren't drawn, or not in pairs
    sits_out,   // one of them does not play that round
    forbidden,  // they are to be kept apart
};

// Draws the matches of a tournament, lazily and deterministically: what it says depends on the
// field, the config, the seed and the results told so far, never on the order in which results of
// one round arrive. A restart makes a new one and tells it the recorded results again as their
// pairings come by. Pure; not thread safe.
class Schedule {
 public:
    struct Wait {};      // nothing to hand out until more results are in
    struct Finished {};  // every match is drawn and has its result
    using Next = std::variant<Pairing, Bye, Wait, Finished>;

    virtual ~Schedule() = default;

    // The same once more, which goes its own way from here. The next round is drawn on a copy,
    // beside the event loop, while this one answers as before.
    virtual std::unique_ptr<Schedule> copy() const = 0;

    // The next match or bye to hand out; each is handed out once, in the order of rounds.
    virtual Next next() = 0;
    // A match that was handed out has its result. Requires: told once for each match.
    virtual void record(const MatchResult& result) = 0;
    // How many matches there will be in all, where that is known.
    virtual std::optional<std::uint64_t> matches_total() const = 0;

    // The entrant plays no round from `round` on: it isn't paired any more in a Swiss, which gives
    // it byes of zero points. Rounds that are drawn stand. Formats with a fixed list of matches go
    // on handing them out: there a missing bot forfeits them.
    virtual void withdraw(Entrant /*entrant*/, std::uint32_t /*round*/) {}
    // A late entry, from `round` on. Nothing where the format takes none, or where that round is
    // drawn already.
    virtual std::optional<Entrant> enter(const Entry& /*entry*/, std::uint32_t /*round*/) {
        return std::nullopt;
    }
    // An entrant that was withdrawn plays again from `round` on; false where it is out for good: no
    // round is left, or the stage that is played went on without it.
    virtual bool come_back(Entrant /*entrant*/, std::uint32_t /*round*/) { return false; }
    // Whether rounds are drawn by who stands where, so that the next two can be changed beforehand.
    virtual bool takes_wishes() const { return false; }
    // No two of these meet in these rounds, or they may again (`lifted`). Requires: takes_wishes(),
    // and the first of the rounds is not drawn.
    virtual void forbid(const ForbiddenPairs& /*pairs*/, bool /*lifted*/) {}
    // The entrant sits that round out, for half a point or for none; or plays it after all.
    // Requires: takes_wishes(), and the round is not drawn.
    virtual void wish_bye(Entrant /*entrant*/, std::uint32_t /*round*/,
                          std::optional<ByeKind> /*kind*/) {}
    virtual PairingObstacle obstacle_of(const HandPairing& /*pairing*/) const {
        return PairingObstacle::no_pairs;
    }
    // These two meet in that round, or are drawn as all others are (`taken_back`). It lapses where
    // one of them does not play the round, or where the others could not be paired without them.
    // Requires: the round is not drawn, and obstacle_of() is not no_pairs.
    virtual void pair_by_hand(const HandPairing& /*pairing*/, bool /*taken_back*/) {}
    // How many rounds are planned, where that is known.
    virtual std::optional<std::uint32_t> rounds_planned() const { return std::nullopt; }
    // A match whose result was told is played again: record() will be told once more. False where
    // what was drawn since depends on it, or may.
    virtual bool reopen(std::uint64_t /*match*/) { return false; }
    // Draws a match again, in its turn, that was drawn before a restart. Formats that can't know by
    // themselves what they drew are told it here.
    virtual Next draw_again(const Pairing& /*drawn*/) { return next(); }
    // The time that the format may take is over: no more is drawn, and what is drawn is played. For
    // formats with a time (time_of in format.h); who calls it has the clock.
    virtual void end_by_time() {}
    // Where everybody stands, by entrant and from 1, in formats that rank by something else than
    // points (a knockout, stages); complete when finished.
    virtual std::optional<std::vector<std::size_t>> places() const { return std::nullopt; }
    // What these come of, by entrant, where it is a figure of the format's own: more is better.
    virtual std::optional<std::vector<double>> figures() const { return std::nullopt; }
    // Whether the format has places(). Quick at any time, while places() may take long.
    virtual bool has_places() const { return false; }
    // It ended, and bots that were withdrawn are to come back: it draws what it could not draw
    // without them. False where nothing can be drawn any more, whoever comes.
    virtual bool go_on() { return false; }
    // That its question is answered, in words, where it ended by that; else empty.
    virtual std::string answer() const { return {}; }
    // Why it ended before its last round; empty where it didn't.
    virtual std::string ended_early() const { return {}; }
    // The stage, from 0, of the match that was handed out last.
    virtual std::size_t stage() const { return 0; }
    // Whether the next round waits only for being drawn: then the next next() may take long (the
    // drawing of a large Swiss round), and belongs off an event loop.
    virtual bool drawing_due() const { return false; }
};

// A schedule that draws a round when all results of the one before are in.
class RoundByRound : public Schedule {
 public:
    Next next() final;
    void record(const MatchResult& result) final;
    bool reopen(std::uint64_t match) final;
    bool go_on() final;
    Next draw_again(const Pairing& drawn) final;
    bool drawing_due() const final {
        return pairings_.empty() && byes_.empty() && open_ == 0 && !ended_;
    }

 protected:
    struct Round {
        std::vector<std::vector<Entrant>> matches;  // by seat
        std::vector<Bye> byes;
    };
    // The next round; nothing where there is none. `results` are those of the round before, by
    // match.
    virtual std::optional<Round> draw(std::uint32_t round,
                                      const std::vector<MatchResult>& results) = 0;

    // The result of a match of an earlier round has changed; false where what was drawn since may
    // depend on it. Called with the same result twice to learn whether it can be.
    virtual bool amend(const MatchResult& /*before*/, const MatchResult& /*after*/) {
        return false;
    }

    // No round was drawn any more, and a match of the last one is played again: as if the next had
    // never been asked for. False where that can't be.
    virtual bool take_end_back() { return false; }
    // Whether a round that could not be drawn may be drawn after all: it is tried again.
    virtual bool tries_again() { return false; }
    // Whether the round that is drawn was drawn before a restart.
    bool on_record() const { return on_record_; }

    // The last round that was drawn; 0 before the first.
    std::uint32_t drawn() const { return round_; }

 private:
    std::deque<Pairing> pairings_;  // drawn, to be handed out
    std::deque<Bye> byes_;
    standings::ResultList results_;
    std::uint64_t first_of_round_ = 1;  // the first match of the round that is being played
    std::uint64_t last_round_from_ =
        0;  // of a schedule that ended: the first match of its last round
    std::set<std::uint64_t> reopened_;  // matches of earlier rounds that are played again
    std::uint64_t matches_ = 0;
    std::uint64_t open_ = 0;  // handed out or queued, without a result
    std::uint32_t round_ = 0;
    bool ended_ = false;
    bool on_record_ = false;
};

}  // namespace referee::formats

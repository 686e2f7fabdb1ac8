#pragma once

#include <gtest/gtest.h>
#include <functional>
#include <map>
#include <tuple>

#include "referee/tournament/contests/contest.h"
#include "tests/engines/conformance/driver.h"
#include "tests/sim/simulated_journal.h"

// Contests that tests play by hand, to see what becomes of their records.

namespace referee::contests {

struct Case {
    std::string name;
    formats::FormatKind kind;
    std::size_t bots;
    std::string game = "walls";
    std::size_t seats = 2;
    std::uint32_t games = 2;
    bool best_of = false;
    bool attendance = false;    // some come late, leave early, or sit rounds out
    std::size_t cut_every = 1;  // pods take their time to be drawn
    bool dead = false;          // the last bot never gives a valid move
    bool jinxed = false;  // the last bot's games are annulled until they are tried alone twice
};

// A game of those that there are.
const engines::Game& game_named(const std::string& id);

config::TournamentConfig config_of(const Case& wanted);
std::vector<formats::Entry> field_of(std::size_t bots);
std::vector<formats::Entry> field_of(const Case& wanted);

// The result of a game depends on its bots, and on nothing that a restart could change.
GameResult result_of(const Contest& contest, const GamePlan& plan);

// Why an order is refused; empty where it isn't.
std::string refusal_of(const Ordered& ordered);

// Plays a contest, and keeps what a journal would. The order in which games end is drawn by lot.
class Player {
 public:
    // A journal: calls back once the records are committed, at once or later, or never.
    using Append = std::function<void(const std::vector<records::Record>&, std::function<void()>)>;

    Player(Contest& contest, std::uint64_t seed, Append append = {})
        : contest_(contest), random_(seed), append_(std::move(append)) {}
    virtual ~Player() = default;

    void begin(std::vector<formats::Entry> field);
    void order(Ordered ordered);
    // What was changed is committed.
    void keep(std::vector<records::Record> records);
    // The i-th game that waits begins, or the next; one that has begun ends so.
    GamePlan start(std::size_t i = 0);
    void end(const GameResult& result);
    // A restart: plays that a cut left open are ended first.
    void pick_up();
    // Whether there was anything to do.
    virtual bool step();
    void play(std::size_t steps_most = 10'000);

    std::vector<records::Record> log;
    // Where each append ends: a journal never tears an append apart.
    std::vector<std::size_t> ends;

 protected:
    Contest& contest_;

 private:
    tests::Random random_;
    Append append_;
    std::vector<GamePlan> running_;
};

// A contest that has begun, with the player of its games.
struct Begun {
    explicit Begun(const Case& wanted) : Begun(config_of(wanted), field_of(wanted)) {}
    Begun(config::TournamentConfig chosen, std::vector<formats::Entry> field)
        : config(std::move(chosen)), contest(config, game_named(config.game)), player(contest, 1) {
        player.begin(std::move(field));
    }

    const config::TournamentConfig config;
    Contest contest;
    Player player;
};

// What a restart makes of the records, or of the first of them. Each must fit.
class Restarted : public Contest {
 public:
    Restarted(const config::TournamentConfig& config, const std::vector<records::Record>& log,
              std::size_t most = SIZE_MAX);
};

// Restarts it behind each append, or behind each so many-th, and plays on from there to the end.
// `check` is told of the contest and its player, which has the records from the beginning on.
template <typename Kind, typename Check>
void cut_and_play_on(const config::TournamentConfig& config, const Kind& played, const Check& check,
                     std::size_t every = 1) {
    for (std::size_t end = 0; end < played.ends.size(); end += every) {
        const auto cut = played.ends[end];
        SCOPED_TRACE("cut behind record " + std::to_string(cut));
        Restarted again(config, played.log, cut);
        Kind player(again, cut);
        player.log.assign(played.log.begin(),
                          played.log.begin() + static_cast<std::ptrdiff_t>(cut));
        player.pick_up();
        player.play();
        check(again, player);
        ASSERT_FALSE(::testing::Test::HasFailure());
    }
}

// Both came to the same.
void expect_same(const Contest& one, const Contest& other);
// A restart of all records makes the same contest.
void expect_same_after_restart(const Begun& played);
// A restart behind each append fits, and behind the last order it goes on to the same end.
void expect_same_after_restarts(const Begun& played);

// The games that wait to begin, in their order.
std::vector<GameKey> waiting_in(const Contest& contest);
// The names of those who sit there.
std::vector<std::string> names_of(const Contest& contest, const std::vector<Entrant>& seats);
// The bots of each match that these records draw, by ordinal.
std::map<std::uint64_t, std::vector<std::string>> drawn_in(
    const std::vector<records::Record>& records);
// What a contest came to, in a form that can be compared.
std::map<std::uint64_t, std::vector<engines::Score>> points_of(const Contest& contest);
using ByeTuple = std::tuple<std::uint32_t, Entrant, engines::Score, standings::ByeKind>;
std::vector<ByeTuple> byes_of(const Contest& contest);

}  // namespace referee::contests

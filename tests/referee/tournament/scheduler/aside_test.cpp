#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/limits.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

// Games that are annulled again and again are set aside: everything else goes on, and these are
// tried alone.

namespace tests::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr unsigned plays_among_all = referee::limits::played_again_max + 1;

// Players, some of whom lose games to stalls of the referee.
struct Troubled {
    explicit Troubled(SchedulerFixture& its_hall) : hall(its_hall) {}

    ScriptedBot& log_in(const std::string& name) {
        auto& bot = hall.room.log_in(name);
        players.push_back(&bot);
        return bot;
    }
    // A game without its attempt: "t/1.1".
    static std::string bare(const std::string& game) { return game.substr(0, game.find('~')); }
    static unsigned attempt(const std::string& game) { return referee::game_key(game)->attempt; }
    void answer(ScriptedBot& bot) {
        for (const auto& message : std::exchange(bot.messages, {})) {
            const auto game = message.value("game_id", std::string());
            if (message["type"] == "start") bot.say(Json{{"type", "ready"}, {"game_id", game}});
            if (message["type"] != "turn") continue;
            if (bare(game) != cursed || attempt(game) > cursed_plays) {
                bot.move(message["game_id"], message["turn"], "L");
                continue;
            }
            // The move is late, but the referee stood still for longer than that.
            hall.room.world.stall(300ms);
            hall.room.world.outside().schedule(hall.room.world.now() + 1450ms, [&bot, message] {
                bot.move(message["game_id"], message["turn"], "L");
            });
        }
    }
    void pass(
        Duration time, const std::function<bool()>& done = [] { return false; }) {
        const auto end = hall.room.world.now() + time;
        while (hall.room.world.now() < end && !hall.ending && !done()) {
            for (auto* bot : players) answer(*bot);
            hall.room.pass(10ms);
            // While a game is tried alone, nothing else is played.
            for (; seen < hall.started.size(); ++seen) {
                const auto& game = hall.started[seen];
                if (bare(game) != cursed || attempt(game) <= plays_among_all) continue;
                EXPECT_LE(hall.scheduler->games_running(), 1U) << game;
                tries.push_back(hall.room.world.now());
            }
        }
    }
    bool is_set_aside() const { return !hall.contest().set_aside.empty(); }
    std::vector<unsigned> annulled_attempts() const {
        std::vector<unsigned> found;
        for (const auto* game : hall.games_recorded()) {
            if (game->result.status == GameStatus::annulled)
                found.push_back(game->result.key.attempt);
        }
        return found;
    }

    SchedulerFixture& hall;
    std::vector<ScriptedBot*> players;
    std::string cursed = "t/1.1";
    unsigned cursed_plays = plays_among_all;  // and the next goes well
    std::size_t seen = 0;
    std::vector<Instant> tries;  // alone
};

TEST(Aside, everything_else_goes_on_and_a_try_alone_that_succeeds_ends_it) {
    SchedulerFixture hall;
    Troubled field(hall);
    for (const auto* name : {"ada", "bob", "cam", "dan"}) field.log_in(name);
    hall.config.format.options = referee::formats::RoundRobinOptions{.cycles = 2};
    hall.start({"ada", "bob", "cam", "dan"});
    field.pass(60s, [&] { return field.is_set_aside(); });
    ASSERT_TRUE(field.is_set_aside());
    const auto aside_at = hall.room.world.now();
    EXPECT_THAT(hall.contest().set_aside, HasSubstr("t/1.1~4 is set aside"));
    hall.room.pass(2ms);  // that is recorded
    EXPECT_THAT(hall.waits(), Contains(HasSubstr("game t/1.1~5 of t (")));
    const auto before = hall.games_recorded().size();
    field.pass(200s, [&] { return !field.tries.empty(); });
    ASSERT_EQ(field.tries.size(), 1U);
    EXPECT_GE(field.tries[0] - aside_at, referee::limits::rest_before_try - 1s);
    EXPECT_EQ(hall.games_recorded().size(), plays_among_all + 11U)
        << "all others were played before, " << before << " when it was set aside";
    field.pass(60s);
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(hall.ending->kind, SchedulerEnding::Kind::finished);
    EXPECT_EQ(hall.contest().set_aside, "");
    EXPECT_EQ(hall.contest().matches_played, 12U);
    EXPECT_THAT(field.annulled_attempts(), ElementsAre(1, 2, 3, 4));
}

// There is always something else to play. At last the scheduler holds that back, so that the game
// can be tried.
TEST(Aside, a_tournament_beside_it_that_always_plays_does_not_keep_it_from_being_tried) {
    SchedulerFixture hall;
    hall.stays = true;
    Troubled field(hall);
    for (const auto* name : {"ada", "bob", "cam", "dan", "eve", "fay"}) field.log_in(name);
    hall.start({"ada", "bob"});
    auto& config = hall.config;
    config.id = "u";
    config.format.options = referee::formats::RoundRobinOptions{.cycles = 600};
    config.bots.clear();
    for (const auto* name : {"cam", "dan", "eve", "fay"}) {
        config.bots.push_back(hall.bots.size());
        hall.bots.emplace_back().name = name;
    }
    hall.add_contest();
    field.pass(60s, [&] { return field.is_set_aside(); });
    ASSERT_TRUE(field.is_set_aside());
    const auto beside = [&] { return *hall.scheduler->status_of("u"); };
    const auto from = hall.room.world.now();
    const auto played = beside().matches_played;
    field.pass(200s, [&] { return hall.contest().state == TournamentState::finished; });
    EXPECT_EQ(hall.contest().state, TournamentState::finished);
    ASSERT_EQ(field.tries.size(), 1U);
    EXPECT_GE(field.tries[0] - from,
              referee::limits::rest_before_try + referee::limits::unrest_waited_max - 1s);
    EXPECT_LT(field.tries[0] - from,
              referee::limits::rest_before_try + referee::limits::unrest_waited_max + 10s);
    EXPECT_GT(beside().matches_played, played + 10) << "it went on meanwhile";
    const auto then = beside().matches_played;
    field.pass(10s);
    EXPECT_GT(beside().matches_played, then) << "and afterwards";
    EXPECT_EQ(beside().state, TournamentState::running);
}

TEST(Aside, a_run_ends_without_a_game_that_was_tried_often_enough_and_tells_it_as_missing) {
    SchedulerFixture hall;
    Troubled field(hall);
    for (const auto* name : {"ada", "bob"}) field.log_in(name);
    field.cursed_plays = 100;
    hall.start({"ada", "bob"});
    field.pass(400s);
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(hall.ending->kind, SchedulerEnding::Kind::stuck);
    EXPECT_THAT(hall.ending->message, HasSubstr("t/1.1~7"));
    EXPECT_EQ(field.tries.size(), referee::limits::tries_alone_max);
    EXPECT_THAT(field.annulled_attempts(), ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

}  // namespace
}  // namespace tests::sim

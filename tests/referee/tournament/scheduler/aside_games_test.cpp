#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "referee/tournament/contests/matches.h"
#include "referee/tournament/scheduler/scheduled_contest.h"
#include "tests/referee/tournament/scheduler/scheduled_room.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

namespace tests::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr unsigned plays_among_others = referee::contests::played_again_max + 1;

// One match of one game, which is set aside.
class AsideGamesTest : public ::testing::Test {
 protected:
    explicit AsideGamesTest(unsigned tries_alone = 0) {
        room.open({"ada", "bob"});
        room.draw();
        room.log_in({"ada", "bob"});
        for (unsigned i = 0; i < plays_among_others + tries_alone; ++i)
            room.end_game(GameStatus::annulled);
    }
    referee::scheduler::AsideGames& aside() { return room.scheduled->aside; }
    bool may_try() { return aside().may_try(room.first_game()); }
    std::vector<std::string> waits() {
        return told(waits_of([this](auto& found) { aside().add_waits(found); }), room.now());
    }
    // The referee stands still for some of each second.
    void pass_with_stalls(Duration time) {
        for (; time > 0s; time -= 1s) {
            room.room.world.stall(200ms);
            room.pass(1s);
        }
    }
    ScheduledRoom room;
};

TEST(AsideGames, a_game_that_was_annulled_less_often_is_none) {
    ScheduledRoom room;
    room.open({"ada", "bob"});
    room.draw();
    for (unsigned i = 0; i + 1 < plays_among_others; ++i) room.end_game(GameStatus::annulled);
    EXPECT_FALSE(room.scheduled->aside.has(room.first_game()));
    room.end_game(GameStatus::annulled);
    EXPECT_TRUE(room.scheduled->aside.has(room.first_game()));
}

TEST_F(AsideGamesTest, what_somebody_is_to_forfeit_is_none) {
    ASSERT_TRUE(aside().has(room.first_game()));
    room.withdraw("bob");
    EXPECT_FALSE(aside().has(room.first_game())) << "though bob is here";
    EXPECT_THAT(waits(), IsEmpty());
}

TEST_F(AsideGamesTest, it_is_tried_when_it_has_rested_once_for_each_try) {
    aside().note();
    EXPECT_FALSE(may_try());
    room.pass(referee::scheduler::rest_before_try / 2);
    aside().note();
    room.pass(referee::scheduler::rest_before_try / 2 - 1ms);
    EXPECT_FALSE(may_try());
    room.pass(1ms);
    EXPECT_EQ(room.looked, 1) << "somebody looks then";
    EXPECT_TRUE(may_try()) << "the second note changed nothing";
    aside().begun(room.first_game());
    aside().note();
    EXPECT_FALSE(may_try());
}

TEST_F(AsideGamesTest, each_further_rest_is_twice_as_long) {
    room.end_game(GameStatus::annulled);
    room.end_game(GameStatus::annulled);
    ASSERT_EQ(room.first_game().try_alone, 3U);
    aside().note();
    room.pass(referee::scheduler::rest_before_try * 4 - 1ms);
    EXPECT_FALSE(may_try());
    room.pass(1ms);
    EXPECT_TRUE(may_try());
}

TEST_F(AsideGamesTest, it_is_not_tried_beside_another_game) {
    aside().note();
    room.pass(referee::scheduler::rest_before_try);
    const auto other = room.tables.open({});
    EXPECT_FALSE(may_try());
    room.pass(referee::scheduler::unrest_waited_max + 1s);
    EXPECT_FALSE(may_try()) << "however long it has waited";
    room.tables.close(other);
    EXPECT_TRUE(may_try());
}

TEST_F(AsideGamesTest, it_waits_for_a_calm_machine_and_not_for_ever) {
    aside().note();
    pass_with_stalls(referee::scheduler::rest_before_try);
    EXPECT_FALSE(may_try());
    const auto looked = room.looked;
    room.pass(referee::scheduler::rest_before_try / 10);
    EXPECT_EQ(room.looked, looked + 1) << "a machine that isn't calm is looked at again soon";
    pass_with_stalls(referee::scheduler::unrest_waited_max - 2s);
    EXPECT_FALSE(may_try());
    pass_with_stalls(1s);
    EXPECT_TRUE(may_try());
}

TEST_F(AsideGamesTest, a_game_that_waited_too_long_holds_others_back) {
    aside().note();
    room.pass(referee::scheduler::rest_before_try + referee::scheduler::unrest_waited_max - 1ms);
    EXPECT_FALSE(aside().hold_others_back());
    room.pass(1ms);
    EXPECT_TRUE(aside().hold_others_back());
    aside().begun(room.first_game());
    EXPECT_FALSE(aside().hold_others_back());
}

TEST_F(AsideGamesTest, a_game_that_can_not_be_played_holds_nobody_back) {
    aside().note();
    room.pass(referee::scheduler::rest_before_try + referee::scheduler::unrest_waited_max);
    room.log_out("bob");
    EXPECT_FALSE(aside().hold_others_back());
    EXPECT_THAT(room.wanted, ElementsAre("bob")) << "it is called";
    room.comings["bob"].until = room.now() + 5s;
    EXPECT_TRUE(aside().hold_others_back()) << "it is on its way";
    room.comings["bob"].failing = true;
    EXPECT_FALSE(aside().hold_others_back());
    room.log_in({"bob"}, other_games);
    EXPECT_FALSE(aside().hold_others_back()) << "it plays another game";
}

TEST_F(AsideGamesTest, it_is_told_with_the_time_of_its_try) {
    const std::string text =
        "game t/1.1~5 of t (ada and bob) is set aside: it was annulled 4 times "
        "(so the test says); it is ";
    EXPECT_THAT(waits(), ElementsAre(text + "not tried any more in this run"))
        << "its rest has not begun";
    aside().note();
    EXPECT_THAT(waits(), ElementsAre(text + "tried alone when the machine is calm, 0:10 left"));
    room.pass(referee::scheduler::rest_before_try);
    EXPECT_THAT(waits(), ElementsAre(text + "tried alone when the machine is calm, 1:00 left"));
    room.order(room.contest().set_state(referee::records::TournamentState::running, "again"));
    EXPECT_FALSE(aside().has(room.first_game()));
    EXPECT_THAT(waits(), IsEmpty()) << "it is among the others";
    aside().note();
    EXPECT_FALSE(aside().hold_others_back());
}

// The same, tried alone as often as can be.
class GivenUp : public AsideGamesTest {
 protected:
    GivenUp() : AsideGamesTest(referee::scheduler::tries_alone_max) {}
};

TEST_F(GivenUp, it_is_tried_no_more_where_the_run_is_to_end) {
    EXPECT_TRUE(aside().hopeless());
    aside().note();
    room.pass(referee::scheduler::rest_before_try_max + referee::scheduler::unrest_waited_max);
    EXPECT_FALSE(may_try());
    EXPECT_FALSE(aside().hold_others_back());
    EXPECT_THAT(waits(), ElementsAre(::testing::EndsWith("it is not tried any more in this run")));
    room.order(room.contest().set_state(referee::records::TournamentState::paused, "lunch"));
    EXPECT_FALSE(aside().hopeless()) << "a contest that does not run";
}

TEST_F(GivenUp, it_is_tried_on_where_the_run_stays_as_long_as_it_does) {
    room.settings.stays = true;
    EXPECT_FALSE(aside().hopeless());
    aside().note();
    room.pass(referee::scheduler::rest_before_try_max);
    EXPECT_TRUE(may_try());
    room.pass(referee::scheduler::unrest_waited_max);
    EXPECT_TRUE(aside().hold_others_back());
    room.settings.stays = false;
    EXPECT_FALSE(aside().hold_others_back());
    EXPECT_FALSE(may_try());
}

TEST_F(AsideGamesTest, a_contest_with_tries_left_is_not_hopeless) {
    EXPECT_FALSE(aside().hopeless());
}

TEST(AsideGames, a_contest_with_another_game_or_with_none_is_not_hopeless) {
    ScheduledRoom room;
    room.open({"ada", "bob", "cam"});
    EXPECT_FALSE(room.scheduled->aside.hopeless()) << "no game waits";
    room.draw();
    // An annulled game is the first of all, until it is set aside; then it is the last.
    for (unsigned i = 0; i < plays_among_others; ++i) room.end_game(GameStatus::annulled);
    for (unsigned i = 0; i < referee::scheduler::tries_alone_max; ++i)
        room.end(room.contest().take(room.contest().waiting().size() - 1), GameStatus::annulled);
    ASSERT_GT(room.contest().waiting().back().try_alone, referee::scheduler::tries_alone_max);
    ASSERT_EQ(room.first_game().try_alone, 0U);
    EXPECT_FALSE(room.scheduled->aside.hopeless());
}

// Games that are annulled again and again are set aside: everything else goes on, and these are
// tried alone.

// Players, some of whom lose games to stalls of the referee.
class Aside : public SchedulerTest {
 protected:
    // A game without its attempt: "t/1.1".
    static std::string bare(const std::string& game) { return game.substr(0, game.find('~')); }
    static unsigned attempt(const std::string& game) { return referee::game_key(game)->attempt; }
    void answer(ScriptedBot& bot) {
        auto& heard = bot.messages;
        const auto is_cursed = [this](const Json& message) {
            const auto game = message.value("game_id", std::string());
            return message["type"] == "turn" && bare(game) == cursed &&
                   attempt(game) <= cursed_plays;
        };
        for (const auto& message : heard) {
            if (!is_cursed(message)) continue;
            // The move is late, but the referee stood still for longer than that.
            room.world.stall(300ms);
            room.world.later(
                1450ms, [&bot, message] { bot.move(message["game_id"], message["turn"], "L"); });
        }
        std::erase_if(heard, is_cursed);
        bot.play();
    }
    void pass(
        Duration time, const std::function<bool()>& done = [] { return false; }) {
        const auto end = room.world.now() + time;
        while (room.world.now() < end && !ending && !done()) {
            for (auto* bot : players) answer(*bot);
            room.pass(10ms);
            for (; seen < started.size(); ++seen) {
                const auto& game = started[seen];
                if (bare(game) != cursed || attempt(game) <= plays_among_others) continue;
                tries.push_back(room.world.now());
            }
            // While a game is tried alone, nothing else is played.
            const bool alone = !tries.empty() && !room.lobby->bot("ada").places().empty();
            EXPECT_TRUE(!alone || scheduler->games_running() <= 1) << started.back();
        }
    }
    bool is_set_aside() const { return !contest().set_aside.empty(); }
    std::vector<unsigned> annulled_attempts() const {
        std::vector<unsigned> found;
        for (const auto* game : games_recorded()) {
            if (game->result.status == GameStatus::annulled)
                found.push_back(game->result.key.attempt);
        }
        return found;
    }

    std::vector<ScriptedBot*> players;
    const std::string cursed = "t/1.1";
    unsigned cursed_plays = plays_among_others;  // and the next goes well
    std::size_t seen = 0;
    std::vector<Instant> tries;  // alone
};

// There is always something else to play. At last the scheduler holds that back, so that the game
// can be tried.
TEST_F(Aside, a_tournament_beside_it_that_always_plays_does_not_keep_it_from_being_tried) {
    stays = true;
    players = come({"ada", "bob", "cam", "dan", "eve", "fay"});
    start({"ada", "bob"});
    config.id = "u";
    config.format.options = referee::formats::RoundRobinOptions{.cycles = 600};
    config.bots.clear();
    enter({"cam", "dan", "eve", "fay"});
    add_contest();
    pass(60s, [&] { return is_set_aside(); });
    ASSERT_TRUE(is_set_aside());
    const auto other = [&] { return *scheduler->status_of("u"); };
    const auto from = room.world.now();
    const auto played = other().matches_played;
    pass(200s, [&] { return contest().state == TournamentState::finished; });
    EXPECT_EQ(contest().state, TournamentState::finished);
    ASSERT_EQ(tries.size(), 1U);
    EXPECT_GE(tries[0] - from,
              referee::scheduler::rest_before_try + referee::scheduler::unrest_waited_max - 1s);
    EXPECT_LT(tries[0] - from,
              referee::scheduler::rest_before_try + referee::scheduler::unrest_waited_max + 10s);
    EXPECT_GT(other().matches_played, played + 10) << "it went on meanwhile";
    const auto then = other().matches_played;
    pass(10s);
    EXPECT_GT(other().matches_played, then) << "and afterwards";
    EXPECT_EQ(other().state, TournamentState::running);
}

TEST_F(Aside, a_run_ends_without_a_game_that_was_tried_often_enough_and_tells_it_as_missing) {
    players = come({"ada", "bob"});
    cursed_plays = 100;
    start({"ada", "bob"});
    pass(400s);
    ASSERT_EQ(ended(), SchedulerEnding::Kind::set_aside);
    EXPECT_THAT(ending->message, HasSubstr("t/1.1~7"));
    EXPECT_EQ(tries.size(), referee::scheduler::tries_alone_max);
    EXPECT_THAT(annulled_attempts(), ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

}  // namespace
}  // namespace tests::sim

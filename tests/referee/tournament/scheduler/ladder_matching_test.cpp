#include "referee/tournament/scheduler/ladder_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/tournament/scheduler/scheduled_room.h"
#include "tests/sim/simulated_bot.h"

namespace tests::sim {
namespace {

using referee::scheduler::LadderMatching;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

// A ladder of matches of one game, with the rest that the test asks for.
class LadderMatchingTest : public ::testing::Test {
 protected:
    explicit LadderMatchingTest(Duration rest = 0s) {
        room.config.format.options = referee::formats::LadderOptions{};
        room.config.rest = rest;
    }
    void open(const Names& names, const Names& here) {
        room.open(names);
        room.log_in(here);
    }
    LadderMatching& ladder() { return room.scheduled->ladder; }
    // How many matches are open once all is drawn that can be.
    std::size_t drawn() {
        ladder().offer();
        room.draw();
        return room.contest().open_matches().size();
    }
    // Ada and bob are here, and their first match is open.
    void draw_two() {
        open({"ada", "bob"}, {"ada", "bob"});
        ASSERT_EQ(drawn(), 1U);
    }
    // The first match is played.
    referee::formats::MatchResult play(const std::string& fingerprint = {}) {
        const auto match = room.end(room.contest().take(0), GameStatus::played, fingerprint);
        EXPECT_TRUE(match);
        ladder().rest(*match);
        return *match;
    }
    std::optional<LadderMatching::Dropped> drop() {
        auto dropped = ladder().drop_deserted(room.first_game());
        room.contest().committed(room.contest().changes());
        return dropped;
    }
    std::vector<Wait> rests() {
        return waits_of([this](auto& found) { ladder().add_rests(found); });
    }
    Names rests_told() { return told(rests(), room.now()); }
    Names leavers() {
        return told(waits_of([this](auto& found) { ladder().add_leavers(found); }), room.now());
    }
    ScheduledRoom room;
};

TEST_F(LadderMatchingTest, those_who_are_here_are_paired_and_the_others_called) {
    open({"ada", "bob", "cam"}, {"ada", "cam"});
    EXPECT_EQ(drawn(), 1U);
    EXPECT_THAT(room.contest().open_matches()[0].seats, ::testing::UnorderedElementsAre(0, 2));
    EXPECT_THAT(room.wanted, ElementsAre("bob"));
}

TEST_F(LadderMatchingTest, who_sits_in_a_match_or_elsewhere_is_not_free) {
    open({"ada", "bob", "cam"}, {"ada", "bob", "cam"});
    std::optional<OtherGame> other(std::in_place, room.bot("cam"));
    EXPECT_EQ(drawn(), 1U);
    EXPECT_EQ(drawn(), 1U) << "ada and bob sit in it";
    EXPECT_THAT(rests_told(), ElementsAre("t waits for cam, who plays elsewhere"));
    other.reset();
    EXPECT_EQ(drawn(), 1U) << "cam alone makes no match";
}

TEST_F(LadderMatchingTest, who_plays_other_games_or_is_withdrawn_is_not_paired) {
    open({"ada", "bob", "cam"}, {"ada", "bob"});
    room.log_in({"cam"}, other_games);
    room.withdraw("bob");
    EXPECT_EQ(drawn(), 0U);
    EXPECT_THAT(room.wanted, IsEmpty());
}

TEST_F(LadderMatchingTest, who_was_met_last_is_met_again_only_after_some_patience) {
    open({"ada", "bob", "cam"}, {"ada", "bob", "cam"});
    const OtherGame other(room.bot("cam"));
    ASSERT_EQ(drawn(), 1U);
    play();
    EXPECT_EQ(drawn(), 0U) << "cam is here, and they wait for it";
    room.pass(referee::scheduler::ladder_patience - 1ms);
    EXPECT_EQ(drawn(), 0U);
    const auto looked = room.looked;
    room.pass(1ms);
    EXPECT_EQ(room.looked, looked + 1) << "somebody looks then";
    EXPECT_EQ(drawn(), 1U);
}

TEST_F(LadderMatchingTest, who_played_is_free_when_that_is_recorded) {
    draw_two();
    const auto id = room.sit();
    room.tables.stop("enough");
    ASSERT_TRUE(room.end(room.tables.at(id).plan, GameStatus::played));
    EXPECT_EQ(drawn(), 0U);
    room.tables.close(id);
    EXPECT_EQ(drawn(), 1U);
}

TEST(LadderMatching, says_nothing_of_other_formats) {
    ScheduledRoom room;
    room.open({"ada", "bob"});
    room.draw();
    room.scheduled->ladder.offer();
    EXPECT_THAT(room.wanted, IsEmpty());
    EXPECT_FALSE(room.scheduled->ladder.drop_deserted(room.first_game()));
}

class Rests : public LadderMatchingTest {
 protected:
    Rests() : LadderMatchingTest(30s) {}
};

TEST_F(Rests, who_played_rests) {
    draw_two();
    room.pass(5s);
    play();
    room.pass(29s);
    EXPECT_EQ(drawn(), 0U);
    EXPECT_THAT(rests_told(), ElementsAre("t waits for ada and bob, who rest, 0:01 left"));
    EXPECT_TRUE(rests()[0].routine);
    const auto looked = room.looked;
    room.pass(1s);
    EXPECT_EQ(room.looked, looked + 1) << "somebody looks then";
    EXPECT_THAT(rests(), IsEmpty());
    EXPECT_EQ(drawn(), 1U);
}

TEST_F(Rests, the_first_rest_that_ends_is_told) {
    open({"ada", "bob", "cam", "dan"}, {"ada", "bob", "cam", "dan"});
    ASSERT_EQ(drawn(), 2U);
    play();
    room.pass(10s);
    play();
    EXPECT_THAT(rests_told(),
                ElementsAre("t waits for ada, bob, cam and dan, who rest, 0:20 left"));
    room.tables.open({.key = {"t", 3, 1, 1}, .entrants = {}});
    EXPECT_THAT(rests(), IsEmpty()) << "a game of it is played";
}

TEST_F(Rests, a_ladder_with_too_few_bots_waits_for_opponents) {
    draw_two();
    play();
    room.log_out("bob");
    EXPECT_EQ(drawn(), 0U);
    EXPECT_THAT(rests_told(), ElementsAre("t waits for opponents to connect: 1 bot is here"))
        << "though ada rests too";
    EXPECT_FALSE(rests()[0].routine);
    room.launched = {"bob"};
    EXPECT_THAT(rests_told(), ElementsAre("t waits for ada and bob, who rest, 0:30 left"))
        << "a launched bot leaves after its game";
    room.comings["bob"].launch = "is being launched";
    room.log_in({"bob"}, other_games);
    EXPECT_THAT(rests_told(), ElementsAre("t waits for opponents to connect: 1 bot is here"))
        << "nothing is said of a launch for another game";
}

TEST_F(Rests, a_launch_that_fails_is_news_only_where_the_ladder_stands_still_for_it) {
    open({"ada", "bob", "cam"}, {"ada", "bob"});
    room.comings["cam"] = {
        .until = {}, .absence = {}, .launch = "is launched again", .failing = true};
    EXPECT_TRUE(rests().back().routine);
    room.log_out("bob");
    EXPECT_FALSE(rests().back().routine);
    room.comings["cam"].failing = false;
    EXPECT_TRUE(rests().at(0).routine) << "it is on its way";
}

TEST_F(LadderMatchingTest, who_is_free_beside_a_match_that_waits_is_told_to_wait_for_opponents) {
    open({"ada", "bob", "cam"}, {"ada", "cam"});
    room.contest().offer({0, 1}, 2);  // drawn while both were there
    room.draw();
    const auto waits = [this] {
        return told(waits_of([this](auto& found) { room.scheduled->add_waits(found); }),
                    room.now());
    };
    EXPECT_FALSE(drop());
    EXPECT_THAT(waits(), ElementsAre("a game of t waits for bob, who is away, 0:05 left; then it "
                                     "is forfeited",
                                     "t waits for opponents to connect: 2 bots are here"));
    room.log_out("cam");
    EXPECT_EQ(waits().size(), 1U) << "nobody is free";
}

class Repeats : public Rests {
 protected:
    void SetUp() override { open({"ada", "bob"}, {"ada", "bob"}); }
    // They play so; then how long it takes until they are matched again.
    Duration pause_after(const std::string& fingerprint) {
        EXPECT_EQ(drawn(), 1U);
        play(fingerprint);
        Duration passed{};
        for (; drawn() == 0; passed += 10s) room.pass(10s);
        return passed;
    }
    // They rest from each other for 30 s more.
    void repeat() {
        for (int i = 0; i < 3; ++i) pause_after("the same");
        play("the same");
        room.pass(30s);
        ASSERT_EQ(drawn(), 0U);
    }
};

TEST_F(Repeats, two_rest_from_each_other_twice_as_long_each_time_and_play_on_at_last) {
    for (const auto pause : {30s, 30s, 60s, 60s, 120s, 120s, 240s, 240s, 480s, 480s, 960s, 960s,
                             1920s, 1920s, 1920s, 1920s})
        EXPECT_EQ(pause_after("the same"), pause);
    EXPECT_EQ(pause_after("another"), 30s);
    EXPECT_EQ(pause_after("the same"), 1920s) << "each order of seats is counted alone";
}

TEST_F(Repeats, that_is_told_and_somebody_looks_at_its_end) {
    repeat();
    EXPECT_THAT(rests_told(), ElementsAre("t rests: ada and bob would play the same games again, "
                                          "0:30 left"));
    EXPECT_EQ(remedy_of(rests()[0]), "a new bot or a changed program wakes it");
    const auto looked = room.looked;
    room.pass(30s);
    EXPECT_EQ(room.looked, looked + 1);
}

TEST_F(Repeats, each_meets_others_meanwhile) {
    repeat();
    room.order(room.contest().admit({.name = "cam"}));
    room.log_in({"cam"});
    EXPECT_EQ(drawn(), 1U);
    EXPECT_THAT(room.contest().open_matches()[0].seats, ::testing::Contains(2U));
}

TEST_F(Repeats, ends_where_another_program_may_play) {
    repeat();
    const auto drawn_after_a_login = [this] {
        room.log_out("bob");
        room.log_in({"bob"});
        return drawn();
    };
    EXPECT_EQ(drawn_after_a_login(), 1U) << "who dials in may be another one each time";
    SimulatedProcess program;
    program.launched.program = "first";
    room.bot("bob").set_process(&program);
    play("the same");
    room.pass(30s);
    EXPECT_EQ(drawn_after_a_login(), 0U) << "launched once more, it is the same";
    program.launched.program = "second";
    EXPECT_EQ(drawn(), 1U);
    room.bot("bob").set_process(nullptr);
}

TEST_F(LadderMatchingTest, the_match_of_a_bot_that_went_is_dropped_and_the_bot_waits) {
    draw_two();
    EXPECT_FALSE(drop()) << "both are here";
    room.log_out("bob");
    const auto dropped = drop();
    ASSERT_TRUE(dropped);
    EXPECT_EQ(dropped->reason, "t/1: bob left before the first turn");
    ASSERT_EQ(dropped->records.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<referee::records::DroppedRecord>(dropped->records[0]));
    EXPECT_THAT(room.contest().waiting(), IsEmpty());
    EXPECT_EQ(room.contest().left_in_a_row(1), 1U);
    room.log_in({"bob"});
    EXPECT_THAT(leavers(), ElementsAre("t does not match bob, who left a match before the first "
                                       "turn, 0:05 left"));
    EXPECT_EQ(drawn(), 0U) << "it waits, though it is back";
    room.pass(referee::scheduler::leaver_waits_first);
    EXPECT_GE(room.looked, 1) << "somebody looks then";
    EXPECT_THAT(leavers(), IsEmpty());
    EXPECT_EQ(drawn(), 1U);
}

TEST_F(LadderMatchingTest, who_left_and_has_to_wait_is_told_once_on_each_connection) {
    draw_two();
    room.log_out("bob");
    ASSERT_TRUE(drop());
    const auto until = room.now() + referee::scheduler::leaver_waits_first;
    room.log_in({"bob"});
    ladder().offer();
    ladder().offer();
    room.pass(1ms);
    ASSERT_EQ(room.player("bob").heard("note").size(), 1U);
    const auto note = room.player("bob").last("note");
    EXPECT_EQ(note["code"], "left_matches");
    EXPECT_NEAR(note["wait_us"].get<double>(),
                static_cast<double>(referee::in_us(until - room.now())), 10'000.0);
    room.log_out("bob");
    ladder().offer();
    room.log_in({"bob"});
    ladder().offer();
    room.pass(1ms);
    EXPECT_EQ(room.player("bob").heard("note").size(), 1U) << "on the new one too";
}

TEST_F(LadderMatchingTest, each_further_match_that_was_left_doubles_the_wait) {
    open({"ada", "bob"}, {"ada"});
    for (const auto* left : {"0:05 left", "0:10 left", "0:20 left"}) {
        room.pass(10s);
        room.log_in({"bob"});
        ASSERT_EQ(drawn(), 1U);
        room.log_out("bob");
        ASSERT_TRUE(drop());
        EXPECT_THAT(leavers(), ElementsAre(::testing::EndsWith(left)));
    }
    room.withdraw("bob");
    EXPECT_THAT(leavers(), IsEmpty()) << "who is withdrawn waits for nothing";
}

TEST_F(LadderMatchingTest, who_was_drawn_before_a_restart_has_time_to_come) {
    open({"ada", "bob"}, {"ada"});
    room.contest().offer({0, 1}, 2);  // drawn while both were there
    room.draw();
    EXPECT_FALSE(drop());
    room.comings["bob"].until = room.now() + 30s;
    room.pass(room.config.no_show_after - 1ms);
    room.scheduled->attendance.excuse();
    EXPECT_FALSE(drop());
    room.pass(1ms);
    const auto dropped = drop();
    ASSERT_TRUE(dropped) << "no excuse and no launch makes its time longer";
    EXPECT_EQ(dropped->reason, "t/1: bob did not come back");
    EXPECT_EQ(room.contest().left_in_a_row(1), 0U) << "it did not leave by itself";
    EXPECT_THAT(leavers(), IsEmpty());
}

TEST_F(LadderMatchingTest, the_match_of_a_bot_that_is_withdrawn_is_dropped_without_blame) {
    draw_two();
    room.withdraw("bob");
    const auto dropped = drop();
    ASSERT_TRUE(dropped);
    EXPECT_EQ(dropped->reason, "t/1: bob is withdrawn");
    EXPECT_EQ(room.contest().left_in_a_row(1), 0U);
}

TEST_F(LadderMatchingTest, a_match_of_which_a_game_counts_is_not_dropped) {
    room.config.match.games = 2;
    draw_two();
    room.end_game(GameStatus::played);
    room.log_out("bob");
    EXPECT_FALSE(drop());
}

TEST_F(LadderMatchingTest, a_game_whose_bot_went_before_the_first_turn_is_ended) {
    draw_two();
    const auto id = room.sit();
    const auto& play = room.tables.at(id).table->play();
    ladder().end_deserted_games();
    EXPECT_FALSE(play.finished()) << "both are here";
    room.log_out("bob");
    ladder().end_deserted_games();
    ASSERT_TRUE(play.finished());
    EXPECT_EQ(play.result().status, GameStatus::interrupted);
    EXPECT_EQ(play.result().reason, "bob left before the first turn: the match is dropped");
    room.end(room.tables.at(id).plan, GameStatus::interrupted);
    EXPECT_FALSE(drop()) << "its place is not closed yet";
    room.tables.close(id);
    room.log_in({"bob"});
    const auto dropped = drop();
    ASSERT_TRUE(dropped) << "whoever has come back by then";
    EXPECT_EQ(dropped->reason, "t/1: bob left before the first turn");
    EXPECT_EQ(room.contest().left_in_a_row(1), 1U);
}

TEST_F(LadderMatchingTest, a_game_of_which_a_turn_was_played_goes_on) {
    draw_two();
    const auto id = room.sit();
    const auto& table = *room.tables.at(id).table;
    for (const auto* name : {"ada", "bob"}) room.player(name).ready(table.game_id());
    room.pass(1ms);
    const auto& first = table.bots()[0]->name();
    room.player(first).move(table.game_id(), room.player(first).last("turn")["turn"], "L");
    room.pass(1ms);
    ASSERT_GT(table.play().turns_played(), 0);
    room.log_out("bob");
    ladder().end_deserted_games();
    EXPECT_FALSE(table.play().finished());
}

TEST_F(LadderMatchingTest, the_end_of_a_launched_bot_is_left_to_its_table) {
    room.launched = {"bob"};
    draw_two();
    const auto id = room.sit();
    room.log_out("bob");
    ladder().end_deserted_games();
    EXPECT_FALSE(room.tables.at(id).table->play().finished());
}

}  // namespace
}  // namespace tests::sim

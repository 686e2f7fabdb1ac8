#include "tests/sim/liveness.h"
#include "referee/tournament/scheduler/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

// A watch that never complains watches nothing: here it looks at tournaments that really stand
// still.

namespace tests::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Never does the work that is to be done beside the loop.
class LostBackground final : public referee::loop::Background {
 public:
    void run(Work /*work*/, Work /*done*/) override {}
};

struct Watched {
    // Lets time pass, and looks now and then.
    std::vector<std::string> complaints_within(Duration time) {
        std::vector<std::string> complaints;
        Liveness liveness(hall.room.world, *hall.room.lobby, *hall.scheduler,
                          [&](const std::string& text) { complaints.push_back(text); });
        for (const auto end = hall.room.world.now() + time; hall.room.world.now() < end;) {
            hall.room.pass(100ms);
            liveness.look();
        }
        return complaints;
    }
    SchedulerFixture hall;
};

TEST(Liveness, complains_of_a_round_that_is_never_drawn) {
    Watched watched;
    LostBackground lost;
    watched.hall.beside = &lost;
    std::vector<std::string> names;
    for (std::size_t i = 0; i <= referee::scheduler::field_drawn_on_the_loop_max; ++i) {
        names.push_back("bot" + std::to_string(i));
        watched.hall.room.log_in(names.back());
    }
    watched.hall.config.format.options = referee::formats::SwissOptions{.rounds = 3};
    watched.hall.start(names);
    EXPECT_THAT(watched.complaints_within(1s), IsEmpty()) << "that may be";
    EXPECT_THAT(watched.complaints_within(3s),
                ElementsAre("all bots of t are there, and nothing is played; the referee says: the "
                            "next round of t is being drawn"));
}

// Its bots have come, but nobody told the scheduler, which would look again only after a minute.
TEST(Liveness, complains_of_bots_that_came_and_were_not_noticed) {
    Watched watched;
    watched.hall.join_within = 1s;
    watched.hall.config.no_show_after = 60s;
    watched.hall.start({"ada", "bob"});
    EXPECT_THAT(watched.complaints_within(5s), IsEmpty()) << "nobody is there";
    watched.hall.room.log_in("ada");
    EXPECT_THAT(watched.complaints_within(5s), IsEmpty()) << "one is missing";
    watched.hall.room.log_in("bob");
    EXPECT_THAT(watched.complaints_within(3s),
                ElementsAre("t stands still, and the referee does not say for whom it waits",
                            "all bots of t are there, and nothing is played; the referee does not "
                            "say for whom it waits"));
    watched.hall.scheduler->pump();
    EXPECT_THAT(watched.complaints_within(3s), IsEmpty());
}

// As a referee could tell it: each is looked up, and what is wrong is said in words.
TEST(Liveness, knows_which_waits_are_true) {
    using referee::scheduler::Wait;
    using Kind = Wait::Kind;
    SchedulerFixture hall;
    hall.join_within = 60s;
    hall.room.log_in("ada");
    hall.start({"ada", "bob", "cyd"});
    hall.room.pass(100ms);
    const Liveness liveness(hall.room.world, *hall.room.lobby, *hall.scheduler, [](const auto&) {});
    const auto of = [&](Kind kind, std::vector<std::string> bots) {
        return liveness.wrong_with({.kind = kind, .tournament = "t", .bots = std::move(bots)});
    };
    EXPECT_EQ(of(Kind::for_arrivals, {"bob", "cyd"}), "");
    EXPECT_EQ(of(Kind::for_arrivals, {"bob", "ada"}), "ada is there");
    EXPECT_EQ(of(Kind::for_arrivals, {}), "nobody is named");
    EXPECT_EQ(of(Kind::for_arrivals, {"eve"}), "eve takes no part");
    EXPECT_EQ(of(Kind::for_bot, {"bob"}), "");
    EXPECT_EQ(of(Kind::for_bot, {"ada"}), "ada is there");
    EXPECT_EQ(of(Kind::for_return, {"ada"}), "ada is there");
    EXPECT_EQ(of(Kind::for_busy, {"ada"}), "ada plays nowhere");
    EXPECT_EQ(of(Kind::for_matches, {"ada"}), "ada has no match left");
    EXPECT_EQ(of(Kind::for_rest, {"ada"}), "ada does not rest");
    EXPECT_EQ(of(Kind::for_leaver, {"ada"}), "ada has left no match");
    EXPECT_EQ(of(Kind::for_start, {}), "it has begun");
    EXPECT_EQ(of(Kind::for_resume, {}), "it is not paused");
    EXPECT_EQ(of(Kind::for_place, {}), "no game is played");
    EXPECT_EQ(liveness.wrong_with({.kind = Kind::for_opponents, .tournament = "t", .count = 2}),
              "1 are");
    EXPECT_EQ(liveness.wrong_with({.kind = Kind::for_bot,
                                   .tournament = "t",
                                   .bots = {"bob"},
                                   .until = hall.room.world.now() - 1ms}),
              "the time for that is over");
    hall.scheduler->orders().withdraw({"t", "ill"}, "bob", hall.answered());
    hall.room.pass(100ms);
    EXPECT_EQ(of(Kind::for_arrivals, {"bob", "cyd"}), "bob is withdrawn");
}

}  // namespace
}  // namespace tests::sim

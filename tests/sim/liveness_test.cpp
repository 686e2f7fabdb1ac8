#include "tests/sim/liveness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/limits.h"
#include "tests/referee/arena/scheduler/hall.h"

// A watch that never complains watches nothing: here it looks at tournaments that really stand
// still.

namespace tests::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Never does the work that is to be done beside the loop.
class LostBackground final : public referee::runtime::Background {
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
    Hall hall;
};

TEST(Liveness, complains_of_a_round_that_is_never_drawn) {
    Watched watched;
    LostBackground lost;
    watched.hall.beside = &lost;
    std::vector<std::string> names;
    for (std::size_t i = 0; i <= referee::limits::field_drawn_on_the_loop_max; ++i) {
        names.push_back("bot" + std::to_string(i));
        watched.hall.room.log_in(names.back());
    }
    watched.hall.config.format.options = referee::tournament::SwissOptions{.rounds = 3};
    watched.hall.start(names);
    EXPECT_THAT(watched.complaints_within(1s), IsEmpty()) << "that may be";
    EXPECT_THAT(watched.complaints_within(3s),
                ElementsAre("all bots are there, and nothing is played"));
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
                ElementsAre("all bots are there, and nothing is played"));
    watched.hall.scheduler->pump();
    EXPECT_THAT(watched.complaints_within(3s), IsEmpty());
}

}  // namespace
}  // namespace tests::sim

// What one bot is told of its game, and what of the others it is not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/game/trace/story.h"

namespace referee::trace {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string fault_of(int seat, const std::string& code, const std::string& secret) {
    return R"({"code":")" + code + R"(","consequence":"none","seat":)" + std::to_string(seat) +
           R"(,"turn":1,"message":"it did wrong: )" + (code == "protocol" ? secret : "so") +
           R"(","rule":"r","rule_text":"t","evidence":{"received":")" + secret +
           R"(","stderr_tail":")" + secret + R"(\n"}})";
}

std::string replay_of(const std::string& status) {
    return R"({"replay":1,"game_id":"t/1.1","game":"walls","seed":4711,"bots":["ann","bob"],)"
           R"("clock":{"kind":"turn","measure":"wall","budget_us":1000}})"
           "\n"
           R"({"moves":["U"]})"
           "\n"
           R"({"result":{"status":")" +
           status + R"(","turns":1,"reason":"so it ended","faults":[)" +
           fault_of(0, "protocol", "anns-line") + ',' + fault_of(1, "protocol", "bobs-line") + ',' +
           fault_of(1, "crashed", "bobs-trace") +
           R"(],"program":["anns-program","bobs-program"],"sandbox":["A","A"],)"
           R"("outcome":{"scores":[1,0],"placing":[1,2]},"used_us":[1,2]}})"
           "\n";
}

TEST(OwnStory, leaves_out_what_the_others_sent_and_printed) {
    const auto told = tell_own_story(replay_of("played"), "f", "ann");
    ASSERT_TRUE(told) << told.error().message;
    ASSERT_TRUE(*told);
    const auto& own = **told;
    EXPECT_THAT(own.text, HasSubstr("anns-line"));
    EXPECT_THAT(own.text, HasSubstr("anns-program"));
    EXPECT_THAT(own.text, HasSubstr("bob: crashed"));
    EXPECT_THAT(own.text, HasSubstr("seed 4711"));
    EXPECT_THAT(own.text, Not(HasSubstr("bobs-")));
    EXPECT_EQ(own.stderr_tail, "anns-line\n");
    const auto other = tell_own_story(replay_of("played"), "f", "bob");
    ASSERT_TRUE(other && *other);
    EXPECT_THAT((*other)->text, HasSubstr("bobs-line"));
    EXPECT_THAT((*other)->text, Not(HasSubstr("anns-")));
    EXPECT_EQ((*other)->stderr_tail, "bobs-trace\n");
    EXPECT_THAT(*tell_story(replay_of("played"), "f"), HasSubstr("bobs-trace"))
        << "who may know all";
}

TEST(OwnStory, keeps_the_seed_of_a_game_that_is_played_again) {
    const auto told = tell_own_story(replay_of("annulled"), "f", "ann");
    ASSERT_TRUE(told && *told);
    EXPECT_THAT((*told)->text, Not(HasSubstr("4711")));
}

TEST(OwnStory, keeps_the_seed_of_a_game_that_others_play_too) {
    const std::string alone =
        R"({"replay":1,"game_id":"t/1.1","game":"superball","seed":4711,"bots":["ann"],)"
        R"("clock":{"kind":"turn","measure":"wall","budget_us":1000}})"
        "\n"
        R"({"result":{"status":"played","turns":0,"reason":"so it ended","faults":[],)"
        R"("outcome":{"scores":[1],"placing":[1]},"used_us":[1]}})"
        "\n";
    const auto told = tell_own_story(alone, "f", "ann");
    ASSERT_TRUE(told && *told) << (told ? "no seat" : told.error().message);
    EXPECT_THAT((*told)->text, Not(HasSubstr("4711")));
    EXPECT_THAT(*tell_story(alone, "f"), HasSubstr("4711"));
}

TEST(OwnStory, is_told_to_nobody_who_had_no_seat) {
    for (const auto* const name : {"", "an", "ann ", "Ann", "carl"}) {
        const auto told = tell_own_story(replay_of("played"), "f", name);
        ASSERT_TRUE(told);
        EXPECT_FALSE(*told) << name;
    }
    EXPECT_FALSE(tell_own_story("nonsense", "f", "ann"));
}

}  // namespace
}  // namespace referee::trace

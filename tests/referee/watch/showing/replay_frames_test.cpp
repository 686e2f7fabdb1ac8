#include "referee/watch/showing/replay_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace referee::showing {
namespace {

// Four turns in which both only turn, and a forfeit.
std::string turning_game(const std::string& used_us = "[7,0]") {
    std::string replay =
        R"({"replay":1,"game_id":"friday/1.1","game":"walls","seed":1,"params":{"size":5,"first":0},)"
        R"("bots":["alice","bob"],"clock":{"kind":"turn","measure":"wall","budget_us":1000000}})"
        "\n";
    for (int turn = 0; turn < 4; ++turn) {
        replay += turn % 2 == 0 ? R"({"moves":["L",null],"used_us":)" + used_us + "}\n"
                                : R"({"moves":[null,"R"]})"
                                  "\n";
    }
    return replay +
           "{\"forfeit\":1}\n"
           R"({"result":{"status":"annulled","outcome":null,"turns":4,"faults":[)"
           R"({"seat":1,"turn":5,"code":"gone","consequence":"forfeit","message":"It went."},)"
           R"({"seat":9,"turn":5,"code":"odd"}],"faults_total":2}})"
           "\n";
}

class FilmTest : public testing::Test {
 protected:
    std::unique_ptr<ReplayFrames> film_of(const std::string& replay,
                                          const std::vector<Said>& said = {}) {
        auto replay_frames = ReplayFrames::of(replay, "game.ndjson", registry_, said);
        if (replay_frames) return *std::move(replay_frames);
        ADD_FAILURE() << replay_frames.error().message;
        return nullptr;
    }
    engines::Registry registry_;
};

TEST_F(FilmTest, AnyPositionIsTheSameHoweverOneCameThere) {
    const auto replay_frames = film_of(turning_game());
    ASSERT_EQ(replay_frames->frames(), 6U);
    std::vector<std::string> forward;
    for (std::size_t frame = 0; frame < replay_frames->frames(); ++frame)
        forward.push_back(replay_frames->state(frame).render());
    for (std::size_t frame = replay_frames->frames(); frame-- > 0;)
        EXPECT_EQ(replay_frames->state(frame).render(), forward[frame]) << frame;
    EXPECT_EQ(replay_frames->state(3).render(), forward[3]);
    EXPECT_NE(forward[0], forward[1]);
}

TEST_F(FilmTest, TellsWhatLedToAFrame) {
    const auto replay_frames =
        film_of(turning_game(), {{"bob", "{\"turn\":2,\"debug\":\"hm\"}\n"}});
    EXPECT_TRUE(replay_frames->facts(0).moves.empty());
    EXPECT_EQ(replay_frames->facts(2).turn, 2);
    EXPECT_EQ(replay_frames->facts(2).moves, (std::vector<std::string>{"", "\"R\""}));
    EXPECT_EQ(replay_frames->facts(2).debug, (std::vector<std::string>{"", "hm"}));
    EXPECT_EQ(replay_frames->facts(3).used_us, (std::vector<std::int64_t>{7, 0}));
    EXPECT_EQ(replay_frames->facts(4).used_in_all_us, (std::vector<std::int64_t>{14, 0}));
    EXPECT_EQ(replay_frames->facts(5).forfeit, 1U);
    EXPECT_EQ(replay_frames->facts(5).turn, 5);
    ASSERT_EQ(replay_frames->faults().size(), 1U)
        << "a fault of a seat that the game hasn't is none";
    EXPECT_EQ(replay_frames->faults()[0].code, "gone");
    EXPECT_EQ(replay_frames->game_id(), "friday/1.1");
}

TEST_F(FilmTest, FindsTheFrameAfterATurn) {
    const auto replay_frames = film_of(turning_game());
    EXPECT_EQ(replay_frames->turns(), 5);
    EXPECT_EQ(replay_frames->frame_after(0), 0U);
    EXPECT_EQ(replay_frames->frame_after(4), 4U);
    EXPECT_EQ(replay_frames->frame_after(5), 5U);
    EXPECT_FALSE(replay_frames->frame_after(6));
    EXPECT_FALSE(replay_frames->frame_after(-1));
}

TEST_F(FilmTest, TimesThatNobodyCanHaveTakenDontOverflow) {
    const auto replay_frames = film_of(turning_game("[9223372036854775807,0]"));
    EXPECT_EQ(replay_frames->facts(5).used_in_all_us[0], std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace referee::showing

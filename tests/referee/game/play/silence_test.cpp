// What is told of a bot that is connected and sent no answer in time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "tests/referee/game/play/play_driver.h"

namespace referee::play {
namespace {

using testing::HasSubstr;
using testing::Not;

// What is known of a bot that sent no line, from what tells most to what tells least.
TEST(PlaySilenceTest, SilenceIsToldByWhatIsKnownOfIt) {
    struct Case {
        std::size_t half_line;
        std::optional<Duration> worked;
        bool has_answered;
        const char* told;
        const char* untold;
    };
    const Case cases[] = {
        {1, 90ms, false, "half a line is waiting (1 byte): end it with a line feed", "thinking"},
        {42, {}, true, "half a line is waiting (42 bytes)", "flush"},
        {0, 50ms, true, "it was thinking, it used 50.000 ms of processor time", "flush"},
        {0, 49ms, true, "nothing came by then: it used 49.000 ms of processor time", "thinking"},
        {0, 5ms, true, "it slept or waited for input, it used 5.000 ms", "flush"},
        {0, 5ms, false,
         "it slept or waited for input, it used 5.000 ms of processor time; does "
         "the bot flush its output",
         "thinking"},
        {0, {}, true, "nothing came by then: it thinks too long, or waits for something", "flush"},
        {0, {}, false, "no answer to an earlier turn either: does the bot flush", "thinking"},
    };
    for (const auto& one : cases) {
        PlayDriver driver(walls_setup());
        driver.begin();
        auto begun = 0ms;
        if (one.has_answered) {
            for (const Seat seat : {Seat{0}, Seat{1}}) {
                driver.sent(seat, 0ms);
                EXPECT_EQ(driver.answer(seat, "\"L\"", 1ms), AnswerFate::taken);
            }
            begun = 10ms;
        }
        driver.sent(0, begun);
        Actions actions;
        Arrival arrival;
        arrival.at = Stamp::exact(at(begun + 100ms));
        arrival.half_line = one.half_line;
        arrival.worked = one.worked;
        driver.play.deadline(0, arrival, actions);
        const auto& message = driver.play.faults().at(0).message;
        EXPECT_THAT(message, HasSubstr(one.told));
        EXPECT_THAT(message, Not(HasSubstr(one.untold)));
    }
}

}  // namespace
}  // namespace referee::play

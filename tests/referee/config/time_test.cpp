#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/config/fields.h"
#include "referee/config/reader.h"

namespace referee::config {
namespace {

using namespace std::chrono_literals;

TEST(ConfigTimeTest, Texts) {
    struct Case {
        const char* text;
        std::optional<Duration> time;
    };
    for (const auto& [text, time] : {
             Case{"50ms", 50ms},    Case{"1s", 1s},     Case{"1.5s", 1500ms}, Case{"0s", 0ms},
             Case{"250us", 250us},  Case{"10m", 10min}, Case{"2h", 2h},       Case{"744h", 744h},
             Case{"0.0005us", 1ns}, Case{"", {}},       Case{"s", {}},        Case{"5", {}},
             Case{"5 s", {}},       Case{" 5s", {}},    Case{"5s ", {}},      Case{"5S", {}},
             Case{"5sec", {}},      Case{"5d", {}},     Case{"-1s", {}},      Case{"+1s", {}},
             Case{"1,5s", {}},      Case{"745h", {}},   Case{"1e300s", {}},   Case{"1e999s", {}},
             Case{"infs", {}},      Case{"nans", {}},   Case{"-nans", {}},    Case{"0x10s", {}},
         }) {
        EXPECT_EQ(time_from(text), time) << '"' << text << '"';
    }
}

// A number counts microseconds, which few mean who write 1.
TEST(ConfigTimeTest, ABudgetBelowAMillisecondIsWarnedOf) {
    const auto warnings = [](const std::string& clock) {
        const auto config = read_config(R"({"bots": [{"name": "a", "launch": ["a"]}, {"name": "b",
            "launch": ["b"]}], "tournaments": [{"id": "t", "game": "walls", "clock": {)" +
                                            clock + "}}]}",
                                        "class.json", "/srv/class");
        return config.value().warnings;
    };
    using testing::AllOf;
    using testing::ElementsAre;
    using testing::HasSubstr;
    EXPECT_THAT(warnings(R"("budget": 1)"),
                ElementsAre(AllOf(HasSubstr("tournament t: clock.budget: a turn's budget is 1 us"),
                                  HasSubstr("expected a time such as \"1s\""))));
    EXPECT_THAT(warnings(R"("budget": "999us")"), ElementsAre(HasSubstr("less than 1 ms")));
    EXPECT_THAT(warnings(R"("kind": "game", "budget": 500)"),
                ElementsAre(HasSubstr("a game's budget is 500 us")));
    EXPECT_THAT(warnings(R"("budget": "1ms")"), testing::IsEmpty());
    EXPECT_THAT(warnings(R"("kind": "none", "hard_limit": "1s")"), testing::IsEmpty());
}

}  // namespace
}  // namespace referee::config

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/watch/terminal/player.h"
#include "referee/watch/terminal/terminal.h"

namespace referee::terminal {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(KeysTest, KnowsEachKeyAsTerminalsSendIt) {
    const std::vector<std::pair<const char*, KeyAction>> cases{
        {"\x1b[C", KeyAction::next},     {"\x1bOC", KeyAction::next},
        {"\x1b[B", KeyAction::next},     {"\x1b[D", KeyAction::previous},
        {"\x1b[A", KeyAction::previous}, {"\x1bOA", KeyAction::previous},
        {"\x1b[H", KeyAction::first},    {"\x1b[1~", KeyAction::first},
        {"\x1b[5~", KeyAction::first},   {"\x1b[F", KeyAction::last},
        {"\x1bOF", KeyAction::last},     {"\x1b[4~", KeyAction::last},
        {"\x1b[6~", KeyAction::last},    {"\r", KeyAction::run_forward},
        {"\n", KeyAction::run_forward},  {"\x7f", KeyAction::run_backward},
        {"\b", KeyAction::run_backward}, {"f", KeyAction::faster},
        {"s", KeyAction::slower},        {"h", KeyAction::help},
        {"q", KeyAction::close},         {" ", KeyAction::pause},
        {"]", KeyAction::next_fault},    {"[", KeyAction::previous_fault},
        {"\x03", KeyAction::interrupt},  {"v", KeyAction::follow},
        {"\t", KeyAction::follow},       {"F", KeyAction::faster},
    };
    for (const auto& [bytes, action] : cases) {
        KeyReader reader;
        EXPECT_THAT(reader.read(bytes), ElementsAre(KeyPress{action})) << bytes + 1;
        EXPECT_FALSE(reader.is_open());
    }
}

TEST(KeysTest, AnEscapeIsAKeyWhereNothingFollows) {
    KeyReader reader;
    EXPECT_THAT(reader.read("\x1b"), IsEmpty());
    EXPECT_TRUE(reader.is_open());
    EXPECT_THAT(reader.close(), ElementsAre(KeyPress{KeyAction::close}));
    EXPECT_FALSE(reader.is_open());
}

TEST(KeysTest, ASequenceMayComeInPieces) {
    KeyReader reader;
    EXPECT_THAT(reader.read("f\x1b"), ElementsAre(KeyPress{KeyAction::faster}));
    EXPECT_THAT(reader.read("[5"), IsEmpty());
    EXPECT_THAT(reader.read("~s"),
                ElementsAre(KeyPress{KeyAction::first}, KeyPress{KeyAction::slower}));
}

TEST(WrappedTest, ALineIsBrokenAtBlanksAndNothingOfItIsLost) {
    const auto texts = [](const Line& line, std::size_t columns) {
        std::vector<std::string> all;
        for (const auto& one : wrapped(line, columns)) all.push_back(drawn(one, 100, false));
        return all;
    };
    const Line fault{{"fault of eve: late"}, {"  it came too late"}};
    EXPECT_THAT(texts(fault, 36), ElementsAre("fault of eve: late  it came too late"));
    EXPECT_THAT(texts(fault, 35), ElementsAre("fault of eve: late  it came too", "  late"));
    EXPECT_THAT(texts(fault, 18), ElementsAre("fault of eve: late", "  it came too late"));
    EXPECT_THAT(texts(fault, 12),
                ElementsAre("fault of", "  eve: late ", "  it came", "  too late"));
    EXPECT_THAT(texts({{"a "}, {"longestword"}}, 6), ElementsAre("a long", "  estw", "  ord"));
    EXPECT_THAT(texts({{"ab"}}, 2), ElementsAre("ab"));
    EXPECT_THAT(texts({{"abc\u4e2d"}}, 3), ElementsAre("abc", "  \u4e2d"));
    EXPECT_THAT(wrapped({{"bad thing", Paint::bad}}, 5)[1][1].paint, Paint::bad);
}

TEST(KeysTest, UnknownKeysMeanNothing) {
    KeyReader reader;
    EXPECT_THAT(reader.read("xwz0\x1b[15~\x1b[1;5C"), IsEmpty());
    EXPECT_FALSE(reader.is_open());
    EXPECT_THAT(reader.read("\x1b[9999999999999"), IsEmpty());
    EXPECT_THAT(reader.read("9~q"), ElementsAre(KeyPress{KeyAction::close}));
}

TEST(KeysTest, NumbersChooseFromTheFirst) {
    KeyReader reader;
    EXPECT_THAT(reader.read("19"),
                ElementsAre(KeyPress{KeyAction::choose, 0}, KeyPress{KeyAction::choose, 8}));
}

TEST(LineTest, IsCutByColumnsNotBytes) {
    EXPECT_EQ(drawn({{"abc"}, {"def"}}, 4, false), "abcd");
    EXPECT_EQ(drawn({{"\xc3\xa9\xc3\xa9\xc3\xa9"}}, 2, false), "\xc3\xa9\xc3\xa9");
    // A picture takes two columns, so it doesn't fit where one is left.
    EXPECT_EQ(drawn({{"a\xf0\x9f\x98\x80"}}, 2, false), "a");
    EXPECT_EQ(drawn({{"abc"}}, 0, false), "");
}

TEST(LineTest, HasEscapesOnlyWithColour) {
    const Line line{{"x", Paint::red}, {"y"}};
    EXPECT_EQ(drawn(line, 9, false), "xy");
    EXPECT_EQ(drawn(line, 9, true), "\x1b[31mx\x1b[0my");
}

TEST(LineTest, OnlyTheBoardOfAPositionIsPainted) {
    const auto lines = position_lines("Turn 7\n.A.\n.b#\n...\na: 0 bricks\n");
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_THAT(drawn(lines[0], 80, true), Not(HasSubstr("\x1b")));
    EXPECT_THAT(drawn(lines[4], 80, true), Not(HasSubstr("\x1b")));
    for (std::size_t i : {1U, 2U, 3U}) EXPECT_THAT(drawn(lines[i], 80, true), HasSubstr("\x1b"));
    EXPECT_EQ(drawn(lines[2], 80, false), ".b#");
}

TEST(EnvironmentTest, SaysWhatATerminalHas) {
    struct Case {
        Environment environment;
        bool cursor;
        bool colour;
    };
    const std::vector<Case> cases{
        {{}, false, false},
        {{"dumb", std::nullopt, "truecolor"}, false, false},
        {{"xterm-256color", std::nullopt, std::nullopt}, true, true},
        {{"xterm-256color", "1", std::nullopt}, true, false},
        {{"xterm-256color", "", std::nullopt}, true, true},
        {{"xterm-mono", std::nullopt, std::nullopt}, true, false},
        {{"vt100", std::nullopt, std::nullopt}, true, false},
        {{"vt100", std::nullopt, "24bit"}, true, true},
    };
    for (const auto& each : cases) {
        EXPECT_EQ(has_cursor(each.environment), each.cursor) << each.environment.term.value_or("-");
        EXPECT_EQ(has_colour(each.environment), each.colour) << each.environment.term.value_or("-");
    }
}

const Playback& after(Playback& playback, KeyAction key) {
    obey(playback, key);
    return playback;
}

TEST(PlaybackTest, StepsWithinTheGameAndStopsIt) {
    Playback playback{.frames = 3, .running = RunningPlayback::forward};
    EXPECT_EQ(after(playback, KeyAction::previous).frame, 0U);
    EXPECT_EQ(playback.running, RunningPlayback::stopped);
    for (int i = 0; i < 5; ++i) obey(playback, KeyAction::next);
    EXPECT_EQ(playback.frame, 2U);
    EXPECT_EQ(after(playback, KeyAction::first).frame, 0U);
    EXPECT_EQ(after(playback, KeyAction::last).frame, 2U);
}

TEST(PlaybackTest, RunsToTheEndsAndStopsThere) {
    Playback playback{.frames = 3};
    advance(playback);
    EXPECT_EQ(playback.frame, 0U);
    obey(playback, KeyAction::run_forward);
    advance(playback);
    EXPECT_EQ(playback.running, RunningPlayback::forward);
    advance(playback);
    EXPECT_EQ(playback.frame, 2U);
    EXPECT_EQ(playback.running, RunningPlayback::stopped);
    obey(playback, KeyAction::run_backward);
    advance(playback);
    advance(playback);
    EXPECT_EQ(playback.frame, 0U);
    EXPECT_EQ(playback.running, RunningPlayback::stopped);
}

TEST(PlaybackTest, FollowsOneSeatAfterTheOther) {
    Playback playback{.frames = 3, .seats = 2};
    EXPECT_EQ(after(playback, KeyAction::follow).followed, 1U);
    EXPECT_EQ(after(playback, KeyAction::follow).followed, 0U);
    EXPECT_EQ(playback.frame, 0U);
    Playback alone;
    EXPECT_EQ(after(alone, KeyAction::follow).followed, 0U);
}

TEST(PlaybackTest, APauseGoesOnInItsDirection) {
    Playback playback{.frames = 9, .frame = 5, .running = RunningPlayback::backward};
    EXPECT_EQ(after(playback, KeyAction::pause).running, RunningPlayback::stopped);
    EXPECT_EQ(after(playback, KeyAction::pause).running, RunningPlayback::backward);
}

TEST(PlaybackTest, SpeedDoublesAndHalvesWithinBounds) {
    Playback playback;
    const auto at_first = frame_us(playback);
    EXPECT_EQ(frame_us(after(playback, KeyAction::faster)), at_first / 2);
    for (int i = 0; i < 100; ++i) obey(playback, KeyAction::faster);
    EXPECT_LE(frame_us(playback), at_first / 10) << "ten times as fast, and beyond";
    EXPECT_GT(frame_us(playback), 0);
    for (int i = 0; i < 100; ++i) obey(playback, KeyAction::slower);
    EXPECT_EQ(frame_us(playback), at_first * 8);
}

TEST(PlaybackTest, GoesFromFaultToFault) {
    Playback playback{.frames = 9, .fault_frames = {2, 5}};
    EXPECT_EQ(after(playback, KeyAction::previous_fault).frame, 0U);
    EXPECT_EQ(after(playback, KeyAction::next_fault).frame, 2U);
    obey(playback, KeyAction::next_fault);
    EXPECT_EQ(after(playback, KeyAction::next_fault).frame, 5U);
    EXPECT_EQ(after(playback, KeyAction::previous_fault).frame, 2U);
}

}  // namespace

}  // namespace referee::terminal

#include "referee/watch/terminal/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::terminal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KeysTest, KnowsEachKeyAsTerminalsSendIt) {
    struct Case {
        const char* bytes;
        Wish wish;
    };
    const std::vector<Case> cases{
        {"\x1b[C", Wish::next},       {"\x1bOC", Wish::next},     {"\x1b[B", Wish::next},
        {"\x1b[D", Wish::previous},   {"\x1b[A", Wish::previous}, {"\x1bOA", Wish::previous},
        {"\x1b[H", Wish::first},      {"\x1b[1~", Wish::first},   {"\x1b[5~", Wish::first},
        {"\x1b[F", Wish::last},       {"\x1bOF", Wish::last},     {"\x1b[4~", Wish::last},
        {"\x1b[6~", Wish::last},      {"\r", Wish::run_forward},  {"\n", Wish::run_forward},
        {"\x7f", Wish::run_backward}, {"\b", Wish::run_backward}, {"f", Wish::faster},
        {"s", Wish::slower},          {"h", Wish::help},          {"q", Wish::close},
        {" ", Wish::pause},           {"]", Wish::next_fault},    {"[", Wish::previous_fault},
        {"d", Wish::debug},           {"p", Wish::projector},     {"\x03", Wish::interrupt},
        {"v", Wish::follow},          {"\t", Wish::follow},
    };
    for (const auto& each : cases) {
        KeyReader reader;
        EXPECT_THAT(reader.read(each.bytes), ElementsAre(KeyPress{each.wish})) << each.bytes + 1;
        EXPECT_FALSE(reader.is_open());
    }
}

TEST(KeysTest, AnEscapeIsAKeyWhereNothingFollows) {
    KeyReader reader;
    EXPECT_THAT(reader.read("\x1b"), IsEmpty());
    EXPECT_TRUE(reader.is_open());
    EXPECT_THAT(reader.close(), ElementsAre(KeyPress{Wish::close}));
    EXPECT_FALSE(reader.is_open());
}

TEST(KeysTest, ASequenceMayComeInPieces) {
    KeyReader reader;
    EXPECT_THAT(reader.read("f\x1b"), ElementsAre(KeyPress{Wish::faster}));
    EXPECT_THAT(reader.read("[5"), IsEmpty());
    EXPECT_THAT(reader.read("~s"), ElementsAre(KeyPress{Wish::first}, KeyPress{Wish::slower}));
}

TEST(KeysTest, UnknownKeysMeanNothing) {
    KeyReader reader;
    EXPECT_THAT(reader.read("xwz0\x1b[15~\x1b[1;5C"), IsEmpty());
    EXPECT_FALSE(reader.is_open());
    EXPECT_THAT(reader.read("\x1b[9999999999999"), IsEmpty());
    EXPECT_THAT(reader.read("9~q"), ElementsAre(KeyPress{Wish::close}));
}

TEST(KeysTest, NumbersChooseFromTheFirst) {
    KeyReader reader;
    EXPECT_THAT(reader.read("19"),
                ElementsAre(KeyPress{Wish::choose, 0}, KeyPress{Wish::choose, 8}));
}

}  // namespace
}  // namespace referee::terminal

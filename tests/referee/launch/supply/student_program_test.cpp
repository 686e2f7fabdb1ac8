// What keeps a student's program from being played with, told before it is launched.

#include "referee/launch/supply/command_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/config/read_config.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/visible_files.h"
#include "tests/referee/launch/supply/class_folder.h"

namespace referee::supply {
namespace {

using testing::Contains;
using testing::HasSubstr;

config::BotConfig student(const ClassFolder& folder, const std::string& text) {
    auto bot = folder.bot({});
    const auto program = kinds::program_in(text);
    if (!program || !*program) {
        ADD_FAILURE() << text;
        return bot;
    }
    config::set_program(bot, **program);
    return bot;
}

std::string mistake(const ClassFolder& folder, const std::string& text) {
    return mistake_in_program(student(folder, text), folder.path("bin"));
}

TEST(MistakeInProgram, OfAGoodOneIsNone) {
    const ClassFolder folder;
    folder.make("bin/octave-cli");
    folder.make("bin/java");
    folder.make("player.m");
    folder.make("iap");
    EXPECT_EQ(mistake(folder, "octave:player.m"), "");
    EXPECT_EQ(mistake(folder, "snake:iap"), "");
    EXPECT_EQ(mistake(folder, "walls:java -jar Walls.jar"), "");
    EXPECT_EQ(mistake_in_program(folder.bot({"nowhere"}), ""), "") << "of no kind";
}

TEST(MistakeInProgram, NamesTheFileAndWhatToDo) {
    const ClassFolder folder;
    folder.make("bin/octave-cli");
    folder.make("folder/player.m");
    folder.make("iap");
    std::filesystem::permissions(folder.path("iap"), std::filesystem::perms::owner_read);
    EXPECT_THAT(
        mistake(folder, "octave:player.m"),
        HasSubstr("'" + folder.path("player.m") + "', the file of its \"program\": no such file"));
    EXPECT_THAT(mistake(folder, "octave:folder"), HasSubstr("it is a folder"));
    EXPECT_THAT(mistake(folder, "snake:iap"), HasSubstr("chmod +x " + folder.path("iap")));
    EXPECT_THAT(mistake(folder, "walls:java -jar Walls.jar"),
                HasSubstr("can't start 'java', the command of its \"program\""));
}

TEST(MistakeInProgram, NamesTheOneCommandThatInstallsAnInterpreter) {
    const ClassFolder folder;
    folder.make("player.m");
    EXPECT_EQ(mistake(folder, "octave:player.m"),
              "can't start 'octave-cli', which runs programs of the kind octave-function: it isn't "
              "installed; apt-get install octave");
    EXPECT_THAT(mistake(folder, "racket:player.m"), HasSubstr("apt-get install racket"));
    const auto foreseen =
        foresee_launch(student(folder, "octave:player.m"), folder.path("bin"), sandbox::Tier::a);
    ASSERT_FALSE(foreseen);
    EXPECT_THAT(foreseen.error().message, HasSubstr("apt-get install octave")) << "check tells it";
}

TEST(MistakeInProgram, TheSandboxShowsTheFileAndTheAdapter) {
    const ClassFolder folder;
    const auto file = folder.make("player.m");
    const auto bot = student(folder, "octave:player.m");
    const auto visible = visible_files(bot, "/usr/bin:/bin").reads;
    EXPECT_THAT(visible, Contains(file));
    EXPECT_THAT(visible, Contains(testing::EndsWith("/sample_bots/adapters")));
    EXPECT_THAT(visible, Contains(testing::EndsWith("/sample_bots/octave")));
}

}  // namespace
}  // namespace referee::supply

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "referee/config/read_config.h"
#include "referee/launch/supply/command_files.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "tests/referee/launch/supply/class_folder.h"

namespace referee::supply {
namespace {

using process::SandboxAllowance;
using sandbox::Tier;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::uint64_t megabyte = 1024 * 1024;

LaunchPlace place(Tier tier) {
    return {"plum", "0.0.0.0:7777", "/usr/bin:/bin", tier};
}

TEST(LaunchSpecOf, LimitsEachProcessWithoutASandbox) {
    const ClassFolder folder;
    auto bot = folder.bot({"sh"});
    EXPECT_FALSE(launch_spec_of(bot, place(Tier::none)).limits.address_space_bytes);
    bot.memory_mb_max = 100;
    bot.processes_max = 7;
    const auto spec = launch_spec_of(bot, place(Tier::none));
    EXPECT_FALSE(spec.sandbox);
    EXPECT_FALSE(spec.path);
    EXPECT_EQ(spec.limits.address_space_bytes, 100 * megabyte);
}

TEST(LaunchSpecOf, FillsTheAllowanceInASandbox) {
    const ClassFolder folder;
    auto bot = folder.bot_in("ann", {"sh"});
    for (const auto tier : {Tier::c, Tier::b, Tier::a}) {
        const auto spec = launch_spec_of(bot, place(tier));
        ASSERT_TRUE(spec.sandbox);
        EXPECT_EQ(spec.sandbox->memory_bytes, SandboxAllowance::memory_bytes_default);
        EXPECT_EQ(spec.sandbox->disk_bytes, SandboxAllowance::disk_bytes_default);
        EXPECT_EQ(spec.limits.processes, process::LaunchLimits::processes_default);
        EXPECT_THAT(spec.sandbox->reads, ElementsAre(folder.path("ann")));
        EXPECT_EQ(spec.path, "/usr/bin:/bin:/usr/local/bin");
    }
    bot.memory_mb_max = 100;
    bot.processes_max = 7;
    bot.disk_mb_max = 3;
    const auto spec = launch_spec_of(bot, place(Tier::a));
    EXPECT_EQ(spec.sandbox->memory_bytes, 100 * megabyte);
    EXPECT_EQ(spec.sandbox->disk_bytes, 3 * megabyte);
    EXPECT_EQ(spec.limits.processes, 7U);
    EXPECT_FALSE(spec.limits.address_space_bytes) << "virtual machines reserve far more";
}

TEST(LaunchSpecOf, TellsWhereToDialIn) {
    const ClassFolder folder;
    auto bot = folder.bot({"sh"});
    bot.speaks = config::Speaks::tcp;
    for (const auto& [tier, address] :
         std::vector<std::pair<Tier, std::string>>{{Tier::none, "0.0.0.0:7777"},
                                                   {Tier::c, "0.0.0.0:7777"},
                                                   {Tier::b, "127.0.0.1:7777"},
                                                   {Tier::a, "127.0.0.1:7777"}}) {
        const auto spec = launch_spec_of(bot, place(tier));
        EXPECT_EQ(spec.speaks, process::Speaks::tcp);
        EXPECT_EQ(spec.dial_in_port, 7777);
        EXPECT_THAT(spec.environment, Contains(Pair("REFEREE_ADDRESS", address)));
        EXPECT_THAT(spec.environment, Contains(Pair("REFEREE_TOKEN", "plum")));
    }
}

TEST(ForeseeLaunch, TellsWhatTheSandboxHides) {
    const ClassFolder folder;
    const auto script = folder.make("shared/bot.sh");
    auto bot = folder.bot_in("ann", {"sh", "../shared/bot.sh"});
    EXPECT_TRUE(foresee_launch_of(bot, "/usr/bin", Tier::none));
    const auto foreseen = foresee_launch_of(bot, "/usr/bin", Tier::b);
    ASSERT_FALSE(foreseen);
    EXPECT_EQ(foreseen.error().message, "would not see the file " + script +
                                            " in the sandbox; give it \"reads\": [\"" + script +
                                            "\"]");
    bot.reads = {script};
    EXPECT_TRUE(foresee_launch_of(bot, "/usr/bin", Tier::b));
    bot.reads.push_back(folder.path("gone"));
    const auto gone = foresee_launch_of(bot, "/usr/bin", Tier::b);
    ASSERT_FALSE(gone);
    EXPECT_THAT(gone.error().message,
                AllOf(HasSubstr("'" + folder.path("gone") + "', which it is to see"),
                      HasSubstr("\"reads\"")));
    EXPECT_TRUE(foresee_launch_of(bot, "/usr/bin", Tier::none));
    bot.launch = {"no-such-program"};
    for (const auto tier : {Tier::none, Tier::a}) {
        const auto missing = foresee_launch_of(bot, "/usr/bin", tier);
        ASSERT_FALSE(missing);
        EXPECT_THAT(missing.error().message, HasSubstr("no such program in /usr/bin"));
    }
}

// The words that tell of the bot's command.
std::string foreseen_of(const config::BotConfig& bot) {
    const auto foreseen = foresee_launch_of(bot, "/usr/bin:/bin", Tier::none);
    return foreseen ? std::string() : foreseen.error().message;
}

TEST(ForeseeLaunch, TellsOfASourceThatIsNotThere) {
    const ClassFolder folder;
    folder.make("ann/bot.py");
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"sh", "walls_rndom.py"},
                                               {"sh", "-u", "walls_rndom.py", "bot.py"},
                                               {"sh", "-jar", "build/bot"},
                                               {"/usr/bin/sh", "bot.jar"}})
        EXPECT_THAT(
            foreseen_of(folder.bot_in("ann", words)),
            AllOf(HasSubstr("can't run '" + folder.path("ann/")), HasSubstr("no such file")));
    for (const auto& words : std::vector<std::vector<std::string>>{{"sh", "bot.py", "levels"},
                                                                   {"sh", "-c", "exec other.py"},
                                                                   {"sh", "-m", "bot.py"},
                                                                   {"sh", "Main"},
                                                                   {"sh", "-e", "x.js"}})
        EXPECT_EQ(foreseen_of(folder.bot_in("ann", words)), "");
}

TEST(ForeseeLaunch, TellsWhatIsWrongWithTheFirstLineOfAScript) {
    const ClassFolder folder;
    folder.make("ann/crlf", "#!/bin/sh\r\nexit\r\n");
    folder.make("ann/text", "print(1)\n");
    folder.make("ann/env", "#!/usr/bin/env -S python4 -u\n");
    folder.make("ann/gone", "#!/opt/no/python\n");
    folder.make("ann/good", "#!/usr/bin/env sh\n");
    folder.make("ann/binary", std::string("\x7f"
                                          "ELF\2\0\0",
                                          7));
    for (const auto& [name, told] : std::vector<std::pair<std::string, std::string>>{
             {"crlf", "its first line ends with CR LF"},
             {"text", "first line names no interpreter"},
             {"env", "asks env for 'python4', and there is no such program in /usr/bin:/bin"},
             {"gone", "the interpreter of its first line, '/opt/no/python', is not there"}})
        EXPECT_THAT(foreseen_of(folder.bot_in("ann", {"./" + name})), HasSubstr(told));
    EXPECT_EQ(foreseen_of(folder.bot_in("ann", {"./good"})), "");
    EXPECT_EQ(foreseen_of(folder.bot_in("ann", {"./binary"})), "");
}

TEST(CommandFiles, TellWhatABotsOwnUserMayNotRead) {
    namespace fs = std::filesystem;
    const ClassFolder folder;
    const auto script = folder.make("ann/bot.py");
    const auto bot = folder.bot_in("ann", {"sh", "bot.py"});
    fs::permissions(folder.path("ann"), fs::perms{0755});
    fs::permissions(script, fs::perms{0644});
    EXPECT_EQ(closed_to_its_user({bot, "/usr/bin"}, Tier::b), "");
    EXPECT_THAT(closed_to_its_user({bot, "/usr/bin"}, Tier::c),
                HasSubstr("chmod o+x " + folder.root()))
        << "the folder above is closed, and tier C shows it as it is";
    fs::permissions(script, fs::perms{0600});
    EXPECT_THAT(closed_to_its_user({bot, "/usr/bin"}, Tier::b),
                AllOf(HasSubstr("can't read '" + script), HasSubstr("chmod o+r " + script)));
    fs::permissions(folder.path("ann"), fs::perms{0700});
    EXPECT_THAT(closed_to_its_user({bot, "/usr/bin"}, Tier::b),
                HasSubstr("chmod o+x " + folder.path("ann")));
}

// What keeps a student's program from being played with, told before it is launched.

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
    return mistake_in_program({student(folder, text), folder.path("bin")});
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
    EXPECT_EQ(mistake_in_program({folder.bot({"nowhere"}), ""}), "") << "of no kind";
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
        foresee_launch_of(student(folder, "octave:player.m"), folder.path("bin"), sandbox::Tier::a);
    ASSERT_FALSE(foreseen);
    EXPECT_THAT(foreseen.error().message, HasSubstr("apt-get install octave")) << "check tells it";
}

TEST(MistakeInProgram, TheSandboxShowsTheFileAndTheAdapter) {
    const ClassFolder folder;
    const auto file = folder.make("player.m");
    const auto bot = student(folder, "octave:player.m");
    const auto visible = visible_files({bot, "/usr/bin:/bin"}).reads;
    EXPECT_THAT(visible, Contains(file));
    EXPECT_THAT(visible, Contains(testing::EndsWith("/sample_bots/adapters")));
    EXPECT_THAT(visible, Contains(testing::EndsWith("/sample_bots/octave")));
}

TEST(MissingPrograms, OfAFileItIsToldHowItIsNamed) {
    const auto lack_of = [](const std::string& word) {
        config::BotConfig bot;
        bot.launch = {word};
        return lack_of_machine({bot, "/usr/bin:/bin"});
    };
    EXPECT_EQ(lack_of("no_such.py"),
              "there is no program 'no_such.py' here: expected a file of one's own with its path, "
              "such as \"./no_such.py\", or behind what runs it, such as \"python3 no_such.py\"");
    for (const std::string word : {"no-such-tool", "python9.11"})
        EXPECT_TRUE(lack_of(word).ends_with("\"apt-file search bin/" + word + "\" tells which"));
}

}  // namespace
}  // namespace referee::supply

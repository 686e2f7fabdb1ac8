#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/referee/config/config_reading.h"

namespace referee::config {
namespace {

using testing::ElementsAre;
using testing::EndsWith;

// Bots of a config that are students' programs: what is launched for them, and what can be wrong.

TEST(StudentPrograms, AreLaunchedWithTheirAdapter) {
    const auto config = good(R"({"tournaments": [{"id": "t", "game": "e7_planets",
        "params": {"map": "one_scrap"}}], "bots": [{"name": "ann", "directory": "ann",
        "program": {"kind": "octave-function", "file": "p-4.m"}, "reads": ["t"]}]})");
    ASSERT_EQ(config.bots.size(), 1U);
    const auto& bot = config.bots[0];
    EXPECT_TRUE(bot.launched());
    EXPECT_THAT(bot.launch,
                ElementsAre("octave-cli", "--no-gui", "--no-history", "--quiet",
                            EndsWith("/sample_bots/adapters/octave_e7.m"), "/srv/class/ann/p-4.m"));
    EXPECT_THAT(bot.reads, ElementsAre("/srv/class/t", EndsWith("/sample_bots/adapters"),
                                       EndsWith("/sample_bots/octave")));
    ASSERT_TRUE(bot.program);
    EXPECT_EQ(bot.program->kind->name, "octave-function");
    EXPECT_THAT(bot.program->words, ElementsAre("./p-4.m"));
    EXPECT_EQ(bot.launch_line, 3);
}

TEST(StudentPrograms, AreToldWhatIsWrong) {
    check(
        R"({"tournaments": [{"id": "t", "game": "walls", "bots": ["x", "y"]}], "bots": [{"name": "x"}, {"name": "y"},)",
        R"rows(
        {"name": "a", "program": {"file": "iap"}}
            -> program.kind: walls-lines (or walls) for walls; found nothing
        {"name": "a", "program": {"kind": "octave-script", "file": "a.m"}}
            -> program.kind: expected one of octave-function (or octave) for e7_planets, racket-team
        {"name": "a", "program": {"kind": "snake"}}
            -> program.file: expected the file with the student's program, such as {"kind"
        {"name": "a", "program": {"kind": "snake", "file": ""}}
            -> program.file: expected the file with the student's program
        {"name": "a", "program": {"kind": "snake", "command": []}}
            -> program.command: expected a command and its arguments
        {"name": "a", "program": {"kind": "octave", "command": ["a.m"]}}
            -> program.command: takes one file and no command
        {"name": "a", "program": {"kind": "snake", "file": "a", "command": ["a"]}}
            -> program.command: not both
        {"name": "a", "program": {"kind": "snake", "file": "a", "with": "b"}}
            -> program.with: no such member here
        {"name": "a", "launch": ["a"], "program": {"kind": "snake", "file": "a"}}
            -> program: a "launch" or a "program", not both
    )rows",
        "]}", "bots[2].");
}

TEST(StudentPrograms, PlayOnlyTheirGame) {
    const std::string first_part =
        R"({"bots": [{"name": "a"}, {"name": "b", "program": {"kind": "racket-team", "file": "b.scm"}}],)";
    const auto named =
        errors_of(first_part + "\n" +
                  R"("tournaments": [{"id": "t", "game": "walls", "bots": ["a", "b"]}]})");
    ASSERT_EQ(named.size(), 1);
    EXPECT_EQ(named[0].member, "tournaments[0].bots");
    EXPECT_EQ(named[0].line, 2);
    EXPECT_EQ(named[0].message,
              "\"b\" is of the kind racket-team, which plays light_cycles and not walls");
    const auto all = errors_of(first_part + R"("tournaments": [{"id": "t", "game": "walls"}]})");
    ASSERT_EQ(all.size(), 1);
    EXPECT_EQ(all[0].message, named[0].message);
}

// Mistakes in what a config says of the sandbox: each with its line, its member and what was
// expected.

TEST(SandboxMistakes, InABot) {
    check(
        R"({"tournaments": [{"id": "t", "game": "walls", "bots": ["x", "y"]}], "bots": [{"name": "x"}, {"name": "y"},)",
        R"rows(
        {"name": "a", "launch": ["a"], "reads": ["x", 5]} -> reads[1]: expected a text
        {"name": "a", "launch": ["a"], "reads": [""]} -> reads[0]: expected a path that is absolute,
            or lies below the config's folder, such as "tables"
        {"name": "a", "launch": ["a"], "reads": ["../classics"]} -> reads[0]: lies below the
            config's folder, such as "tables" or "/opt/jdk-17", found "../classics"
        {"name": "a", "launch": ["a"], "reads": ["/usr/.."]} -> reads[0]: "/" holds everything
        {"name": "a", "launch": ["a"], "directory": "/usr/.."} -> directory: "/" holds everything
        {"name": "a", "launch": ["a"], "reads": ["."]} -> reads[0]: it holds this config, in which
            everybody's tokens stand; expected what this bot
        {"name": "a", "launch": ["a"], "reads": ["/srv"]} -> reads[0]: it holds this config
        {"name": "a", "launch": ["a"], "reads": ["class.json"]} -> reads[0]: it holds this config
        {"name": "a", "reads": ["tables"]} -> reads: only a bot with a "launch"
    )rows",
        "]}", "bots[2].");
}

TEST(SandboxMistakes, ABotMayNotReadTheControlSocket) {
    check(R"({"control": {"socket": "run/control.sock"},)", R"rows(
        "bots": [{"name": "a", "launch": ["a"], "reads": ["run"]}, {"name": "b"}]
            -> bots[0].reads[0]: it holds the control socket
        "bots": [{"name": "a", "launch": ["a"], "reads": ["run/control.sock"]}, {"name": "b"}]
            -> bots[0].reads[0]: it holds the control socket
    )rows",
          R"(,"tournaments": [{"id": "t", "game": "walls"}]})");
}

}  // namespace
}  // namespace referee::config

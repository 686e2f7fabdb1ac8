// Kinds of students' programs: their names, the command lines that they become, where adapters lie.

#include "referee/roster/kinds/kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::kinds {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

KindProgram good(const std::string& text) {
    const auto read = program_in(text);
    if (read && *read) return **read;
    ADD_FAILURE() << text << ": " << (read ? "is no program of a kind" : read.error());
    return program_of_file(all_kinds().front(), "none");
}

std::vector<std::string> command_for(const std::string& text) {
    return launch_of(good(text), "/srv/class/ann", "/usr/share/referee/sample_bots").command;
}

TEST(Kinds, HaveTwoNamesEach) {
    for (const auto& kind : all_kinds()) {
        EXPECT_EQ(find_kind(kind.name), &kind);
        EXPECT_EQ(find_kind(kind.short_name), &kind);
        EXPECT_THAT(list_of_kinds(), HasSubstr(std::string(kind.name)));
        EXPECT_EQ(kind.interpreter.empty(), kind.package.empty());
    }
    EXPECT_EQ(find_kind("octave-"), nullptr);
    EXPECT_EQ(find_kind(""), nullptr);
}

TEST(Kinds, BecomeCommandLines) {
    const std::string adapters = "/usr/share/referee/sample_bots/adapters";
    EXPECT_THAT(command_for("octave:e7planets_player.m"),
                ElementsAre("octave-cli", "--no-gui", "--no-history", "--quiet",
                            adapters + "/octave_e7.m", "/srv/class/ann/e7planets_player.m"));
    EXPECT_THAT(command_for("racket:/home/bob/cycle.scm"),
                ElementsAre("racket", adapters + "/racket_cycles.rkt", "/home/bob/cycle.scm"));
    EXPECT_THAT(command_for("snake:../iap"),
                ElementsAre("referee-adapter", "snake-challenge", "/srv/class/iap"));
    EXPECT_THAT(command_for("superball-moves:sb-play"),
                ElementsAre("referee-adapter", "superball-moves", "/srv/class/ann/sb-play"));
    EXPECT_THAT(command_for("walls:java -jar  Walls.jar"),
                ElementsAre("referee-adapter", "walls-lines", "java", "-jar", "Walls.jar"));
    EXPECT_THAT(command_for("walls:java -cp 'my classes' Walls"),
                ElementsAre("referee-adapter", "walls-lines", "sh", "-c",
                            "exec java -cp 'my classes' Walls"));
}

TEST(Kinds, AFileOfAnInterpreterMayHaveBlanksInItsName) {
    EXPECT_THAT(good("octave:my player (4).m").words, ElementsAre("./my player (4).m"));
}

TEST(Kinds, AskForTheFoldersOfTheirAdapters) {
    const auto octave = launch_of(good("octave:a.m"), "/srv", "/share/sample_bots");
    EXPECT_THAT(octave.reads,
                ElementsAre("/share/sample_bots/adapters", "/share/sample_bots/octave"));
    EXPECT_EQ(octave.adapter, "/share/sample_bots/adapters/octave_e7.m");
    const auto snake = launch_of(good("snake:iap"), "/srv", "/share/sample_bots");
    EXPECT_THAT(snake.reads, IsEmpty());
    EXPECT_EQ(snake.adapter, "");
}

TEST(Kinds, ACommandIsNoProgramOfAKind) {
    for (const auto* text : {"walls-greedy", "python3 bot.py", "random", "./run a:b", "/opt/a:b",
                             ":x", "Walls:x", ""}) {
        const auto read = program_in(text);
        ASSERT_TRUE(read) << text << ": " << read.error();
        EXPECT_FALSE(*read) << text;
    }
}

TEST(Kinds, SayWhichThereAreAndWhatIsMissing) {
    const auto unknown = program_in("ocatve:e7planets_player.m");
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error(), HasSubstr("no kind of programs \"ocatve\""));
    EXPECT_THAT(unknown.error(), HasSubstr("octave-function (or octave) for e7_planets"));
    EXPECT_THAT(unknown.error(), HasSubstr("walls-lines (or walls) for walls"));
    for (const auto* text : {"octave:", "octave: ", "snake:", "walls:  "}) {
        const auto empty = program_in(text);
        ASSERT_FALSE(empty) << text;
        EXPECT_THAT(empty.error(), HasSubstr("expected the file with the student's program"));
    }
}

TEST(Kinds, PlayOneGame) {
    EXPECT_EQ(unsuited(good("racket:a.scm"), "light_cycles"), "");
    EXPECT_EQ(unsuited(good("racket:a.scm"), "walls"),
              "is of the kind racket-team, which plays light_cycles and not walls");
}

// In the package, or in the sources of a copied checkout.
TEST(Kinds, TheirAdaptersAreLookedForAboveTheProgram) {
    EXPECT_THAT(sample_bots_places("/ann/referee/build/release/bin/referee"),
                testing::ElementsAre("/ann/referee/build/release/share/referee/sample_bots",
                                     "/ann/referee/build/release/bin/sample_bots",
                                     "/ann/referee/build/release/sample_bots",
                                     "/ann/referee/build/sample_bots", "/ann/referee/sample_bots",
                                     "/ann/sample_bots"));
}

TEST(Kinds, TheirAdaptersAreFoundFromTheRunningProgram) {
    const auto place = sample_bots_place();
    EXPECT_THAT(place, testing::EndsWith("/sample_bots"));
    EXPECT_THAT(place, testing::Not(HasSubstr("/share/referee")))
        << "the build's link is followed, so that a sandbox shows the folder itself";
}

}  // namespace
}  // namespace referee::kinds

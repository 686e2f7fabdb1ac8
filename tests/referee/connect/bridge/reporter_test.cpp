#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "referee/connect/bridge/reporter.h"
#include "tests/folder_of_test.h"

namespace referee::bridge {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class NarratorTest : public testing::Test {
 protected:
    const tests::FolderOfTest made_;
    const std::string& folder_ = made_.path;
    std::ostringstream screen_;
    BridgeReporter reporter_{screen_, *KeptFolder::in(folder_), false};
};

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST_F(NarratorTest, ShowsWhatIsPrintedLineByLineAndObeysNothing) {
    reporter_.printed("half ");
    EXPECT_EQ(screen_.str(), "");
    reporter_.printed("a line\n\x1b[2Jred\r\nno end");
    EXPECT_EQ(screen_.str(), "bot | half a line\nbot | \\x1b[2Jred\n");
    reporter_.program_ended("no end");
    EXPECT_TRUE(screen_.str().ends_with("bot | no end\n"));
}

TEST_F(NarratorTest, ShowsTheEndOfWhatWasTooMuch) {
    for (std::size_t i = 0; i < 2 * error_lines_shown_max; ++i) reporter_.printed("more\n");
    EXPECT_EQ(count_of(screen_.str(), "bot | more\n"), error_lines_shown_max);
    EXPECT_EQ(count_of(screen_.str(), "prints much"), 1U);
    std::string tail;
    for (int i = 1; i <= 30; ++i) tail += "line " + std::to_string(i) + "\n";
    reporter_.program_ended(tail);
    EXPECT_THAT(screen_.str(), HasSubstr("standard error:\n    | line 16\n    | line 17\n"));
    EXPECT_TRUE(screen_.str().ends_with("    | line 30\n"));
    reporter_.program_began();
    reporter_.printed("anew\n");
    EXPECT_TRUE(screen_.str().ends_with("bot | anew\n"));
}

TEST_F(NarratorTest, TeachesOnceWhereMessagesBelong) {
    for (std::size_t i = 0; i < 3 * kept_back_shown_max; ++i)
        reporter_.kept_back({std::string(5000, 'x') + "\a", "it is no JSON"});
    EXPECT_EQ(count_of(screen_.str(), "belongs to the protocol"), 1U);
    EXPECT_EQ(count_of(screen_.str(), "(it is no JSON)"), kept_back_shown_max);
    EXPECT_EQ(count_of(screen_.str(), "more of this is only kept"), 1U);
    EXPECT_LT(screen_.str().size(), 10'000U);
}

TEST_F(NarratorTest, TellsTroubleWithTheFolderOnce) {
    relay::GameLog log("Ada");
    std::filesystem::remove_all(folder_);
    for (const auto* const game : {"g1", "g2"}) {
        log.told(std::string(R"({"type":"start","match":"m","game_id":")") + game +
                 R"(","game_number":1,"games":1,"game":"walls","seat":0,"names":["Ada"],)" +
                 R"("params":{},"clock":{"kind":"none","measure":"wall","budget_us":0},)" +
                 R"("turn":0,"state":{}})");
        log.told(std::string(R"({"type":"note","code":"annulled","message":"x","game_id":")") +
                 game + "\"}");
    }
    reporter_.tell(log);
    EXPECT_EQ(count_of(screen_.str(), "can't be written"), 1U);
    EXPECT_EQ(count_of(screen_.str(), "doesn't count"), 2U);
}

TEST_F(NarratorTest, TracesLinesWithoutSecrets) {
    BridgeReporter tracing(screen_, *KeptFolder::in(folder_), true);
    tracing.trace_said("{\"type\":\"login\",\"token\":\"secret\"}\n{\"a\":1}\n");
    tracing.trace_told("{\"b\":\"\x7f\"}\n");
    EXPECT_EQ(screen_.str(),
              "> {\"type\":\"login\",\"token\":\"...\"}\n> {\"a\":1}\n< {\"b\":\"\\x7f\"}\n");
}

class KeptFolderTest : public testing::Test {
 protected:
    std::string folder() const { return top_.at("kept"); }
    std::string read(const std::string& name) const { return top_.read("kept/" + name); }
    std::set<std::string> stories() const { return top_.names("kept/games"); }

    const tests::FolderOfTest top_;
    KeptFolder kept_ = KeptFolder::in(folder()).value();
};

TEST_F(KeptFolderTest, KeepsTheLastStories) {
    for (int game = 1; game <= 25; ++game)
        ASSERT_TRUE(kept_.keep_story("t/1." + std::to_string(game), "story"));
    EXPECT_EQ(stories().size(), stories_kept);
    EXPECT_EQ(*stories().begin(), "000006 t_1.6.txt");
    EXPECT_EQ(*stories().rbegin(), "000025 t_1.25.txt");
    EXPECT_EQ(read("games/000025 t_1.25.txt"), "story");
}

TEST_F(KeptFolderTest, GoesOnWhereAnotherRunEnded) {
    ASSERT_TRUE(kept_.keep_story("g1", "old"));
    ASSERT_TRUE(kept_.print("one\n"));
    auto kept = KeptFolder::in(folder()).value();
    ASSERT_TRUE(kept.keep_story("g1", "new"));
    ASSERT_TRUE(kept.print("two\n"));
    EXPECT_THAT(stories(), ElementsAre("000001 g1.txt", "000002 g1.txt"));
    EXPECT_EQ(read("printed.log"), "one\ntwo\n");
}

TEST_F(KeptFolderTest, LeavesFilesOfOthersAlone) {
    std::ofstream(folder() + "/games/7 notes.md") << "mine";
    std::ofstream(folder() + "/games/my.txt") << "mine";
    for (int game = 1; game <= 25; ++game) ASSERT_TRUE(kept_.keep_story("g", "story"));
    EXPECT_EQ(stories().size(), stories_kept + 2);
}

TEST_F(KeptFolderTest, BoundsWhatIsPrinted) {
    const std::string piece(100'000, 'x');
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(kept_.print(piece));
    ASSERT_TRUE(kept_.print("the end\n"));
    EXPECT_LE(fs::file_size(folder() + "/printed.log"), printed_bytes_max);
    EXPECT_LE(fs::file_size(folder() + "/printed.old.log"), printed_bytes_max);
    EXPECT_TRUE(read("printed.log").ends_with("the end\n"));
    ASSERT_TRUE(kept_.print(std::string(3 * printed_bytes_max, 'y') + "last\n"));
    EXPECT_LE(fs::file_size(folder() + "/printed.log"), printed_bytes_max);
    EXPECT_TRUE(read("printed.log").ends_with("ylast\n"));
}

TEST_F(KeptFolderTest, NamesOfGamesAreNoWayElsewhere) {
    ASSERT_TRUE(kept_.keep_story("../../../x\n", "story"));
    EXPECT_THAT(stories(), ElementsAre("000001 .._.._.._x_.txt"));
    EXPECT_EQ(default_folder("Ada L./\xc3\xa9"), "referee-Ada%20L.%2F%C3%A9");
}

TEST_F(KeptFolderTest, SaysWhatCannotBeWritten) {
    const auto kept = KeptFolder::in(top_.write("file", "x") + "/kept");
    ASSERT_FALSE(kept);
    EXPECT_THAT(kept.error(), HasSubstr("name another folder by --keep"));
    fs::remove_all(folder());
    const auto story = kept_.keep_story("g", "story");
    ASSERT_FALSE(story);
    EXPECT_THAT(story.error(), HasSubstr("can't be written: No such file"));
}

}  // namespace
}  // namespace referee::bridge

#include "referee/connect/bridge/reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace referee::bridge {
namespace {

using testing::HasSubstr;
using testing::Not;

class NarratorTest : public testing::Test {
 protected:
    NarratorTest() {
        std::string name =
            (std::filesystem::temp_directory_path() / "referee-narrator-XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    ~NarratorTest() override { std::filesystem::remove_all(folder_); }

    std::string folder_;
    std::ostringstream screen_;
};

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST_F(NarratorTest, ShowsWhatIsPrintedLineByLineAndObeysNothing) {
    BridgeReporter reporter(screen_, *KeptFolder::in(folder_), false);
    reporter.printed("half ");
    EXPECT_EQ(screen_.str(), "");
    reporter.printed("a line\n\x1b[2Jred\r\nno end");
    EXPECT_EQ(screen_.str(), "bot | half a line\nbot | \\x1b[2Jred\n");
    reporter.program_ended("no end");
    EXPECT_TRUE(screen_.str().ends_with("bot | no end\n"));
}

TEST_F(NarratorTest, ShowsTheEndOfWhatWasTooMuch) {
    BridgeReporter reporter(screen_, *KeptFolder::in(folder_), false);
    for (std::size_t i = 0; i < 2 * error_lines_shown_max; ++i) reporter.printed("more\n");
    EXPECT_EQ(count_of(screen_.str(), "bot | more\n"), error_lines_shown_max);
    EXPECT_EQ(count_of(screen_.str(), "prints much"), 1U);
    std::string tail;
    for (int i = 1; i <= 30; ++i) tail += "line " + std::to_string(i) + "\n";
    reporter.program_ended(tail);
    EXPECT_THAT(screen_.str(), HasSubstr("standard error:\n    | line 16\n    | line 17\n"));
    EXPECT_TRUE(screen_.str().ends_with("    | line 30\n"));
    reporter.program_began();
    reporter.printed("anew\n");
    EXPECT_TRUE(screen_.str().ends_with("bot | anew\n"));
}

TEST_F(NarratorTest, TeachesOnceWhereMessagesBelong) {
    BridgeReporter reporter(screen_, *KeptFolder::in(folder_), false);
    for (std::size_t i = 0; i < 3 * kept_back_shown_max; ++i)
        reporter.kept_back({std::string(5000, 'x') + "\a", "it is no JSON"});
    EXPECT_EQ(count_of(screen_.str(), "belongs to the protocol"), 1U);
    EXPECT_EQ(count_of(screen_.str(), "(it is no JSON)"), kept_back_shown_max);
    EXPECT_EQ(count_of(screen_.str(), "more of this is only kept"), 1U);
    EXPECT_LT(screen_.str().size(), 10'000U);
}

TEST_F(NarratorTest, TellsTroubleWithTheFolderOnce) {
    BridgeReporter reporter(screen_, *KeptFolder::in(folder_), false);
    relay::Record record("Ada");
    std::filesystem::remove_all(folder_);
    for (const auto* const game : {"g1", "g2"}) {
        record.told(std::string(R"({"type":"start","match":"m","game_id":")") + game +
                    R"(","game_number":1,"games":1,"game":"walls","seat":0,"names":["Ada"],)" +
                    R"("params":{},"clock":{"kind":"none","measure":"wall","budget_us":0},)" +
                    R"("turn":0,"state":{}})");
        record.told(std::string(R"({"type":"note","code":"annulled","message":"x","game_id":")") +
                    game + "\"}");
    }
    reporter.tell(record);
    EXPECT_EQ(count_of(screen_.str(), "can't be written"), 1U);
    EXPECT_EQ(count_of(screen_.str(), "doesn't count"), 2U);
}

TEST_F(NarratorTest, TracesLinesWithoutSecrets) {
    BridgeReporter reporter(screen_, *KeptFolder::in(folder_), true);
    reporter.trace_said("{\"type\":\"login\",\"token\":\"secret\"}\n{\"a\":1}\n");
    reporter.trace_told("{\"b\":\"\x7f\"}\n");
    EXPECT_EQ(screen_.str(),
              "> {\"type\":\"login\",\"token\":\"...\"}\n> {\"a\":1}\n< {\"b\":\"\\x7f\"}\n");
}

}  // namespace
}  // namespace referee::bridge

// The JSON Schemas against what the encoder writes and what PROTOCOL.md shows, by Python's
// validator.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/places.h"
#include "tests/protocol/protocol_page.h"
#include "tests/protocol/sample_messages.h"

namespace protocol {
namespace {

constexpr int validator_missing = 77;

struct Verdict {
    int status = -1;
    std::string complaints;
};

class Schemas : public ::testing::Test {
 protected:
    void SetUp() override {
        const auto* const info = ::testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(::testing::TempDir()) /
                ("messages." + std::string(info->name()) + "." + std::to_string(::getpid()));
    }
    void TearDown() override { std::filesystem::remove(path_); }

    Verdict check(const std::vector<std::string>& lines) const {
        std::ofstream(path_) << [&] {
            std::string text;
            for (const auto& line : lines) text += line + '\n';
            return text;
        }();
        const auto command = "/usr/bin/python3 '" + tests::source_root() +
                             "/tests/protocol/check_schemas.py' '" + tests::source_root() +
                             "/protocol/schema' < '" + path_.string() + "' 2>&1";
        Verdict verdict;
        std::FILE* const pipe = ::popen(command.c_str(), "r");
        if (pipe == nullptr) return verdict;
        for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
            verdict.complaints += static_cast<char>(c);
        }
        verdict.status = WEXITSTATUS(::pclose(pipe));
        return verdict;
    }

 private:
    std::filesystem::path path_;
};

bool is_validator_missing(const Verdict& verdict) {
    constexpr int no_such_command = 127;
    return verdict.status == validator_missing || verdict.status == no_such_command;
}

TEST_F(Schemas, hold_for_what_the_encoder_writes) {
    const auto verdict = check(testing::encoded_samples());
    if (is_validator_missing(verdict)) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(verdict.status, 0) << verdict.complaints;
}

TEST_F(Schemas, hold_for_what_the_page_shows) {
    auto lines = testing::page_lines("json");
    for (const auto& line : testing::page_lines("netcat")) {
        if (line.find('{') == 2) lines.push_back(line.substr(2));
    }
    const auto verdict = check(lines);
    if (is_validator_missing(verdict)) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(verdict.status, 0) << verdict.complaints;
}

TEST_F(Schemas, refuse_what_is_wrong) {
    const auto verdict = check({R"({"type":"move","game_id":"g1","turn":-1,"move":"F"})",
                                R"({"type":"move","game_id":"g1","turn":1})",
                                R"({"type":"turn","game_id":"g1","turn":1,"budget_us":1})",
                                R"({"type":"note","code":"a","message":"b","extra":1})"});
    if (is_validator_missing(verdict)) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(verdict.status, 1);
    for (const auto* const complaint : {"minimum of 0", "'move' is a required property",
                                        "not valid under any of the given schemas", "'extra'"}) {
        EXPECT_NE(verdict.complaints.find(complaint), std::string::npos) << complaint << "\n"
                                                                         << verdict.complaints;
    }
}

}  // namespace
}  // namespace protocol

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "protocol/bad_line.h"
#include "protocol/codec.h"
#include "protocol/codes.h"
#include "protocol/message_fields.h"
#include "tests/folder_of_test.h"
#include "tests/places.h"
#include "tests/protocol/protocol_page.h"
#include "tests/protocol/sample_messages.h"

namespace protocol {
namespace {

// The JSON Schemas against what the encoder writes and what PROTOCOL.md shows, by Python's
// validator.

struct Verdict {
    bool no_validator() const {
        constexpr int validator_missing = 77;
        constexpr int no_such_command = 127;
        return status == validator_missing || status == no_such_command;
    }

    int status;
    std::string complaints;
};

Verdict verdict_on(const std::vector<std::string>& lines) {
    const tests::FolderOfTest folder;
    std::string text;
    for (const auto& line : lines) text += line + '\n';
    const auto here = tests::source_root();
    const auto command = "/usr/bin/python3 '" + here + "/tests/protocol/check_schemas.py' '" +
                         here + "/protocol/schema' < '" + folder.write("messages", text) + "' > '" +
                         folder.at("complaints") + "' 2>&1";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), folder.read("complaints")};
}

TEST(Schemas, hold_for_what_the_encoder_writes) {
    const auto verdict = verdict_on(testing::encoded_samples());
    if (verdict.no_validator()) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(verdict.status, 0) << verdict.complaints;
}

TEST(Schemas, hold_for_what_the_page_shows) {
    auto lines = testing::page_lines("json");
    for (const auto& line : testing::page_lines("netcat")) {
        if (line.find('{') == 2) lines.push_back(line.substr(2));
    }
    const auto verdict = verdict_on(lines);
    if (verdict.no_validator()) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(verdict.status, 0) << verdict.complaints;
}

TEST(Schemas, refuse_what_is_wrong) {
    const auto verdict = verdict_on({R"({"type":"move","game_id":"g1","turn":-1,"move":"F"})",
                                     R"({"type":"move","game_id":"g1","turn":1})",
                                     R"({"type":"turn","game_id":"g1","turn":1,"budget_us":1})",
                                     R"({"type":"note","code":"a","message":"b","extra":1})"});
    if (verdict.no_validator()) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(verdict.status, 1);
    for (const auto* const complaint : {"minimum of 0", "'move' is a required property",
                                        "not valid under any of the given schemas", "'extra'"}) {
        EXPECT_NE(verdict.complaints.find(complaint), std::string::npos) << complaint << "\n"
                                                                         << verdict.complaints;
    }
}

std::string protocol_page() {
    std::ifstream file(tests::source_root() + "/protocol/PROTOCOL.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

template <typename Codes>
void expect_documented_once(const Codes& codes, const std::string& page) {
    std::set<std::string> names;
    for (const auto code : codes) {
        const std::string name(name_of(code));
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos)
            << name << " has no row in a table of PROTOCOL.md";
    }
}

TEST(Codes, are_distinct_and_documented) {
    const auto page = protocol_page();
    ASSERT_FALSE(page.empty());
    expect_documented_once(all_codes<ErrorCode>(), page);
    expect_documented_once(all_codes<FaultCode>(), page);
    expect_documented_once(all_codes<NoteCode>(), page);
    expect_documented_once(all_codes<ByeReason>(), page);
}

template <typename Code>
void expect_read_as_written(std::initializer_list<Code> codes) {
    for (const auto code : codes) EXPECT_EQ(code_named<Code>(name_of(code)), code);
}

TEST(Codes, are_read_as_they_are_written) {
    for (const auto code : all_codes<FaultCode>()) expect_read_as_written({code});
    expect_read_as_written({StateForm::full, StateForm::delta});
    expect_read_as_written({ClockKind::turn, ClockKind::game, ClockKind::none});
    expect_read_as_written({Measure::wall, Measure::cpu});
    expect_read_as_written({Consequence::none, Consequence::missing_move, Consequence::lost_turn,
                            Consequence::strike, Consequence::forfeit});
    EXPECT_FALSE(code_named<FaultCode>("Late"));
    EXPECT_FALSE(code_named<StateForm>(""));
}

// PROTOCOL.md shows nothing that isn't so.

bool is_good_from_bot(std::string_view line) {
    json::Document document;
    const auto message = decode_from_bot(line, document);
    return !std::holds_alternative<ProtocolError>(message);
}

bool is_good_from_referee(std::string_view line) {
    json::Document document;
    const auto message = decode_from_referee(line, document);
    return !std::holds_alternative<ProtocolError>(message) &&
           !std::holds_alternative<UnknownMessage>(message);
}

TEST(ProtocolPage, shows_valid_messages_of_every_type) {
    std::set<std::string, std::less<>> missing;
    std::apply([&](auto... type) { (missing.emplace(type.name), ...); }, fields::type_names);
    json::Document document;
    for (const auto& line : testing::page_lines("json")) {
        ASSERT_TRUE(document.parse(line)) << line;
        const std::string type(document.root().find("type").text());
        EXPECT_TRUE(is_good_from_bot(line) || is_good_from_referee(line)) << line;
        missing.erase(type);
    }
    for (const auto& type : missing) ADD_FAILURE() << "no example of " << type;
}

// Whoever types the lines that begin with '>' gets answers like those that begin with '<'.
TEST(ProtocolPage, shows_a_session_by_hand_that_is_so) {
    const auto lines = testing::page_lines("netcat");
    ASSERT_GT(lines.size(), 10U);
    int mistakes = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto line = std::string_view(lines[i]).substr(2);
        if (lines[i].starts_with("< ")) {
            EXPECT_TRUE(is_good_from_referee(line)) << line;
            continue;
        }
        ASSERT_TRUE(lines[i].starts_with("> ")) << lines[i];
        json::Document document;
        const auto message = decode_from_bot(line, document);
        if (const auto* const error = std::get_if<ProtocolError>(&message)) {
            ++mistakes;
            auto told = *error;
            ASSERT_TRUE(is_plain_text(told));
            tell_plain_text(told, false, 1);
            // The session knows the game and its turn.
            told.expected = R"({"type":"move","game_id":"g1","turn":1,"move":"F"})";
            std::string answer = "< ";
            encode(answer, told);
            ASSERT_LT(i + 1, lines.size());
            EXPECT_EQ(lines[i + 1] + '\n', answer);
        }
    }
    EXPECT_EQ(mistakes, 1);
}

TEST(ProtocolPage, names_the_limits_that_hold) {
    const auto page = protocol_page();
    std::string line;
    encode(line, Hello{});
    json::Document document;
    ASSERT_TRUE(document.parse(line));
    for (const auto [name, value] : document.root().find("limits").members()) {
        const auto row =
            "| `" + std::string(name) + "` | " + std::to_string(*value.integer()) + " |";
        EXPECT_NE(page.find(row), std::string::npos) << row;
    }
}

// A code that closes the connection is marked so in its row, and no other is.
TEST(ProtocolPage, marks_the_errors_that_close) {
    const auto page = protocol_page();
    const auto errors = page.substr(page.find("\n## Errors"));
    for (const auto code : all_codes<ErrorCode>()) {
        const auto begin = errors.find("| `" + std::string(name_of(code)) + "` |");
        ASSERT_NE(begin, std::string::npos) << name_of(code);
        const auto row = errors.substr(begin, errors.find('\n', begin) - begin);
        EXPECT_EQ(row.find("*closes*") != std::string::npos, closes(code)) << row;
    }
}

}  // namespace
}  // namespace protocol

// PROTOCOL.md shows nothing that isn't so.

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>

#include "protocol/codec.h"
#include "tests/places.h"
#include "tests/protocol/protocol_page.h"

namespace protocol {
namespace {

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
    std::set<std::string, std::less<>> missing = {
        "hello", "login",       "welcome",  "start",    "ready",           "turn",       "move",
        "fault", "note",        "error",    "end",      "match_end",       "history",    "ping",
        "pong",  "bye",         "games",    "game",     "game_list",       "game_story", "submit",
        "piece", "submissions", "withdraw", "received", "submission_list",
    };
    json::Document document;
    for (const auto& line : testing::page_lines("json")) {
        ASSERT_TRUE(document.parse(line)) << line;
        const std::string type(document.root().find("type").string().value_or(""));
        const bool both_ways = type == "ping" || type == "pong" || type == "bye";
        const bool from_bot = both_ways || type == "login" || type == "ready" || type == "move" ||
                              type == "games" || type == "game" || type == "submit" ||
                              type == "piece" || type == "submissions" || type == "withdraw";
        EXPECT_TRUE(from_bot ? is_good_from_bot(line) : is_good_from_referee(line)) << line;
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
            std::string answer = "< ";
            encode(answer, told);
            ASSERT_LT(i + 1, lines.size());
            EXPECT_EQ(lines[i + 1] + '\n', answer);
        }
    }
    EXPECT_EQ(mistakes, 1);
}

TEST(ProtocolPage, names_the_limits_that_hold) {
    std::ifstream file(tests::source_root() + "/protocol/PROTOCOL.md");
    const std::string page(std::istreambuf_iterator<char>(file), {});
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
    std::ifstream file(tests::source_root() + "/protocol/PROTOCOL.md");
    const std::string page(std::istreambuf_iterator<char>(file), {});
    const auto errors = page.substr(page.find("\n## Errors"));
    for (const auto code : all_error_codes()) {
        const auto begin = errors.find("| `" + std::string(name_of(code)) + "` |");
        ASSERT_NE(begin, std::string::npos) << name_of(code);
        const auto row = errors.substr(begin, errors.find('\n', begin) - begin);
        EXPECT_EQ(row.find("*closes*") != std::string::npos, closes(code)) << row;
    }
}

}  // namespace
}  // namespace protocol

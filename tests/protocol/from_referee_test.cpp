// What the referee writes, read back as a client does.

#include <gtest/gtest.h>

#include <string>

#include "protocol/base/overloaded.h"
#include "protocol/codec.h"
#include "tests/protocol/sample_messages.h"

namespace protocol {
namespace {

std::string encoded_again(const FromReferee& message) {
    std::string out;
    std::visit(base::Overloaded{[&](const auto& known) { encode(out, known); },
                                [&](const UnknownMessage& unknown) { out = unknown.type; },
                                [&](const ErrorMessage& error) { out = error.code; }},
               message);
    return out;
}

std::string encoded_again(const FromBot& message) {
    std::string out;
    std::visit([&](const auto& known) { encode(out, known); }, message);
    return out;
}

TEST(Codec, reads_back_what_it_writes) {
    json::Document document;
    for (const auto& line : testing::encoded_samples()) {
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        if (line.starts_with(R"({"type":"error")")) continue;
        const auto from_bot = decode_from_bot(line, document);
        EXPECT_EQ(std::holds_alternative<ProtocolError>(from_bot)
                      ? encoded_again(decode_from_referee(line, document))
                      : encoded_again(from_bot),
                  line + '\n');
    }
}

TEST(Codec, reads_the_referees_errors) {
    std::string line;
    encode(line, ProtocolError{ErrorCode::wrong_type, "bad", "{}", "turn", "x"});
    json::Document document;
    const auto message = decode_from_referee(line, document);
    const auto* const error = std::get_if<ErrorMessage>(&message);
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->code, "wrong_type");
    EXPECT_EQ(error->message, "bad");
    EXPECT_EQ(error->expected, "{}");
    EXPECT_EQ(error->member, "turn");
    EXPECT_EQ(error->received, "x");
}

TEST(Client, passes_over_what_it_does_not_know) {
    json::Document document;
    const auto message = decode_from_referee(R"({"type":"weather","rain":true})", document);
    ASSERT_TRUE(std::holds_alternative<UnknownMessage>(message));
    EXPECT_EQ(std::get<UnknownMessage>(message).type, "weather");
    const auto turn = decode_from_referee(
        R"({"type":"turn","game_id":"g","turn":1,"budget_us":5,"state":{},"new":[1]})", document);
    EXPECT_TRUE(std::holds_alternative<Turn>(turn));
}

TEST(Client, refuses_what_a_referee_never_sends) {
    const struct {
        std::string_view line;
        ErrorCode code;
    } cases[] = {
        {"", ErrorCode::invalid_json},
        {"[]", ErrorCode::not_an_object},
        {"{}", ErrorCode::missing_member},
        {R"({"type":"turn","game_id":"g","turn":1,"budget_us":5})", ErrorCode::missing_member},
        {R"({"type":"turn","game_id":"g","turn":1.0,"budget_us":5,"state":{}})",
         ErrorCode::wrong_type},
        {R"({"type":"turn","game_id":"g","turn":1,"budget_us":5,"delta":{}})",
         ErrorCode::wrong_type},
        {R"({"type":"turn","game_id":"g","turn":1,"budget_us":5,"state":{},"last":{"turn":1}})",
         ErrorCode::missing_member},
        {R"({"type":"start","game_id":"g"})", ErrorCode::missing_member},
        {R"({"type":"fault","game_id":"g","turn":1,"seat":0,"code":"rude","message":""})",
         ErrorCode::invalid_value},
        {R"({"type":"match_end","match":"m","names":[],"scores":[],"placing":["1"],"games":1})",
         ErrorCode::wrong_type},
        {R"({"type":"end","game_id":"g","outcome":{},"seats":[1],"seed":1,"turns":1})",
         ErrorCode::wrong_type},
    };
    json::Document document;
    for (const auto& [line, code] : cases) {
        const auto message = decode_from_referee(line, document);
        const auto* const error = std::get_if<ProtocolError>(&message);
        ASSERT_NE(error, nullptr) << line;
        EXPECT_EQ(name_of(error->code), name_of(code)) << line << ": " << error->message;
    }
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto line_end = text.find('\n');
        lines.emplace_back(text.substr(0, line_end));
        text.remove_prefix(line_end + 1);
    }
    return lines;
}

TEST(History, comes_in_bounded_pieces_that_make_the_whole) {
    const std::string one_turn = R"({"moves":["F",null],"used_us":[1,0]})";
    for (const std::size_t turns : {0U, 1U, 2U, 7U, 100U}) {
        for (const std::size_t piece_bytes : {1U, 100U, 32U * 1024U}) {
            const std::vector<std::string> history(turns, one_turn);
            std::string out;
            encode_history(out, "g1", 5, history, piece_bytes);
            json::Document document;
            std::size_t seen = 0;
            const auto lines = lines_of(out);
            for (std::size_t i = 0; i < lines.size(); ++i) {
                const auto message = decode_from_referee(lines[i], document);
                const auto* const piece = std::get_if<History>(&message);
                ASSERT_NE(piece, nullptr) << lines[i];
                EXPECT_EQ(piece->from_turn, 5 + static_cast<std::int64_t>(seen));
                EXPECT_EQ(piece->last, i + 1 == lines.size());
                EXPECT_LE(lines[i].size(), std::max(piece_bytes, one_turn.size()) + 100);
                seen += piece->turns.view().size();
            }
            EXPECT_EQ(seen, turns);
            const auto fits = turns < 2 || turns * (one_turn.size() + 1) <= piece_bytes;
            EXPECT_EQ(lines.size() == 1, fits) << turns << " turns by " << piece_bytes;
        }
    }
}

}  // namespace
}  // namespace protocol

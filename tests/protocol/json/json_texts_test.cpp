// The table of JSON texts: each is taken, or refused with its code, by the framer and the parser.

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/codec.h"
#include "protocol/framer.h"
#include "protocol/json/document.h"
#include "tests/places.h"

namespace protocol {
namespace {

struct JsonText {
    std::string verdict;
    std::string name;
    std::string text;
};

std::string unescaped(std::string_view escaped) {
    constexpr std::size_t escape_bytes = 3;  // %HH
    constexpr int hexadecimal = 16;
    std::string text;
    while (!escaped.empty()) {
        const bool is_escape = escaped.front() == '%';
        text += is_escape ? static_cast<char>(
                                std::stoi(std::string(escaped.substr(1, 2)), nullptr, hexadecimal))
                          : escaped.front();
        escaped.remove_prefix(is_escape ? escape_bytes : 1);
    }
    return text;
}

std::vector<JsonText> json_texts() {
    std::ifstream file(tests::source_root() + "/tests/protocol/json/json_texts.txt");
    std::vector<JsonText> texts;
    for (std::string row; std::getline(file, row);) {
        if (row.starts_with('#')) continue;
        const auto verdict_end = row.find(' ');
        const auto name_end = row.find(' ', verdict_end + 1);
        texts.push_back({row.substr(0, verdict_end),
                         row.substr(verdict_end + 1, name_end - verdict_end - 1),
                         unescaped(std::string_view(row).substr(name_end + 1))});
    }
    return texts;
}

// As the first line that comes out of the framer; nothing where none does.
std::optional<std::string> framed_alone(std::string_view text) {
    Framer framer(limits::line_bytes_max);
    const auto stream = std::string(text) + '\n';
    for (std::string_view rest = stream; !rest.empty();) {
        rest.remove_prefix(framer.push(rest));
        if (const auto found = framer.next(); found.what == Framing::line)
            return std::string(found.line);
    }
    return std::nullopt;
}

std::string verdict_on(std::string_view line, json::Document& document) {
    const auto message = decode_from_bot(line, document);
    const auto* error = std::get_if<ProtocolError>(&message);
    return error == nullptr ? "take" : std::string(name_of(error->code));
}

TEST(JsonTexts, are_parsed_as_the_table_says) {
    json::Document document;
    for (const auto& [verdict, name, text] : json_texts()) {
        const auto parsed = document.parse(text, {.depth_max = limits::depth_max});
        EXPECT_EQ(static_cast<bool>(parsed), verdict == "take") << name;
        EXPECT_EQ(static_cast<bool>(document.root()), verdict == "take") << name;
        if (parsed) continue;
        EXPECT_FALSE(parsed.error().message.empty()) << name;
        EXPECT_LE(parsed.error().message.size(), 300U) << name;
        EXPECT_LE(parsed.error().offset, text.size()) << name;
    }
}

TEST(JsonTexts, are_answered_with_their_codes_as_lines) {
    json::Document document;
    for (const auto& [verdict, name, text] : json_texts()) {
        if (text.find('\n') != std::string::npos) continue;  // several lines
        const auto line = framed_alone(text);
        EXPECT_EQ(line.has_value(), verdict != "nothing") << name;
        if (!line) continue;
        if (verdict != "take") {
            EXPECT_EQ(verdict_on(*line, document), verdict) << name;
            continue;
        }
        const auto alone =
            text.find('{') == text.find_first_not_of(" \t\r") ? "missing_member" : "not_an_object";
        EXPECT_EQ(verdict_on(*line, document), alone) << name;
        // At its greatest depth it does not fit into a message any more.
        if (name.ends_with("of_depth_32")) continue;
        EXPECT_EQ(verdict_on(R"({"type":"ping","id":7,"other":)" + *line + "}", document), "take")
            << name;
    }
}

}  // namespace
}  // namespace protocol

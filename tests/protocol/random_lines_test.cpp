// Any bytes are answered by a message or a typed error, and the error can be sent.

#include <gtest/gtest.h>

#include <string>

#include "protocol/codec.h"
#include "protocol/framer.h"
#include "tests/protocol/random_bytes.h"
#include "tests/protocol/sample_messages.h"

namespace protocol {
namespace {

constexpr int lines_tried = 10'000;

// How many were refused.
int expect_answered(json::Document& document, const std::string& line) {
    int refused = 0;
    const auto from_bot = decode_from_bot(line, document);
    if (const auto* const error = std::get_if<ProtocolError>(&from_bot)) {
        ++refused;
        std::string answer;
        encode(answer, *error);
        answer.pop_back();
        json::Document read;
        const auto read_back = decode_from_referee(answer, read);
        EXPECT_TRUE(std::holds_alternative<ErrorMessage>(read_back)) << answer;
        EXPECT_LT(answer.size(), 2000U);
    }
    const auto from_referee = decode_from_referee(line, document);
    EXPECT_LT(from_referee.index(), std::variant_size_v<FromReferee>);
    return refused;
}

TEST(RandomLines, are_answered) {
    testing::RandomBytes random(11);
    json::Document document;
    int refused = 0;
    for (int i = 0; i < lines_tried; ++i) {
        refused += expect_answered(document, random.any(300));
        refused += expect_answered(document, random.json_like(100));
    }
    EXPECT_GT(refused, lines_tried);
}

TEST(RandomLines, that_are_damaged_messages_are_answered) {
    const auto samples = testing::encoded_samples();
    testing::RandomBytes random(12);
    json::Document document;
    int refused = 0;
    for (int i = 0; i < lines_tried; ++i) {
        refused += expect_answered(document, random.damaged(samples[random.below(samples.size())]));
    }
    EXPECT_GT(refused, 0);
    EXPECT_LT(refused, lines_tried);
}

TEST(RandomLines, come_through_the_framer) {
    testing::RandomBytes random(13);
    json::Document document;
    for (int i = 0; i < 200; ++i) {
        Framer framer(1 + random.below(200));
        auto framing = Framing::more;
        for (int piece = 0; piece < 20 && framing != Framing::too_long; ++piece) {
            auto bytes = random.json_like(80) + (random.below(2) == 0 ? "\n" : "");
            std::string_view rest = bytes;
            while (!rest.empty() && framing != Framing::too_long) {
                rest.remove_prefix(framer.push(rest));
                Framed found;
                while ((found = framer.next()).what == Framing::line) {
                    expect_answered(document, std::string(found.line));
                }
                framing = found.what;
            }
        }
    }
}

}  // namespace
}  // namespace protocol

// What the fuzzers look for in any bytes holds for those that a seed makes up, too.

#include <gtest/gtest.h>

#include <string>

#include "tests/fuzz/target.h"
#include "tests/protocol/random_bytes.h"
#include "tests/protocol/sample_messages.h"

namespace protocol {
namespace {

constexpr int texts_tried = 6'000;

TEST(RandomLines, keep_the_promises_of_parser_and_codec) {
    testing::RandomBytes random(11);
    const auto samples = testing::encoded_samples();
    for (int i = 0; i < texts_tried; ++i) {
        for (const auto& text : {random.any(300), random.json_like(200),
                                 random.damaged(samples[random.below(samples.size())])}) {
            ASSERT_EQ(fuzz::check_json(text), "") << text;
            ASSERT_EQ(fuzz::check_protocol(text + '\n'), "") << text;
        }
    }
}

}  // namespace
}  // namespace protocol

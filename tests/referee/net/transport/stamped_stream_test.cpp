#include "referee/net/transport/stamped_stream.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace referee::transport {
namespace {

std::string record(std::size_t body_bytes) {
    const auto high = static_cast<char>(body_bytes / 256);
    const auto low = static_cast<char>(body_bytes % 256);
    return std::string{'\x17', '\x03', '\x03', high, low} + std::string(body_bytes, '\n');
}

// Where pieces end, when the stream comes in pieces of that size.
std::vector<std::size_t> ends_of(StreamOf kind, const std::string& stream, std::size_t at_once) {
    StreamPieces pieces(kind);
    std::vector<std::size_t> ends;
    std::string unread;
    std::size_t passed = 0;
    for (std::size_t from = 0; from < stream.size(); from += at_once) {
        unread += stream.substr(from, at_once);
        while (const auto end = pieces.first_end(unread)) {
            pieces.passed(std::string_view(unread).substr(0, *end));
            passed += *end;
            unread.erase(0, *end);
            ends.push_back(passed);
        }
        // What is no whole piece is passed bit by bit, too.
        pieces.passed(unread);
        passed += unread.size();
        unread.clear();
    }
    return ends;
}

TEST(StreamPiecesTest, FindsTheEndsOfRecordsHoweverTheyCome) {
    const auto stream = record(3) + record(0) + record(300) + record(16'384) + record(1);
    const std::vector<std::size_t> expected{8, 13, 318, 16'707, 16'713};
    for (std::size_t at_once = 1; at_once < 700; ++at_once)
        ASSERT_EQ(ends_of(StreamOf::tls_records, stream, at_once), expected) << at_once;
    EXPECT_EQ(ends_of(StreamOf::tls_records, stream, stream.size()), expected);
}

TEST(StreamPiecesTest, SeveralAreThereWhenOneEndsBeforeTheLastByte) {
    const StreamPieces lines(StreamOf::lines);
    EXPECT_FALSE(lines.holds_several(std::string("one\n")));
    EXPECT_TRUE(lines.holds_several(std::string("one\nt")));
    const StreamPieces records(StreamOf::tls_records);
    EXPECT_FALSE(records.holds_several(record(20)));
    EXPECT_TRUE(records.holds_several(record(20) + "\x17"));
    EXPECT_FALSE(records.holds_several(record(20).substr(0, 24)));
}

}  // namespace
}  // namespace referee::transport

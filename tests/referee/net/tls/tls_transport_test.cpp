// What is read and written once TLS has begun, and when it came.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/net/tls/transport_fixture.h"

namespace referee::tls {
namespace {

using namespace std::chrono_literals;

TEST_F(TlsTransportTest, CarriesLinesBothWays) {
    shake_hands();
    link_->arrive(client_.record_of("a line\n"), Stamp::exact(at(5)));
    EXPECT_EQ(read(), came("a line\n", 5, 5, true));
    link_->sent_at = {at(6), at(7)};
    const auto written = transport_->write("an answer\n");
    EXPECT_EQ(written.status, Status::good);
    EXPECT_EQ(written.bytes, 10U);
    EXPECT_EQ(written.stamp.earliest, at(6));
    EXPECT_EQ(written.stamp.latest, at(7));
    client_.take(taken_from_link());
    EXPECT_EQ(client_.heard, "an answer\n");
    EXPECT_TRUE(refused_.empty());
    EXPECT_STREQ(SSL_get_version(client_.native()), "TLSv1.3");
}

TEST_F(TlsTransportTest, TellsOfTheWayWhatItsCarrierTells) {
    EXPECT_EQ(transport_->path(at(0)).least, 77us);
    EXPECT_EQ(transport_->peer(), "192.0.2.7:40312");
    EXPECT_EQ(transport_->peer_address(), "192.0.2.7");
    EXPECT_TRUE(transport_->stamped_by_kernel());
    EXPECT_EQ(transport_->stamp_source(), "kernel receive stamp");
    EXPECT_FALSE(transport_->from_this_machine());
}

// Split anywhere, a record is there with the bytes that complete it, never before.
TEST_F(TlsTransportTest, ARecordSplitAtEachByte) {
    shake_hands();
    const std::string line = "one line of some length\n";
    const auto size = client_.record_of(line);
    link_->arrive(size, Stamp::exact(at(2)));
    ASSERT_EQ(read().text, line);
    for (std::size_t cut = 1; cut < size.size(); ++cut) {
        const auto record = client_.record_of(line);
        ASSERT_EQ(record.size(), size.size());
        link_->arrive(record.substr(0, cut), Stamp::exact(at(10)));
        ASSERT_EQ(read().status, Status::would_block) << cut;
        link_->arrive(record.substr(cut), Stamp::exact(at(20)));
        ASSERT_EQ(read(), came(line, 20, 20, true)) << cut;
    }
}

// Of several records that were read together, only the last has the stamp for itself.
TEST_F(TlsTransportTest, SeveralRecordsInOneRead) {
    shake_hands();
    const auto records = two_records();
    link_->arrive(records, {at(3), at(9)});
    EXPECT_EQ(read(), came("one\n", 3, 9, false));
    EXPECT_TRUE(goes_on(&TlsTransport::readable)) << "the second is read without waiting";
    EXPECT_EQ(read(), came("two\n", 9, 9, true));
}

TEST_F(TlsTransportTest, TheBeginningOfTheNextRecordComesAfterARecord) {
    shake_hands();
    const auto first = client_.record_of("one\n");
    const auto second = client_.record_of("two\n");
    link_->arrive(first + second.substr(0, 7), {at(3), at(9)});
    const auto got = read_all();
    ASSERT_EQ(got.size(), 1U);
    EXPECT_EQ(got[0], came("one\n", 3, 9, false));
    link_->arrive(second.substr(7), {at(10), at(12)}, false);
    const auto rest = read_all();
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0], came("two\n", 10, 12, false)) << "it ends as its carrier says";
}

TEST_F(TlsTransportTest, WhatDoesNotFitIsReadOnWithoutWaiting) {
    shake_hands();
    link_->arrive(client_.record_of("0123456789"), Stamp::exact(at(4)));
    EXPECT_EQ(read(4), came("0123", 4, 4, false));
    EXPECT_TRUE(goes_on(&TlsTransport::readable)) << "nothing else will come from the carrier";
    EXPECT_EQ(read(6), came("456789", 4, 4, true));
    EXPECT_FALSE(goes_on(&TlsTransport::readable));
}

TEST_F(TlsTransportTest, LongTextsAreWhole) {
    shake_hands();
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + " ";
    link_->arrive(client_.record_of(text), Stamp::exact(at(4)));
    std::string got;
    for (const auto& piece : read_all()) got += piece.text;
    EXPECT_EQ(got, text);
    for (std::string_view rest = text; !rest.empty();) {
        const auto written = transport_->write(rest);
        ASSERT_EQ(written.status, Status::good);
        rest.remove_prefix(written.bytes);
    }
    client_.take(taken_from_link());
    EXPECT_EQ(client_.heard, text);
}

// Whoever writes takes out what was taken, and offers the rest again with more behind it.
TEST_F(TlsTransportTest, ACarrierThatTakesAFewBytesAtATime) {
    shake_hands();
    std::string waiting = "first line\n";
    std::string said = waiting;
    int blocked = 0;
    for (int i = 0; !waiting.empty(); ++i) {
        ASSERT_LT(i, 10'000);
        link_->room = static_cast<std::size_t>(i % 7);
        if (i < 20) {
            const auto line = "line " + std::to_string(i) + "\n";
            waiting += line;
            said += line;
        }
        const auto written = transport_->write(waiting);
        if (written.status == Status::would_block) {
            ++blocked;
            EXPECT_EQ(written.bytes, 0U);
            continue;
        }
        ASSERT_EQ(written.status, Status::good);
        waiting.erase(0, written.bytes);
    }
    EXPECT_GT(blocked, 0);
    client_.take(taken_from_link());
    EXPECT_EQ(client_.heard, said);
}

TEST_F(TlsTransportTest, ASingleByteThatIsHeldBack) {
    shake_hands();
    link_->room = 5;
    EXPECT_EQ(transport_->write("x").status, Status::would_block);
    EXPECT_EQ(transport_->write("x").status, Status::would_block);
    link_->room = SIZE_MAX;
    link_->sent_at = Stamp::exact(at(9));
    const auto written = transport_->write("xy");
    EXPECT_EQ(written.status, Status::good);
    EXPECT_EQ(written.bytes, 1U);
    EXPECT_EQ(written.stamp.latest, at(9)) << "when it really left";
    client_.take(taken_from_link());
    EXPECT_EQ(client_.heard, "x");
}

}  // namespace
}  // namespace referee::tls

// How TLS begins and ends, and who is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/net/tls/transport_fixture.h"

namespace referee::tls {
namespace {

using ::testing::HasSubstr;

class Tls12TransportTest : public TlsTransportTest {
 protected:
    Tls12TransportTest() : TlsTransportTest(TLS1_2_VERSION) {}
};
class Tls11TransportTest : public TlsTransportTest {
 protected:
    Tls11TransportTest() : TlsTransportTest(TLS1_1_VERSION) {}
};

TEST_F(Tls12TransportTest, CarriesLinesAndDoesNotShakeHandsAgain) {
    shake_hands();
    EXPECT_STREQ(SSL_get_version(client_.native()), "TLSv1.2");
    link_->arrive(client_.record_of("a line\n"), Stamp::exact(at(5)));
    EXPECT_EQ(read().text, "a line\n");
    transport_->write("an answer\n");
    client_.take(taken_from_link());
    EXPECT_EQ(client_.heard, "an answer\n");
    ERR_clear_error();
    SSL_renegotiate(client_.native());
    SSL_do_handshake(client_.native());
    link_->arrive(client_.records(), Stamp::exact(at(5)));
    EXPECT_EQ(read().status, Status::would_block);
    constexpr std::size_t alert_bytes_max = 64;  // far from a handshake's answer
    const auto answer = taken_from_link();
    EXPECT_FALSE(answer.empty());
    EXPECT_LT(answer.size(), alert_bytes_max);
    client_.take(answer);
    EXPECT_FALSE(client_.is_open()) << "it asked, and was not granted it";
}

TEST_F(Tls11TransportTest, IsRefusedWithWords) {
    hello_arrives();
    EXPECT_EQ(read().status, Status::failed);
    ASSERT_EQ(refused_.size(), 1U);
    EXPECT_THAT(refused_[0], HasSubstr("192.0.2.7:40312: it offers no TLS of version 1.2 or 1.3"));
    EXPECT_FALSE(taken_from_link().empty()) << "an alert";
    EXPECT_EQ(read().status, Status::failed);
    EXPECT_EQ(transport_->write("x").status, Status::failed);
}

TEST_F(TlsTransportTest, NothingIsTakenBeforeTheHandshakeIsOver) {
    EXPECT_EQ(transport_->write("hello\n").status, Status::would_block);
    EXPECT_TRUE(link_->sent.empty());
    shake_hands();
    EXPECT_EQ(transport_->write("hello\n").status, Status::good);
    EXPECT_TRUE(goes_on(&TlsTransport::writable));
}

TEST_F(TlsTransportTest, WhoWritesWaitsForTheHandshakeAlthoughTheCarrierCouldWrite) {
    EXPECT_FALSE(goes_on(&TlsTransport::writable));
}

TEST_F(TlsTransportTest, AHandshakeThatTheCarrierDoesNotTakeIsWrittenLater) {
    link_->room = 10;
    hello_arrives();
    EXPECT_EQ(read().status, Status::would_block);
    EXPECT_EQ(link_->sent.size(), 10U);
    link_->room = SIZE_MAX;
    EXPECT_TRUE(goes_on(&TlsTransport::writable)) << "there is something to be written";
    EXPECT_EQ(transport_->write("hello\n").status, Status::would_block);
    shake_hands();
}

TEST_F(TlsTransportTest, EndsWithAGoodbye) {
    shake_hands();
    transport_->write("last words\n");
    transport_->close();
    transport_->close();
    EXPECT_TRUE(link_->closed);
    client_.take(taken_from_link());
    EXPECT_EQ(client_.heard, "last words\n");
    EXPECT_TRUE(client_.said_goodbye);
    EXPECT_EQ(read().status, Status::closed);
    EXPECT_EQ(transport_->write("x").status, Status::closed);
}

TEST_F(TlsTransportTest, APeerThatSaysGoodbyeHasClosed) {
    shake_hands();
    const auto last = client_.record_of("bye\n");
    link_->arrive(last + client_.goodbye(), Stamp::exact(at(3)));
    EXPECT_EQ(read().text, "bye\n");
    EXPECT_EQ(read().status, Status::closed);
    EXPECT_EQ(read().status, Status::closed);
}

TEST_F(TlsTransportTest, ACutEndCountsAsClosed) {
    shake_hands();
    link_->arrive(client_.record_of("half a li").substr(0, 12), Stamp::exact(at(3)));
    link_->ended = true;
    EXPECT_EQ(read().status, Status::closed);
}

TEST_F(TlsTransportTest, ARecordThatWasChangedOnTheWayBreaksTheLink) {
    shake_hands();
    auto record = client_.record_of("give me the point\n");
    record[record.size() / 2] = static_cast<char>(record[record.size() / 2] ^ 1);
    link_->arrive(record, Stamp::exact(at(3)));
    EXPECT_EQ(read().status, Status::failed);
}

TEST_F(TlsTransportTest, WhoSpeaksPlainTextIsToldInPlainText) {
    link_->arrive("{\"type\":\"login\"}\n", Stamp::exact(at(3)));
    EXPECT_EQ(read().status, Status::failed);
    EXPECT_EQ(taken_from_link(), plain_answer);
    ASSERT_EQ(refused_.size(), 1U);
    EXPECT_THAT(refused_[0], HasSubstr("it speaks without TLS"));
    transport_->close();
    EXPECT_TRUE(link_->sent.empty()) << "once";
}

TEST_F(TlsTransportTest, WhoSaysNothingIsToldInPlainTextInTheEnd) {
    EXPECT_EQ(read().status, Status::would_block);
    had_time_ = true;
    transport_->close();
    EXPECT_EQ(taken_from_link(), plain_answer);
}

// As a connection too many is: its first word may be under way.
TEST_F(TlsTransportTest, WhoHadNoTimeToSayAnythingIsNotToldInPlainText) {
    transport_->close();
    EXPECT_EQ(taken_from_link(), "");
    EXPECT_TRUE(link_->closed);
}

TEST_F(TlsTransportTest, WhoStopsInTheHandshakeIsNotToldInPlainText) {
    hello_arrives(20);
    EXPECT_EQ(read().status, Status::would_block);
    transport_->close();
    EXPECT_EQ(taken_from_link(), "");
    EXPECT_TRUE(refused_.empty());
}

TEST_F(TlsTransportTest, AHandshakeThatThePeerLeaves) {
    hello_arrives();
    EXPECT_EQ(read().status, Status::would_block);
    link_->ended = true;
    EXPECT_EQ(read().status, Status::closed);
    ASSERT_EQ(refused_.size(), 1U);
    EXPECT_THAT(refused_[0], HasSubstr("before TLS had begun"));
}

TEST_F(TlsTransportTest, APeerThatDoesNotTrustTheCertificate) {
    SSL_set_verify(client_.native(), SSL_VERIFY_PEER, nullptr);
    for (const auto status : {Status::would_block, Status::failed}) {
        client_.take(taken_from_link());
        link_->arrive(client_.records(), Stamp::exact(at(3)));
        EXPECT_EQ(read().status, status);
    }
    ASSERT_EQ(refused_.size(), 1U);
    EXPECT_THAT(refused_[0], HasSubstr("it doesn't trust the certificate"));
}

TEST_F(TlsTransportTest, GarbageThatBeginsAsTlsDoes) {
    link_->arrive("\x16\x03\x01" + std::string(400, '\xff'), Stamp::exact(at(3)));
    link_->arrive(std::string(70'000, '\xff'), Stamp::exact(at(3)));
    EXPECT_EQ(read().status, Status::failed);
    EXPECT_EQ(refused_.size(), 1U);
}

TEST_F(TlsTransportTest, EmptyRecordsDoNotKeepTheLoop) {
    shake_hands();
    const auto record = client_.record_of("a line\n");
    for (int i = 0; i < 1000; ++i) link_->arrive(record.substr(0, 1), Stamp::exact(at(3)));
    read();
    EXPECT_GT(link_->arrivals.size(), 900U) << "it gives way after a few reads";
}

TEST_F(TlsTransportTest, ThePeerMayChangeItsKeys) {
    shake_hands();
    SSL_key_update(client_.native(), SSL_KEY_UPDATE_REQUESTED);
    link_->arrive(client_.record_of("with new keys\n"), Stamp::exact(at(3)));
    EXPECT_EQ(read().text, "with new keys\n");
    transport_->write("with mine\n");
    client_.take(taken_from_link());
    EXPECT_EQ(client_.heard, "with mine\n");
}

TEST_F(TlsTransportTest, APeerThatChangesItsKeysWithoutEndIsLeft) {
    shake_hands();
    int changes = 0;
    for (auto status = Status::good; status == Status::good && changes < 1000; ++changes) {
        SSL_key_update(client_.native(), SSL_KEY_UPDATE_NOT_REQUESTED);
        link_->arrive(client_.record_of(" "), Stamp::exact(at(3)));
        status = read().status;
    }
    EXPECT_GT(changes, 50);
    EXPECT_LT(changes, 200);
}

}  // namespace
}  // namespace referee::tls

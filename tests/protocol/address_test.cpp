#include "protocol/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace protocol {
namespace {

using ::testing::HasSubstr;

const std::string digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

TEST(AddressTest, IsReadAndWritten) {
    const struct {
        std::string text;
        ServerAddress address;
    } cases[] = {
        {"localhost:7777", {"localhost", "7777", false, ""}},
        {"127.0.0.1:1", {"127.0.0.1", "1", false, ""}},
        {"[::1]:80", {"::1", "80", false, ""}},
        {"tls://lab-server:7778", {"lab-server", "7778", true, ""}},
        {"tls://lab-server:7778#sha256=" + digits, {"lab-server", "7778", true, digits}},
        {"tls://[fd00::7]:7778#sha256=" + digits, {"fd00::7", "7778", true, digits}},
    };
    for (const auto& [text, address] : cases) {
        const auto read = read_address(text);
        ASSERT_TRUE(read) << text << ": " << read.error();
        EXPECT_EQ(*read, address) << text;
        EXPECT_EQ(to_text(address), text);
        EXPECT_THAT(text, HasSubstr(host_and_port(address)));
    }
    EXPECT_EQ(host_and_port(*read_address("tls://[::1]:80")), "[::1]:80");
}

TEST(AddressTest, IsReadAsOthersWriteIt) {
    EXPECT_EQ(read_address("::1:80")->host, "::1");
    std::string with_colons;
    for (std::size_t i = 0; i < digits.size(); i += 2)
        with_colons += (i == 0 ? "" : ":") + digits.substr(i, 2);
    for (auto& c : with_colons) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const auto read = read_address("tls://lab:7778#sha256=" + with_colons);
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->fingerprint, digits);
}

TEST(AddressTest, IsOfThisMachine) {
    for (const auto* const host : {"127.0.0.1", "127.9.0.2", "::1", "::ffff:127.0.0.1"})
        EXPECT_TRUE(is_loopback(host)) << host;
    for (const auto* const host :
         {"10.0.0.1", "::ffff:10.0.0.1", "::2", "0.0.0.0", "localhost", ""})
        EXPECT_FALSE(is_loopback(host)) << host;
}

TEST(AddressTest, SaysWhatWasExpectedAndWhatWasFound) {
    const struct {
        std::string text;
        std::string says;
    } cases[] = {
        {"", "expected an address such as localhost:7777"},
        {":", "found \":\""},
        {"host", "found \"host\""},
        {"host:", "found \"host:\""},
        {":7777", "found \":7777\""},
        {"host:http", "found \"host:http\""},
        {"host:65536", "found \"host:65536\""},
        {"host:0", "found \"host:0\""},
        {"http://host:7777", "found \"http://host:7777\""},
        {"ann@host:7777", "found \"ann@host:7777\""},
        {"host:777777", "found \"host:777777\""},
        {"tls://", "tls://localhost:7778#sha256=FINGERPRINT"},
        {"tls://host", "found \"tls://host\""},
        {"tls://host#sha256=" + digits, "expected an address"},
        {"tls://host:1#", "expected a fingerprint of 64 hexadecimal digits"},
        {"tls://host:1#sha256=", "expected a fingerprint of 64 hexadecimal digits"},
        {"tls://host:1#sha256=" + digits.substr(1), "expected a fingerprint of 64"},
        {"tls://host:1#sha256=" + digits + "0", "expected a fingerprint of 64"},
        {"tls://host:1#sha256=g" + digits.substr(1), "expected a fingerprint of 64"},
        {"tls://host:1#sha1=" + digits, "found \"#sha1="},
        {"host:1#sha256=" + digits, "only TLS has a fingerprint; expected tls://host:1#sha256="},
    };
    for (const auto& [text, says] : cases) {
        const auto read = read_address(text);
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error(), HasSubstr(says)) << text;
    }
}

}  // namespace
}  // namespace protocol

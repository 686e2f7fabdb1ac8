#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <vector>

#include "referee/watch/web/browser_connection.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/web_server.h"
#include "tests/referee/net/tls/made_certificates.h"
#include "tests/referee/watch/web/quiet_loop.h"

namespace referee::web {

namespace {

using boost::asio::ip::tcp;

struct ServerTest : testing::Test {
    QuietLoop loop;
    boost::asio::io_context io;
    std::unique_ptr<WebServer> server;

    explicit ServerTest(const std::shared_ptr<const tls::Context>& context = nullptr)
        : server(*WebServer::open({"127.0.0.1", 0, context, 8, 8})) {
        SiteTerms terms;
        terms.logins = true;
        terms.bots_dial_in_at = "lab-server:7777";
        server->start(terms, loop, no_files(), [] { return std::string("fresh"); });
    }
    tcp::socket dial() {
        tcp::socket socket(io);
        const auto endpoint = server->endpoint();
        const auto port =
            static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
        socket.connect({boost::asio::ip::make_address("127.0.0.1"), port});
        return socket;
    }
    static void send(tcp::socket& socket, const std::string& path) {
        boost::asio::write(
            socket, boost::asio::buffer("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }
    // Until the connection ends.
    static std::string rest(tcp::socket& socket) {
        std::string text;
        boost::system::error_code error;
        boost::asio::read(socket, boost::asio::dynamic_buffer(text), error);
        return text;
    }
    static std::string until(tcp::socket& socket, const std::string& mark) {
        std::string text;
        boost::asio::read_until(socket, boost::asio::dynamic_buffer(text), mark);
        return text;
    }
};

// What a server in front of it took for the body, it must not take for a request.
TEST_F(ServerTest, AnUnknownTransferEncodingEndsTheConnection) {
    for (const std::string encoding : {"gzip", "xchunked", "identity", "chunked, identity"}) {
        auto socket = dial();
        boost::asio::write(
            socket, boost::asio::buffer(
                        "POST /enter HTTP/1.1\r\nHost: localhost\r\n"
                        "Sec-Fetch-Site: same-origin\r\nTransfer-Encoding: " +
                        encoding + "\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        const auto told = rest(socket);
        EXPECT_TRUE(told.starts_with("HTTP/1.1 501 ")) << told;
        EXPECT_EQ(told.find("HTTP/1.1", 1), std::string::npos) << told;
    }
}

TEST_F(ServerTest, WhatIsPostedIsAnsweredAndStreamed) {
    auto listener = dial();
    send(listener, "/api/v1/events");
    until(listener, "\r\n\r\n");
    for (int i = 0; i < 100; ++i) {
        server->post([i](Site& site) {
            TournamentNews news{.id = "t", .games_played = static_cast<std::uint64_t>(i)};
            site.tournament(news);
            site.standings("t");
        });
    }
    until(listener, R"({"tournament":"t"})");
    auto asker = dial();
    std::string answer;
    while (answer.find("\"games_played\":99") == std::string::npos) {
        send(asker, "/api/v1/tournaments");
        answer = until(asker, "}]}");
        ASSERT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
    }
}

TEST_F(ServerTest, ABotThatDialsInHereIsToldWhereBotsDoAndPartsWithThat) {
    auto bot = dial();
    boost::asio::write(bot, boost::asio::buffer(std::string("{\"type\":\"login\"}\n")));
    EXPECT_EQ(rest(bot),
              "{\"type\":\"bye\",\"reason\":\"refused\",\"message\":\"this port has pages for "
              "browsers; bots dial in at lab-server:7777\"}\n");
}

TEST_F(ServerTest, WhoseFormIsSlowIsTakenForNoBot) {
    auto browser = dial();
    boost::asio::write(browser, boost::asio::buffer(std::string(
                                    "POST /leave HTTP/1.1\r\nHost: localhost\r\n"
                                    "Sec-Fetch-Site: same-origin\r\nContent-Length: 3\r\n\r\n")));
    // One that came later, and is told where bots dial in because it says nothing.
    auto silent = dial();
    until(silent, "\n");
    boost::asio::write(browser, boost::asio::buffer(std::string("a=b")));
    const auto told = until(browser, "\n");
    EXPECT_TRUE(told.starts_with("HTTP/1.1 200 ")) << told;
}

struct TlsServerTest : ServerTest {
    TlsServerTest() : ServerTest(tls::fresh_context()) {}
};

TEST_F(TlsServerTest, SoIsABotThatSpeaksNoTls) {
    auto bot = dial();
    boost::asio::write(bot, boost::asio::buffer(std::string("{\"type\":\"login\"}\n")));
    EXPECT_TRUE(until(bot, "\n").starts_with("{\"type\":\"bye\","));
}

TEST_F(ServerTest, TooManyConnectionsAreClosedWithoutAWord) {
    std::vector<tcp::socket> open;
    for (int i = 0; i < 8; ++i) {
        open.push_back(dial());
        send(open.back(), "/api/v1/games");
        until(open.back(), "[]}");
    }
    auto one_more = dial();
    EXPECT_EQ(rest(one_more), "");
}

TEST_F(ServerTest, ItsEndEndsStreamsAndWaitingRequests) {
    auto listener = dial();
    send(listener, "/api/v1/events");
    until(listener, "\r\n\r\n");
    auto waiting = dial();
    server->post([](Site& site) {
        TournamentNews news{.id = "t"};
        site.tournament(news);
        site.game_began({{"t", 1, 1, 1}, "t/1.1", "walls", {"a", "b"}});
    });
    until(listener, "event: began");
    send(waiting, "/api/v1/games/t/1.1/showing");
    auto other = dial();  // answered behind the one that waits
    send(other, "/api/v1/games");
    until(other, "]}");
    server.reset();
    EXPECT_EQ(rest(waiting), "");
    rest(listener);
}

TEST(BrowserConnection, WhoIsGoneBeforeItsStreamBeginsLooksOnNoMore) {
    QuietLoop loop;
    Site site({}, {loop, no_files(), [] { return Instant{}; }, [] { return std::string("s"); }});
    RequestRate rate(1, 1);
    int asked = 0;
    const auto now = [&asked] {
        ++asked;
        return Instant{};
    };
    boost::asio::io_context io;
    tcp::acceptor acceptor(io, {boost::asio::ip::address_v4::loopback(), 0});
    tcp::socket browser(io);
    browser.connect(acceptor.local_endpoint());
    auto accepted = acceptor.accept();
    ServerTest::send(browser, "/api/v1/events");
    browser.set_option(boost::asio::socket_base::linger(true, 0));
    browser.close();  // what is sent to it now is refused
    std::make_shared<BrowserConnection<tcp::socket>>(
        std::move(accepted), ServerContext{site, rate, now}, "127.0.0.1", "127.0.0.1")
        ->begin();
    io.run();
    EXPECT_EQ(asked, 1) << "its request came";
    site.standings("t");
    EXPECT_EQ(site.listeners(), 0U);
}

TEST(WebServer, APortThatIsTakenIsToldWithWhatHelps) {
    const auto first = WebServer::open({"127.0.0.1", 0, nullptr, 8, 8});
    ASSERT_TRUE(first);
    const auto endpoint = (*first)->endpoint();
    const auto port =
        static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
    const auto second = WebServer::open({"127.0.0.1", port, nullptr, 8, 8});
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error(), HasSubstr("another \"port\" in listen.web"));
}

const Instant start = Instant(std::chrono::seconds(100));

TEST(RequestRate, ConnectionsAreBoundedInAllAndForANetwork) {
    RequestRate pace(3, 2);
    EXPECT_TRUE(pace.open("a"));
    EXPECT_TRUE(pace.open("a"));
    EXPECT_FALSE(pace.open("a"));
    EXPECT_TRUE(pace.open("b"));
    EXPECT_FALSE(pace.open("c"));
    pace.closed("a");
    EXPECT_TRUE(pace.open("c"));
    EXPECT_EQ(pace.connections(), 3U);
}

TEST(RequestRate, RequestsAreBoundedForANetworkAndComeBackWithTime) {
    RequestRate pace(1, 1);
    // So many may come, and no more.
    const auto come = [&pace](double count, Instant now) {
        for (double i = 0; i < count; ++i)
            if (!pace.request("a", now)) return false;
        return !pace.request("a", now);
    };
    EXPECT_TRUE(come(requests_at_once_max, start));
    EXPECT_TRUE(pace.request("b", start)) << "another network has its own";
    const auto half = start + std::chrono::milliseconds(500);
    EXPECT_TRUE(come(requests_per_second_max / 2, half));
    EXPECT_TRUE(come(requests_at_once_max, start + std::chrono::hours(1))) << "credit has a bound";
}

}  // namespace

}  // namespace referee::web

#include "referee/net/control/control_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <thread>

#include "protocol/address.h"
#include "referee/net/control/daemon_connection.h"
#include "referee/net/lobby/guesses.h"
#include "tests/folder_of_test.h"
#include "tests/sim/world.h"

namespace referee::control {
namespace {

using boost::asio::ip::tcp;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr std::string_view wrong = "{\"command\":\"status\",\"token\":\"guessed\"}\n";
constexpr std::string_view right = "{\"command\":\"status\",\"token\":\"token\"}\n";
constexpr auto carried_out = "{\"ok\":true}\n";

// Answers each order, or keeps all waiting.
class FewCommands final : public ControlCommands {
 public:
    void carry_out(protocol::json::View /*request*/, Answer answer) override {
        if (answers) {
            answer(carried_out);
        } else {
            waiting.push_back(std::move(answer));
        }
    }
    bool answers = true;
    std::vector<Answer> waiting;
};

// Real sockets, simulated time.
class ControlServerTest : public ::testing::Test {
 protected:
    struct Client {
        explicit Client(boost::asio::io_context& loop) : socket(loop) {}
        tcp::socket socket;
        std::string heard;
        bool ended = false;
    };

    ControlServerTest() {
        EXPECT_TRUE(server->listen_tcp("127.0.0.1", 0, "token", strangers_time));
    }

    tcp::endpoint listens_at() const {
        const auto endpoint = server->tcp_endpoint();
        const auto port = std::stoi(endpoint.substr(endpoint.rfind(':') + 1));
        return {boost::asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(port)};
    }
    Client& dial(const std::string& from = "127.0.0.1") {
        auto& client = clients.emplace_back(loop);
        client.socket.open(tcp::v4());
        client.socket.bind({boost::asio::ip::make_address(from), 0});
        client.socket.connect(listens_at());
        client.socket.non_blocking(true);
        settle();
        return client;
    }
    void say(Client& client, std::string_view text) {
        boost::asio::write(client.socket, boost::asio::buffer(text));
        settle();
    }
    // What is sent on this machine is there at once, so some rounds of the loop are enough.
    void settle() {
        constexpr int rounds = 20;
        for (int round = 0; round < rounds; ++round) {
            loop.restart();
            loop.poll();
            for (auto& client : clients) take(client);
        }
    }
    static void take(Client& client) {
        char buffer[4096];
        boost::system::error_code error;
        while (!client.ended) {
            const auto bytes = client.socket.read_some(boost::asio::buffer(buffer), error);
            if (error == boost::asio::error::would_block) return;
            client.heard.append(buffer, bytes);
            client.ended = static_cast<bool>(error);
        }
    }
    void pass(Duration time) {
        now += time;
        timers.run_due();
        settle();
    }

    // What strangers elsewhere take of their time.
    void spend(Duration time) {
        const auto piece = strangers_time.begin("others");
        now += time;
    }

    Instant now{std::chrono::hours(1)};
    tests::sim::SimulatedTimers timers{now};
    boost::asio::io_context loop;
    loop::TimeShare strangers_time{timers, 0.05, std::chrono::milliseconds(100)};
    FewCommands commands;
    std::vector<std::string> news;
    std::unique_ptr<ControlServer> server = std::make_unique<ControlServer>(
        loop.get_executor(), timers, commands, [this](const auto& line) { news.push_back(line); });
    std::deque<Client> clients;
};

TEST_F(ControlServerTest, says_how_to_listen_elsewhere) {
    const tests::FolderOfTest folder;
    ControlServer other(loop.get_executor(), timers, commands, [](const auto& /*line*/) {});
    ASSERT_TRUE(server->listen_unix(folder.at("taken")));
    for (const auto& [path, says] : std::vector<std::pair<std::string, std::string>>{
             {folder.at(std::string(200, 'x')), "longer than the 107 bytes that a Unix socket may"},
             {folder.write("file", "x"), "which is no socket; move it away, or give another path"},
             {folder.at("taken"), "another daemon listens there; stop that one, or give another"},
             {folder.at("none/ctl"),
              "give a path where this user may make a socket as \"control\""},
         }) {
        const auto listening = other.listen_unix(path);
        ASSERT_FALSE(listening) << path;
        EXPECT_THAT(listening.error(), HasSubstr(says));
        EXPECT_THAT(listening.error(), EndsWith("as \"control\": {\"socket\": ...} in the config"));
    }
    const auto port = listens_at().port();
    const auto listening = other.listen_tcp("127.0.0.1", port, "token", strangers_time);
    ASSERT_FALSE(listening);
    EXPECT_THAT(listening.error(), HasSubstr("orders of ctl: "));
    EXPECT_THAT(listening.error(), HasSubstr("choose another \"port\" under \"control\""));
}

// The server ends when a connection is accepted already and the loop is about to tell it: nobody
// may touch the server any more. Only sanitizers notice a mistake here.
TEST_F(ControlServerTest, may_end_before_its_loop) {
    tcp::socket first(loop);
    tcp::socket second(loop);
    for (auto* socket : {&first, &second}) socket->connect(listens_at());
    ASSERT_EQ(loop.run_one(), 1U);
    server.reset();
    EXPECT_GT(loop.poll(), 0U);
}

TEST_F(ControlServerTest, shows_out_who_sends_no_whole_request) {
    auto& idle = dial();
    auto& half = dial();
    auto& busy = dial();
    say(half, "{\"command\":");
    commands.answers = false;
    say(busy, right);
    pass(order_time_max - std::chrono::seconds(1));
    say(half, "\"sta");  // that gives it no more time
    EXPECT_FALSE(idle.ended || half.ended);
    pass(std::chrono::seconds(1));
    for (const auto* client : {&idle, &half}) {
        EXPECT_TRUE(client->ended);
        EXPECT_THAT(client->heard, HasSubstr("no whole request came in time"));
    }
    pass(10 * order_time_max);
    EXPECT_FALSE(busy.ended) << "its order is being carried out";
    commands.waiting.front()(carried_out);
    settle();
    EXPECT_EQ(busy.heard, carried_out);
}

TEST_F(ControlServerTest, answers_what_is_no_request_and_shows_out_who_sends_one_that_is_too_long) {
    auto& client = dial();
    say(client, "no json\n");
    EXPECT_THAT(client.heard, HasSubstr("expected a request such as"));
    EXPECT_FALSE(client.ended);
    say(client, std::string(order_bytes_max + 1, 'x'));
    EXPECT_TRUE(client.ended);
}

TEST_F(ControlServerTest, tells_a_bot_and_a_browser_what_the_port_is_for) {
    auto& bot = dial();
    for (int i = 0; i < 20; ++i)  // no guesses at the token
        say(bot, "{\"type\":\"login\",\"name\":\"ada\",\"token\":\"t\",\"games\":[\"walls\"]}\n");
    EXPECT_THAT(bot.heard, EndsWith("{\"ok\":false,\"error\":\"this port takes orders of `referee "
                                    "ctl`; bots dial in at another one, which the daemon's log "
                                    "tells\"}\n"));
    say(bot, right);
    EXPECT_THAT(bot.heard, EndsWith(carried_out));
    auto& browser = dial();
    say(browser, "GET / HTTP/1.1\r\n\r\n");
    EXPECT_THAT(browser.heard, HasSubstr("expected a request such as {\\\"command\\\":"));
}

// Where bots dial in, the referee speaks first.
TEST(DaemonConnection, tells_who_gives_an_order_where_bots_dial_in) {
    boost::asio::io_context loop;
    tcp::acceptor acceptor(loop, {boost::asio::ip::address_v4::loopback(), 0});
    const auto port = std::to_string(acceptor.local_endpoint().port());
    for (const std::string line : {R"({"type":"hello","protocol":1})", R"({"ok":true})"}) {
        std::thread referee([&acceptor, &line] {
            auto socket = acceptor.accept();
            boost::asio::write(socket, boost::asio::buffer(line + '\n'));
            boost::system::error_code ended;
            char buffer[256];
            while (!ended) socket.read_some(boost::asio::buffer(buffer), ended);
        });
        const auto answer = ask({{}, *protocol::read_address("127.0.0.1:" + port)}, "{}");
        referee.join();
        EXPECT_EQ(answer.has_value(), line.find("ok") != line.npos);
        if (answer) continue;
        EXPECT_THAT(answer.error(),
                    HasSubstr("127.0.0.1:" + port +
                              " is where bots dial in, and takes no orders: expected the "
                              "address after \"orders are taken on\""));
    }
}

TEST_F(ControlServerTest, makes_room_by_who_only_waits) {
    auto& trusted = dial();
    say(trusted, right);
    auto& busy = dial();
    commands.answers = false;
    say(busy, right);
    commands.answers = true;
    auto& oldest = dial();
    for (std::size_t i = 3; i < order_connections_max; ++i) dial();
    EXPECT_FALSE(oldest.ended);
    auto& newcomer = dial();
    EXPECT_TRUE(oldest.ended);
    EXPECT_THAT(oldest.heard, HasSubstr("others want this place"));
    say(newcomer, right);
    EXPECT_EQ(newcomer.heard, carried_out);
    for (std::size_t i = 0; i < 10 * order_connections_max; ++i) dial();
    EXPECT_FALSE(trusted.ended);
    EXPECT_FALSE(busy.ended);
}

TEST_F(ControlServerTest, makes_room_even_where_all_are_busy) {
    commands.answers = false;
    std::vector<Client*> busy;
    for (std::size_t i = 0; i < order_connections_max; ++i) {
        busy.push_back(&dial());
        say(*busy.back(), right);
    }
    dial();
    EXPECT_TRUE(busy[0]->ended);
    EXPECT_FALSE(busy[1]->ended);
    commands.waiting.front()(carried_out);  // nobody is there any more
    settle();
}

TEST_F(ControlServerTest, reads_what_strangers_send_in_their_share_of_time) {
    auto& trusted = dial();
    say(trusted, right);
    auto& stranger = dial();
    spend(std::chrono::seconds(1));
    say(stranger, wrong);
    auto& newcomer = dial();
    say(newcomer, right);
    EXPECT_EQ(stranger.heard, "");
    EXPECT_EQ(newcomer.heard, "");
    trusted.heard.clear();
    say(trusted, right);
    EXPECT_EQ(trusted.heard, carried_out);
    pass(std::chrono::seconds(20));
    EXPECT_THAT(stranger.heard, HasSubstr("missing or wrong"));
    EXPECT_EQ(newcomer.heard, carried_out);
}

TEST_F(ControlServerTest, answers_wrong_tokens_later_and_later) {
    auto& guesser = dial();
    for (std::int64_t i = 0; i <= lobby::tries_of_pair.free; ++i) {
        say(guesser, wrong);
        EXPECT_THAT(guesser.heard, HasSubstr("missing or wrong")) << i;
        guesser.heard.clear();
    }
    EXPECT_EQ(news.size(), 1U);
    say(guesser, wrong);
    EXPECT_EQ(guesser.heard, "");
    pass(lobby::try_wait_first);
    EXPECT_THAT(guesser.heard, HasSubstr("missing or wrong"));
    // The right token waits there too, and nowhere else.
    guesser.heard.clear();
    say(guesser, right);
    auto& elsewhere = dial("127.0.0.2");
    say(elsewhere, right);
    EXPECT_EQ(guesser.heard, "");
    EXPECT_EQ(elsewhere.heard, carried_out);
    pass(lobby::try_wait_max);
    EXPECT_EQ(guesser.heard, carried_out);
}

TEST_F(ControlServerTest, turns_guessers_away_where_too_many_wait) {
    for (int i = 0; i < 20; ++i) {
        say(dial(), wrong);
        pass(lobby::try_wait_max);
    }
    std::vector<Client*> guessers;
    for (std::size_t i = 0; i <= lobby::tries_waiting_of_pair_max; ++i) {
        guessers.push_back(&dial());
        say(*guessers.back(), wrong);
    }
    EXPECT_TRUE(guessers.back()->ended);
    EXPECT_THAT(guessers.back()->heard, HasSubstr("too many requests from your address wait"));
    EXPECT_FALSE(guessers.front()->ended);
    server->close();
    settle();
    EXPECT_TRUE(guessers.front()->ended);
    pass(lobby::try_wait_max);
}

}  // namespace
}  // namespace referee::control

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <iostream>
#include <optional>
#include <span>
#include <thread>

#include "referee/net/loop/timers.h"
#include "referee/net/transport/stamped_stream.h"
#include "tests/referee/net/transport/both_ends.h"
#include "tests/wait_until.h"

namespace referee::transport {
namespace {

using namespace std::chrono_literals;
using loop::monotonic_now;

// What wakes up whoever waits for the socket has to be taken, or it wakes him for ever.
TEST(Sending, stamps_that_come_back_do_not_keep_the_loop_awake) {
    Ends ends;
    std::array<char, 256> room{};
    int wakes = 0;
    boost::asio::co_spawn(
        ends.loop,
        [](TcpTransport& referee, std::span<char> bytes,
           int& count) -> boost::asio::awaitable<void> {
            for (;;) {
                co_await referee.readable();
                if (referee.read(bytes).status == transport::Transport::Status::closed) co_return;
                ++count;
            }
        }(*ends.referee, room, wakes),
        boost::asio::detached);
    ends.loop.run_for(10ms);
    constexpr int sends = 10;
    for (int i = 0; i < sends; ++i) {
        ends.referee->write("turn\n");
        ends.loop.run_for(10ms);
    }
    EXPECT_LE(wakes, 3 * sends);
    std::cout << wakes << " wakes for " << sends << " sends that were stamped\n";
    ends.referee->close();
    ends.loop.run_for(10ms);
}

// What a bot's answers tell of the way.
struct Answers {
    Path path;
    Duration thought = Duration::max();  // the shortest
};

// Of a bot on a new connection that answers before its kernel acknowledges; none where the machine
// let it sleep for so long that its kernel may have been the first.
std::optional<Answers> answers_before_acknowledgements() {
    constexpr Duration pause = 15ms;
    constexpr Duration oversleep_max = pause;
    constexpr int turns = 60;
    Sockets sockets;
    const auto bot = sockets.bot.native_handle();
    const auto referee = sockets.referee.native_handle();
    StampedWriter writer(referee, sockets.budget());
    StampedReader reader(referee);
    std::array<char, 256> room{};
    Answers answers;
    for (int turn = 0; turn < turns; ++turn) {
        writer.write(referee, "turn\n");
        EXPECT_GT(recv(bot, room.data(), room.size(), 0), 0);
        const auto heard = monotonic_now();
        // time: the bot thinks for less than its kernel keeps an acknowledgement back
        std::this_thread::sleep_for(pause);
        writer.collect(referee);
        EXPECT_GT(send(bot, "move\n", 5, 0), 0);
        const auto thought = monotonic_now() - heard;
        if (thought > pause + oversleep_max) return std::nullopt;
        answers.thought = std::min(answers.thought, thought);
        const auto read = reader.read(referee, room);
        EXPECT_EQ(read.bytes, 5U);
        writer.heard(referee, read.stamp.latest);
        writer.collect(referee);
    }
    answers.path = writer.path(referee, monotonic_now());
    return answers;
}

// The acknowledgement comes with the answer.
TEST(Sending, acknowledgements_that_come_along_with_an_answer_tell_nothing_of_the_way) {
    std::optional<Answers> answers;
    ASSERT_TRUE(tests::wait_until([&] {
        answers = answers_before_acknowledgements();
        return answers.has_value();
    }));
    const auto& [path, thought] = *answers;
    EXPECT_LT(path.least, thought / 3);
    EXPECT_LT(path.most - path.least, thought * 2 / 3) << "thought was taken for the way's jitter";
    std::cout << "path: " << in_us(path.least) << " to " << in_us(path.most) << " us\n";
}

// A program that reads a little late has its acknowledgements sent then. On a line that would look
// like jitter; within one machine it can only be the program.
TEST(Sending, within_one_machine_late_readers_have_no_jitter) {
    constexpr int turns = 24;
    Ends ends;
    std::array<char, 256> room{};
    Duration seen{};
    for (int i = 0; i < turns; ++i) {
        ends.referee->write("turn\n");
        std::this_thread::sleep_for(2ms);  // time: it reads late by design
        ends.bot->read(room);
        std::this_thread::sleep_for(4ms);  // time: and answers later
        ends.referee->read(room);          // the loop, woken for a stamp
        ends.bot->write("move\n");
        ends.referee->read(room);
        ends.referee->read(room);
        const auto path = ends.referee->path(monotonic_now());
        seen = std::max(seen, path.most - path.least);
    }
    EXPECT_TRUE(ends.referee->from_this_machine());
    EXPECT_EQ(seen, Duration::zero());
}

TEST(Sending, within_one_machine_all_addresses_of_the_loopback_are) {
    using boost::asio::ip::tcp;
    boost::asio::io_context loop;
    tcp::acceptor acceptor(loop, tcp::endpoint(boost::asio::ip::address_v6::any(), 0));
    for (const auto* address : {"127.0.0.1", "127.0.0.2"}) {
        tcp::socket bot(loop, tcp::endpoint(boost::asio::ip::make_address(address), 0));
        bot.connect({boost::asio::ip::address_v4::loopback(), acceptor.local_endpoint().port()});
        const TcpTransport transport(loop.get_executor(),
                                     files::Descriptor(acceptor.accept().release()));
        EXPECT_TRUE(transport.from_this_machine()) << address;
    }
}

}  // namespace
}  // namespace referee::transport

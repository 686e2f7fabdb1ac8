#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "referee/net/transport/stamped_stream.h"
#include "tests/sim/timing/bounds.h"

// What a connection learns of its way from acknowledgements.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;
using referee::transport::AskingBudget;

constexpr Duration steady_way = 300us;
constexpr Duration hardly_anything = 100us;

class Acknowledgements : public ::testing::Test {
 protected:
    // The handshake has shown the way.
    Acknowledgements() {
        socket_.measured(steady_way);
        writer_.path(socket_.handle(), world_.now());
    }
    // From here on the line is not new any more; it has been steady so far.
    void grow_old() {
        for (unsigned i = 0; i < unknown_lines; ++i) one_line();
        EXPECT_LT(spread(), hardly_anything);
    }
    // The kernel takes a line.
    void send() {
        writer_.write(socket_.handle(), "line\n");
        ++lines_;
    }
    // All that was sent is acknowledged, and that is no part of an answer.
    void acknowledge(Duration way = steady_way) {
        world_.pass(way);
        socket_.acknowledged(lines_ * 5);
        writer_.collect(socket_.handle());
        world_.pass(50ms);
        writer_.heard(socket_.handle(), world_.now());
        world_.pass(100ms);
    }
    // One acknowledgement for both.
    void two_lines(Duration apart, Duration way = steady_way) {
        send();
        world_.pass(apart);
        send();
        acknowledge(way);
    }
    void one_line() {
        send();
        acknowledge();
    }
    Duration spread() {
        const auto path = writer_.path(socket_.handle(), world_.now());
        return path.most - path.least;
    }

    World world_{1};
    Socket socket_{world_, {}, Random(1), [](auto, auto) {}, [] {}, [] {}};
    referee::transport::StampedWriter writer_{
        socket_.handle(), boost::asio::use_service<AskingBudget>(world_.loop())};
    std::uint32_t lines_ = 0;
};

TEST_F(Acknowledgements, one_for_two_lines_does_not_show_the_way) {
    grow_old();
    for (const auto apart : {2ms, 8ms, 20ms, 28ms}) two_lines(apart);
    EXPECT_LT(spread(), hardly_anything);
}

// As with many games on a connection that begin together.
TEST_F(Acknowledgements, one_for_two_lines_does_not_show_the_way_of_a_new_line_either) {
    for (unsigned i = 0; i < unknown_lines; ++i) two_lines(8ms);
    EXPECT_LT(spread(), hardly_anything);
}

// The second line had a way that long at least, whichever was acknowledged.
TEST_F(Acknowledgements, one_for_two_lines_shows_how_long_the_second_was_under_way) {
    grow_old();
    for (int i = 0; i < 4; ++i) two_lines(8ms, 6ms);
    EXPECT_GE(spread(), 6ms - steady_way);
    EXPECT_LT(spread(), 8ms);
}

TEST_F(Acknowledgements, lines_that_left_at_once_share_one) {
    grow_old();
    for (int i = 0; i < 5; ++i) two_lines(900us);
    EXPECT_LT(spread(), hardly_anything);
}

// A line that shakes more than before must still be seen to, also where lines never leave alone.
TEST_F(Acknowledgements, one_for_two_lines_counts_where_there_was_nothing_better_for_long) {
    grow_old();
    world_.pass(10s);
    two_lines(8ms);
    two_lines(8ms);
    EXPECT_GT(spread(), 8ms);
}

// How many of the turns that so many bots get in a second ask for stamps, once their connections
// are not new any more.
std::size_t askings(std::size_t bots, Duration between_turns) {
    World world(1);
    auto& budget = boost::asio::use_service<AskingBudget>(world.loop());
    std::vector<std::unique_ptr<Socket>> sockets;
    std::vector<referee::transport::StampedWriter> writers;
    for (std::size_t i = 0; i < bots; ++i) {
        const auto none = [](auto...) {};
        sockets.push_back(
            std::make_unique<Socket>(world, KernelHabits{}, Random(1), none, none, none));
        writers.emplace_back(sockets.back()->handle(), budget);
        writers.back().heard(sockets.back()->handle(), world.now());
    }
    std::size_t asked = 0;
    std::uint32_t sent = 0;
    const auto turn_of_each = [&] {
        sent += 5;
        for (std::size_t i = 0; i < bots; ++i) {
            writers[i].write(sockets[i]->handle(), "line\n");
            if (sockets[i]->has_news()) ++asked;  // its stamp
            sockets[i]->acknowledged(sent);
            writers[i].collect(sockets[i]->handle());
        }
        world.pass(between_turns);
    };
    for (unsigned i = 0; i < unknown_lines; ++i) turn_of_each();
    world.pass(1s);
    asked = 0;
    for (const auto end = world.now() + 1s; world.now() < end;) turn_of_each();
    return asked;
}

TEST(Askings, come_with_each_turn_of_slow_games_and_with_few_of_many_fast_ones) {
    EXPECT_EQ(askings(50, 100ms), 500U);
    EXPECT_EQ(askings(2, 1ms), 20U);
    const auto most = 1s / AskingBudget::ask_every + AskingBudget::asks_at_once_max;
    EXPECT_LE(askings(1000, 10ms), static_cast<std::size_t>(most));
}

// Each stamp wakes the loop, and strangers may come in crowds.
TEST(Askings, come_with_few_of_a_crowd_that_is_greeted) {
    constexpr std::size_t crowd = 200;
    World world(1);
    auto& budget = boost::asio::use_service<AskingBudget>(world.loop());
    std::size_t asked = 0;
    for (std::size_t i = 0; i < crowd; ++i) {
        const auto none = [](auto...) {};
        Socket socket(world, KernelHabits{}, Random(1), none, none, none);
        referee::transport::StampedWriter writer(socket.handle(), budget);
        writer.write(socket.handle(), "hello\n");
        if (socket.has_news()) ++asked;
        writer.collect(socket.handle());
        writer.heard(socket.handle(), world.now());
        writer.write(socket.handle(), "welcome\n");
        EXPECT_TRUE(socket.has_news());
    }
    EXPECT_EQ(asked, std::size_t{AskingBudget::asks_at_once_max});
    EXPECT_TRUE(budget.take(world.now())) << "bots that play have theirs";
}

}  // namespace
}  // namespace tests::sim::timing

#include <gtest/gtest.h>

#include "referee/connections/net/stamped_writer.h"
#include "tests/sim/timing/bounds.h"

// What a connection learns of its way from acknowledgements.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr Duration steady_way = 300us;
constexpr Duration hardly_anything = 1ms;

class Acknowledgements : public ::testing::Test {
 protected:
    // A line that is not new, and has been steady so far.
    Acknowledgements() {
        socket_.measured(steady_way);
        for (unsigned i = 0; i < unknown_lines; ++i) one_line();
        EXPECT_LT(spread(), hardly_anything);
    }
    // The kernel takes a line.
    void send() {
        writer_.write(socket_.handle(), "line\n");
        ++lines_;
    }
    // All that was sent is acknowledged, and that is no part of an answer.
    void acknowledge() {
        world_.pass(steady_way);
        socket_.acknowledged(lines_ * 5);
        writer_.collect(socket_.handle());
        world_.pass(50ms);
        writer_.heard(world_.now());
        world_.pass(100ms);
    }
    // One acknowledgement for both.
    void two_lines(Duration apart) {
        send();
        world_.pass(apart);
        send();
        acknowledge();
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
    referee::net::StampedWriter writer_{socket_.handle()};
    std::uint32_t lines_ = 0;
};

TEST_F(Acknowledgements, one_for_two_lines_does_not_show_the_way) {
    for (const auto apart : {2ms, 8ms, 20ms, 28ms}) two_lines(apart);
    EXPECT_LT(spread(), hardly_anything);
}

TEST_F(Acknowledgements, lines_that_left_at_once_share_one) {
    for (int i = 0; i < 5; ++i) two_lines(500us);
    EXPECT_LT(spread(), hardly_anything);
}

// A line that shakes more than before must still be seen to, also where lines never leave alone.
TEST_F(Acknowledgements, one_for_two_lines_counts_where_there_was_nothing_better_for_long) {
    world_.pass(10s);
    two_lines(8ms);
    two_lines(8ms);
    EXPECT_GT(spread(), 8ms);
}

}  // namespace
}  // namespace tests::sim::timing

// Lines that were sent over TCP together, in pieces, or beside pings. What holds for each link is
// in
// ../tls/tls_stamps_test.cpp.

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <string>

#include "referee/net/loop/timers.h"
#include "tests/referee/net/session/line_stamps_fixture.h"

namespace referee::session {
namespace {

using namespace std::chrono_literals;
using loop::monotonic_now;

TEST_F(LineStamps, a_ping_behind_a_move_leaves_no_doubt_before_the_last_look) {
    for (int i = 0; i < 5; ++i) {
        nobody_reads_for(5ms);
        const auto looked = monotonic_now();
        session_->drain();  // as before a deadline is judged
        const auto truth = say(std::string(move) + std::string(ping));
        nobody_reads_for(3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        expect_holds(stamps_[0], truth);
        EXPECT_GE(stamps_[0].earliest, looked - reading_error);
        EXPECT_LT(stamps_[0].latest, truth.latest + reading_error);
        stamps_.clear();
    }
}

TEST_F(LineStamps, lines_of_one_packet_came_together) {
    constexpr int turns = 20;
    int exact = 0;
    for (int i = 0; i < turns; ++i) {
        // Now and then a move comes without a ping.
        const auto truth =
            say(i % 3 == 2 ? std::string(move) : std::string(move) + std::string(ping));
        nobody_reads_for(3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        expect_holds(stamps_[0], truth);
        if (stamps_[0].width() == 0ns) ++exact;
        stamps_.clear();
    }
    // The first of them is only counted, and a busy machine may spoil another.
    EXPECT_GE(exact, turns - 4);
}

TEST_F(LineStamps, a_line_in_pieces_is_there_with_its_last_byte) {
    for (const bool looked_between : {false, true}) {
        say(move.substr(0, 10));
        nobody_reads_for(5ms);
        if (looked_between) session_->drain();
        const auto truth = say(move.substr(10));
        nobody_reads_for(3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        EXPECT_EQ(stamps_[0].width(), 0ns);
        expect_holds(stamps_[0], truth);
        stamps_.clear();
    }
}

TEST_F(LineStamps, the_beginning_of_the_next_line_comes_after_a_line) {
    for (int i = 0; i < 5; ++i) {
        const auto truth = say(move);
        nobody_reads_for(5ms);
        say(move.substr(0, 10));
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        expect_holds(stamps_[0], truth);
        say(move.substr(10));
        session_->drain();
        ASSERT_EQ(stamps_.size(), 2U);
        stamps_.clear();
    }
}

// Line by line costs calls of the kernel: not for whoever sends thousands of lines at once.
TEST_F(LineStamps, many_lines_at_once_are_read_in_few_calls) {
    say_apart(2, 1ms);
    session_->drain();
    say(std::string(20'000, '\n') + std::string(move));
    const auto before = monotonic_now();
    session_->drain();
    const auto took = monotonic_now() - before;
    EXPECT_EQ(stamps_.size(), 3U);
    EXPECT_EQ(errors_, 0);
    RecordProperty("drained_us", static_cast<int>(in_us(took)));
    std::cout << "20,000 empty lines were drained in " << in_us(took) << " us\n";
}

}  // namespace
}  // namespace referee::session

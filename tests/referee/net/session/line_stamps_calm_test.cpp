// calm: beside other work the kernel lays lines together that came apart

#include "tests/referee/net/session/line_stamps_fixture.h"

namespace referee::session {
namespace {

class CalmLineStamps : public LineStamps {};

TEST_F(CalmLineStamps, lines_that_lie_unread_have_their_exact_time_mostly) {
    constexpr int rounds = 10;
    constexpr std::size_t moves = 5;
    // The kernel keeps most lines apart, here nine of ten.
    EXPECT_GT(exact_of(rounds, moves), rounds * (moves - 1) / 4);
}

}  // namespace
}  // namespace referee::session

#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

#include "tests/referee/tournament/contests/contest_player.h"

// How much memory a contest keeps of each game that has ended.

namespace referee::contests {
namespace {

std::size_t heap() {
    ::malloc_trim(0);  // else small pieces that are free count, too
    const auto now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
}

// The heap that a match of so many games has taken when it is over.
std::size_t heap_after(std::uint32_t games) {
    constexpr std::size_t long_text = 200;
    const auto config = config_of(
        {.name = "long", .kind = formats::FormatKind::round_robin, .bots = 2, .games = games});
    Contest contest(config, game_named(config.game));
    contest.begin(field_of(2), "{}", "test");
    contest.committed(contest.changes());
    const auto before = heap();
    for (;;) {
        contest.draw(1);
        contest.committed(contest.changes());
        if (contest.waiting().empty()) break;
        const auto plan = contest.take(0);
        auto result = result_of(contest, plan);
        result.params = result.reason = result.maps_version = std::string(long_text, 'x');
        result.fingerprint = "0123456789abcdef";
        result.program = {std::string(long_text, 'a'), std::string(long_text, 'b')};
        result.sandbox = result.means = result.allowed_by = result.program;
        result.machine.name = std::string(long_text, 'h');
        contest.finished(result);
        contest.committed(contest.changes());
    }
    EXPECT_TRUE(contest.over());
    EXPECT_EQ(contest.view().counts().games_played, games);
    return heap() - before;
}

TEST(KeptGames, TakeLittleMemory) {
    constexpr std::uint32_t few = 500;
    constexpr std::uint32_t many = 1000;
    // Of two seats 56 bytes and 80 for the match's fold; 24 and 32 in its result.
    constexpr std::size_t bytes_a_game = 192;
    heap_after(many);  // what is made once is there now
    const auto with_few = heap_after(few);
    const auto with_many = heap_after(many);
    EXPECT_LE(with_many - with_few, (many - few) * (bytes_a_game + 8));
}

}  // namespace
}  // namespace referee::contests

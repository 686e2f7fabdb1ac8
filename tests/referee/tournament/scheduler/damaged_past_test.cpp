// Damaged records of a former run, as an archive from elsewhere may bring them. They are refused
// with a reason, or the contest goes on with them; no assertion of ours is ever broken.

#include <gtest/gtest.h>

#include <sstream>

#include "engines/registry.h"
#include "referee/store/records/record_line.h"
#include "tests/damage.h"
#include "tests/referee/tournament/scheduler/contest_player.h"

namespace referee::scheduler {
namespace {

using formats::FormatKind;

constexpr int times_each = 300;
constexpr std::size_t steps_most = 200;

class DamagedPast : public ::testing::TestWithParam<Case> {};

// The lines of a contest that was played up to some point.
std::string past_of(const Case& wanted, const engines::Game& game, tests::Random& lots) {
    Contest contest(config_of(wanted), game);
    Player player(contest, 1);
    player.begin(field_of(wanted));
    player.play(lots.below(steps_most));
    std::string lines;
    for (const auto& record : player.log) records::write_record(lines, record);
    return lines;
}

// What a line holds; nothing where it is refused as such.
std::optional<records::Record> record_of(const std::string& line) {
    auto read = records::read_record(line);
    if (read) return *std::move(read);
    EXPECT_FALSE(read.error().message.empty());
    return std::nullopt;
}

// Applies what can be read, as a store that was filled by an import does.
RecordedPast::Fits applied(Contest& contest, const std::string& lines) {
    RecordedPast past(contest);
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        const auto record = record_of(line);
        if (!record) continue;
        if (auto fits = past.apply(*record); !fits) return fits;
    }
    return past.drawable();
}

TEST_P(DamagedPast, IsRefusedOrTheContestGoesOn) {
    const engines::Registry registry;
    const auto& game = *registry.find(GetParam().game);
    tests::Random lots(1);
    int refused = 0;
    int gone_on = 0;
    for (int time = 0; time < times_each; ++time) {
        const auto lines = tests::damaged_lines(past_of(GetParam(), game, lots), lots);
        SCOPED_TRACE(lines);
        Contest contest(config_of(GetParam()), game);
        if (const auto fits = applied(contest, lines); !fits) {
            EXPECT_FALSE(fits.error().empty());
            ++refused;
            continue;
        }
        Player player(contest, lots.next());
        if (!contest.begun() && contest.state() == records::TournamentState::waiting)
            player.begin(field_of(GetParam()));  // as open_tournaments() does
        player.pick_up();
        player.play(steps_most);
        contest.places();
        ++gone_on;
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(gone_on, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Contest, DamagedPast,
    ::testing::Values(Case{"round_robin", FormatKind::round_robin, 5},
                      Case{"best_of", FormatKind::round_robin, 4, "walls", 2, 3, true},
                      Case{"swiss", FormatKind::swiss, 9},
                      Case{"attendance", FormatKind::swiss, 9, "walls", 2, 2, false, true},
                      Case{"gauntlet", FormatKind::gauntlet, 5},
                      Case{"pods", FormatKind::swiss, 7, "light_cycles", 4, 1},
                      Case{"pod_table", FormatKind::round_robin, 7, "light_cycles", 4, 1},
                      Case{"knockout", FormatKind::knockout, 7},
                      Case{"stages", FormatKind::stages, 9}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace referee::scheduler

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "engines/registry.h"
#include "referee/net/loop/background.h"
#include "referee/report/ledger.h"
#include "referee/report/tournament_texts.h"
#include "tests/referee/tournament/contests/contest_player.h"

// A snapshot is a value: another thread makes the files from it while its contest is played on, and
// they show the moment at which the snapshot was taken.

namespace referee::report {
namespace {

using contests::Case;
using formats::FormatKind;

std::string text_of(const contests::ContestSnapshot& snapshot) {
    const auto ledger = ledger_of(snapshot);
    return standings_of(ledger).json + pairings_of(ledger).json;
}

// The heap that a ledger takes, of a match of so many games.
std::size_t heap_of_ledger(std::uint32_t games) {
    contests::Begun begun({"", FormatKind::round_robin, 2, "walls", 2, games});
    begun.player.play();
    const auto snapshot = begun.contest.snapshot();
    const auto before = ::mallinfo2();
    const auto ledger = ledger_of(snapshot);
    const auto after = ::mallinfo2();
    EXPECT_EQ(ledger.results.at(0).counted.size(), games);
    return after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
}

TEST(Ledger, SharesTheGamesOfItsMatches) {
    EXPECT_LE(heap_of_ledger(400), heap_of_ledger(100) + 300);
}

struct Taken {
    std::shared_ptr<const contests::ContestSnapshot> snapshot;
    std::string then;
    std::string later;  // drawn up beside
};

class SnapshotTest : public ::testing::TestWithParam<Case> {
 protected:
    static constexpr std::size_t taken_every = 5;  // steps
    static constexpr std::size_t withdraws_at = 12;
    static constexpr std::size_t annuls_at = 20;
    static constexpr std::size_t steps_most = 120;

    // Orders change what is recorded already.
    void order_at(std::size_t step) {
        if (step == withdraws_at) player_.order(contest_.withdraw("b5", "ill"));
        if (step != annuls_at || contest_.results().empty()) return;
        const auto games = contest_.matches().games_of(contest_.results().back().match);
        auto annulled = contest_.annul(games.back(), "the machine stood still");
        if (annulled) player_.order(std::move(annulled));
    }
    void offer() {
        if (GetParam().kind != FormatKind::ladder) return;
        std::vector<formats::Entrant> free;
        for (formats::Entrant entrant = 0; entrant < contest_.entrants(); ++entrant) {
            if (!contest_.matches().in_open_match(entrant) && !contest_.withdrawn(entrant))
                free.push_back(entrant);
        }
        const auto here = free.size();
        contest_.offer(std::move(free), here);
    }
    void take() {
        auto& taken = taken_.emplace_back(std::make_unique<Taken>());
        taken->snapshot = std::make_shared<const contests::ContestSnapshot>(contest_.snapshot());
        taken->then = text_of(*taken->snapshot);
        thread_.run([one = taken.get()] { one->later = text_of(*one->snapshot); },
                    [this] { ++drawn_up_; });
    }

    const engines::Registry games_;
    contests::Contest contest_{contests::config_of(GetParam()), *games_.find("walls")};
    contests::Player player_{contest_, 1};
    std::vector<std::unique_ptr<Taken>> taken_;
    std::size_t drawn_up_ = 0;
    boost::asio::io_context loop_{1};
    const boost::asio::executor_work_guard<boost::asio::io_context::executor_type> stays_{
        loop_.get_executor()};
    loop::BackgroundThread thread_{loop_.get_executor()};
};

TEST_P(SnapshotTest, StaysAsItWasTakenWhileTheContestGoesOn) {
    player_.begin(contests::field_of(GetParam()));
    for (std::size_t step = 0; step < steps_most; ++step) {
        offer();
        order_at(step);
        if (!player_.step()) break;
        if (step % taken_every == 0) take();
        loop_.poll();
    }
    take();
    while (drawn_up_ < taken_.size()) loop_.run_one();
    ASSERT_GT(taken_.size(), 4U);
    for (std::size_t i = 0; i < taken_.size(); ++i) {
        EXPECT_EQ(taken_[i]->later, taken_[i]->then) << "snapshot " << i;
        EXPECT_EQ(text_of(*taken_[i]->snapshot), taken_[i]->then) << "at the end, snapshot " << i;
    }
    EXPECT_NE(taken_.back()->then, taken_.front()->then) << "the contest went on";
}

INSTANTIATE_TEST_SUITE_P(Formats, SnapshotTest,
                         ::testing::Values(Case{"round_robin", FormatKind::round_robin, 8},
                                           Case{"swiss", FormatKind::swiss, 12},
                                           Case{"knockout", FormatKind::knockout, 16},
                                           Case{"stages", FormatKind::stages, 12},
                                           Case{"ladder", FormatKind::ladder, 8}),
                         [](const auto& format) { return format.param.name; });

TEST(Withdrawal, is_told_behind_the_end_though_all_its_matches_were_played) {
    const auto config = contests::config_of({"", FormatKind::round_robin, 4});
    const engines::Registry games;
    contests::Contest contest(config, *games.find("walls"));
    contests::Player player(contest, 1);
    player.begin(contests::field_of(4));
    formats::Entrant ivy = 0;
    const auto has_played = [&](auto entrant) {
        const auto open = contest.open_matches();
        return std::none_of(open.begin(), open.end(), [entrant](const auto& match) {
            return std::count(match.seats.begin(), match.seats.end(), entrant) > 0;
        });
    };
    while (contest.results().size() < 5) ASSERT_TRUE(player.step());
    while (!has_played(ivy)) ASSERT_LT(++ivy, 4U);
    player.order(contest.withdraw(contest.name(ivy), "went home"));
    player.play();
    ASSERT_TRUE(contest.over());
    EXPECT_THAT(standings_of(ledger_of(contest.snapshot())).text,
                testing::HasSubstr("\nWithdrawn: " + contest.name(ivy) + " (went home)\n"));
}

}  // namespace
}  // namespace referee::report

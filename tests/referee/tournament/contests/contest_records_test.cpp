// Damaged records of a former run, as an archive from elsewhere may bring them. They are refused
// with a reason, or the contest goes on with them; no assertion of ours is ever broken.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <sstream>

#include "referee/store/records/record_line.h"
#include "referee/tournament/contests/contest.h"
#include "tests/damage.h"
#include "tests/referee/tournament/contests/contest_player.h"

namespace referee::contests {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Commits, or fails, when the test says so.
class JournalByHand final : public records::Journal {
 public:
    void append(std::vector<records::Record> records, OnCommitted on_committed) override {
        appended.push_back(std::move(records));
        pending_.push_back(std::move(on_committed));
    }
    void answer(const records::Committed& committed) {
        const auto told = std::move(pending_.front());
        pending_.pop_front();
        told(committed);
    }
    void commit() { answer({}); }
    std::vector<std::vector<records::Record>> appended;

 private:
    std::deque<OnCommitted> pending_;
};

class RecordsTest : public ::testing::Test {
 protected:
    RecordsTest() : contest_(config_of(round_robin), game_named("walls")) {
        contest_.begin(field_of(round_robin), "{}", "test");
        contest_.committed(contest_.changes());
        records_ = std::make_unique<ContestJournal>(
            journal_,
            [this](const auto& failure) { events_.push_back("failed: " + failure.message); },
            [this] { events_.emplace_back("committed"); });
    }
    void write(const std::string& name) {
        records_->write(contest_, contest_.draw(1), [this, name] {
            events_.push_back(name + (contest_.waiting().empty() ? "" : " with a game"));
        });
    }

    const Case round_robin{"round_robin", formats::FormatKind::round_robin, 2, "walls", 2, 1};
    JournalByHand journal_;
    Contest contest_;
    std::vector<std::string> events_;
    std::unique_ptr<ContestJournal> records_;
};

TEST_F(RecordsTest, the_contest_shows_it_then_it_goes_on_then_all_are_told) {
    write("drawn");
    ASSERT_EQ(journal_.appended.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<records::PairingRecord>(journal_.appended[0].front()));
    EXPECT_EQ(records_->due(), 1U);
    EXPECT_TRUE(contest_.waiting().empty());
    EXPECT_THAT(events_, IsEmpty());
    journal_.commit();
    EXPECT_THAT(events_, ElementsAre("drawn with a game", "committed"));
    EXPECT_EQ(records_->due(), 0U);
}

TEST_F(RecordsTest, what_changed_behind_the_record_does_not_show_with_it) {
    records_->write(contest_, {}, [this] { events_.emplace_back("first"); });
    write("drawn");
    EXPECT_EQ(records_->due(), 2U);
    journal_.commit();
    EXPECT_TRUE(contest_.waiting().empty());
    EXPECT_EQ(records_->due(), 1U);
    journal_.commit();
    EXPECT_THAT(events_, ElementsAre("first", "committed", "drawn with a game", "committed"));
}

TEST_F(RecordsTest, a_failure_is_told_instead_and_the_contest_shows_nothing) {
    write("drawn");
    journal_.answer(base::failure(records::JournalFailure{"can't sync"}));
    EXPECT_THAT(events_, ElementsAre("failed: can't sync"));
    EXPECT_TRUE(contest_.waiting().empty());
    EXPECT_EQ(records_->due(), 0U);
}

TEST_F(RecordsTest, nobody_is_told_once_it_is_gone) {
    write("drawn");
    records_.reset();
    journal_.commit();
    EXPECT_THAT(events_, IsEmpty());
}

TEST_F(RecordsTest, nothing_is_told_behind_a_continuation_that_ended_it) {
    records_->write(contest_, {}, [this] {
        events_.emplace_back("ended");
        records_.reset();
    });
    journal_.commit();
    EXPECT_THAT(events_, ElementsAre("ended"));
}

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
Contest::Fits applied(Contest& contest, const std::string& lines) {
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        const auto record = record_of(line);
        if (!record) continue;
        if (auto fits = contest.apply(*record); !fits) return fits;
    }
    return contest.drawable();
}

TEST_P(DamagedPast, IsRefusedOrTheContestGoesOn) {
    const auto& game = game_named(GetParam().game);
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

}  // namespace referee::contests

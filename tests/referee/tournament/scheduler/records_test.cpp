#include "referee/tournament/scheduler/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "engines/registry.h"
#include "tests/referee/tournament/scheduler/contest_player.h"

namespace referee::scheduler {
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
    RecordsTest() : contest_(config_of(round_robin), *registry_.find("walls")) {
        contest_.begin(field_of(round_robin), "{}", "test");
        contest_.committed(contest_.changes());
        records_ = std::make_unique<Records>(
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
    engines::Registry registry_;
    JournalByHand journal_;
    Contest contest_;
    std::vector<std::string> events_;
    std::unique_ptr<Records> records_;
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

}  // namespace
}  // namespace referee::scheduler

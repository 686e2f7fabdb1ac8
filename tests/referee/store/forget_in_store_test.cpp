#include "referee/store/forget_in_store.h"

#include <gmock/gmock.h>

#include <fstream>

#include "referee/store/check.h"
#include "referee/store/schema.h"
#include "referee/store/store.h"
#include "tests/referee/store/store_room.h"

// A store from which a bot's name is taken.

namespace referee::store {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::Not;

class ForgettingTest : public StoreRoom {
 protected:
    void SetUp() override {
        auto store = opened();
        ASSERT_NE(store, nullptr);
        append(*store, sample_records());
        run_until_told(1);
    }

    base::Result<Rewritten, StoreError> forget(const std::string& name,
                                               const std::string& placeholder = "forgotten-1") {
        const auto mentions = mentions_of(path(), name);
        const records::Forgetting forgetting{
            {name, placeholder, mentions ? mentions->known : std::vector<std::string>()},
            [](const std::string& fingerprint) { return "other than " + fingerprint; }};
        return rewrite_without(path(), forgetting, [](std::uint64_t /*records*/) {});
    }
    base::Result<Rewritten, StoreError> forget_alice() { return forget("alice"); }

    std::string bytes() const { return made_.read("friday.store"); }
};

TEST_F(ForgettingTest, LeavesAWholeStoreWithoutTheName) {
    const auto lines = read_lines();
    const auto forgotten = forget_alice();
    ASSERT_TRUE(forgotten) << forgotten.error().message;
    EXPECT_EQ(forgotten->records, lines.size());
    EXPECT_THAT(read_lines(), Each(Not(HasSubstr("alice"))));
    EXPECT_EQ(read_lines().size(), lines.size());
    EXPECT_THAT(bytes(), Not(HasSubstr("alice")));
    auto made = open_to_read(path(), {});
    EXPECT_EQ(origin_of(made.database), origin_of_rewritten);
    RecordCheck check(made.database, RecordCheck::Depth::whole_file);
    while (!check.is_over()) check.go_on(records_checked_at_once);
    EXPECT_EQ(check.seen().damages_total, 0U);
    for (const auto* ending : {"-wal", ".head", ".part", ".part-wal"})
        EXPECT_FALSE(std::filesystem::exists(path() + ending)) << ending;
}

TEST_F(ForgettingTest, IsWrittenOnAfterwards) {
    ASSERT_TRUE(forget_alice());
    const auto before = read_lines().size();
    auto store = opened();
    ASSERT_NE(store, nullptr);
    append(*store, {records::TokenRecord{"carol", "a hash", "ctl"}});
    run_until_told(2);
    EXPECT_THAT(told_, Each(std::string()));
    store.reset();
    EXPECT_EQ(read_lines().size(), before + 1);
}

TEST_F(ForgettingTest, ABotWithoutATokenGetsOneThatLetsNobodyIn) {
    const auto before = read_lines().size();
    ASSERT_GT(mentions_of(path(), "carol")->records, 0U);
    ASSERT_TRUE(forget("carol", "forgotten-7"));
    const auto lines = read_lines();
    ASSERT_EQ(lines.size(), before + 1);
    EXPECT_THAT(lines.back(), HasSubstr("\"bot\":\"forgotten-7\",\"hash\":\"forgotten\""));
}

TEST_F(ForgettingTest, WhatAKilledAttemptLeftIsNoHindrance) {
    std::ofstream(path() + ".part") << "half a store";
    std::ofstream(path() + ".part-wal") << "half a log";
    ASSERT_TRUE(forget_alice());
    EXPECT_THAT(read_lines(), Each(Not(HasSubstr("alice"))));
}

TEST_F(ForgettingTest, AStoreThatSomebodyReadsStays) {
    const auto before = read_lines();
    {
        // The log of a writer that was killed is read by another program.
        Database writer(path(), Database::Access::write, {});
        Database reader(path(), Database::Access::read, {});
        writer.execute("PRAGMA user_version = " + std::to_string(schema_version));
        reader.execute("BEGIN");
        EXPECT_GT(reader.integer("SELECT count(*) FROM chain"), 0);
        const auto forgotten = forget_alice();
        EXPECT_FALSE(forgotten);
    }
    EXPECT_EQ(read_lines(), before);
}

TEST_F(ForgettingTest, ARowThatNoLinkKnowsIsToldAndNotDropped) {
    change("INSERT INTO states VALUES (99, 1, 'friday', 'paused', '')");
    EXPECT_FALSE(mentions_of(path(), "alice"));
    const auto forgotten = forget_alice();
    ASSERT_FALSE(forgotten);
    EXPECT_THAT(forgotten.error().message, HasSubstr("record 99 is in the table states"));
    EXPECT_THAT(bytes(), HasSubstr("alice"));
}

TEST_F(ForgettingTest, TellsWhereABotStands) {
    const auto mentions = mentions_of(path(), "alice");
    ASSERT_TRUE(mentions);
    EXPECT_THAT(mentions->known, testing::Contains("b\"ob"));
    EXPECT_GT(mentions->games, 0U);
    EXPECT_EQ(mentions_of(path(), "alic")->records, 0U);
    EXPECT_FALSE(mentions_of(path("none.db"), "alice"));
}

}  // namespace
}  // namespace referee::store

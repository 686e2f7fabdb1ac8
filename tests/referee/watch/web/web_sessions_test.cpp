#include "referee/watch/web/web_sessions.h"

#include <gtest/gtest.h>

namespace referee::web {
namespace {

using namespace std::chrono_literals;

struct DoorkeeperTest : testing::Test {
    int made = 0;
    WebSessions keeper{{15min, 8h, 2, 2}, [this] { return "secret" + std::to_string(++made); }};
    Instant now{100h};
};

TEST_F(DoorkeeperTest, ATicketIsGoodOnce) {
    keeper.expect("t", "ann", now);
    EXPECT_FALSE(keeper.take("u", now));
    const auto visitor = keeper.take("t", now + 14min);
    ASSERT_TRUE(visitor);
    EXPECT_EQ(visitor->bot, "ann");
    EXPECT_FALSE(keeper.take("t", now + 14min));
}

TEST_F(DoorkeeperTest, ATicketIsGoodForSomeMinutes) {
    keeper.expect("t", "ann", now);
    EXPECT_FALSE(keeper.take("t", now + 15min));
    EXPECT_FALSE(keeper.take("t", now)) << "an old one is gone";
}

TEST_F(DoorkeeperTest, TheOldestTicketGoesWhereThereAreTooMany) {
    for (const auto* ticket : {"1", "2", "3"}) keeper.expect(ticket, "ann", now);
    EXPECT_FALSE(keeper.take("1", now));
    EXPECT_TRUE(keeper.take("2", now));
    EXPECT_TRUE(keeper.take("3", now));
}

TEST_F(DoorkeeperTest, ASessionLastsUntilItsEnd) {
    const auto session = keeper.begin({"ann", false}, now);
    EXPECT_EQ(keeper.visitor(session, now + 7h).bot, "ann");
    EXPECT_FALSE(keeper.visitor(session, now + 8h).known());
    EXPECT_FALSE(keeper.visitor("", now).known());
    EXPECT_FALSE(keeper.visitor("another", now).known());
    keeper.end(session);
    EXPECT_FALSE(keeper.visitor(session, now).known());
}

TEST_F(DoorkeeperTest, ANewTokenEndsAllOfThatNameAndNothingElse) {
    keeper.expect("t", "ann", now);
    const auto ann = keeper.begin({"ann", false}, now);
    const auto bob = keeper.begin({"bob", false}, now);
    keeper.forget("ann");
    EXPECT_FALSE(keeper.take("t", now));
    EXPECT_FALSE(keeper.visitor(ann, now).known());
    EXPECT_EQ(keeper.visitor(bob, now).bot, "bob");
}

TEST(Visitor, KnowsItsOwnOrAll) {
    EXPECT_FALSE(Visitor{}.may_know("ann"));
    EXPECT_FALSE(Visitor{}.may_know(""));
    EXPECT_TRUE((Visitor{"ann", false}).may_know("ann"));
    EXPECT_FALSE((Visitor{"ann", false}).may_know("bob"));
    EXPECT_TRUE((Visitor{"", true}).may_know("bob"));
}

}  // namespace
}  // namespace referee::web

#include "referee/watch/web/web_sessions.h"

#include <gtest/gtest.h>

namespace referee::web {
namespace {

using namespace std::chrono_literals;

struct WebSessionsTest : testing::Test {
    int made = 0;
    WebSessions keeper{[this] { return "secret" + std::to_string(++made); }};
    Instant now{100h};
};

TEST_F(WebSessionsTest, ATicketIsGoodOnceAndForSomeMinutes) {
    keeper.expect("t", "ann", now);
    EXPECT_FALSE(keeper.take("u", now));
    const auto visitor = keeper.take("t", now + 14min);
    ASSERT_TRUE(visitor);
    EXPECT_EQ(visitor->bot, "ann");
    EXPECT_FALSE(keeper.take("t", now + 14min));
    keeper.expect("t", "ann", now);
    EXPECT_FALSE(keeper.take("t", now + 15min));
    EXPECT_FALSE(keeper.take("t", now)) << "an old one is gone";
}

TEST_F(WebSessionsTest, TheOldestTicketGoesWhereThereAreTooMany) {
    for (std::size_t ticket = 0; ticket <= tickets_max; ++ticket)
        keeper.expect(std::to_string(ticket), "ann", now);
    EXPECT_FALSE(keeper.take("0", now));
    EXPECT_TRUE(keeper.take("1", now));
    EXPECT_TRUE(keeper.take(std::to_string(tickets_max), now));
}

TEST_F(WebSessionsTest, ASessionLastsUntilItsEnd) {
    const auto session = keeper.begin({"ann", false}, now);
    EXPECT_EQ(keeper.visitor(session, now + 7h).bot, "ann");
    EXPECT_FALSE(keeper.visitor(session, now + 8h).known());
    EXPECT_FALSE(keeper.visitor("", now).known());
    EXPECT_FALSE(keeper.visitor("another", now).known());
    keeper.end(session);
    EXPECT_FALSE(keeper.visitor(session, now).known());
}

TEST_F(WebSessionsTest, ANewTokenEndsAllOfThatNameAndNothingElse) {
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

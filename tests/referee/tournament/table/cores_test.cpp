#include "referee/tournament/table/cores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

// Which seat gets a core, and when.

namespace referee::table {
namespace {

using ::testing::ElementsAre;

class CoresTest : public ::testing::Test {
 protected:
    // Asks for a core, and writes down this name when the core comes.
    Cores::Permit ask(Cores& cores, const std::string& name) {
        const auto answer = cores.request([this, name] { served.push_back(name); });
        if (answer.granted) served.push_back(name);
        return answer.permit;
    }
    std::vector<std::string> served;
};

TEST_F(CoresTest, as_many_at_once_as_there_are_and_the_others_in_their_order) {
    Cores cores(2);
    const auto a = ask(cores, "a");
    const auto b = ask(cores, "b");
    const auto c = ask(cores, "c");
    ask(cores, "d");
    EXPECT_THAT(served, ElementsAre("a", "b"));
    EXPECT_EQ(cores.waiting(), 2U);
    cores.release(b);
    EXPECT_THAT(served, ElementsAre("a", "b", "c"));
    cores.release(a);
    EXPECT_THAT(served, ElementsAre("a", "b", "c", "d"));
    cores.release(c);
    EXPECT_EQ(cores.free(), 1U);
}

TEST_F(CoresTest, who_leaves_the_queue_is_passed_over) {
    Cores cores(1);
    const auto a = ask(cores, "a");
    const auto b = ask(cores, "b");
    const auto c = ask(cores, "c");
    ask(cores, "d");
    cores.release(b);
    cores.leave_queue(c);
    cores.leave_queue(a);  // it holds a core, so it isn't in the queue
    EXPECT_THAT(served, ElementsAre("a"));
    cores.release(a);
    EXPECT_THAT(served, ElementsAre("a", "d"));
}

TEST_F(CoresTest, a_permit_counts_once) {
    Cores cores(1);
    const auto a = ask(cores, "a");
    cores.release(0);
    cores.release(a);
    cores.release(a);
    EXPECT_EQ(cores.free(), 1U);
    ask(cores, "b");
    ask(cores, "c");
    EXPECT_THAT(served, ElementsAre("a", "b"));
}

TEST_F(CoresTest, who_is_served_may_give_back_at_once) {
    Cores cores(1);
    const auto a = ask(cores, "a");
    Cores::Permit b = 0;
    b = cores.request([&] { cores.release(b); }).permit;
    ask(cores, "c");
    cores.release(a);
    EXPECT_THAT(served, ElementsAre("a", "c"));
}

// A game with many seats asks for cores for all of them at once. A seat of another game waits for
// these cores, but no longer.
TEST_F(CoresTest, games_take_turns) {
    Cores cores(1);
    auto held = ask(cores, "first");
    std::vector<Cores::Permit> queue;
    for (const auto* name : {"big 1", "big 2", "big 3", "small"}) queue.push_back(ask(cores, name));
    cores.release(held);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto again = ask(cores, "big again");
        cores.release(queue[i]);
        queue.push_back(again);
    }
    EXPECT_THAT(served, ElementsAre("first", "big 1", "big 2", "big 3", "small"));
}

}  // namespace
}  // namespace referee::table

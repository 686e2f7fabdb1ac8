#include "referee/launch/supply/launch_spec_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::supply {
namespace {

using sandbox::Tier;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr LimitingMachine small_machine{std::uint64_t{4096} << 20, 5000};

config::Config class_of(std::initializer_list<config::BotConfig> bots) {
    config::Config config;
    for (const auto& bot : bots) config.bots.push_back(bot);
    config.bots.push_back({});
    config.bots.back().name = "dials in";
    return config;
}

config::BotConfig bot_named(const char* name) {
    config::BotConfig bot;
    bot.name = name;
    bot.launch = {"sh"};
    return bot;
}

TEST(LimitsThatHold, AreNotRemarkedOn) {
    const auto config = class_of({bot_named("ann")});
    for (const auto tier : {Tier::a, Tier::b, Tier::c})
        EXPECT_THAT(remarks_on_limits(config, {tier, true}, small_machine), IsEmpty());
    EXPECT_THAT(remarks_on_limits(config, {Tier::a, true}, {}), IsEmpty()) << "nothing is known";
}

TEST(LimitsThatHold, TellOfMoreMemoryThanTheMachineHas) {
    auto ann = bot_named("ann");
    ann.memory_mb_max = 4096;
    const auto config = class_of({ann, bot_named("bob")});
    EXPECT_THAT(remarks_on_limits(config, {Tier::b, true}, small_machine),
                ElementsAre(AllOf(HasSubstr("the machine has 4096 MB"), HasSubstr(": \"ann\""),
                                  HasSubstr("expected a \"memory_mb\" below 4096 MB"),
                                  Not(HasSubstr("bob")))));
    EXPECT_THAT(remarks_on_limits(config, {Tier::none, false}, small_machine), IsEmpty());
}

TEST(LimitsThatHold, TellOfMoreProcessesThanTheKernelMakes) {
    auto ann = bot_named("ann");
    ann.processes_max = 5001;
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::a, true}, small_machine),
                ElementsAre(AllOf(HasSubstr("at most 5000 processes"), HasSubstr("\"ann\""))));
}

TEST(LimitsThatHold, TellOfADiskThatIsMemory) {
    auto ann = bot_named("ann");
    ann.disk_mb_max = 2049;
    ann.memory_mb_max = 3000;
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::b, true}, small_machine),
                ElementsAre(HasSubstr("\"disk_mb\" of at most 2048 MB: \"ann\"")));
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::c, true}, small_machine), IsEmpty())
        << "there it writes nowhere";
    ann.disk_mb_max = 100;
    ann.memory_mb_max = 100;
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::a, true}, small_machine),
                ElementsAre(HasSubstr("larger than \"disk_mb\": \"ann\"")));
    EXPECT_THAT(remarks_on_limits(class_of({ann}), {Tier::b, true}, small_machine), IsEmpty())
        << "there no process' memory counts it";
}

TEST(LimitsThatHold, TellWhereNothingBoundsProcesses) {
    const auto config = class_of({bot_named("ann"), bot_named("bob")});
    EXPECT_THAT(remarks_on_limits(config, {Tier::c, false}, small_machine),
                ElementsAre(AllOf(HasSubstr("\"processes\" is not held"),
                                  HasSubstr("\"ann\", \"bob\""), Not(HasSubstr("dials in")))));
}

TEST(LimitsThatHold, AreMeasuredAgainstThisMachine) {
    const auto machine = this_machine();
    EXPECT_GT(machine.memory_bytes, std::uint64_t{1} << 20);
    EXPECT_GT(machine.processes, 1U);
}

}  // namespace
}  // namespace referee::supply

// What is still under way when the supply of launched bots ends.

#include <gtest/gtest.h>

#include "referee/launch/supply/launched_bots.h"
#include "tests/places.h"
#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using referee::process::Accounting;
using referee::supply::LaunchedBots;

// A supply of one bot, which is launched by this command.
class SupplyOfOne {
 public:
    explicit SupplyOfOne(std::vector<std::string> command,
                         std::optional<Accounting> accounting = std::nullopt) {
        referee::process::LauncherOptions options;
        options.accounting = accounting;
        options.shim_path = binary_root() + "/bin/referee-exec-shim";
        auto launcher = referee::process::Launcher::create(executor(), options);
        referee::config::BotConfig bot;
        bot.name = "ada";
        bot.launch = std::move(command);
        supply = std::make_unique<LaunchedBots>(
            "", tokens, *room.lobby, room.world.referee(), executor(), background,
            [this](const std::string& /*bot*/, const std::string& message) {
                ++troubles;
                last_trouble = message;
            },
            [this](const std::string& message) { remarks.push_back(message); });
        supply->launch_by(std::move(launcher).value());
        supply->know(bot);
    }
    boost::asio::any_io_executor executor() { return room.world.loop().get_executor(); }

    // As a host does: the supply first, and then what hangs on the loop.
    void release() {
        supply.reset();
        room.world.loop().restart();
        room.world.loop().poll();
    }

    LobbyRoom room;
    InstantBackground background{room.world};
    std::map<std::string, std::string> tokens{{"ada", "secret"}};
    std::unique_ptr<LaunchedBots> supply;
    int troubles = 0;
    std::string last_trouble;
    std::vector<std::string> remarks;
};

TEST(ReleasedSupply, HearsNothingOfALaunchThatFailed) {
    SupplyOfOne at({""});
    at.supply->want(at.room.lobby->bot("ada"));
    at.release();
    EXPECT_EQ(at.troubles, 0);
}

TEST(ReleasedSupply, HearsNothingOfALaunchUnderWay) {
    SupplyOfOne at({"/bin/true"});
    at.supply->want(at.room.lobby->bot("ada"));
    at.release();
    EXPECT_EQ(at.troubles, 0);
    EXPECT_FALSE(at.room.lobby->bot("ada").connected());
}

// A game that it forfeits because it never came is over too.
TEST(Supply, GivesABotUpAfterFourLaunchesWhateverGamesItForfeits) {
    SupplyOfOne at({""});
    auto& ada = at.room.lobby->bot("ada");
    at.room.world.loop().restart();
    for (int game = 0; game < 3; ++game) {
        at.supply->want(ada);
        for (int second = 0; second < 30; ++second) {
            at.room.pass(std::chrono::seconds(1));
            at.room.world.loop().restart();
            at.room.world.loop().poll();
        }
        at.supply->game_over(ada, true);
        EXPECT_NE(at.last_trouble.find("GIVEN UP: it is not launched again, because 4 launches"),
                  std::string::npos)
            << at.last_trouble;
        EXPECT_EQ(at.troubles, 2) << game << ": why launches fail, and that it is given up";
        EXPECT_TRUE(at.supply->coming(ada).given_up);
    }
    referee::config::BotConfig again;
    again.name = "ada";
    again.launch = {""};
    at.supply->know(again);
    at.supply->want(ada);
    at.room.world.loop().restart();
    at.room.world.loop().poll();
    EXPECT_EQ(at.troubles, 2) << "what was told before";
    EXPECT_FALSE(at.supply->coming(ada).given_up);
    at.release();
}

TEST(Supply, TellsOnceWhereNoWaitForACoreIsExcused) {
    for (const auto accounting : {Accounting::proc, Accounting::subreaper}) {
        SupplyOfOne at({"/bin/true"}, accounting);
        referee::config::BotConfig second;
        second.name = "bob";
        second.launch = {"/bin/true"};
        at.supply->know(second);
        if (accounting == Accounting::proc) {
            ASSERT_EQ(at.remarks.size(), 1U);
            EXPECT_NE(at.remarks[0].find("counts as thinking"), std::string::npos);
        } else {
            EXPECT_TRUE(at.remarks.empty()) << at.remarks[0];
        }
        at.release();
    }
}

TEST(Supply, TellsOfALaunchThatFailed) {
    SupplyOfOne at({""});
    at.supply->want(at.room.lobby->bot("ada"));
    at.room.world.loop().restart();
    at.room.world.loop().poll();
    EXPECT_EQ(at.troubles, 1);
    at.release();
}

}  // namespace
}  // namespace tests::sim

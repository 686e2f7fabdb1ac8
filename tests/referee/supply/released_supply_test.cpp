// What is still under way when the supply of launched bots ends.

#include <gtest/gtest.h>

#include "referee/supply/launched_bots.h"
#include "tests/places.h"
#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using referee::supply::LaunchedBots;

// A supply of one bot, which is launched by this command.
class SupplyOfOne {
 public:
    explicit SupplyOfOne(std::vector<std::string> command) {
        referee::launcher::LauncherOptions options;
        options.shim_path = binary_root() + "/bin/referee-exec-shim";
        auto made = referee::launcher::Launcher::create(executor(), options);
        launcher = std::get<std::unique_ptr<referee::launcher::Launcher>>(std::move(made));
        referee::config::BotConfig bot;
        bot.name = "ada";
        bot.launch = std::move(command);
        supply = std::make_unique<LaunchedBots>(
            LaunchedBots::Settings{}, std::vector{bot}, tokens, *launcher, *room.lobby,
            room.world.referee(), executor(),
            [this](const std::string& /*bot*/, const std::string& /*message*/) { ++troubles; });
    }
    boost::asio::any_io_executor executor() { return room.world.loop().get_executor(); }

    void run_until(const std::function<bool()>& holds) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        do {
            room.world.loop().restart();
            room.world.loop().run_one_for(std::chrono::milliseconds(5));
        } while (!holds() && std::chrono::steady_clock::now() < deadline);
    }

    // As a host does: the supply first, the launcher behind it, and then what hangs on the loop.
    void release() {
        supply.reset();
        launcher.reset();
        room.world.loop().restart();
        room.world.loop().poll();
    }

    LobbyRoom room;
    std::map<std::string, std::string> tokens{{"ada", "secret"}};
    std::unique_ptr<referee::launcher::Launcher> launcher;
    std::unique_ptr<LaunchedBots> supply;
    int troubles = 0;
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

TEST(ReleasedSupply, HearsNothingWhileItsLauncherGoesOn) {
    for (const auto* program : {"", "/no/such/program", "/bin/true"}) {
        SupplyOfOne at({program});
        at.supply->want(at.room.lobby->bot("ada"));
        at.supply.reset();
        at.run_until([&] { return at.launcher->living() == 0; });
        EXPECT_EQ(at.troubles, 0) << program;
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

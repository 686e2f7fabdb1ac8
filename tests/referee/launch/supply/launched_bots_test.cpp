#include <sys/socket.h>

#include <gtest/gtest.h>
#include <boost/asio/ip/tcp.hpp>
#include <vector>

#include "referee/launch/supply/launched_bot.h"
#include "referee/launch/supply/launched_bots.h"
#include "tests/no_descriptors_left.h"
#include "tests/places.h"
#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using boost::asio::ip::tcp;
using referee::process::Accounting;
using referee::supply::BotListener;
using referee::supply::LaunchedBots;

// What is still under way when the supply of launched bots ends.

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
            LaunchedBots::Context{executor(), room.world.referee(), background, *room.lobby,
                                  tokens},
            LaunchedBots::Calls{
                [this](const std::string& /*bot*/, const std::string& message) {
                    ++troubles;
                    last_trouble = message;
                },
                [this](const std::string& message) { remarks.push_back(message); }});
        supply->launch_by(std::move(launcher).value());
        supply->know(bot);
    }
    boost::asio::any_io_executor executor() { return room.world.loop().get_executor(); }

    void settle() {
        room.world.loop().restart();
        room.world.loop().poll();
    }
    // As a host does: the supply first, and then what hangs on the loop.
    void release() {
        supply.reset();
        settle();
    }

    LobbyRoom room;
    InstantBackground background{room.world};
    std::map<std::string, std::string> tokens{{"ada", "secret"}};
    std::unique_ptr<LaunchedBots> supply;
    int troubles = 0;
    std::string last_trouble;
    std::vector<std::string> remarks;
};

TEST(ReleasedSupply, HearsNothingOfALaunchThatFailedOrIsUnderWay) {
    for (const auto* program : {"", "/bin/true"}) {
        SupplyOfOne at({program});
        at.supply->want(at.room.lobby->bot("ada"));
        at.release();
        EXPECT_EQ(at.troubles, 0) << program;
        EXPECT_FALSE(at.room.lobby->bot("ada").connected());
    }
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
            at.settle();
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
    again.handed_in = true;
    at.supply->know(again);
    at.supply->want(ada);
    at.settle();
    EXPECT_EQ(at.troubles, 2) << "what was told before";
    EXPECT_FALSE(at.supply->coming(ada).given_up);
    for (int second = 0; second < 30; ++second) {
        at.room.pass(std::chrono::seconds(1));
        at.settle();
    }
    EXPECT_NE(at.last_trouble.find("hands it in again: 'referee submit'"), std::string::npos)
        << "its owner can't reload: " << at.last_trouble;
    at.release();
}

TEST(Supply, TellsApartWhatTheMachineCantLaunchAndWhatIsNoProgram) {
    for (const bool can_open : {false, true}) {
        SupplyOfOne at({can_open ? "" : "/bin/true"});
        {
            std::optional<NoDescriptorsLeft> none;
            if (!can_open) none.emplace();
            at.supply->want(at.room.lobby->bot("ada"));
            at.settle();
        }
        EXPECT_NE(at.last_trouble.find("its launch has failed"), std::string::npos) << can_open;
        EXPECT_EQ(at.supply->fails_by_machine("ada"), !can_open) << at.last_trouble;
        at.release();
    }
}

// What it forfeits then would be lost by the machine.
TEST(Supply, ABotThatTheMachineLaunchesNoMoreHasNotFailed) {
    LobbyRoom room;
    referee::supply::LaunchedBot bot({}, room.lobby->bot("ada"));
    bot.started = true;
    bot.machine_failed = true;
    bot.failed = referee::supply::LaunchedBot::launches_failed_max;
    EXPECT_FALSE(bot.has_never_started()) << "it is tried again";
    ++bot.failed;
    EXPECT_TRUE(bot.has_never_started());
    bot.machine_failed = false;
    EXPECT_FALSE(bot.has_never_started());
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

// A listener on this machine's own network: what connects there, and how much of it.

class AtAListener {
 public:
    AtAListener() {
        tcp::acceptor socket(loop(), {boost::asio::ip::address_v4::loopback(), 0});
        port = socket.local_endpoint().port();
        listener = BotListener::open(
            referee::process::Descriptor(socket.release()), *room.lobby, loop().get_executor(),
            {"ada", [] { return std::nullopt; }, [](const auto& /*message*/) {},
             [this](const auto& why) { refusals.push_back(why); }});
    }
    boost::asio::io_context& loop() { return room.world.loop(); }

    // Whether the referee takes the connection, or closes it.
    bool dial() {
        bots.emplace_back(loop()).connect({boost::asio::ip::address_v4::loopback(), port});
        bots.back().native_non_blocking(true);
        for (;;) {
            loop().restart();
            loop().poll();
            char byte = 0;
            const auto got = ::recv(bots.back().native_handle(), &byte, 1, 0);
            if (got >= 0 || errno != EAGAIN) return got > 0;  // the first of its hello
        }
    }

    LobbyRoom room;
    std::uint16_t port = 0;
    std::vector<std::string> refusals;
    std::unique_ptr<BotListener> listener;
    std::vector<tcp::socket> bots;
};

TEST(BotListener, LeadsToTheLobby) {
    AtAListener at;
    EXPECT_TRUE(at.dial());
    EXPECT_EQ(at.room.lobby->connections(), 1U);
}

TEST(BotListener, TakesNoMoreConnectionsThanABotNeeds) {
    AtAListener at;
    for (int i = 0; i < BotListener::connections_max; ++i) EXPECT_TRUE(at.dial()) << i;
    EXPECT_TRUE(at.refusals.empty());
    EXPECT_FALSE(at.dial());
    EXPECT_FALSE(at.dial());
    ASSERT_EQ(at.refusals.size(), 2U);
    EXPECT_NE(at.refusals[0].find("4 connections open"), std::string::npos) << at.refusals[0];
    EXPECT_EQ(at.room.lobby->connections(), BotListener::connections_max);
    at.bots.front().close();
    while (at.room.lobby->connections() == BotListener::connections_max) {
        at.loop().restart();
        at.loop().poll();
    }
    EXPECT_TRUE(at.dial()) << "one has ended";
}

TEST(BotListener, IsNoneWithoutASocket) {
    LobbyRoom room;
    EXPECT_EQ(BotListener::open({}, *room.lobby, room.world.loop().get_executor(), {}), nullptr);
}

}  // namespace
}  // namespace tests::sim

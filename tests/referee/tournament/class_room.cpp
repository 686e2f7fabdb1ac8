#include "tests/referee/tournament/class_room.h"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>

namespace tests::sim {

using namespace std::chrono_literals;

ClassRoom::ClassRoom() {
    config.registration.password = "open sesame";
    auto& practice = config.tournaments.emplace_back();
    practice.id = "practice";
    practice.game = "walls";
    practice.text = "{}";
    practice.setups = {R"({"size":3,"first":0})"};
    practice.format.options = referee::formats::LadderOptions{};
    practice.clock.budget = 1s;
    practice.clock = referee::clock::completed(practice.clock);
    practice.rest = 1s;
    practice.match.seat_order = referee::formats::SeatOrder::same;
}

ClassRoom::~ClassRoom() {
    if (referee == nullptr) return;
    referee->lobby().close_all(protocol::ByeReason::shutdown, "the test is over");
    for (const auto& bot : bots_) bot->link->close();
    world.pass(1s);
    referee->end();
    world.run([this] { return world.quiet(); }, 1h);
    referee.reset();
}

void ClassRoom::open() {
    referee = std::make_unique<referee::tournament::Referee>(
        config, referee::tournament::RefereeOptions{"test", true},
        referee::tournament::RefereeContext{world.loop().get_executor(), world.referee(), journal,
                                            world, background, tokens, nullptr, nullptr, nullptr,
                                            wall_clock},
        *this, [this](const auto& how) { ending = how.message; });
    journal.power_on();
    const auto recovery =
        referee->recover([this](const auto& take) -> base::Result<void, std::string> {
            for (const auto& record : journal.committed()) take(record);
            return {};
        });
    EXPECT_TRUE(recovery) << recovery.error();
    referee->bring_bots_by(*this);
    referee->start();
    world.pass(step);
}

void ClassRoom::cut_off() {
    journal.power_off();
    for (const auto& bot : bots_) bot->link->break_off();
    referee->lobby().close_all(protocol::ByeReason::shutdown, "nobody hears this");
    referee->end();
    referee.reset();
}

std::shared_ptr<ScriptedBot> ClassRoom::log_in(const std::string& name, const std::string& address,
                                               const std::string& token, const Json& extra) {
    auto bot = bots_.emplace_back(std::make_shared<ScriptedBot>());
    ++dialled_;
    LinkTraits traits{.address = address};
    bot->link = std::make_shared<Link>(world, dialled_, traits, Random(dialled_), *bot, nullptr);
    boost::asio::post(world.loop(),
                      [this, link = bot->link] { referee->lobby().admit(link->server_end()); });
    Json login{{"type", "login"},
               {"name", name},
               {"token", token},
               {"password", "open sesame"},
               {"games", {"walls"}}};
    login.update(extra);
    bot->say(login);
    return bot;
}

void ClassRoom::play_on(Duration time, const std::vector<std::shared_ptr<ScriptedBot>>& players) {
    const auto end = world.now() + time;
    while (world.now() < end) {
        for (const auto& player : players) player->play();
        world.pass(step);
    }
}

std::map<std::string, std::size_t> ClassRoom::played() const {
    std::map<std::string, std::size_t> counts;
    const auto now = ladder();
    for (const auto& [ordinal, match] : now.results) {
        for (const auto seat : match.seats) ++counts[now.name(seat)];
    }
    return counts;
}

}  // namespace tests::sim

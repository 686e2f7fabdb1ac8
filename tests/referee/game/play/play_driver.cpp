#include "tests/referee/game/play/play_driver.h"

#include <gtest/gtest.h>

namespace referee::play {
namespace {

struct Describe {
    std::string operator()(const SendStart& action) const {
        return "start " + std::to_string(action.seat);
    }
    std::string operator()(const SendTurn& action) const {
        return "turn " + std::to_string(action.seat);
    }
    std::string operator()(const SendFault& action) const {
        return "fault " + std::to_string(action.fault);
    }
    std::string operator()(const ArmDeadline& action) const {
        return "arm " + std::to_string(action.seat) + " " +
               std::to_string(in_us(action.at - Instant{}));
    }
    std::string operator()(const DropDeadline& action) const {
        return "drop " + std::to_string(action.seat);
    }
    std::string operator()(const Finish&) const { return "finish"; }
};

PlaySetup setup_of(std::string_view game, std::string params, std::vector<std::string> bots) {
    PlaySetup setup;
    setup.key = {"friday", 12, 1, 1};
    setup.game = games().find(game);
    setup.params = std::move(params);
    setup.seed = 7;
    setup.bots = std::move(bots);
    setup.clock = clock::completed({.budget = turn_budget});
    return setup;
}

}  // namespace

const engines::Registry& games() {
    static const engines::Registry registry;
    return registry;
}

PlaySetup walls_setup() {
    return setup_of("walls", R"({"size": 3})", {"alice", "bob"});
}

PlaySetup cycles_setup(std::size_t teams) {
    const std::string starts = teams == 2 ? "[[0,0],[6,6]]" : "[[0,0],[6,6],[6,0]]";
    std::vector<std::string> bots{"alice", "bob", "carol"};
    bots.resize(teams);
    return setup_of(
        "light_cycles",
        R"({"width":7,"height":7,"cycles_per_team":1,"mean_budget_us":1000000,"teams":)" +
            std::to_string(teams) + R"(,"starts":)" + starts + "}",
        std::move(bots));
}

PlayDriver::Done PlayDriver::told(const Actions& actions) {
    done.clear();
    for (const auto& action : actions) done.push_back(std::visit(Describe{}, action));
    return done;
}

PlayDriver::Done PlayDriver::start(std::vector<Seat> absent) {
    Actions actions;
    play.start(at({}), absent, actions);
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (const auto* start = std::get_if<SendStart>(&actions[i]))
            play.start_sent(start->seat, at({}), actions);
    }
    return told(actions);
}

PlayDriver::Done PlayDriver::ready(Seat seat) {
    Actions actions;
    play.ready(seat, actions);
    return told(actions);
}

void PlayDriver::begin() {
    start();
    for (Seat seat = 0; seat < play.setup().bots.size(); ++seat) ready(seat);
    ASSERT_TRUE(play.begun());
}

PlayDriver::Done PlayDriver::sent(Seat seat, Duration when, Duration round_trip) {
    Actions actions;
    play.turn_sent(seat, Stamp::exact(at(when)), Path::exact(round_trip), actions);
    return told(actions);
}

PlayDriver::Done PlayDriver::deadline(Seat seat, Duration when, Duration stalled) {
    return deadline(seat,
                    Arrival{.at = Stamp::exact(at(when)), .stalled = stalled, .how = "test stamp"});
}

PlayDriver::Done PlayDriver::deadline(Seat seat, const Arrival& arrival) {
    Actions actions;
    play.deadline(seat, arrival, actions);
    return told(actions);
}

PlayDriver::Done PlayDriver::misbehaved(Seat seat, FaultCode code, Duration when) {
    Actions actions;
    Fault fault{.code = code, .message = "it did something"};
    Arrival arrival{.at = Stamp::exact(at(when))};
    play.misbehaved(seat, fault, arrival, actions);
    return told(actions);
}

PlayDriver::Done PlayDriver::stop(GameStatus status, const std::string& reason) {
    Actions actions;
    play.stop(status, reason, actions);
    return told(actions);
}

AnswerFate PlayDriver::answer(Seat seat, std::string_view move, Duration when) {
    const auto line = "{\"move\":" + std::string(move) + "}";
    return answer(seat, play.turn(), move,
                  {.at = Stamp::exact(at(when)), .how = "test stamp", .line = line});
}

AnswerFate PlayDriver::answer(Seat seat, std::int64_t turn, std::string_view move,
                              Arrival arrival) {
    json::Document document;
    EXPECT_TRUE(document.parse(move)) << move;
    Actions actions;
    const auto fate = play.answer(seat, turn, document.root(), arrival, actions);
    told(actions);
    return fate;
}

AnswerFate PlayDriver::moves(Seat seat, std::string_view move) {
    sent(seat, now_);
    now_ += 1ms;
    return answer(seat, move, now_);
}

}  // namespace referee::play

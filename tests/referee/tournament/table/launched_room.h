#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/sim/lobby_room.h"
#include "tests/sim/simulated_bot.h"

namespace tests::sim {

// A table with launched bots only.
class LaunchedRoom : public TableRoom {
 public:
    using TableRoom::TableRoom;
    ~LaunchedRoom() {
        table.reset();
        for (const auto& name : names) room.lobby->bot(name).set_process(nullptr);
    }
    LaunchedRoom(const LaunchedRoom&) = delete;
    LaunchedRoom& operator=(const LaunchedRoom&) = delete;

    void launch(const std::vector<std::string>& all) {
        processes.resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            bots.push_back(&room.log_in(all[i]));
            room.lobby->bot(all[i]).set_process(&processes[i]);
        }
        names = all;
    }
    void begin() { play(names, bots); }
    void begin(const std::vector<std::string>& all) {
        launch(all);
        begin();
    }
    // What they send is read.
    void move(std::size_t bot, std::int64_t turn, const Json& move) {
        TableRoom::move(*bots[bot], turn, move);
    }
    void ready(std::size_t bot) {
        bots[bot]->ready(id());
        room.pass(std::chrono::milliseconds(1));
    }
    std::vector<std::size_t> turns() const {
        std::vector<std::size_t> heard;
        for (const auto* bot : bots) heard.push_back(bot->heard("turn").size());
        return heard;
    }

    std::vector<std::string> names;
    std::vector<ScriptedBot*> bots;
    std::vector<SimulatedProcess> processes;
};

}  // namespace tests::sim

// Replays, setups and lines of moves that were damaged: refused with a place, or played and told;
// never a crash.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "referee/game/trace/story.h"
#include "tests/damage.h"
#include "tests/places.h"

namespace referee::trace {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;
using tests::damaged_lines;
using tests::Random;
using tests::read_file;

constexpr int times_each = 300;

// Counts the damaged files that were refused and those that were read. A test that met only one of
// the two kinds has shown nothing.
struct Seen {
    int refused = 0;
    int read = 0;

    void note(const Refusal* refusal) {
        if (refusal == nullptr) {
            ++read;
            return;
        }
        ++refused;
        EXPECT_THAT(refusal->message, StartsWith("f:"));
    }
    ~Seen() {
        EXPECT_GT(refused, 0);
        EXPECT_GT(read, 0);
    }
};

struct Golden {
    std::string setup;
    std::string moves;
    std::string replay;
};

std::string compact(const std::string& json) {
    return nlohmann::ordered_json::parse(json).dump();
}

// A few games of each kind, and what the replay of each would be.
std::vector<Golden> golden_games() {
    std::vector<Golden> all;
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(tests::source_root()) / "tests/golden")) {
        const auto path = entry.path().string();
        const std::string ending = ".setup.json";
        if (!path.ends_with(ending)) continue;
        const auto name = path.substr(0, path.size() - ending.size());
        Golden golden{compact(read_file(path)), read_file(name + ".moves.ndjson"), {}};
        std::istringstream trace(read_file(name + ".trace.ndjson"));
        std::string last;
        for (std::string line; std::getline(trace, line);) last = line;
        const auto outcome = nlohmann::ordered_json::parse(last).at("outcome");
        auto header = nlohmann::ordered_json::parse(golden.setup);
        header["replay"] = 1;
        header["bots"] = {"a", "b"};
        golden.replay = header.dump() + "\n" + golden.moves;
        golden.replay += R"({"result":{"status":"played","outcome":)" + outcome.dump() +
                         R"(,"turns":1,"used_us":[1,2],"faults":[],"faults_total":0}})" + "\n";
        all.push_back(std::move(golden));
    }
    return all;
}

TEST(DamagedReplay, IsRefusedOrPlayedAgain) {
    const engines::Registry registry;
    Random lots(1);
    Seen seen;
    for (const auto& golden : golden_games()) {
        for (int time = 0; time < times_each; ++time) {
            std::istringstream replay(damaged_lines(golden.replay, lots));
            SCOPED_TRACE(replay.str());
            const auto checked = check_replay(replay, "f", registry);
            seen.note(checked ? nullptr : &checked.error());
        }
    }
}

TEST(DamagedReplay, IsRefusedOrTold) {
    Random lots(2);
    Seen seen;
    for (const std::string name : {"faults", "nobody"}) {
        const auto good =
            read_file(tests::source_root() + "/tests/golden/explain/" + name + ".ndjson");
        for (int time = 0; time < 20 * times_each; ++time) {
            const auto replay = damaged_lines(good, lots);
            SCOPED_TRACE(replay);
            const auto told = tell_story(replay, "f");
            seen.note(told ? nullptr : &told.error());
        }
    }
}

TEST(DamagedMoves, AreRefusedOrTraced) {
    const engines::Registry registry;
    Random lots(3);
    Seen seen;
    for (const auto& golden : golden_games()) {
        for (int time = 0; time < times_each; ++time) {
            const bool in_setup = lots.chance(50);
            const auto setup_text =
                in_setup ? tests::damaged_json(golden.setup, lots) : golden.setup;
            SCOPED_TRACE(setup_text);
            auto setup = read_setup(setup_text, "f", registry);
            if (!setup) {
                seen.note(&setup.error());
                continue;
            }
            std::istringstream moves(in_setup ? golden.moves : damaged_lines(golden.moves, lots));
            SCOPED_TRACE(moves.str());
            std::ostringstream out;
            const auto traced = trace(*setup, moves, "f", out);
            seen.note(traced ? nullptr : &traced.error());
        }
    }
}

}  // namespace
}  // namespace referee::trace

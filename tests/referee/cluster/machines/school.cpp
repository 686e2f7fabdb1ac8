#include "tests/referee/cluster/machines/school.h"

#include <gtest/gtest.h>

#include <utility>

#include "referee/config/read_config.h"
#include "tests/referee/tournament/scheduler/hand_executor.h"

namespace tests::sim {

using referee::machines::Coordinator;
using referee::machines::JobsFolder;
using referee::machines::JobTerms;

namespace {

// All bots are the file `bot` in the jobs' folder, which need not be there.
std::shared_ptr<const JobTerms> terms_for(const std::vector<std::string>& names,
                                          const std::string& folder, std::size_t jobs_at_once,
                                          const std::string& time_max) {
    std::string bots;
    for (const auto& name : names)
        bots += (bots.empty() ? "" : ",") +
                (R"({"name":")" + name + R"(","launch":[")" + folder + R"(/bot"]})");
    const auto text = R"({"bots":[)" + bots + R"(],
        "tournaments":[{"id":"t","game":"walls","params":{"size":3},"match":{"best_of":3}}],
        "machines":{"kind":"command","folder":"jobs","submit":"s","list":"l","cancel":"c",
        "jobs_at_once":)" +
                      std::to_string(jobs_at_once) + R"(,"time_max":")" + time_max + "\"}}";
    auto config = referee::config::read_config(text, "c.json", "/nowhere");
    EXPECT_TRUE(config) << config.error().front().message;
    JobTerms terms;
    terms.store = "store";
    terms.version = "1.2.3";
    terms.config = *std::move(config);
    return std::make_shared<const JobTerms>(std::move(terms));
}

}  // namespace

std::vector<std::string> class_of(std::size_t bots) {
    constexpr std::size_t first = 1000;  // so that all names are as long
    std::vector<std::string> names;
    for (std::size_t i = 0; i < bots; ++i) names.push_back("b" + std::to_string(first + i));
    return names;
}

School::School(std::string folder_of_jobs, std::vector<std::string> names_of_bots,
               SimulatedMachines& machines, std::size_t jobs_at_once)
    : folder(std::move(folder_of_jobs)), names(std::move(names_of_bots)) {
    hall.launched = {names.begin(), names.end()};
    hall.config.match.games = 3;
    hall.config.match.best_of = true;
    machines.go_to(hall.room.world, folder);
    static int runs = 0;
    auto opened = JobsFolder::open(folder, {"store", "run" + std::to_string(++runs)});
    EXPECT_TRUE(opened) << opened.error();
    const auto keep = [this](const std::string& text) { told.push_back(text); };
    coordinator = std::make_unique<Coordinator>(
        terms_for(names, folder, jobs_at_once, "24h"), *std::move(opened), machines,
        hall.room.world.referee(), hall.background, Coordinator::Telling{keep, keep, keep});
    hall.executor = coordinator.get();
}

void School::start(referee::Duration time) {
    hall.start(names);
    hall.room.pass(time);
}

void School::play_on() {
    for (int i = 0; i < 20'000 && !hall.ending; ++i) hall.room.pass(1s);
    EXPECT_TRUE(hall.ending);
    expect_whole(hall.journal.committed(), names.size() * (names.size() - 1) / 2);
}

void School::reload(const std::string& time_max, std::size_t jobs_at_once) {
    coordinator->change(terms_for(names, folder, jobs_at_once, time_max));
}

void School::close() {
    bool closed = false;
    coordinator->close([&closed] { closed = true; });
    hall.room.pass(1s);
    EXPECT_TRUE(closed);
}

}  // namespace tests::sim

#include "tests/referee/cluster/machines/simulated_machines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "engines/registry.h"
#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/cluster/machines/coordinator_folder.h"
#include "referee/config/read_config.h"
#include "referee/files/file.h"
#include "tests/referee/tournament/scheduler/hand_executor.h"

namespace tests::sim {

namespace jobs = referee::jobs;
namespace machines = referee::machines;

namespace {

constexpr std::int64_t us_of_calibration = 1'800;
constexpr std::uint64_t machines_of_all = 3;
constexpr std::uint64_t ms_longest_job = 20'000;
constexpr std::uint64_t ms_of_a_lie_most = 1'000'000'000;
constexpr std::uint64_t us_of_a_lie_most = std::uint64_t{1} << 53;  // as much as a record may tell
constexpr const char* file_of_run = "/result.a-run";

std::string machine_of(std::uint64_t number) {
    return "node" + std::to_string(1 + number % machines_of_all);
}

// Leaves its result in its folder.
void play_job_by_lot(const std::string& folder, const std::string& text, const JobByLot& how) {
    if (text.empty() || !std::filesystem::exists(folder) || jobs::has_result(folder)) return;
    const auto job = jobs::read_job(text, folder, "1.2.3");
    ASSERT_TRUE(job) << job.error();
    jobs::JobResult result;
    result.took = how.a_match * static_cast<int>(job->matches.size());
    for (const auto& match : job->matches) {
        for (auto& record : HandExecutor::games_of(match)) {
            auto& played = record.result;
            if (how.used_us > 0) played.used_us.assign(played.bots.size(), how.used_us);
            played.machine = {how.machine, "a processor", "Linux 6.1", 1, "A", us_of_calibration};
            result.games.push_back({1, std::move(record)});
        }
    }
    auto written = jobs::result_text(*job, result);
    if (how.damaged) written[written.size() / 2] ^= 1;
    std::ofstream(folder + "/part") << written;
    std::filesystem::rename(folder + "/part", jobs::result_path(folder));
}

// All bots are the file `bot` in the jobs' folder, which need not be there.
std::shared_ptr<const machines::JobTerms> terms_for(const std::vector<std::string>& names,
                                                    const std::string& folder,
                                                    std::size_t jobs_at_once,
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
    machines::JobTerms terms;
    terms.store = "store";
    terms.version = "1.2.3";
    terms.config = *std::move(config);
    return std::make_shared<const machines::JobTerms>(std::move(terms));
}

}  // namespace

void SimulatedMachines::go_to(World& world, const std::string& jobs_folder) {
    world_ = &world;
    folder_ = jobs_folder;
    ++worlds_;
    for (const auto& [number, folder] : playing) begin(number);
}

void SimulatedMachines::begin(std::uint64_t number) {
    if (forgets) {
        if (!never_starts) std::ofstream(playing.at(number) + file_of_run) << "";
        return;
    }
    const auto in = std::chrono::milliseconds(lots_.between(1, ms_longest_job));
    const bool dies = lots_.chance(manners_.die_percent);
    // Empty where it isn't there any more.
    const auto job = referee::files::read_named_file(playing.at(number) + "/" + jobs::job_file,
                                                     jobs::job_bytes_max)
                         .value_or("");
    world_->outside().schedule(world_->now() + in, [this, number, job, dies, world = worlds_] {
        const auto found = playing.find(number);
        if (world != worlds_ || found == playing.end()) return;
        if (!stuck.empty()) return begin(number);
        const auto folder = found->second;
        if (!believes_on) playing.erase(found);
        end(number, folder, job, dies);
    });
}

bool SimulatedMachines::fails_on_bad(std::uint64_t number, const std::string& folder) {
    if (bad != machine_of(number)) return false;
    std::ofstream(folder + "/host") << bad << '\n';
    std::ofstream(folder + "/log") << "no interpreter\n";
    return true;
}

// The file system's clock is too coarse for a simulation, so it is moved on by hand.
void SimulatedMachines::show_lives() {
    ++lives_shown_;
    for (const auto& [number, folder] : playing) {
        const std::filesystem::path file = folder + file_of_run;
        if (std::filesystem::exists(file))
            std::filesystem::last_write_time(
                file, std::filesystem::file_time_type(std::chrono::seconds(lives_shown_)));
    }
}

JobByLot SimulatedMachines::lot() {
    JobByLot how;
    how.damaged = lots_.chance(manners_.damage_percent);
    if (!lots_.chance(manners_.lie_percent)) return how;
    how.a_match = std::chrono::milliseconds(lots_.between(0, ms_of_a_lie_most));
    how.used_us = static_cast<std::int64_t>(lots_.between(0, us_of_a_lie_most));
    return how;
}

void SimulatedMachines::end(std::uint64_t number, const std::string& folder, const std::string& job,
                            bool dies) {
    auto how = lot();
    how.machine = machine_of(number);
    if (!dies) return play_job_by_lot(folder, job, how);
    if (!lots_.chance(manners_.zombie_percent)) return;
    const auto later = std::chrono::milliseconds(lots_.between(1, 4 * ms_longest_job));
    world_->outside().schedule(world_->now() + later, [folder, job, how, this, world = worlds_] {
        if (world == worlds_) play_job_by_lot(folder, job, how);
    });
}

SimulatedMachines::Answer<void> SimulatedMachines::submit(const std::vector<std::uint64_t>& jobs,
                                                          const machines::BatchNeeds& needs) {
    longest = std::max(longest, needs.time_max);
    if (refuses) return base::failure(machines::BatchTrouble{false, "no such partition"});
    const bool fails_now = fails();
    const auto done = fails_now ? lots_.below(jobs.size() + 1) : jobs.size();
    for (std::size_t i = 0; i < (down ? 0 : done); ++i) {
        const auto number = jobs[i];
        const auto folder = folder_ + "/jobs/" + machines::number_text(number);
        numbers.insert(number);
        ++submissions;
        if (swallows || fails_on_bad(number, folder)) continue;
        playing[number] = folder;
        begin(number);
    }
    most_at_once = std::max(most_at_once, playing.size());
    if (fails_now) return base::failure(machines::BatchTrouble{true, "nobody answers"});
    return {};
}

SimulatedMachines::Answer<std::vector<machines::SeenJob>> SimulatedMachines::list() {
    ++lists;
    if (lives) show_lives();
    if (fails()) return base::failure(machines::BatchTrouble{true, "nobody answers"});
    std::vector<machines::SeenJob> seen;
    for (const auto& [number, folder] : playing) {
        if (lots_.chance(manners_.overlook_percent)) continue;
        seen.push_back(
            {number, std::to_string(number), stuck.empty(), "node1", stuck, !stuck.empty(), held});
    }
    return seen;
}

SimulatedMachines::Answer<void> SimulatedMachines::cancel(
    const std::vector<std::uint64_t>& unwanted) {
    if (fails()) return base::failure(machines::BatchTrouble{true, "nobody answers"});
    for (const auto number : unwanted) cancelled += playing.erase(number);
    return {};
}

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
    auto opened = referee::machines::CoordinatorFolder::open(
        folder, {"store", "run" + std::to_string(++runs)});
    EXPECT_TRUE(opened) << opened.error();
    const auto keep = [this](const std::string& text) { told.push_back(text); };
    coordinator = std::make_unique<referee::machines::Coordinator>(
        terms_for(names, folder, jobs_at_once, "24h"), *std::move(opened), machines,
        hall.room.world.referee(), hall.background, referee::machines::Telling{keep, keep, keep});
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

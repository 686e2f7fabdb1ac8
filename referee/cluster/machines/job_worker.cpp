#include "referee/cluster/machines/job_worker.h"

#include <algorithm>
#include <map>
#include <utility>

#include "protocol/base/text.h"
#include "referee/launch/supply/program_launches.h"
#include "referee/net/loop/machine.h"

namespace referee::machines {
namespace {

// Results that are read in one go: the rest waits for the next, so that the loop is never given
// too much at once.
constexpr std::size_t results_at_once = 32;

void note(JobReport& report, BatchTrouble trouble) {
    if (!report.trouble) report.trouble = std::move(trouble);
}

// Of files: it stays until somebody has mended it.
void note(JobReport& report, const std::string& reason) {
    note(report, BatchTrouble{false, reason});
}

}  // namespace

JobReport JobWorker::carry_out(const JobWork& work) {
    JobReport report;
    if (const auto mine = folder_.check_owner(); !mine) {
        note(report, mine.error());
        return report;
    }
    cancel(work, report);
    end(work, report);
    write(work, report);
    submit(work, report);
    if (work.list) {
        auto seen = batch_.list();
        if (!seen) note(report, seen.error());
        if (seen) report.seen = *std::move(seen);
    }
    look(work, report);
    if (work.leave && !report.trouble) folder_.leave();
    return report;
}

void JobWorker::cancel(const JobWork& work, JobReport& report) {
    if (work.cancel.empty()) return;
    const auto cancelled = batch_.cancel(work.cancel);
    report.cancelled = cancelled.has_value();
    if (!cancelled) return note(report, cancelled.error());
    for (const auto number : work.cancel) folder_.note_cancelled(number);
}

void JobWorker::end(const JobWork& work, JobReport& report) {
    for (const auto& ended : work.ended) {
        if (ended.awaits_result && !has_result(ended.number)) continue;
        if (const auto done = folder_.remove(ended.number, ended.keeps_result); !done) {
            note(report, done.error());
            continue;
        }
        report.ended.push_back(ended.number);
        if (ended.awaits_result) report.late.push_back(ended.number);
    }
}

CoordinatorFolder::Result<std::string> JobWorker::text_of(const NewJob& written,
                                                          const JobTerms& terms) {
    jobs::Job job;
    job.id = fmt::format("{}-{}", terms.store, written.number);
    job.version = terms.version;
    job.written_by = jobs::this_referee();
    job.written_ms = loop::wall_clock_ms();
    job.sandbox = terms.sandbox;
    job.directory = terms.config.machines->directory;
    job.config_text = terms.config.machines->job_config;
    job.matches = written.match_tasks;
    for (const auto& task : written.match_tasks) {
        for (const auto& game : task.games) {
            for (const auto& name : game.bots) job.programs.emplace(name, "");
        }
    }
    for (auto& [name, identity] : job.programs) {
        const auto& bots = terms.config.bots;
        const auto bot = std::ranges::find(bots, name, &config::BotConfig::name);
        if (bot == bots.end()) return base::failure("the config has no bot " + name + " any more");
        auto found = programs_.identify(supply::program_launch_of(*bot));
        if (!found)
            return base::failure("the program of " + name + " can't be read: " + found.error());
        identity = *std::move(found);
    }
    return jobs::job_text(job);
}

void JobWorker::write(const JobWork& work, JobReport& report) {
    for (const auto& job : work.write) {
        const auto text = text_of(job, *work.terms);
        if (!text) return note(report, text.error());
        const auto written = folder_.write(job.number, *text);
        if (!written) return note(report, written.error());
        report.written.insert(job.number);
    }
}

void JobWorker::submit(const JobWork& work, JobReport& report) {
    std::vector<std::uint64_t> numbers;
    BatchNeeds needs{work.terms->config.machines->cores};
    const auto add = [&](const auto& job) {
        numbers.push_back(job.number);
        needs.time_max = std::max(needs.time_max, job.time_max);
    };
    for (const auto& again : work.submit) add(again);
    for (const auto& job : work.write) {
        if (report.written.contains(job.number)) add(job);
    }
    if (numbers.empty()) return;
    const auto submitted = batch_.submit(numbers, needs);
    if (!submitted) {
        report.submission_failed = true;
        return note(report, submitted.error());
    }
    report.submitted.insert(numbers.begin(), numbers.end());
}

FoundResult JobWorker::read(std::uint64_t number, const std::string& version) const {
    FoundResult brought;
    brought.number = number;
    const auto refused = [&brought](const std::string& why) {
        brought.refusal = why;
        return brought;
    };
    const auto job = folder_.job(number, version);
    if (!job) return refused(job.error());
    const auto text = folder_.result_text(number);
    if (!text) return refused(text.error());
    auto result = jobs::read_result(*text, folder_.folder_of(number) + "'s result", *job);
    if (!result) return refused(result.error());
    brought.took = result->took;
    std::map<GameKey, std::size_t> places;
    for (const auto& match : job->matches) {
        for (const auto& game : match.games) places[game.key] = brought.matches.size();
        brought.matches.push_back({match.key(), {}});
    }
    for (auto& played : result->games)
        brought.matches[places.at(played.game.result.key)].games.push_back(std::move(played.game));
    return brought;
}

void JobWorker::look(const JobWork& work, JobReport& report) {
    std::set<std::uint64_t> listed;
    if (report.seen && !work.lives) {
        for (const auto& job : *report.seen) listed.insert(job.number);
    }
    for (const auto number : work.look) {
        if (report.brought.size() == results_at_once) return;
        if (has_result(number)) {
            report.brought.push_back(read(number, work.terms->version));
        } else if (work.list && !listed.contains(number)) {
            const auto folder = folder_.folder_of(number);
            report.without[number] = {folder_.last_words(number), jobs::last_life(folder),
                                      jobs::machine_of(folder)};
        }
    }
}

}  // namespace referee::machines

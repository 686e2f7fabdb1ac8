// Puts one question to machines::Slurm, for tests against a real cluster:
//
//   slurm_driver ID REFEREE [partition=P] [account=A] [qos=Q] [commands=FOLDER] [argument=WORD]...
//   ORDER
//
//   submit CORES SECONDS NUMBER=FOLDER...
//   list                  a line for each job: number, id, begun or waits, host or -, why
//   cancel NUMBER...
//   check CORES SECONDS
//
// On trouble it prints "passes" or "stays" and the reason, and ends with 1.

#include <chrono>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "referee/cluster/machines/batch_system.h"
#include "referee/cluster/machines/slurm.h"
#include "referee/config/config.h"

namespace {

using referee::config::SlurmConfig;
using referee::machines::BatchJob;
using referee::machines::BatchNeeds;
using referee::machines::BatchTrouble;
using referee::machines::SeenJob;
using referee::machines::Slurm;
using Words = std::vector<std::string>;

int tell(const BatchTrouble& trouble) {
    std::cout << (trouble.passes ? "passes " : "stays ") << trouble.reason << '\n';
    return 1;
}

// Takes the settings off the words' beginning.
SlurmConfig settings_of(Words& words) {
    SlurmConfig config;
    while (!words.empty() && words[0].find('=') != std::string::npos) {
        const auto end = words[0].find('=');
        const auto name = words[0].substr(0, end);
        const auto value = words[0].substr(end + 1);
        if (name == "partition") config.partition = value;
        if (name == "account") config.account = value;
        if (name == "qos") config.qos = value;
        if (name == "commands") config.commands = value;
        if (name == "argument") config.arguments.push_back(value);
        words.erase(words.begin());
    }
    return config;
}

BatchNeeds needs_of(const Words& words) {
    return {std::stoul(words.at(1)), std::chrono::seconds(std::stol(words.at(2)))};
}

int submit(Slurm& slurm, const Words& words) {
    std::vector<BatchJob> jobs;
    for (std::size_t i = 3; i < words.size(); ++i) {
        const auto end = words[i].find('=');
        jobs.push_back({std::stoull(words[i].substr(0, end)), words[i].substr(end + 1)});
    }
    const auto done = slurm.submit(jobs, needs_of(words));
    return done ? 0 : tell(done.error());
}

int list(Slurm& slurm) {
    const auto seen = slurm.list();
    if (!seen) return tell(seen.error());
    for (const auto& job : *seen)
        std::cout << job.number << ' ' << job.id << ' ' << (job.begun ? "begun" : "waits") << ' '
                  << (job.host.empty() ? "-" : job.host) << ' ' << job.because << '\n';
    return 0;
}

int cancel(Slurm& slurm, const Words& words) {
    std::vector<SeenJob> jobs;
    for (std::size_t i = 1; i < words.size(); ++i) {
        jobs.emplace_back();
        jobs.back().number = std::stoull(words[i]);
    }
    const auto done = slurm.cancel(jobs);
    return done ? 0 : tell(done.error());
}

}  // namespace

int main(int count, char** arguments) {
    Words words(arguments + 1, arguments + count);
    const auto id = words.at(0);
    const auto referee = words.at(1);
    words.erase(words.begin(), words.begin() + 2);
    const auto config = settings_of(words);
    const auto order = words.at(0);
    Slurm slurm(config, id, referee);
    if (order == "submit") return submit(slurm, words);
    if (order == "list") return list(slurm);
    if (order == "cancel") return cancel(slurm, words);
    const auto checked = slurm.check(needs_of(words));
    return checked ? 0 : tell(checked.error());
}

#pragma once

#include <string>

#include "referee/cluster/machines/batch_system.h"
#include "referee/command/command.h"

namespace referee::machines {

// A batch system that three commands reach; configs/MACHINES.md tells what each is given and what
// it answers.
class BatchCommands final : public BatchSystem {
 public:
    struct Settings {
        std::string submit;
        std::string list;
        std::string cancel;
        std::string directory;  // where they run
        std::string folder;     // of the coordinator
        std::string referee;    // the program that runs
    };
    explicit BatchCommands(Settings settings) : settings_(std::move(settings)) {}

    Answer<Done> submit(const std::vector<BatchJob>& jobs, const BatchNeeds& needs) override;
    Answer<std::vector<SeenJob>> list() override;
    Answer<Done> cancel(const std::vector<SeenJob>& jobs) override;
    Answer<Done> check(const BatchNeeds& needs) override;

 private:
    // One of the instructor's, for a shell; what is added to its words comes behind them.
    command::Command call_of(const std::string& words) const;
    // What it printed.
    Answer<std::string> output_of(const std::string& name, const std::string& words,
                                  const command::Command& call) const;

    Settings settings_;
};

}  // namespace referee::machines

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "referee/cli/commands.h"
#include "referee/cluster/jobs/play_job.h"
#include "referee/daemon/token.h"

namespace referee::cli {

void add_job_command(CLI::App& app, int& status) {
    const auto folder = std::make_shared<std::string>();
    auto* command = app.add_subcommand("job", "Play matches of another machine's tournament");
    command->footer(R"(  $ referee job /shared/friday/jobs/000017

The folder holds job.json: matches of a tournament, with their seeds, seats and programs. They are
played as `run` would play them, on the cores that this process may use, and result.ndjson is
written when all of them are over. Where it is there already, nothing is played. SIGTERM ends it
soon and writes nothing: the job can be played again, here or elsewhere. configs/MACHINES.md tells
of the files.)");
    command->add_option("FOLDER", *folder, "The job's folder")->required();
    command->callback([folder, &status] {
        daemon::KernelTokens tokens;
        const auto ending = jobs::play_job(*folder, tokens);
        status = ending.status;
        if (ending.message.empty()) return;
        (status == 0 ? std::cout : std::cerr) << ending.message << '\n';
    });
}

}  // namespace referee::cli

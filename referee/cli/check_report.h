#pragma once

#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/estimate/tournament_estimate.h"
#include "referee/server/server.h"

namespace referee::cli {

// What `check` has to say: told line by line as it is found, notes on the standard output and all
// else on standard error; or, as JSON, kept and written as one object at the end.
class CheckReport {
 public:
    CheckReport(std::string config, bool json) : config_(std::move(config)), json_(json) {}

    void mistake(const config::ConfigError& error);
    // What keeps all commands from launching these bots here.
    void refusal(const std::string& why) { mistake({0, {}, why}); }
    void warning(const std::string& text, std::size_t line = 0);
    // Of the config alone, as `run` tells it too.
    void remark(const std::string& text);
    void note(const std::string& text);
    void of_machine(const server::MachineRemark& remark);
    void tournament(const config::TournamentConfig& tournament,
                    estimate::DurationEstimate estimate);
    void roster(const config::RegistrationConfig& registration);  // where there is one
    // On what the estimates rest, where there are any.
    void assumptions();
    // Writes the object, if it is JSON; else whether all is good. `status` is the exit status.
    void end(int status) const;

 private:
    struct Told {
        config::TournamentConfig config;
        estimate::DurationEstimate estimate;
    };
    using Remarks = std::vector<config::ConfigError>;

    std::string config_;
    bool json_;
    Remarks mistakes_;
    Remarks warnings_;
    Remarks notes_;
    std::vector<Told> tournaments_;
};

}  // namespace referee::cli

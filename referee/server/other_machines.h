#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>

#include "protocol/base/result.h"
#include "referee/cluster/machines/coordinator.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/token.h"

namespace referee::server {

// The machines beside this one that play matches, where the config has any.
class OtherMachines {
 public:
    // `terms` have what all jobs have in common, but for the store and the config. The timers
    // outlive it.
    OtherMachines(boost::asio::any_io_executor loop, loop::Timers& timers, machines::JobTerms terms)
        : loop_(std::move(loop)), timers_(timers), terms_(std::move(terms)) {}

    // Takes over what an earlier run in the output folder left there.
    base::Result<void, Ending> prepare(const config::Config& config, const std::string& out,
                                       tournament::Tokens& tokens);
    // They can't be changed while matches are out. An error says what was to be another one.
    base::Result<void, std::string> check(const config::Config& config) const;
    // Requires: it was checked.
    void change(const config::Config& config) {
        if (coordinator_) coordinator_->change(terms_with(config));
    }
    // Cancels what is out and not wanted; then calls on.
    void close(std::function<void()> then);
    // Who gives them matches; null: all is played here.
    machines::Coordinator* coordinator() const { return coordinator_.get(); }

 private:
    std::shared_ptr<const machines::JobTerms> terms_with(const config::Config& config);

    boost::asio::any_io_executor loop_;
    loop::Timers& timers_;
    machines::JobTerms terms_;
    std::optional<config::MachinesConfig> machines_;  // as at the beginning
    std::unique_ptr<machines::BatchSystem> batch_;    // null: all is played here
    std::unique_ptr<loop::BackgroundThread> background_;
    std::unique_ptr<machines::Coordinator> coordinator_;
};

}  // namespace referee::server

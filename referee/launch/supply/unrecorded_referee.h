#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "referee/config/config.h"
#include "referee/files/log/log.h"
#include "referee/launch/supply/launched_bots.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/machine.h"
#include "referee/net/loop/process_resources.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/referee.h"
#include "referee/tournament/token.h"
#include "referee/version.h"

namespace referee::supply {

// Of games outside of any store: nothing is recorded.
class NoJournal final : public records::Journal {
 public:
    explicit NoJournal(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}
    void append(std::vector<records::Record> /*records*/, OnCommitted on_committed) override {
        boost::asio::post(loop_, [tell = std::move(on_committed)] { tell({}); });
    }

 private:
    boost::asio::any_io_executor loop_;
};

// A referee whose games nobody records, with the loop that it runs on and all that it works with:
// it lets bots in and launches them. Whoever derives from it is told of them, and plays the games
// at tables of its own.
class UnrecordedReferee : public tournament::RefereeObserver {
 protected:
    UnrecordedReferee(config::Config config, LaunchedBots::Calls calls)
        : referee_(std::move(config), {version, true, loop::descriptors_max()},
                   {loop_.get_executor(), timers_, journal_, watch_, background_, tokens_}, *this,
                   [](const auto& /*ending*/) {}),
          bots_(std::make_unique<LaunchedBots>(
              LaunchedBots::Context{loop_.get_executor(), timers_, background_of_programs_,
                                    referee_.lobby(), referee_.roster().launch_tokens()},
              std::move(calls))) {}

    // `call` is given SIGINT or SIGTERM, once.
    void take_signal(std::function<void(int signal)> call) {
        signals_.async_wait([call = std::move(call)](const auto& error, int signal) {
            if (!error) call(signal);
        });
    }
    // Lets go of all bots, and of what is on the loop. Requires: the tables are gone, and the loop
    // has ended.
    void end() {
        signals_.cancel();
        bots_.reset();
        referee_.end();
        loop_.restart();
        loop_.poll();
    }

    std::unique_ptr<loop::Machine> machine_ =  // before all that has threads or descriptors
        loop::this_machine([](const auto& trouble) { log::warn("{}", trouble); });
    boost::asio::io_context loop_{1};
    loop::SystemTimers timers_{loop_.get_executor()};
    loop::SystemTimers ticks_{loop_.get_executor()};
    loop::LoopWatch watch_{ticks_, *machine_};
    loop::BackgroundThread background_{loop_.get_executor()};
    loop::BackgroundThread background_of_programs_{loop_.get_executor()};
    boost::asio::signal_set signals_{loop_, SIGINT, SIGTERM};
    tournament::Tokens tokens_;
    NoJournal journal_{loop_.get_executor()};
    tournament::Referee referee_;
    std::unique_ptr<LaunchedBots> bots_;  // null at the end
};

}  // namespace referee::supply

#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/submit/build/build.h"

namespace referee::build {

// Builds submissions, several at once. Not thread safe.
class Builder {
 public:
    // A builder, or why nothing can be built here: no sandbox in which a program may write, or none
    // at all where the referee runs as root.
    static base::Result<std::unique_ptr<Builder>, std::string> open(boost::asio::io_context& loop,
                                                                    const BuildLimits& limits,
                                                                    bool unsandboxed);

    // In which sandbox builds run, in one line.
    const std::string& sandbox() const { return sandbox_; }
    // Where such a program lies for a build; empty: nowhere.
    std::string program_file(const std::string& program) const;

    // Runs all orders, so many at once. `call` is given each outcome with its order's place, as it
    // comes; false from it: no further one begins.
    void run(const std::vector<BuildOrder>& orders, std::size_t at_once,
             const std::function<bool(std::size_t, const BuildOutcome&)>& call);

 private:
    explicit Builder(boost::asio::io_context& loop, const BuildLimits& limits)
        : loop_(loop), limits_(limits) {}

    boost::asio::io_context& loop_;
    BuildLimits limits_;
    bool sandboxed_ = true;
    std::string sandbox_;
    std::unique_ptr<process::Launcher> launcher_;
};

}  // namespace referee::build

#pragma once

// What is asked of the sandbox of launched bots, and what is said of the one that a machine gives.

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/launch/process/launcher.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::supply {

// What `serve` asks for where the config says nothing: students' programs come to it. No other
// command asks for any.
inline constexpr sandbox::Tier tier_min_of_serve = sandbox::Tier::b;

struct SandboxTerms {
    bool unsandboxed = false;  // bots run as other programs do
    // Below it no bot is launched.
    sandbox::Tier tier_min = sandbox::Tier::none;
    // Who asks for tier_min: "\"sandbox\": {\"min_tier\": \"B\"} in the config", "referee serve".
    std::string asked_by{};
};

// An error says that config and command line contradict each other, and which of both to drop.
base::Result<SandboxTerms, std::string> terms_of(const config::Config& config,
                                                 const sandbox::SandboxWish& wish);

// An error says why no bot may be launched under these terms on a machine that offers this sandbox:
// what was found there, and what helps. `as_root`: whether the referee runs as root.
base::Result<void, std::string> accept(const SandboxTerms& terms, const sandbox::Offer& offer,
                                       bool as_root);

// In which sandbox bots run, in one line; where it isn't the best one, why, and how to get a better
// one.
std::string describe(const SandboxTerms& terms, const sandbox::Offer& offer);
// Whether that line must not be overlooked: bots see each other's files.
bool worth_a_warning(const SandboxTerms& terms, const sandbox::Offer& offer);

// A launcher, with whatever sandbox the machine gives, or why there is none.
base::Result<std::unique_ptr<process::Launcher>, std::string> open_launcher(
    const boost::asio::any_io_executor& executor, bool unsandboxed);
// A launcher that is good enough for these terms, or why there is none.
base::Result<std::unique_ptr<process::Launcher>, std::string> open_launcher(
    const boost::asio::any_io_executor& executor, const SandboxTerms& terms);

}  // namespace referee::supply

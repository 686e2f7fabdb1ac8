#include "referee/launch/supply/sandbox_terms.h"

#include <unistd.h>

#include "protocol/base/visible_text.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/program/program.h"

namespace referee::supply {
namespace {

using sandbox::Offer;
using sandbox::Tier;

// From this tier on a bot sees nothing of others.
constexpr Tier tier_apart = Tier::b;

std::string text_of(Tier tier) {
    return "tier " + std::string(name_of(tier));
}

// "; not A: bubblewrap is not installed (install it: apt install bubblewrap)"
std::string passed_over(const Offer& offer) {
    std::string text;
    for (const auto& better : offer.passed_over) {
        text += "; not " + text_of(better.tier) + ": " + better.found;
        if (!better.advice.empty()) text += " (" + better.advice + ")";
    }
    return text;
}

}  // namespace

base::Result<SandboxTerms, std::string> terms_of(const config::Config& config,
                                                 const sandbox::SandboxWish& wish) {
    SandboxTerms terms;
    terms.unsandboxed = wish.unsandboxed;
    const auto named = config.min_tier.value_or(Tier::none);
    const auto member =
        "\"sandbox\": {\"min_tier\": \"" + std::string(name_of(named)) + "\"} in the config";
    if (wish.unsandboxed && named > Tier::none) {
        return base::failure("--unsandboxed launches bots without any sandbox, and " + member +
                             " asks for one: expected one of both; leave out --unsandboxed, or say "
                             "\"min_tier\": \"none\"");
    }
    if (wish.unsandboxed) return terms;
    terms.tier_min = config.min_tier ? named : wish.tier_min;
    terms.asked_by = config.min_tier ? member : "referee serve";
    return terms;
}

base::Result<void, std::string> accept(const SandboxTerms& terms, const Offer& offer,
                                       bool as_root) {
    if (terms.unsandboxed) return {};
    if (offer.tier < terms.tier_min) {
        return base::failure(
            "launched bots would run in " +
            (offer.tier == Tier::none ? "no sandbox" : "the sandbox's " + text_of(offer.tier)) +
            ", and " + terms.asked_by + " asks for " + text_of(terms.tier_min) + " at least" +
            passed_over(offer) + ". To launch them all the same: \"sandbox\": {\"min_tier\": \"" +
            std::string(name_of(offer.tier)) + "\"} in the config");
    }
    if (as_root && offer.tier == Tier::none) {
        return base::failure(
            "launched bots would run as root without a sandbox: each could change the results, "
            "the other bots and the machine" +
            passed_over(offer) +
            ". Run the referee as an ordinary user, or, where you trust every bot as yourself, "
            "with --unsandboxed");
    }
    return {};
}

std::string describe(const SandboxTerms& terms, const Offer& offer) {
    const std::string means =
        ": each can read and change what the referee's user can, the results and the other bots "
        "too";
    if (terms.unsandboxed) return "bots run without a sandbox (--unsandboxed)" + means;
    if (offer.tier == Tier::none) return "bots run without a sandbox" + means + passed_over(offer);
    return "bots run in the sandbox, " + text_of(offer.tier) + passed_over(offer);
}

bool worth_a_warning(const SandboxTerms& terms, const Offer& offer) {
    return terms.unsandboxed || offer.tier < tier_apart;
}

base::Result<std::unique_ptr<process::Launcher>, std::string> open_launcher(
    const boost::asio::any_io_executor& executor, bool unsandboxed) {
    process::LauncherOptions options;
    options.search_path = process::program_search_path();
    options.sandbox = !unsandboxed;
    options.version_of = [](const std::string& program) {
        const auto line = program::version_line(program);
        return line && *line ? base::visible_line(**line) : std::string();
    };
    auto created = process::Launcher::create(executor, std::move(options));
    if (!created) return base::failure(std::move(created.error().message));
    return *std::move(created);
}

base::Result<std::unique_ptr<process::Launcher>, std::string> open_launcher(
    const boost::asio::any_io_executor& executor, const SandboxTerms& terms) {
    auto opened = open_launcher(executor, terms.unsandboxed);
    if (!opened) return opened;
    if (auto good = accept(terms, (*opened)->sandbox(), ::geteuid() == 0); !good)
        return base::failure(std::move(good.error()));
    return opened;
}

}  // namespace referee::supply

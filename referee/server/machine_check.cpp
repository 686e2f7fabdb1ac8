#include "referee/server/machine_check.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <filesystem>

#include "protocol/address.h"
#include "protocol/base/text.h"
#include "referee/cluster/machines/batch_system.h"
#include "referee/cluster/machines/job_size.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/config_remarks.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/net/loop/process_resources.h"
#include "referee/net/tls/certificate.h"
#include "referee/server/bot_ports.h"
#include "referee/tournament/config_limits.h"

namespace referee::server {
namespace {

class MachineChecker {
 public:
    MachineChecker(const config::Config& config, const MachineCheckOptions& options)
        : config_(config), options_(options) {}

    MachineCheck check();

 private:
    using Kind = MachineRemark::Kind;

    void note(const std::string& text) { found_.remarks.push_back({Kind::note, {0, {}, text}}); }
    void warn(const std::string& text, std::size_t line = 0) {
        found_.remarks.push_back({Kind::warning, {line, {}, text}});
    }
    void mistake(const std::string& member, const std::string& text) {
        found_.remarks.push_back({Kind::mistake, {0, member, text}});
    }

    struct FoundSandbox {
        sandbox::Tier tier = sandbox::Tier::none;
        bool good = false;  // whether any command launches bots in it
    };
    FoundSandbox check_sandbox();
    bool check_launches(sandbox::Tier tier);
    bool check_tls();
    bool check_other_machines();

    const config::Config& config_;
    const MachineCheckOptions& options_;
    MachineCheck found_;
};

// Tells in which sandbox this machine would launch the bots, and what they would see there.
MachineChecker::FoundSandbox MachineChecker::check_sandbox() {
    const auto search_path = process::program_search_path();
    boost::asio::io_context loop;
    const auto opened = supply::open_launcher(loop.get_executor(), options_.of_run.unsandboxed);
    if (!opened) {
        mistake({}, "on this machine no command launches these bots: " + opened.error());
        return {};
    }
    const auto& offer = (*opened)->sandbox();
    const auto line = supply::describe(options_.of_run, offer);
    supply::worth_a_warning(options_.of_run, offer) ? warn(line) : note(line);
    const bool as_root = ::geteuid() == 0;
    const auto by_run = supply::accept(options_.of_run, offer, as_root);
    const auto by_serve = supply::accept(options_.of_serve, offer, as_root);
    if (!by_run) {
        mistake({}, "on this machine no command launches these bots: " + by_run.error());
    } else if (!by_serve) {
        warn("on this machine 'referee run' launches these bots, and 'referee serve' does not: " +
             by_serve.error());
    }
    const FoundSandbox found{offer.tier, by_run.has_value()};
    if (options_.of_run.unsandboxed) return found;
    const auto holding = supply::limits_held_by(**opened);
    for (const auto& remark : supply::remarks_on_limits(config_, holding, supply::this_machine()))
        warn(remark);
    const auto secrets = supply::secrets_of(config_, options_.out);
    if (const auto checked = supply::reads_no_secret(config_, secrets); !checked)
        warn(checked.error());
    const auto remarks = supply::remarks_on_folders(config_, secrets, search_path);
    for (const auto& remark : remarks.notes) note(remark);
    for (const auto& remark : remarks.warnings) warn(remark);
    return found;
}

// Whether each program can start here. Another machine may have those that can't.
bool MachineChecker::check_launches(sandbox::Tier tier) {
    bool all = true;
    for (const auto& bot : config_.bots) {
        if (!bot.launched()) continue;
        const auto foreseen = supply::foresee_launch_of(bot, process::program_search_path(), tier);
        if (foreseen) continue;
        all = false;
        warn("on this machine the bot \"" + bot.name + "\" " + foreseen.error().message,
             bot.launch_line);
    }
    return all;
}

// Looks at the certificate as the referee would, and tells the address to give out. False where it
// would not begin with that certificate.
bool MachineChecker::check_tls() {
    const bool own = config_.tls_certificate.empty();
    const auto files = certificate_files(config_, options_.out);
    std::error_code ignored;
    if (own && (options_.out.empty() || !std::filesystem::exists(files.certificate, ignored))) {
        note(
            "TLS: the referee makes a certificate of its own when it first begins, in the folder "
            "of --out, and tells the address with its fingerprint");
        return true;
    }
    auto certificate = tls::read_certificate(files, std::chrono::system_clock::now());
    if (!certificate) {
        mistake("listen.tls", certificate.error());
        return false;
    }
    for (const auto& warning : certificate->warnings) warn(warning);
    if (config_.tls)
        note("TLS: bots dial in at " +
             protocol::to_text({.host = host_seen_from_outside(config_.tls->address),
                                .port = std::to_string(config_.tls->port),
                                .tls = true,
                                .fingerprint = certificate->fingerprint}));
    if (auto usable = tls::Context::of(*std::move(certificate)); !usable) {
        mistake("listen.tls", files.certificate + ": " + usable.error());
        return false;
    }
    return true;
}

// False where they could not play what the config says, now and later.
bool MachineChecker::check_other_machines() {
    const auto& machines = *config_.machines;
    if (const auto lack = machines::lack_of_job_time(config_); !lack.empty()) {
        mistake("machines.time_max", lack);
        return false;
    }
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(machines.folder, ignored);
    note("other machines play up to " + base::counted(machines.jobs_at_once, "job") +
         " at once, of folders in " + machines.folder +
         (is_there ? "" : ", which is not there and is made"));
    const auto tried = machines::try_machines(config_);
    if (!tried && !tried.error().passes) {
        mistake("machines", tried.error().reason);
        return false;
    }
    const auto warning =
        tried ? *tried
              : "from this machine no match gets to other machines now: " + tried.error().reason;
    if (!warning.empty()) warn(warning);
    return true;
}

MachineCheck MachineChecker::check() {
    if (const auto some = tournament::enough_descriptors(loop::descriptors_max()); !some) {
        mistake({}, some.error());
        found_.status = exit_trouble;
        return std::move(found_);
    }
    if (const auto lack = tournament::describe_lack(config_, loop::descriptors_max()))
        warn("on this machine " + *lack);
    if (launches_bots(config_)) {
        const auto sandbox = check_sandbox();
        if (!check_launches(sandbox.tier) && !config_.machines) found_.status = exit_no;
        if (!sandbox.good) found_.status = exit_trouble;
    }
    if ((config_.machines && !check_other_machines()) || (config_.speaks_tls() && !check_tls()))
        found_.status = exit_bad_input;
    return std::move(found_);
}

}  // namespace

bool launches_bots(const config::Config& config) {
    return std::ranges::any_of(config.bots, &config::BotConfig::launched);
}

MachineCheck check_machine(const config::Config& config, const MachineCheckOptions& options) {
    return MachineChecker(config, options).check();
}

}  // namespace referee::server

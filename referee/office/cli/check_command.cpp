#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "protocol/address.h"
#include "referee/arena/house/config_limits.h"
#include "referee/bots/launcher/search_path.h"
#include "referee/bots/supply/bot_folders.h"
#include "referee/bots/supply/foresee_launch.h"
#include "referee/bots/supply/limits_that_hold.h"
#include "referee/bots/supply/sandbox_terms.h"
#include "referee/connections/runtime/descriptors.h"
#include "referee/connections/tls/certificate.h"
#include "referee/connections/tls/context.h"
#include "referee/exit_code.h"
#include "referee/memory/store/store.h"
#include "referee/office/cli/commands.h"
#include "referee/office/cli/config_file.h"
#include "referee/office/cli/unsandboxed.h"
#include "referee/office/cli/way_report.h"
#include "referee/office/run/tls_entrance.h"

namespace referee::cli {
namespace {

struct CheckOptions {
    std::string config;
    std::string out;  // of an earlier run; empty: none is asked
    bool unsandboxed = false;
};

std::string field_of(const config::TournamentConfig& tournament) {
    if (!tournament.field_from) return std::to_string(tournament.bots.size()) + " bots";
    const auto best = tournament.field_from->best;
    return (best > 0 ? "the best " + std::to_string(best) : std::string("all")) +
           " of the ladder " + tournament.field_from->ladder;
}

base::Result<MeasuredWays, store::StoreError> measured_in(const std::string& store) {
    auto opened = store::StoreReader::open(store);
    if (!opened) return base::failure(std::move(opened.error()));
    MeasuredWays measured;
    auto read = opened->history([&measured](const store::StoredRecord& stored) {
        measured.take(stored.record, stored.time_ms);
    });
    if (!read) return base::failure(std::move(read.error()));
    return measured;
}

// Tells how fair the clocks are to the bots as an earlier run measured them.
int check_ways(const config::Config& config, const CheckOptions& options) {
    const auto store = (std::filesystem::path(options.out) / store::name_in_output_folder).string();
    const auto measured = measured_in(store);
    if (!measured) {
        std::cerr << measured.error().message << '\n';
        if (measured.error().trouble != store::StoreTrouble::missing)
            return measured.error().trouble == store::StoreTrouble::io ? exit_trouble
                                                                       : exit_bad_input;
        std::cerr << "expected the output folder of an earlier run, such as --out out\n";
        return exit_bad_input;
    }
    const auto report = way_report(config, *measured, options.out);
    for (const auto& note : report.notes) std::cout << options.config << ": " << note << '\n';
    for (const auto& warning : report.warnings)
        std::cerr << options.config << ": warning: " << warning << '\n';
    return exit_done;
}

void tell(const CheckOptions& options, const std::string& note) {
    std::cout << options.config << ": " << note << '\n';
}

void warn(const CheckOptions& options, const std::string& warning) {
    std::cerr << options.config << ": warning: " << warning << '\n';
}

// What `run` asks of the sandbox, and what `serve` asks.
struct Terms {
    supply::SandboxTerms of_run;
    supply::SandboxTerms of_serve;
};

struct FoundSandbox {
    sandbox::Tier tier = sandbox::Tier::none;
    bool good = false;  // whether any command launches bots in it
};

// Tells whether `run` and `serve` would launch bots in this sandbox.
bool check_offer(const CheckOptions& options, const Terms& terms, const sandbox::Offer& offer) {
    const bool as_root = ::geteuid() == 0;
    if (const auto accepted = supply::accept(terms.of_run, offer, as_root); !accepted) {
        std::cerr << options.config
                  << ": on this machine no command launches these bots: " << accepted.error()
                  << '\n';
        return false;
    }
    if (const auto accepted = supply::accept(terms.of_serve, offer, as_root); !accepted)
        warn(options,
             "on this machine 'referee run' launches these bots, and 'referee serve' does "
             "not: " +
                 accepted.error());
    return true;
}

// Tells in which sandbox this machine would launch the bots, and what they would see there.
FoundSandbox check_sandbox(const config::Config& config, const CheckOptions& options,
                           const Terms& terms) {
    const auto search_path = launcher::program_search_path();
    boost::asio::io_context loop;
    const auto opened = supply::open_launcher(loop.get_executor(), terms.of_run.sandboxed);
    if (!opened) {
        std::cerr << options.config
                  << ": on this machine no command launches these bots: " << opened.error() << '\n';
        return {};
    }
    const auto& offer = (*opened)->sandbox();
    const auto line = supply::describe(terms.of_run, offer);
    supply::worth_a_warning(terms.of_run, offer) ? warn(options, line) : tell(options, line);
    const FoundSandbox found{offer.tier, check_offer(options, terms, offer)};
    if (!terms.of_run.sandboxed) return found;
    const auto holding = supply::holding_of(**opened);
    for (const auto& remark : supply::remarks_on_limits(config, holding, supply::this_machine()))
        warn(options, remark);
    const auto secrets = supply::secrets_of(config, options.out);
    if (const auto checked = supply::reads_no_secret(config, secrets); !checked)
        warn(options, checked.error());
    const auto remarks = supply::remarks_on_folders(config, secrets, search_path);
    for (const auto& note : remarks.notes) tell(options, note);
    for (const auto& warning : remarks.warnings) warn(options, warning);
    return found;
}

// Another machine may have these programs.
void check_launches(const config::Config& config, const CheckOptions& options, sandbox::Tier tier) {
    for (const auto& bot : config.bots) {
        if (!bot.launched()) continue;
        const auto foreseen = supply::foresee_launch(bot, launcher::program_search_path(), tier);
        if (foreseen) continue;
        warn(options, "on this machine the bot \"" + bot.name + "\" " + foreseen.error().message);
    }
}

// Looks at the certificate as the referee would, and tells the address to give out. False where it
// would not begin with that certificate.
bool check_tls(const config::Config& config, const CheckOptions& options) {
    const bool own = config.tls_certificate.empty();
    const auto files = run::certificate_files(config, options.out);
    std::error_code ignored;
    if (own && (options.out.empty() || !std::filesystem::exists(files.certificate, ignored))) {
        tell(options,
             "TLS: the referee makes a certificate of its own when it first begins, in the folder "
             "of --out, and tells the address with its fingerprint");
        return true;
    }
    auto certificate = tls::read_certificate(files, std::chrono::system_clock::now());
    if (!certificate) {
        std::cerr << options.config << ": listen.tls: " << certificate.error() << '\n';
        return false;
    }
    for (const auto& warning : certificate->warnings) warn(options, warning);
    if (config.tls)
        tell(options,
             "TLS: bots dial in at " +
                 protocol::to_text({.host = run::host_seen_from_outside(config.tls->address),
                                    .port = std::to_string(config.tls->port),
                                    .tls = true,
                                    .fingerprint = certificate->fingerprint}));
    if (auto usable = tls::Context::of(*std::move(certificate)); !usable) {
        std::cerr << options.config << ": listen.tls: " << files.certificate << ": "
                  << usable.error() << '\n';
        return false;
    }
    return true;
}

int check(const CheckOptions& options) {
    const auto config = read_config(options.config);
    if (!config) return exit_bad_input;
    const auto of_run = supply::terms_of(*config, options.unsandboxed, sandbox::Tier::none);
    const auto of_serve = supply::terms_of(*config, options.unsandboxed, supply::tier_min_of_serve);
    if (!of_run || !of_serve) {
        std::cerr << options.config << ": " << (of_run ? of_serve : of_run).error() << '\n';
        return exit_bad_input;
    }
    for (const auto& tournament : config->tournaments) {
        std::cout << options.config << ": " << tournament.id << ": " << tournament.game << ", "
                  << tournament::name_of(tournament.format.kind()) << ", " << field_of(tournament)
                  << ", clock " << clock::name_of(tournament.clock.kind) << " by "
                  << clock::name_of(tournament.clock.measure) << " time: good\n";
    }
    if (const auto lack = house::describe_lack(*config, runtime::descriptors_max()))
        warn(options, "on this machine " + *lack);
    const bool launches = std::any_of(config->bots.begin(), config->bots.end(),
                                      [](const auto& bot) { return bot.launched(); });
    int status = exit_done;
    if (launches) {
        const auto found = check_sandbox(*config, options, {*of_run, *of_serve});
        check_launches(*config, options, found.tier);
        if (!found.good) status = exit_trouble;
    }
    if (config->speaks_tls() && !check_tls(*config, options)) return exit_bad_input;
    const int of_ways = options.out.empty() ? exit_done : check_ways(*config, options);
    return of_ways == exit_done ? status : of_ways;
}

}  // namespace

void add_check_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<CheckOptions>();
    auto* command = app.add_subcommand(
        "check", "Check a config: all its mistakes at once, with line and member");
    command->footer(R"(  $ referee check configs/walls-round-robin.json
  $ referee check friday.json --out out/monday

No bot is started. The exit status is 2 where the config has a mistake, and 3 where this
machine gives no sandbox as good as "min_tier" in the config asks for: then no command launches
these bots here. A bot that can't be launched on this machine is told as a warning. So is a
sandbox that is weaker than it could be here (SECURITY.md tells what each tier holds against),
what a bot would miss in it, a limit that this machine can't hold, and folders in which bots
see each other's files, the config or the results. A certificate for TLS that the
referee would refuse is a mistake; one that ends within 14 days is a warning.

With --out it reads how long the way to each bot was in an earlier run, or is in a daemon that
runs, and warns of each turn's budget that loses more than a tenth to somebody's way, with the
budget that would be fair to all. Nothing is written there.)");
    command->add_option("CONFIG", options->config, "The config, JSON with comments")->required();
    command->add_option("--out", options->out,
                        "The output folder of an earlier run, to see whether the budgets are fair "
                        "to bots as far away as they were there");
    add_unsandboxed(*command, options->unsandboxed);
    command->callback([options, &status] { status = check(*options); });
}

}  // namespace referee::cli

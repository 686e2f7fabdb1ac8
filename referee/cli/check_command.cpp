#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>

#include "protocol/address.h"
#include "protocol/base/text.h"
#include "referee/cli/check_report.h"
#include "referee/cli/commands.h"
#include "referee/cluster/machines/batch_system.h"
#include "referee/cluster/machines/job_size.h"
#include "referee/config/read_config.h"
#include "referee/estimate/tournament_estimate.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/config_remarks.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/net/loop/process_resources.h"
#include "referee/net/tls/certificate.h"
#include "referee/server/bot_ports.h"
#include "referee/store/store.h"
#include "referee/tournament/config_limits.h"

namespace referee::cli {

namespace {

struct CheckOptions {
    std::string config;
    std::string out;  // of an earlier run; empty: none is asked
    std::optional<Duration> game_time;
    bool unsandboxed = false;
    bool json = false;
};

// What `run` asks of the sandbox, and what `serve` asks.
struct SandboxNeeds {
    supply::SandboxTerms of_run;
    supply::SandboxTerms of_serve;
};

struct FoundSandbox {
    sandbox::Tier tier = sandbox::Tier::none;
    bool good = false;  // whether any command launches bots in it
};

// Tells in which sandbox this machine would launch the bots, and what they would see there.
FoundSandbox check_sandbox(const config::Config& config, const CheckOptions& options,
                           const SandboxNeeds& needs, CheckReport& told) {
    const auto search_path = process::program_search_path();
    boost::asio::io_context loop;
    const auto opened = supply::open_launcher(loop.get_executor(), needs.of_run.unsandboxed);
    if (!opened) {
        told.refusal("on this machine no command launches these bots: " + opened.error());
        return {};
    }
    const auto& offer = (*opened)->sandbox();
    const auto line = supply::describe(needs.of_run, offer);
    supply::worth_a_warning(needs.of_run, offer) ? told.warning(line) : told.note(line);
    const bool as_root = ::geteuid() == 0;
    const auto by_run = supply::accept(needs.of_run, offer, as_root);
    const auto by_serve = supply::accept(needs.of_serve, offer, as_root);
    if (!by_run) {
        told.refusal("on this machine no command launches these bots: " + by_run.error());
    } else if (!by_serve) {
        told.warning(
            "on this machine 'referee run' launches these bots, and 'referee serve' does not: " +
            by_serve.error());
    }
    const FoundSandbox found{offer.tier, by_run.has_value()};
    if (needs.of_run.unsandboxed) return found;
    const auto holding = supply::limits_held_by(**opened);
    for (const auto& remark : supply::remarks_on_limits(config, holding, supply::this_machine()))
        told.warning(remark);
    const auto secrets = supply::secrets_of(config, options.out);
    if (const auto checked = supply::reads_no_secret(config, secrets); !checked)
        told.warning(checked.error());
    const auto remarks = supply::remarks_on_folders(config, secrets, search_path);
    for (const auto& note : remarks.notes) told.note(note);
    for (const auto& warning : remarks.warnings) told.warning(warning);
    return found;
}

// Whether each program can start here. Another machine may have those that can't.
bool check_launches(const config::Config& config, sandbox::Tier tier, CheckReport& told) {
    bool all = true;
    for (const auto& bot : config.bots) {
        if (!bot.launched()) continue;
        const auto foreseen = supply::foresee_launch_of(bot, process::program_search_path(), tier);
        if (foreseen) continue;
        all = false;
        told.warning("on this machine the bot \"" + bot.name + "\" " + foreseen.error().message,
                     bot.launch_line);
    }
    return all;
}

// Looks at the certificate as the referee would, and tells the address to give out. False where it
// would not begin with that certificate.
bool check_tls(const config::Config& config, const CheckOptions& options, CheckReport& told) {
    const bool own = config.tls_certificate.empty();
    const auto files = server::certificate_files(config, options.out);
    std::error_code ignored;
    if (own && (options.out.empty() || !std::filesystem::exists(files.certificate, ignored))) {
        told.note(
            "TLS: the referee makes a certificate of its own when it first begins, in the folder "
            "of --out, and tells the address with its fingerprint");
        return true;
    }
    auto certificate = tls::read_certificate(files, std::chrono::system_clock::now());
    if (!certificate) {
        told.mistake({0, "listen.tls", certificate.error()});
        return false;
    }
    for (const auto& warning : certificate->warnings) told.warning(warning);
    if (config.tls)
        told.note("TLS: bots dial in at " +
                  protocol::to_text({.host = server::host_seen_from_outside(config.tls->address),
                                     .port = std::to_string(config.tls->port),
                                     .tls = true,
                                     .fingerprint = certificate->fingerprint}));
    if (auto usable = tls::Context::of(*std::move(certificate)); !usable) {
        told.mistake({0, "listen.tls", files.certificate + ": " + usable.error()});
        return false;
    }
    return true;
}

// False where they could not play what the config says, now and later.
bool check_other_machines(const config::Config& config, CheckReport& told) {
    const auto& machines = *config.machines;
    if (const auto lack = machines::lack_of_job_time(config); !lack.empty()) {
        told.mistake({0, "machines.time_max", lack});
        return false;
    }
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(machines.folder, ignored);
    told.note("other machines play up to " + base::counted(machines.jobs_at_once, "job") +
              " at once, of folders in " + machines.folder +
              (is_there ? "" : ", which is not there and is made"));
    const auto tried = machines::try_machines(config);
    if (!tried && !tried.error().passes) {
        told.mistake({0, "machines", tried.error().reason});
        return false;
    }
    const auto warning =
        tried ? *tried
              : "from this machine no match gets to other machines now: " + tried.error().reason;
    if (!warning.empty()) told.warning(warning);
    return true;
}

bool launches_bots(const config::Config& config) {
    return std::ranges::any_of(config.bots, &config::BotConfig::launched);
}

int check_this_machine(const config::Config& config, const CheckOptions& options,
                       const SandboxNeeds& needs, CheckReport& told) {
    if (const auto some = tournament::enough_descriptors(loop::descriptors_max()); !some) {
        told.refusal(some.error());
        return exit_trouble;
    }
    if (const auto lack = tournament::describe_lack(config, loop::descriptors_max()))
        told.warning("on this machine " + *lack);
    int status = exit_done;
    if (launches_bots(config)) {
        const auto found = check_sandbox(config, options, needs, told);
        if (!check_launches(config, found.tier, told) && !config.machines) status = exit_no;
        if (!found.good) status = exit_trouble;
    }
    if (config.machines && !check_other_machines(config, told)) return exit_bad_input;
    if (config.speaks_tls() && !check_tls(config, options, told)) return exit_bad_input;
    return status;
}

// What may still go wrong with a good config.
std::string not_tried(const config::Config& config) {
    std::vector<std::string> all{"whether the ports are free"};
    if (launches_bots(config)) all.emplace_back("whether the bots begin and play");
    if (config.machines) all.emplace_back("whether a job is played");
    return "not tried: " + base::joined(all);
}

int check(const CheckOptions& options, CheckReport& told) {
    const auto config = config::read_config_file(options.config);
    if (!config) {
        for (const auto& error : config.error()) told.mistake(error);
        return exit_bad_input;
    }
    for (const auto& remark : config->warnings) told.remark(remark);
    const auto of_run = supply::terms_of(*config, {options.unsandboxed});
    const auto of_serve =
        supply::terms_of(*config, {options.unsandboxed, supply::tier_min_of_serve});
    if (!of_run || !of_serve) {
        told.refusal((of_run ? of_serve : of_run).error());
        return exit_bad_input;
    }
    std::optional<base::Result<estimate::PlayedTimes, store::StoreError>> earlier;
    if (!options.out.empty())
        earlier = estimate::times_in(
            (std::filesystem::path(options.out) / store::name_in_output_folder).string());
    const bool known = earlier && earlier->has_value();
    for (const auto& tournament : config->tournaments)
        told.tournament(
            tournament,
            estimate::estimate_of(*config, tournament, known ? **earlier : estimate::PlayedTimes(),
                                  estimate::machine_of(*config, tournament), options.game_time));
    told.roster(config->registration);
    told.assumptions();
    for (const auto& tournament : config->tournaments) {
        const auto& calendar = tournament.calendar;
        const auto now = std::chrono::system_clock::now();
        if (!calendar.empty())
            told.note("tournament " + tournament.id + " " + config::describe(calendar));
        if (calendar.starts && *calendar.starts <= now)
            told.warning("tournament " + tournament.id + " was to begin on " +
                         config::moment_text(*calendar.starts) +
                         ", as its \"starts\" says: that moment is past, and it begins as soon as "
                         "the daemon does; expected a time to come");
        if (calendar.until && *calendar.until <= now)
            told.warning("tournament " + tournament.id + " ended on " +
                         config::moment_text(*calendar.until) +
                         ", as its \"until\" says: no match of it begins; expected a time to come");
        if (const auto remark = config::remark_on_seed(tournament); !remark.empty())
            told.note(remark);
    }
    const int status = check_this_machine(*config, options, {*of_run, *of_serve}, told);
    if (status == exit_done) told.note(not_tried(*config));
    if (!earlier || known || status == exit_bad_input) return status;
    const auto& [trouble, message] = earlier->error();
    told.refusal(message + (trouble == store::StoreTrouble::missing
                                ? "\nexpected the output folder of an earlier run, such as --out "
                                  "out"
                                : ""));
    return trouble == store::StoreTrouble::io ? exit_trouble : exit_bad_input;
}

}  // namespace

void add_check_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<CheckOptions>();
    command.description("Check a config: all its mistakes at once, with line and member");
    command.footer(R"(  $ referee check configs/walls-round-robin.json
  $ referee check friday.json --out out/monday

No bot is started. The exit status is 2 where the config has a mistake, 3 where this
machine gives no sandbox as good as "min_tier" in the config asks for: then no command launches
these bots here, and 1 where a bot's program can't start on this machine, and no other machines
play ("machines"). Told as a warning is also a
sandbox that is weaker than it could be here (SECURITY.md tells what each tier holds against),
what a bot would miss in it, a limit that this machine can't hold, and folders in which bots
see each other's files, the config or the results. A tournament whose games begin by chance from the
seed that configs have by themselves is noted: anybody can compute how they begin. A certificate for TLS that the
referee would refuse is a mistake; one that ends within 14 days or has ended is a warning. So are other machines ("machines") that don't
answer now, and what they refuse for good is a mistake; nothing is submitted.

For each tournament it tells how many matches and games there are, how many of them are played at
once, how long they likely take and never exceed, and whether more cores would shorten that. The likely
time needs games that were played: --out names their folder, such as that of the ladder before the
tournament; or say by --game-time how long a game takes. Nothing is written in that folder.)");
    command.add_option("CONFIG", options->config, "The config, JSON with comments")->required();
    command.add_option("--out", options->out,
                       "The output folder of an earlier run, to tell how long bots that think as "
                       "they did there are likely to take");
    add_time_option(command, "--game-time", options->game_time, "30s or 2500ms",
                    "How long a game usually takes, such as 30s, where you know better than the "
                    "games of --out");
    command.add_flag("--json", options->json,
                     "All that is told, as one JSON object (configs/README.md has its members)");
    add_unsandboxed(command, options->unsandboxed);
    command.callback([options, &status] {
        CheckReport told(options->config, options->json);
        status = check(*options, told);
        told.end(status);
    });
}

}  // namespace referee::cli

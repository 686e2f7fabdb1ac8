#include <filesystem>

#include "protocol/base/text.h"
#include "referee/cli/check_report.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/estimate/tournament_estimate.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/server/server.h"
#include "referee/store/store.h"

namespace referee::cli {

namespace {

struct CheckOptions {
    std::string config;
    std::string out;  // of an earlier run; empty: none is asked
    std::optional<Duration> game_time;
    bool unsandboxed = false;
    bool json = false;
};

// What may still go wrong with a good config.
std::string not_tried(const config::Config& config) {
    std::vector<std::string> all{"whether the ports are free"};
    if (server::launches_bots(config)) all.emplace_back("whether the bots begin and play");
    if (config.machines) all.emplace_back("whether a job is played");
    return "not tried: " + base::joined(all);
}

// When it begins and ends, and whether anybody can compute how its games begin.
void tell_moments_and_seed(const config::TournamentConfig& tournament, CheckReport& told) {
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
    if (const auto remark = config::remark_on_seed(tournament); !remark.empty()) told.note(remark);
}

int check_config(const CheckOptions& options, CheckReport& told) {
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
    for (const auto& tournament : config->tournaments) tell_moments_and_seed(tournament, told);
    const auto machine = server::check_machine(*config, {options.out, *of_run, *of_serve});
    for (const auto& remark : machine.remarks) told.of_machine(remark);
    const int status = machine.status;
    if (status == exit_done) told.note(not_tried(*config));
    if (!earlier || known || status == exit_bad_input) return status;
    const auto& [trouble, message] = earlier->error();
    told.refusal(message + (trouble == store::StoreTrouble::missing
                                ? "\nexpected the output folder of an earlier run, such as --out "
                                  "out"
                                : ""));
    return trouble == store::StoreTrouble::io ? exit_trouble : exit_bad_input;
}

int check(const CheckOptions& options) {
    CheckReport told(options.config, options.json);
    const int status = check_config(options, told);
    told.end(status);
    return status;
}

}  // namespace

void add_check_command(CLI::App& command, int& status) {
    auto& options = options_of<CheckOptions>(command, status, check);
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
    command.add_option("CONFIG", options.config, "The config, JSON with comments")->required();
    command.add_option("--out", options.out,
                       "The output folder of an earlier run, to tell how long bots that think as "
                       "they did there are likely to take");
    add_time_option(command, "--game-time", options.game_time, "30s or 2500ms",
                    "How long a game usually takes, such as 30s, where you know better than the "
                    "games of --out");
    command.add_flag("--json", options.json,
                     "All that is told, as one JSON object (configs/README.md has its members)");
    add_unsandboxed(command, options.unsandboxed);
}

}  // namespace referee::cli

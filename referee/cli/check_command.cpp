#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>

#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/writer.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/estimate/tournament_estimate.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/server/machine_check.h"
#include "referee/store/store.h"

namespace referee::cli {

namespace {

std::string field_of(const config::TournamentConfig& tournament) {
    if (!tournament.field_from) return base::counted(tournament.bots.size(), "bot");
    const auto best = tournament.field_from->best;
    return (best > 0 ? "the best " + std::to_string(best) : std::string("all")) +
           " of the ladder " + tournament.field_from->ladder +
           (tournament.field_from->has_house ? ", house bots among them" : "");
}

std::string range_text(const estimate::CountRange& range, const std::string& one,
                       const std::string& several) {
    const auto most = base::counted(range.most, one, several);
    return range.least == range.most ? most : fmt::format("{} to {}", range.least, most);
}

std::string times_text(const estimate::DurationEstimate& estimate) {
    const auto likely =
        estimate.likely ? "likely takes " + verdict::length(*estimate.likely)
                        : "how long it likely takes is known once such games were played (--out) "
                          "or you say how long one takes (--game-time)";
    if (!estimate.worst) return likely + "; by its rules a game may go on without end";
    return likely + "; never more than " + verdict::length(*estimate.worst) +
           ", as if all bots used up their time in all " +
           base::counted(*estimate.turns_most, "turn") + " that a game can have";
}

struct BottleneckWords {
    estimate::Bottleneck value;
    std::string_view name, sentence;
};
constexpr std::array<BottleneckWords, 3> bottlenecks{{
    {estimate::Bottleneck::cores, "cores",
     "what takes longest is the bots' thinking: more cores would shorten it"},
    {estimate::Bottleneck::games_at_once, "games_at_once",
     "what takes longest are games that wait for others to end: more games at once would shorten "
     "it"},
    {estimate::Bottleneck::bots, "bots",
     "what takes longest are bots and rounds that wait for one another: neither more cores nor "
     "more games at once would shorten it"},
}};
static_assert(base::in_order(bottlenecks));

std::string times_on_cores(const estimate::DurationEstimate& estimate) {
    const auto times = base::joined(estimate.on_cores, ", ", [](const auto& on) {
        return fmt::format("{}: {}", on.cores, verdict::length(on.time));
    });
    return fmt::format(
        "likely on cores{}: {}; more than {} don't help",
        estimate.machine.by_jobs ? " that other machines have for jobs, however many are out" : "",
        times, estimate.on_cores.back().cores);
}

// A line each.
std::vector<std::string> describe(const estimate::DurationEstimate& estimate) {
    if (!estimate.unknown.empty())
        return {"how many games it has can't be said: " + estimate.unknown};
    std::vector<std::string> lines{
        fmt::format("{}, {}, {} at once", range_text(estimate.matches, "match", "matches"),
                    range_text(estimate.games, "game", "games"), estimate.machine.games_at_once),
        times_text(estimate)};
    if (estimate.bottleneck)
        lines.emplace_back(base::row_of(bottlenecks, *estimate.bottleneck).sentence);
    if (!estimate.on_cores.empty()) lines.push_back(times_on_cores(estimate));
    return lines;
}

std::uint64_t ms_of(Duration time) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

// As configs/README.md lists them.
void write_members(protocol::json::Writer& writer, const estimate::DurationEstimate& estimate) {
    if (!estimate.unknown.empty()) {
        writer.member("unknown", estimate.unknown);
        return;
    }
    const auto range = [&writer](std::string_view name, const estimate::CountRange& of) {
        writer.key(name).begin_object().member("least", of.least).member("most", of.most);
        writer.end_object();
    };
    writer.member("bots", estimate.bots);
    range("matches", estimate.matches);
    range("games", estimate.games);
    writer.member("games_at_once", estimate.machine.games_at_once)
        .member("cores", estimate.machine.cores);
    if (estimate.likely)
        writer.member("likely_ms", ms_of(*estimate.likely))
            .member("games_known", estimate.games_known);
    if (estimate.worst) writer.member("worst_ms", ms_of(*estimate.worst));
    if (estimate.turns_most) writer.member("turns_most", *estimate.turns_most);
    if (!estimate.on_cores.empty()) {
        writer.key("on_cores").begin_array();
        for (const auto& on : estimate.on_cores)
            writer.begin_object()
                .member("cores", on.cores)
                .member("likely_ms", ms_of(on.time))
                .end_object();
        writer.end_array();
    }
    if (estimate.bottleneck)
        writer.member("bottleneck", base::row_of(bottlenecks, *estimate.bottleneck).name);
}

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

void CheckReport::mistake(const config::ConfigError& error) {
    if (!json_) std::cerr << config::describe(error, config_) << '\n';
    mistakes_.push_back(error);
}

void CheckReport::warning(const std::string& text, std::size_t line) {
    if (!json_) std::cerr << config::describe({line, {}, "warning: " + text}, config_) << '\n';
    warnings_.push_back({line, {}, text});
}

void CheckReport::remark(const std::string& text) {
    if (!json_) std::cerr << config_ << ": note: " << text << '\n';
    warnings_.push_back({0, {}, text});
}

void CheckReport::note(const std::string& text) {
    if (!json_) std::cout << config_ << ": " << text << '\n';
    notes_.push_back({0, {}, text});
}

void CheckReport::of_machine(const server::MachineRemark& remark) {
    using Kind = server::MachineRemark::Kind;
    if (remark.kind == Kind::mistake) return mistake(remark.said);
    if (remark.kind == Kind::warning) return warning(remark.said.message, remark.said.line);
    note(remark.said.message);
}

void CheckReport::tournament(const config::TournamentConfig& tournament,
                             estimate::DurationEstimate estimate) {
    if (!json_) {
        std::cout << config_ << ": " << tournament.id << ": " << tournament.game << ", "
                  << formats::name_of(tournament.format.kind()) << ", " << field_of(tournament)
                  << ", clock " << clock::name_of(tournament.clock.kind) << " by "
                  << clock::name_of(tournament.clock.measure) << " time\n";
        for (const auto& line : describe(estimate))
            std::cout << config_ << ": " << tournament.id << ": " << line << '\n';
    }
    tournaments_.push_back({tournament, std::move(estimate)});
}

void CheckReport::roster(const config::RegistrationConfig& registration) {
    if (!registration.class_roster) return;
    const auto& students = registration.class_roster->students();
    const auto without =
        std::ranges::count_if(students, [](const auto& one) { return one.token.empty(); });
    note(fmt::format("{} may register by {}, {} of them without a token there",
                     base::counted(students.size(), "bot"),
                     base::visible_line(registration.roster_file), without));
}

void CheckReport::assumptions() {
    const bool any = std::ranges::any_of(
        tournaments_, [](const auto& told) { return told.estimate.unknown.empty(); });
    if (any)
        note(
            "these times hold for each tournament alone, where all bots are there, play one game "
            "at a time (elsewhere, one in each job) and don't leave, no game is annulled and no "
            "job lost or kept waiting. Likely is as long as bots thought in earlier games of the "
            "same kind, or as you say");
}

void CheckReport::end(int status) const {
    if (!json_) {
        if (status == exit_done) std::cout << config_ << ": good\n";
        if (status == exit_no)
            std::cout << config_ << ": not good on this machine: it has a bot that can't start\n";
        return;
    }
    std::string text;
    protocol::json::Writer writer(text);
    const auto list = [&writer](std::string_view name, const Remarks& remarks) {
        writer.key(name).begin_array();
        for (const auto& one : remarks) {
            writer.begin_object();
            if (one.line > 0) writer.member("line", one.line);
            if (!one.member.empty()) writer.member("member", one.member);
            writer.member("text", one.message).end_object();
        }
        writer.end_array();
    };
    writer.begin_object().member("config", config_).member("status", std::int64_t{status});
    list("mistakes", mistakes_);
    list("warnings", warnings_);
    list("notes", notes_);
    writer.key("tournaments").begin_array();
    for (const auto& [config, estimate] : tournaments_) {
        writer.begin_object()
            .member("id", config.id)
            .member("game", config.game)
            .member("format", formats::name_of(config.format.kind()))
            .member("clock", clock::name_of(config.clock.kind))
            .member("measure", clock::name_of(config.clock.measure));
        write_members(writer, estimate);
        writer.end_object();
    }
    writer.end_array().end_object();
    std::cout << text << '\n';
}

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

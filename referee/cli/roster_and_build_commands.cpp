#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>
#include <thread>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/cli/commands.h"
#include "referee/config/read_config.h"
#include "referee/files/file.h"
#include "referee/roster/kinds/kind.h"
#include "referee/submit/collect/collect.h"
#include "referee/submit/matching/class_list.h"
#include "referee/tournament/token.h"

namespace referee::cli {

namespace {

// Only its owner reads it.
constexpr mode_t private_mode = S_IRUSR | S_IWUSR;

struct RosterOptions {
    std::string file;
    std::string out;  // empty: a name beside the file
    bool overwrite = false;
};

// A mistake is told; then there is none.
std::optional<roster::ReadRoster> roster_in(const std::string& file) {
    auto read = matching::students_in(file);
    if (!read) {
        refuse(read.error());
        return std::nullopt;
    }
    for (const auto& remark : read->remarks) std::cerr << file << ": note: " << remark << '\n';
    return *std::move(read);
}

void warn_if_open(const std::string& file, const roster::Roster& students) {
    namespace fs = std::filesystem;
    std::error_code error;
    const auto mode = fs::status(file, error).permissions();
    if (error || (mode & fs::perms::others_read) == fs::perms::none || !students.holds_tokens())
        return;
    std::cerr << file
              << ": warning: every user of this machine can read the tokens in it; `chmod o-r "
              << base::shell_word(file) << "` ends that\n";
}

int check_roster(const RosterOptions& options) {
    const auto found = roster_in(options.file);
    if (!found) return exit_bad_input;
    std::set<std::string> teams;
    std::size_t emails = 0;
    std::size_t plain = 0;
    std::size_t hashed = 0;
    for (const auto& student : found->roster.students()) {
        if (!student.team.empty()) teams.insert(student.team);
        emails += student.email.empty() ? 0 : 1;
        hashed += student.has_hashed_token() ? 1 : 0;
        plain += student.token.empty() || student.has_hashed_token() ? 0 : 1;
    }
    std::cout << options.file << ": " << base::counted(found->roster.students().size(), "bot")
              << ", " << emails << " with an e-mail address"
              << ", " << base::counted(teams.size(), "team") << ", "
              << base::counted(plain, "token") << ", " << base::counted(hashed, "hashed token")
              << '\n';
    warn_if_open(options.file, found->roster);
    return exit_done;
}

// "students.csv" and "tokens": "students-tokens.csv".
std::string beside(const std::string& file, const std::string& word) {
    const std::filesystem::path path(file);
    auto name = path.stem();
    name += "-" + word;
    name += path.extension();
    return (path.parent_path() / name).string();
}

int write_roster(const RosterOptions& options, const std::string& word,
                 const roster::CsvTable& table, const std::string& what) {
    const auto out = options.out.empty() ? beside(options.file, word) : options.out;
    const int error =
        files::place_file(out, roster::write_csv(table),
                          {.mode = private_mode, .replaces = options.overwrite, .syncs = true});
    if (error != 0) {
        const auto why = error == EEXIST
                             ? " is there already; expected another name behind -o, or --overwrite "
                               "to put the new file in its place"
                             : std::string(" can't be written: ") + std::strerror(error);
        return refuse(out + why, std::filesystem::exists(out) ? exit_bad_input : exit_trouble);
    }
    std::cout << out << ": " << what << "; only you can read the file\n";
    return exit_done;
}

int make_tokens(const RosterOptions& options) {
    auto found = roster_in(options.file);
    if (!found) return exit_bad_input;
    const auto made = roster::fill_tokens(found->table, tournament::fresh_token);
    return write_roster(options, "tokens", found->table, base::counted(made, "token") + " made");
}

int make_hashes(const RosterOptions& options) {
    auto found = roster_in(options.file);
    if (!found) return exit_bad_input;
    const auto hashed = roster::hash_tokens(found->table, tournament::hash_of);
    return write_roster(options, "hashes", found->table,
                        base::counted(hashed, "token") + " hashed");
}

// What both commands are told of builds.
struct HandoutOptions {
    collect::CollectOptions terms;
    std::string run;
    std::string kind;
    std::optional<Duration> build_time;
};

struct CollectCommandOptions : HandoutOptions {
    std::string shape;
    std::string groups = "none";
    std::vector<std::string> deadlines;
    std::optional<Duration> grace;
};

using Understood = base::Result<void, std::string>;

Understood read_shape(CollectCommandOptions& options) {
    if (options.shape.empty()) return {};
    options.terms.shape = base::value_named(exports::shapes, options.shape);
    if (options.terms.shape) return {};
    return base::failure("--shape: expected one of " +
                         base::joined(base::values_in(exports::shapes), ", ", exports::name_of) +
                         ", found " + options.shape);
}

Understood read_groups(CollectCommandOptions& options) {
    if (options.groups == "none") return {};
    if (options.groups != "team" && options.groups != "first-line")
        return base::failure("--groups: expected none, team or first-line, found " +
                             options.groups);
    options.terms.groups =
        options.groups == "team" ? collect::GroupsBy::team : collect::GroupsBy::first_line;
    return {};
}

Understood read_times(CollectCommandOptions& options) {
    for (const auto& text : options.deadlines) {
        auto deadline = exports::deadline_in(text);
        if (!deadline) return base::failure("--deadline: " + deadline.error());
        options.terms.deadlines.push_back(*std::move(deadline));
    }
    if (options.grace)
        options.terms.grace_s = std::chrono::floor<std::chrono::seconds>(*options.grace).count();
    return {};
}

Understood read_build(HandoutOptions& options) {
    auto& terms = options.terms;
    if (options.build_time)
        terms.limits.time = std::chrono::floor<std::chrono::seconds>(*options.build_time);
    if (!options.run.empty()) terms.handout.run = base::command_of(options.run);
    if (options.kind.empty()) return {};
    terms.kind = kinds::find_kind(options.kind);
    if (terms.kind != nullptr) return {};
    return base::failure("--kind: found " + options.kind +
                         "; expected one of these: " + kinds::list_of_kinds());
}

Understood read_game(CollectCommandOptions& options) {
    auto& terms = options.terms;
    if (auto build = read_build(options); !build) return build;
    if (terms.kind != nullptr) {
        if (terms.game.empty()) terms.game = terms.kind->game;
        if (terms.game != terms.kind->game)
            return base::failure("--game: a program of the kind " + options.kind + " plays " +
                                 std::string(terms.kind->game) + " alone, found " + terms.game);
    }
    const engines::Registry registry;
    if (!terms.game.empty() && registry.find(terms.game) == nullptr)
        return base::failure("--game: " + config::unknown_game(registry, terms.game));
    return {};
}

int collect(CollectCommandOptions& options) {
    for (const auto check : {read_shape, read_groups, read_times, read_game}) {
        if (const auto checked = check(options); !checked) return refuse(checked.error());
    }
    auto& terms = options.terms;
    terms.builds_at_once = std::max(1U, std::thread::hardware_concurrency());
    terms.terminal = ::isatty(STDERR_FILENO) == 1;
    return collect::collect(terms, std::cout, std::cerr);
}

struct BuildOptions : HandoutOptions {
    std::string source;
    std::string name = "bot";
    pid_t with_process = 0;
};

void tell_built(const collect::CollectOptions& terms, const collect::Collected& submission) {
    const auto& built = submission.built;
    auto& out = std::cout;
    if (!built.output.empty()) out << built.output << (built.output.ends_with('\n') ? "" : "\n");
    for (const auto& remark : submission.remarks) out << remark << '\n';
    if (!built.reason.empty()) {
        out << (built.result == collect::BuildResult::refused ? "refused: " : "not built: ")
            << built.reason << '\n';
        return;
    }
    out << (built.result == collect::BuildResult::not_needed ? "nothing is to be built" : "built")
        << (built.recipe.empty() ? "" : ", by " + built.recipe) << "; it runs as";
    for (const auto& word : built.run) out << ' ' << word;
    out << " in " << collect::folder_of(collect::with_absolute_out(terms), submission) << "/build"
        << (built.within.empty() ? "" : "/" + built.within) << '\n';
}

// Whoever is killed leaves nobody behind that goes on in its folder; it may have been killed before
// this one was ready to hear of it.
void end_with(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) std::raise(SIGKILL);
}

int build(BuildOptions& options) {
    if (options.with_process != 0) end_with(options.with_process);
    if (!protocol::is_valid_name(options.name))
        return refuse("--name: expected a bot's name of one printable line, such as Ada");
    if (const auto read = read_build(options); !read) return refuse(read.error());
    const auto submission = collect::build_single(options.terms, options.source, options.name,
                                                  [](const std::string& line) {
                                                      std::cerr << line << '\n' << std::flush;
                                                  });
    if (!submission) return refuse(submission.error().message, submission.error().status);
    tell_built(options.terms, *submission);
    return submission->built.reason.empty() ? exit_done : exit_no;
}

// How a course builds, where that isn't found out, and with what limits.
void add_handout_options(CLI::App& command, HandoutOptions& options) {
    auto& terms = options.terms;
    command.add_option("--build", terms.handout.build, "The handout's command of a shell");
    command.add_option("--build-in", terms.handout.within,
                       "The handout's folder, in which it works");
    command.add_option("--run", options.run,
                       "What runs the program, in that folder; else what the build made");
    add_time_option(command, "--build-time", options.build_time, "90s or 2h",
                    "Of one build; 120s unless given", std::chrono::seconds(1));
    command.add_option("--build-memory", terms.limits.memory_mb, "Of one build, in MB")
        ->check(CLI::Range(protocol::limits::build_memory_mb_min,
                           protocol::limits::build_memory_mb_max))
        ->capture_default_str();
    add_unsandboxed(command, terms.unsandboxed);
}

}  // namespace

void add_roster_command(CLI::App& command, int& status) {
    command.description("Check a class's roster, and make its tokens");
    command.require_subcommand(1);
    command.footer(R"(  $ referee roster check students.csv
  $ referee roster tokens students.csv               # writes students-tokens.csv
  $ referee roster hashes students-tokens.csv -o roster.csv

A roster is a CSV file with a header. Columns: name (of the bot), student_id, email, team, token; all but name
may be missing. `collect` and `gradebook` know students by full_name, login, canvas_id, sis_user_id and section
too; others are kept. `tokens` gives each row without a token a new one: the file is for you, to
tell each student theirs. `hashes` puts hashes in their place: that file is enough for the daemon.

Exit status: 0 done; 2 the roster has mistakes, or the new file is there already; 3 it can't be written.)");
    const auto add = [&](const std::string& name, const std::string& text, auto run, bool writes) {
        auto* verb = command.add_subcommand(name, text);
        auto& options = options_of<RosterOptions>(*verb, status, run);
        verb->add_option("FILE", options.file, "The roster")->required();
        if (writes) {
            verb->add_option("-o,--out", options.out,
                             "The new file; by default beside the old one");
            verb->add_flag("--overwrite", options.overwrite,
                           "Also where there is one of that name");
        }
    };
    add("check", "Tell all mistakes of a roster", check_roster, false);
    add("tokens", "Make tokens for the rows that have none, in a new file", make_tokens, true);
    add("hashes", "Put hashes in the place of tokens, in a new file", make_hashes, true);
}

void add_collect_command(CLI::App& command, int& status) {
    auto& options = options_of<CollectCommandOptions>(command, status, collect);
    auto& terms = options.terms;
    command.description("Unpack and build what a class handed in, from the archives of a course");
    command.footer(
        R"(  $ referee collect moodle.zip --roster students.csv --out snake --game snake_labyrinth \
        --build 'gcc -O2 -std=c99 --pedantic *.c -o iap' --build-in iap --kind snake-challenge \
        --deadline challenge-1=2026-05-01T23:59+02:00 --deadline final=2026-06-01T23:59+02:00 --grace 2h
  $ referee collect submissions.zip --roster students.csv --out e7 --kind octave-function

Reads the archives as Moodle, Canvas, Gradescope and GitHub Classroom write them, finds the students by the
roster, and builds each submission in the sandbox: by --build, or by what is in it (CMakeLists.txt, Makefile,
Maven's and Gradle's layout, the files of one language). The folder gets collected.json, collected.txt,
tournament.json for `referee run`, and a folder for each submission. Called again it goes on where it was, and
builds only what is new. configs/GRADING.md tells it all.

Exit status: 0 all is there and built; 1 something was refused, unknown, to be looked at, left by an earlier
collection or did not build; 2 the command line, the roster, groups.txt or an archive is wrong; 3 trouble of the machine, which is never told as a student's.)");
    command
        .add_option("ARCHIVE", terms.archives, "zip, tar, tar.gz, 7z or rar; later ones are newer")
        ->required();
    command.add_option("--roster", terms.roster, "The class: a CSV file")->required();
    command.add_option("--out", terms.out, "A folder: a new one, or that of the last time")
        ->required();
    command.add_option("--game", terms.game, "Of the tournament: walls, light_cycles, ...");
    command.add_option("--kind", options.kind,
                       "The submissions are programs of this kind, which speak no protocol");
    command.add_option("--shape", options.shape,
                       "moodle, canvas, gradescope, classroom or plain; else it is found out");
    command
        .add_option("--groups", options.groups,
                    "Who hands in together: none, team (of the roster) or first-line (the ids in "
                    "the first line of main.c)")
        ->capture_default_str();
    add_repeated_option(command, "--deadline", options.deadlines,
                        "2026-05-01T23:59+02:00, or NAME=... once for each challenge");
    add_time_option(command, "--grace", options.grace, "2h or 90s",
                    "Late only after so long beyond, such as 2h");
    add_handout_options(command, options);
}

void add_build_command(CLI::App& command, int& status) {
    auto& options = options_of<BuildOptions>(command, status, build);
    auto& terms = options.terms;
    command.description("Build one submission in the sandbox, as a course builds it");
    command.footer(
        R"(  $ referee build my-bot.zip --out built
  $ referee build iap/ --out built --build 'gcc -O2 -std=c99 *.c -o iap' --kind snake-challenge

Takes an archive, a single file or a folder, finds how it is built (CMakeLists.txt, Makefile, Maven's and Gradle's
layout, the files of one language) unless --build says it, and builds a copy of it in the sandbox, with limits of
time and memory. `referee collect` and a daemon that takes programs (`referee submit`) build in the same way, so
this tells whether they will. What was built stands in OUT/submissions/NAME.

Exit status: 0 it is built, or nothing is to be built; 1 it can't be taken or does not build; 2 the command line is
wrong; 3 trouble of the machine.)");
    command.add_option("SOURCE", options.source, "An archive, a file or a folder")->required();
    command.add_option("--out", terms.out, "A folder: a new one, or that of the last time")
        ->required();
    command.add_option("--name", options.name, "Of the bot")->capture_default_str();
    command.add_option("--kind", options.kind,
                       "It is a program of this kind, which speaks no protocol");
    add_handout_options(command, options);
    add_repeated_option(command, "--run-word", terms.handout.run,
                        "The same, each of its words by such an option");
    command.add_option("--with-process", options.with_process,
                       "End at once when this process ends, which began this one");
}

}  // namespace referee::cli

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string_view>

#include "protocol/base/text.h"
#include "referee/cli/commands.h"
#include "referee/files/file.h"
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

std::optional<roster::ReadRoster> roster_in(const std::string& file) {
    auto result = matching::students_in(file);
    if (!result) {
        std::cerr << result.error() << '\n';
        return std::nullopt;
    }
    for (const auto& remark : result->remarks) std::cerr << file << ": note: " << remark << '\n';
    return *std::move(result);
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

}  // namespace

void add_roster_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<RosterOptions>();
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
        verb->add_option("FILE", options->file, "The roster")->required();
        if (writes) {
            verb->add_option("-o,--out", options->out,
                             "The new file; by default beside the old one");
            verb->add_flag("--overwrite", options->overwrite,
                           "Also where there is one of that name");
        }
        verb->callback([options, run, &status] { status = run(*options); });
    };
    add("check", "Tell all mistakes of a roster", check_roster, false);
    add("tokens", "Make tokens for the rows that have none, in a new file", make_tokens, true);
    add("hashes", "Put hashes in the place of tokens, in a new file", make_hashes, true);
}

}  // namespace referee::cli

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "referee/cli/commands.h"
#include "referee/files/file.h"
#include "referee/forget/forget_bot.h"
#include "referee/store/archive.h"
#include "referee/store/check.h"
#include "referee/tournament/token.h"

namespace referee::cli {

namespace {

struct ExportOptions {
    std::string store;
    std::string out;
    bool skip_damaged = false;
};

struct ImportOptions {
    std::string archive;
    std::string store;
};

int refuse_store(const store::StoreError& error) {
    using Trouble = store::StoreTrouble;
    constexpr std::array of_input{Trouble::missing, Trouble::exists, Trouble::foreign,
                                  Trouble::other_version, Trouble::bad_archive};
    return refuse(error.message,
                  base::contains(of_input, error.trouble) ? exit_bad_input : exit_trouble);
}

// What is told goes to the standard error, for the archive may go to the standard output.
int export_whole(std::ostream& out, const ExportOptions& options) {
    auto opened = store::StoreReader::open(options.store);
    if (!opened) return refuse_store(opened.error());
    const auto archived = store::export_archive(*opened, out);
    if (!archived) return refuse_store(archived.error());
    if (!options.out.empty() && out.flush())
        std::cerr << options.out << ": " << *archived << " records\n";
    return exit_done;
}

int export_proven(std::ostream& out, const ExportOptions& options) {
    const auto archived = store::export_proven(options.store, out);
    if (!archived) return refuse_store(archived.error());
    for (const auto& left_out : archived->left_out)
        std::cerr << options.store << ": LEFT OUT: " << left_out << '\n';
    std::cerr << options.store << ": "
              << base::counted(archived->records, "record is", "records are") << " proven, "
              << (archived->left_out.empty() ? "nothing is" : "something is") << " left out\n";
    return archived->left_out.empty() ? exit_done : exit_no;
}

int export_to(std::ostream& out, const std::string& name, const ExportOptions& options) {
    const int status =
        options.skip_damaged ? export_proven(out, options) : export_whole(out, options);
    if (out.flush() || (status != exit_done && status != exit_no)) return status;
    return refuse(name + " can't be written; is the disk full?", exit_trouble);
}

int export_store(const ExportOptions& options) {
    if (options.out.empty()) return export_to(std::cout, "the standard output", options);
    namespace fs = std::filesystem;
    std::error_code unknown;
    if (const auto there = fs::status(options.out, unknown);
        fs::exists(there) && !fs::is_regular_file(there)) {  // a device, a FIFO
        std::ofstream device(options.out, std::ios::binary);
        return export_to(device, options.out, options);
    }
    // An older archive of that name stays until the new one is whole; a link leads to it.
    const auto name = files::real_path(options.out);
    const auto part = name + ".part";
    std::ofstream file(part, std::ios::binary);
    if (!file)
        return refuse(options.out + " can't be written: " + std::strerror(errno), exit_trouble);
    // Hashes of tokens stand in it: as with the store, nobody reads it but its owner and group.
    std::error_code
        ignored;  // a file system without modes, or one that can't be written: told below
    fs::permissions(part, fs::perms::others_all | fs::perms::group_write, fs::perm_options::remove,
                    ignored);
    const int status = export_to(file, part, options);
    file.close();
    const bool is_made = status == exit_done || status == exit_no;
    if (is_made && std::rename(part.c_str(), name.c_str()) == 0) return status;
    std::remove(part.c_str());
    if (is_made) std::cerr << options.out << " can't be written\n";
    return is_made ? exit_trouble : status;
}

int import_store(const ImportOptions& options) {
    std::ifstream file;
    if (options.archive != "-") {
        file.open(options.archive, std::ios::binary);
        if (!file)
            return refuse(options.archive +
                          ": can't be read; expected an archive, or - for the standard input");
    }
    auto& in = options.archive == "-" ? std::cin : static_cast<std::istream&>(file);
    const auto imported = store::import_archive(in, options.archive, options.store);
    if (!imported) return refuse_store(imported.error());
    std::cout << options.store << ": " << *imported << " records\n";
    return exit_done;
}

void add_export_command(CLI::App& command, int& status) {
    auto& options = options_of<ExportOptions>(command, status, export_store);
    command.description("A store as one portable text, for backups");
    command.footer(R"(  $ referee store export out/referee.db --out friday.ndjson
  $ referee store export out/referee.db | gzip > friday.ndjson.gz
  $ referee store export out/referee.db --skip-damaged --out proven.ndjson

One JSON object a line: a header, every record in its order with its time, an end.
The store may be in use; the archive holds what stood there at one moment.
An older archive of that name is replaced once the new one is whole. Exporting
twice gives the same bytes. What a record holds is told in referee/store/TABLES.md.

A damaged store is refused. With --skip-damaged the archive has all records that are proven to be as
they were written, and what is left out is listed: `referee store import` then makes a new store of it. A
tournament that was under way where a record is lost ends there, for a tournament is the sum of its
records. The exit status is 0 where nothing is left out, and 1 where something is.)");
    command.add_option("STORE", options.store, "The store's file")->required();
    command.add_option("--out", options.out, "The archive; left out: the standard output");
    command.add_flag("--skip-damaged", options.skip_damaged,
                     "Leave out what is damaged, and list it");
}

void add_import_command(CLI::App& command, int& status) {
    auto& options = options_of<ImportOptions>(command, status, import_store);
    command.description("A store out of an archive that export wrote");
    command.footer(R"(  $ referee store import friday.ndjson out/referee.db
  $ gunzip -c friday.ndjson.gz | referee store import - out/referee.db

The store must not exist yet, and no file of an earlier one may lie beside its name (-wal, -shm,
-journal, .head): it would be taken for its own. `referee run --out out` then goes on with the
store. It is made whole or not at all: an archive that is cut short, or has a line that is not as
it should be, is told with the line, and the exit status is 2.)");
    command.add_option("ARCHIVE", options.archive, "The archive; - for the standard input")
        ->required();
    command.add_option("STORE", options.store, "The store to make")->required();
}

struct VerifyOptions : store::VerifyTask {
    bool json = false;
};

void write_json(const VerifyOptions& options, const store::Verified& report) {
    std::cout << protocol::json::object_text([&](protocol::json::Writer& writer) {
        writer.member("store", options.store)
            .member("whole", report.whole())
            .member("origin", report.origin)
            .member("records", report.records)
            .member("replays", report.replays)
            .member("replays_dropped", report.replays_dropped)
            .member("played_again", report.played_again)
            .member("files", report.files)
            .member("files_missing", report.files_missing);
        writer.key("damages").begin_array();
        for (const auto& damage : report.damages) {
            writer.begin_object();
            if (damage.seq > 0) writer.member("seq", damage.seq);
            writer.member("counts", damage.counts).member("what", damage.what).end_object();
        }
        writer.end_array().member("damages_total", report.damages_total);
        writer.key("notes").texts(report.notes);
    }) << '\n';
}

void write_text(const VerifyOptions& options, const store::Verified& report) {
    const auto dropped =
        report.replays_dropped == 0
            ? std::string()
            : fmt::format(" ({} of them dropped, within replays_mb)", report.replays_dropped);
    std::cout << options.store << ": the chain (" << report.origin
              << "): " << base::counted(report.records, "record") << ", "
              << base::counted(report.replays, "replay") << dropped << '\n'
              << options.store << ": " << base::counted(report.played_again, "game")
              << " played again\n";
    if (!options.games.empty()) {
        std::cout << options.games << ": "
                  << base::counted(report.files, "file of a game", "files of games")
                  << " compared, " << report.files_missing << " not there\n";
    }
    for (const auto& note : report.notes) std::cout << options.store << ": " << note << '\n';
    for (const auto& damage : report.damages)
        std::cout << options.store << ": DAMAGED: " << damage.what << '\n';
    if (report.damages_total > report.damages.size())
        std::cout << options.store << ": and " << report.damages_total - report.damages.size()
                  << " more\n";
    const auto end = report.whole()
                         ? "whole"
                         : fmt::format("{} damaged; {}", report.damages_total, report.remedy);
    std::cout << options.store << ": " << end << '\n';
}

int verify(const VerifyOptions& options) {
    const auto checked = store::verify_store(options, [&options](const std::string& progress) {
        if (!options.json) std::cerr << options.store << ": " << progress << std::endl;
    });
    if (!checked)
        return refuse(
            checked.error().message,
            checked.error().trouble == store::StoreTrouble::corrupt ? exit_no : exit_bad_input);
    (options.json ? write_json : write_text)(options, *checked);
    return checked->whole() ? exit_done : exit_no;
}

void add_verify_command(CLI::App& command, int& status) {
    auto& options = options_of<VerifyOptions>(command, status, verify);
    command.description("Whether a store is as it was written, to the last bit");
    command.footer(R"(  $ referee store verify out/referee.db
  $ referee store verify out/referee.db --games out/games

Looks at the chain of all records, at each replay, at the tables and at every page, and plays each
game again to see whether its result follows from its replay. With --games it compares the files of
games, too; those that are not there are counted, and are no damage. The store may be in use.
Nothing is written.

The exit status is 0 where all is whole, 1 where something is damaged, 2 where it can't be looked
at. `referee store export --skip-damaged` saves what is proven of a damaged one.)");
    command.add_option("STORE", options.store, "The store's file")->required();
    command.add_option("--games", options.games, "The folder of the files of games");
    command.add_flag_callback(
        "--no-play", [&options] { options.plays_again = false; }, "Don't play the games again");
    command.add_flag("--json", options.json, "One JSON object");
}

struct ForgetOptions {
    forget::ForgetTask task;
    bool dry = false;
};

int refuse_to_forget(const forget::ForgetRefusal& refused, const std::string& out) {
    std::cerr << refused.message << '\n';
    if (refused.trouble == forget::ForgetTrouble::machine)
        std::cerr << "(where a daemon runs there: referee ctl --out " << out << " forget NAME)\n";
    return refused.trouble == forget::ForgetTrouble::machine ? exit_trouble : exit_no;
}

void list(const char* what, const std::vector<std::string>& lines) {
    for (const auto& line : lines) std::cout << what << line << '\n';
}

int forget_bot(const ForgetOptions& options) {
    const auto plan = forget::plan_forgetting(options.task);
    if (!plan) return refuse_to_forget(plan.error(), options.task.out);
    std::cout << options.task.name << " becomes " << plan->placeholder << ": " << describe(*plan)
              << '\n';
    if (options.dry) {
        list("would be rewritten: ", plan->files.rewritten);
        list("would be removed: ", plan->files.removed);
    } else {
        const auto forgotten =
            forget::forget_bot(*plan, tournament::fresh_token(), [](std::uint64_t /*records*/) {});
        if (!forgotten) return refuse_to_forget(forgotten.error(), options.task.out);
        std::cout << told_of(*plan, *forgotten) << '\n';
    }
    list("left: ", plan->left);
    return exit_done;
}

void add_forget_command(CLI::App& command, int& status) {
    auto& options = options_of<ForgetOptions>(command, status, forget_bot);
    command.description(
        "Take a student's data out of a folder's store and files; a placeholder stays");
    command.footer(R"(  $ referee store forget alice --out class --config class.json --dry-run
  $ referee store forget alice --out class --config class.json

For a folder in which no daemon runs; `referee ctl forget` asks one that does. All records are
rewritten with a placeholder such as forgotten-1, and what the bot itself wrote is taken away. Moves
and results stay, because others' standings follow from them. Tables and pages of games are removed;
`run` and `serve` with the config draw them again, and standings.json stays. The store is made anew
beside the old one, looked at, and put in its place; whoever is cut short does it again.

What can't be reached is listed as "left". Exit status: 0 done; 1 refused, with the reason: the
store has no such bot, the config or the roster still names it, or the config would not fit the
store any more; 3 the store is in use, or the machine refuses.)");
    command.add_option("NAME", options.task.name, "The bot's name")->required();
    command.add_option("--out", options.task.out, "The folder of `run` or `serve`")->required();
    command.add_option("--config", options.task.config,
                       "The config of the folder; it is looked at whether it names the bot still "
                       "and fits the store afterwards");
    command.add_flag("--dry-run", options.dry, "Tell what would be done, and change nothing");
}

}  // namespace

void add_store_command(CLI::App& command, int& status) {
    command.description("What was recorded: check it, keep a copy, read one, forget a student");
    command.footer(R"(  $ referee store verify out/referee.db
  $ referee store export out/referee.db --out friday.ndjson
  $ referee store import friday.ndjson copy/referee.db
  $ referee store forget alice --out out --dry-run)");
    command.require_subcommand(1);
    add_verify_command(*command.add_subcommand("verify"), status);
    add_export_command(*command.add_subcommand("export"), status);
    add_import_command(*command.add_subcommand("import"), status);
    add_forget_command(*command.add_subcommand("forget"), status);
}

}  // namespace referee::cli

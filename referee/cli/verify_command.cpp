#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "referee/cli/commands.h"
#include "referee/exit_code.h"
#include "referee/store/verification.h"

// What `referee store verify` finds.

namespace referee::cli {

namespace {

struct VerifyOptions {
    std::string store;
    std::string games;
    bool quick = false;
    bool json = false;
};

void write_json(const VerifyOptions& options, const store::Verified& report) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object()
        .member("store", options.store)
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
    writer.key("notes").texts(report.notes).end_object();
    std::cout << text << '\n';
}

void write_text(const VerifyOptions& options, const store::Verified& report) {
    std::cout << options.store << ": the chain (" << report.origin
              << "): " << base::counted(report.records, "record") << ", "
              << base::counted(report.replays, "replay")
              << (report.replays_dropped == 0 ? ""
                                              : " (" + std::to_string(report.replays_dropped) +
                                                    " of them dropped, within replays_mb)")
              << "\n"
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
    if (report.whole()) {
        std::cout << options.store << ": whole\n";
    } else {
        std::cout << options.store << ": " << report.damages_total << " damaged; " << report.remedy
                  << '\n';
    }
}

int verify(const VerifyOptions& options) {
    const auto checked = store::verify_store(
        {options.store, options.games, !options.quick}, [&options](const std::string& progress) {
            if (!options.json) std::cerr << options.store << ": " << progress << std::endl;
        });
    if (!checked)
        return refuse(
            checked.error().message,
            checked.error().trouble == store::StoreTrouble::corrupt ? exit_no : exit_bad_input);
    (options.json ? write_json : write_text)(options, *checked);
    return checked->whole() ? exit_done : exit_no;
}

}  // namespace

void add_verify_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<VerifyOptions>();
    command.description("Whether a store is as it was written, to the last bit");
    command.footer(R"(  $ referee store verify out/referee.db
  $ referee store verify out/referee.db --games out/games

Looks at the chain of all records, at each replay, at the tables and at every page, and plays each
game again to see whether its result follows from its replay. With --games it compares the files of
games, too; those that are not there are counted, and are no damage. The store may be in use.
Nothing is written.

The exit status is 0 where all is whole, 1 where something is damaged, 2 where it can't be looked
at. `referee store export --skip-damaged` saves what is proven of a damaged one.)");
    command.add_option("STORE", options->store, "The store's file")->required();
    command.add_option("--games", options->games, "The folder of the files of games");
    command.add_flag("--no-play", options->quick, "Don't play the games again");
    command.add_flag("--json", options->json, "One JSON object");
    command.callback([options, &status] { status = verify(*options); });
}

}  // namespace referee::cli

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "referee/exit_code.h"
#include "referee/memory/store/leftovers.h"
#include "referee/memory/store/salvage.h"
#include "referee/office/cli/commands.h"

namespace referee::cli {
namespace {

struct RepairOptions {
    std::string store;
    std::string archive;
    std::string replays;
    std::string out;
};

std::string replay_text(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

// The files of a folder and of those in it, by the digests of what they hold.
std::map<store::Digest, std::filesystem::path> replays_in(const std::string& folder) {
    std::map<store::Digest, std::filesystem::path> found;
    store::Hasher hasher;
    std::error_code unreadable;
    for (auto file = std::filesystem::recursive_directory_iterator(folder, unreadable);
         !unreadable && file != std::filesystem::recursive_directory_iterator();
         file.increment(unreadable)) {
        if (!file->is_regular_file() || file->path().extension() != ".ndjson") continue;
        const auto text = replay_text(file->path());
        if (text.empty()) continue;  // it can't be read, or holds nothing
        hasher.add(text);
        found.emplace(hasher.finish(), file->path());
    }
    return found;
}

int refuse_repair(const store::StoreError& error) {
    std::cerr << error.message << '\n';
    const bool mistaken = error.trouble == store::StoreTrouble::exists ||
                          error.trouble == store::StoreTrouble::bad_archive;
    return mistaken ? exit_bad_input : exit_trouble;
}

int tell_salvage(const RepairOptions& options, const store::Salvage& salvage) {
    if (!salvage.unreadable.empty())
        std::cout << options.store << ": nothing of it can be read: " << salvage.unreadable << '\n';
    if (!salvage.mended.empty())
        std::cout << options.store << ": it is read from a copy whose beginning was set right, for "
                  << salvage.mended << '\n';
    std::cout << options.out << ": " << salvage.records() << " records: " << salvage.from_archive
              << " from the archive, " << salvage.from_store << " as " << options.store
              << " has them, " << salvage.from_replays << " told by replays\n";
    if (salvage.replays_lost > 0)
        std::cout << options.out << ": the replays of " << salvage.replays_lost
                  << " games are lost; their results are there\n";
    if (salvage.times_lost > 0)
        std::cout << options.out << ": the times of " << salvage.times_lost
                  << " records are lost; they have that of the record before\n";
    for (const auto& loss : salvage.lost)
        std::cout << options.out << ": LOST: record " << loss.seq << ", " << loss.what << '\n';
    if (!salvage.unreadable.empty() && salvage.lost.empty())
        std::cout << options.out << ": what was written behind the archive is lost\n";
    const bool lossless =
        salvage.lost.empty() && salvage.replays_lost == 0 && salvage.unreadable.empty();
    std::cout << options.out << ": " << (lossless ? "nothing is lost" : "something is lost")
              << '\n';
    return lossless ? exit_done : exit_no;
}

int repair(const RepairOptions& options) {
    if (!std::filesystem::exists(options.store) && !store::Leftovers::beside(options.store)) {
        std::cerr << options.store << ": there is no such store\n";
        return exit_bad_input;
    }
    store::SalvageSources sources{options.store};
    std::ifstream archive;
    if (!options.archive.empty()) {
        archive.open(options.archive, std::ios::binary);
        if (!archive) {
            std::cerr << options.archive << ": can't be read; expected an archive that referee "
                      << "export wrote\n";
            return exit_bad_input;
        }
        sources.archive = &archive;
        sources.archive_name = options.archive;
    }
    std::map<store::Digest, std::filesystem::path> replays;
    if (!options.replays.empty()) {
        if (!std::filesystem::is_directory(options.replays)) {
            std::cerr << options.replays << ": expected the folder of the files of games, such as "
                      << "out/games\n";
            return exit_bad_input;
        }
        replays = replays_in(options.replays);
        if (replays.empty()) {
            std::cerr << options.replays << ": holds no replay that can be read; expected files "
                      << "such as friday_12.1.ndjson, as in out/games\n";
            return exit_bad_input;
        }
        sources.replay = [&replays](const store::Digest& digest) -> std::optional<std::string> {
            const auto found = replays.find(digest);
            if (found == replays.end()) return std::nullopt;
            return replay_text(found->second);
        };
    }
    const auto salvaged = store::salvage(sources, options.out);
    return salvaged ? tell_salvage(options, *salvaged) : refuse_repair(salvaged.error());
}

}  // namespace

void add_repair_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<RepairOptions>();
    auto* command =
        app.add_subcommand("repair", "A new store out of what can be saved of a damaged one");
    command->footer(R"(  $ referee repair out/referee.db --from friday.ndjson -o mended.db
  $ referee repair out/referee.db --replays out/games -o mended.db

The damaged store is only read; end the referee before. Where its file is gone, and a log or .head
lies there still, name it all the same. A store that was cut, or whose beginning is damaged, is
copied beside the new one for as long as it is read. All records of the archive are taken, then
those that the damaged store still has as they were written, and a game that it has not by its
replay: from the store itself, or from the files of games. Each is proven by its digest. A
tournament that was under way where a record is lost ends there, for a tournament is the sum of
its records.

All that is lost is listed. The exit status is 0 where nothing is lost, 1 where something is: the
new store is made all the same. It is 2 where the archive is damaged or another store's.)");
    command->add_option("STORE", options->store, "The damaged store")->required();
    command->add_option("--from", options->archive, "An archive that referee export wrote");
    command->add_option("--replays", options->replays, "The folder of the files of games");
    command->add_option("-o,--out", options->out, "The store to make")->required();
    command->callback([options, &status] { status = repair(*options); });
}

}  // namespace referee::cli

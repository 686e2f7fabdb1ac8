#pragma once

#include <optional>
#include <string>

#include "referee/memory/journal/journal.h"
#include "referee/office/report/ledger.h"

namespace referee::report {

// The folder into which a run writes: standings.json, .csv and .txt, crosstable.csv and .txt,
// pairings.json and .txt, report.trf (of matches of two), and games/ with a replay for each game;
// with several tournaments each has a folder of its own in it. All of it can be made again from the
// journal. Files appear whole or not at all.
class OutputFolder {
 public:
    // `one_tournament`: its files lie in `path` itself.
    OutputFolder(std::string path, bool one_tournament)
        : path_(std::move(path)), flat_(one_tournament) {}

    // Makes the folders; what went wrong, in words for a person.
    std::optional<std::string> prepare(const std::vector<std::string>& tournaments) const;
    std::optional<std::string> write_game(const journal::GameRecord& game) const;
    // All files of a tournament but those of its games.
    std::optional<std::string> write_standings(const Ledger& ledger) const;
    // What a bot sent for its own eyes in a game.
    std::optional<std::string> write_debug(const GameKey& key, const std::string& bot,
                                           const std::string& text) const;

    std::string folder_of(const std::string& tournament) const;
    std::string replay_file(const GameKey& key) const;

 private:
    std::string path_;
    bool flat_;
};

// Writes a file whole: beside it first, then renamed over it.
std::optional<std::string> write_file(const std::string& path, const std::string& text);

}  // namespace referee::report

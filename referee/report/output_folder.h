#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/report/ledger.h"
#include "referee/store/records/records.h"
#include "referee/watch/pages/pages.h"

namespace referee::report {

// Of a replay that is told over the protocol: the longest games here are a tenth of it.
inline constexpr std::size_t replay_told_bytes_max = 64 * 1024 * 1024;
// Of a bot's file of debug text: what a table keeps, and what its last line adds.
inline constexpr std::size_t debug_file_bytes_max = 512 * 1024;
// Of all such files of a bot and tournament whose games leave no files, a ladder's above all, which
// never ends: the disk is finite. Each game's costs a block of the disk at least.
inline constexpr std::size_t debug_kept_bytes_max = 4 * 1024 * 1024;
inline constexpr std::size_t debug_kept_bytes_least = 4096;

// Whether a text is one of an output folder's pages, scripts or styles, as this program writes
// them: no bot is in it, whatever words it has.
bool is_of_every_folder(std::string_view text);

// An error names the file and what went wrong, in words for a person.
using Written = base::Result<void, std::string>;

// A tournament's folder, with its game, format and dates.
pages::FolderLink link_to(const config::TournamentConfig& tournament);

// The folder into which a run writes: standings.json, .csv and .txt, crosstable.json, .csv and
// .txt, pairings.json and .txt, report.trf (for matches of two), and games/ with a replay for each
// game. index.html shows all of that in a browser, from disk: it loads the scripts of page/, and of
// page/games/, which has one for each game. With several tournaments, each has a folder of its own
// in it. All these can be made again from the journal; not so debug/, which has a folder for each
// bot with what it sent for its own use. A file appears whole or not at all.
class OutputFolder {
 public:
    // `one_tournament`: its files are in `path` itself.
    OutputFolder(std::string path, bool one_tournament)
        : path_(std::move(path)), flat_(one_tournament) {}

    // Makes the folder itself alone.
    Written make() const;
    // Makes the folders of more tournaments, all or none; or only looks whether they can be made.
    Written make_for(const std::vector<std::string>& tournaments, bool previews) const;
    // That others than its owner may write to it, to tell the instructor; empty where they may not,
    // or only to files of their own, as in /tmp.
    std::string remark() const;
    // Makes the folders in it, and what of their pages doesn't change.
    Written prepare(const std::vector<pages::FolderLink>& tournaments) const;
    Written write_game(const records::GameRecord& game) const;
    // Writes the script by which a page shows a game, from the game's replay, which the folder has.
    Written write_showing(const GameKey& key) const;
    // Writes all files of a tournament except those of its games.
    Written write_standings(const Ledger& ledger) const;
    // Writes what a bot sent for its own use during a game.
    Written write_debug(const GameKey& key, const std::string& bot, const std::string& text) const;
    // Removes the oldest of such files of that bot, beyond debug_kept_bytes_max.
    void drop_old_debug(const std::string& tournament, const std::string& bot) const;

    std::string folder_of(const std::string& tournament) const;
    std::string replay_file(const GameKey& key) const;
    std::string showing_file(const GameKey& key) const;
    std::string debug_file(const GameKey& key, const std::string& bot) const;

 private:
    std::string debug_folder(const std::string& tournament, const std::string& bot) const;
    Written write_page(const std::string& tournament) const;

    std::string path_;
    bool flat_;
};

// What a script of page/games/ shows, as text; nothing where it is damaged.
std::optional<std::string> shown_by(const std::string& script);

}  // namespace referee::report

#include "referee/report/output_folder.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "referee/files/named_file.h"
#include "referee/report/crosstable_report.h"
#include "referee/report/folder_page.h"
#include "referee/report/pairings_report.h"
#include "referee/report/standings_report.h"
#include "referee/report/trf_file.h"

namespace referee::report {
namespace {

// Far more than a game's lines come to.
constexpr std::size_t replay_bytes_max = 256 * 1024 * 1024;

std::string file_name(const GameKey& key) {
    auto name = game_id(key);
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

Written make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (!error) return {};
    return base::failure(path + ": can't be made: " + error.message());
}

}  // namespace

// The name of a bot may hold any printable character; the name of a file may not.
std::string folder_name_of(const std::string& bot) {
    std::string text;
    for (const char c : bot) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (plain) {
            text += c;
        } else {
            text += '%' + std::to_string(static_cast<unsigned char>(c));
        }
    }
    return text;
}

Written write_file(const std::string& path, const std::string& text) {
    const auto written = files::replace_file(path, text);
    if (!written) return base::failure(path + ": " + written.error());
    return {};
}

std::string OutputFolder::folder_of(const std::string& tournament) const {
    return flat_ ? path_ : path_ + "/" + tournament;
}

std::string OutputFolder::replay_file(const GameKey& key) const {
    return folder_of(key.tournament) + "/games/" + file_name(key) + ".ndjson";
}

Written OutputFolder::make() const {
    return make_folder(path_);
}

Written OutputFolder::prepare(const std::vector<std::string>& tournaments) const {
    for (const auto& tournament : tournaments) {
        if (auto made = make_folder(folder_of(tournament) + "/games"); !made) return made;
        if (auto written = write_page(tournament); !written) return written;
    }
    if (flat_) return {};
    return write_file(path_ + "/index.html", index_of_folders(tournaments));
}

Written OutputFolder::write_page(const std::string& tournament) const {
    const auto folder = folder_of(tournament);
    if (auto made = make_folder(folder + "/page/games"); !made) return made;
    if (auto written = write_file(folder + "/page/viewer.js", folder_script()); !written)
        return written;
    if (auto written = write_file(folder + "/page/style.css", folder_style()); !written)
        return written;
    return write_file(folder + "/index.html", folder_index(tournament));
}

Written OutputFolder::write_game(const records::GameRecord& game) const {
    return write_file(replay_file(game.result.key), game.replay);
}

std::string OutputFolder::showing_file(const GameKey& key) const {
    return folder_of(key.tournament) + "/page/games/" + file_name(key) + ".js";
}

Written OutputFolder::write_showing(const GameKey& key) const {
    const auto file = replay_file(key);
    const auto replay = files::read_named_file(file, replay_bytes_max);
    if (!replay) return base::failure(file + ' ' + replay.error());
    // The page needs no path of this machine.
    return write_file(showing_file(key), showing_script(*replay, file_name(key) + ".ndjson"));
}

Written OutputFolder::write_standings(const Ledger& ledger) const {
    const auto standings = standings_of(ledger);
    const auto crosstable = crosstable_text_of(ledger);
    const auto pairings = pairings_of(ledger);
    std::vector<std::pair<std::string, const std::string*>> files{
        {"standings.json", &standings.json},  {"standings.csv", &standings.csv},
        {"standings.txt", &standings.text},   {"crosstable.csv", &crosstable.csv},
        {"crosstable.txt", &crosstable.text}, {"pairings.json", &pairings.json},
        {"pairings.txt", &pairings.text}};
    const auto standings_script = script_of(standings_function, standings.json);
    const auto pairings_script = script_of(pairings_function, pairings.json);
    files.emplace_back("page/standings.js", &standings_script);
    files.emplace_back("page/pairings.js", &pairings_script);
    const auto trf = trf_file_of(ledger);
    if (trf) files.emplace_back("report.trf", &*trf);
    const auto folder = folder_of(ledger.config.id);
    for (const auto& [name, text] : files) {
        if (auto written = write_file(folder + "/" + name, *text); !written) return written;
    }
    return {};
}

std::string OutputFolder::debug_file(const GameKey& key, const std::string& bot) const {
    return folder_of(key.tournament) + "/debug/" + folder_name_of(bot) + "/" + file_name(key) +
           ".ndjson";
}

Written OutputFolder::write_debug(const GameKey& key, const std::string& bot,
                                  const std::string& text) const {
    const auto folder = folder_of(key.tournament) + "/debug/" + folder_name_of(bot);
    if (auto made = make_folder(folder); !made) return made;
    return write_file(debug_file(key, bot), text);
}

}  // namespace referee::report

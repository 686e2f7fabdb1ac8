#include "referee/report/output_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "engines/registry.h"
#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/files/file.h"
#include "referee/report/tournament_texts.h"
#include "referee/watch/showing/showing.h"

namespace referee::report {
namespace {

// What bots say for themselves isn't for every user of the machine, as other files are.
constexpr ::mode_t debug_file_mode = 0640;
// A longer game's showing would be several times as much, and take a browser long to read.
constexpr std::size_t shown_replay_bytes_max = 4 * 1024 * 1024;
// Is given a game in zlib's format and base64, and its length as JSON.
constexpr std::string_view packed_function = "packed_showing";
// Says in place of a game why it isn't there.
constexpr std::string_view refusal_function = "no_showing";

std::string refusal(const std::string& why) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.string(why);
    return pages::call_with(refusal_function, text);
}

// Scripts and style are in its folder page/.
std::string folder_index(const std::string& tournament) {
    return pages::linked_html(tournament, {.style = "page/style.css",
                                           .scripts = {"page/viewer.js", "page/standings.js",
                                                       "page/pairings.js", "page/crosstable.js"},
                                           .source = "folder"});
}

// Whether the game that a first line names is drawn by a board.
bool has_board(std::string_view first_line) {
    protocol::json::Document document;
    return document.parse(first_line) && engines::board_of(document.root().find("game").text());
}

// The script of a game from its replay, without what the bots said of their moves: pages are passed
// on. Packed, since frames are several times as long as the replay. Where the game can't be shown,
// a script that says why.
std::string showing_script(const std::string& replay, const std::string& file) {
    if (replay.size() > shown_replay_bytes_max)
        return refusal(
            fmt::format("The game is too long for a page: {} bytes of replay; expected at most {}. "
                        "On a terminal, referee view shows it.",
                        replay.size(), shown_replay_bytes_max));
    const engines::Registry registry;
    const bool with_text = !has_board(std::string_view(replay).substr(0, replay.find('\n')));
    auto showing = showing::showing_of(replay, file, registry, {.with_text = with_text});
    if (!showing) return refusal("The game can't be shown: " + showing.error().message);
    return pages::call_with(packed_function,
                            fmt::format("\"{}\",{}", base::base64_of(base::compress(showing->json)),
                                        showing->json.size()));
}

// Far more than a game's lines come to.
constexpr std::size_t replay_bytes_max = 256 * 1024 * 1024;

}  // namespace

bool is_of_every_folder(std::string_view text) {
    if (text == pages::script("folder") || text == pages::style()) return true;
    const auto without_title = [](std::string_view page) {
        const auto begin = std::min(page.find("<title>"), page.size());
        const auto end = std::min(page.find("</title>", begin), page.size());
        return std::string(page.substr(0, begin)).append(page.substr(end));
    };
    return without_title(text) == without_title(folder_index({}));
}

std::optional<std::string> shown_by(const std::string& script) {
    const auto call = std::string(packed_function) + "(\"";
    if (!script.starts_with(call)) return script;
    const auto packed = std::string_view(script).substr(call.size());
    const auto length = packed.substr(std::min(packed.find(',') + 1, packed.size()));
    const auto size = base::whole_number<std::size_t>(length.substr(0, length.find(')')));
    const auto bytes = base::from_base64(packed.substr(0, packed.find('"')));
    return size && bytes ? base::decompress(*bytes, *size) : std::nullopt;
}

std::string OutputFolder::folder_of(const std::string& tournament) const {
    return flat_ ? path_ : path_ + "/" + tournament;
}

std::string OutputFolder::replay_file(const GameKey& key) const {
    return folder_of(key.tournament) + "/games/" + file_name_of(key) + ".ndjson";
}

Written OutputFolder::make() const {
    return files::make_folder(path_);
}

Written OutputFolder::make_for(const std::vector<std::string>& tournaments, bool previews) const {
    std::vector<std::filesystem::path> wanted;
    for (const auto& tournament : tournaments) {
        const std::filesystem::path folder = folder_of(tournament);
        wanted.insert(wanted.end(),
                      {folder, folder / "games", folder / "page", folder / "page" / "games"});
    }
    std::vector<std::filesystem::path> made;
    std::string wrong;
    for (auto folder = wanted.begin(); folder != wanted.end() && wrong.empty(); ++folder) {
        std::error_code error;
        if (std::filesystem::create_directory(*folder, error)) made.push_back(*folder);
        if (error) wrong = "can't make the folder " + folder->string() + ": " + error.message();
    }
    if (wrong.empty() && !previews) return {};
    std::error_code ignored;
    for (auto one = made.rbegin(); one != made.rend(); ++one)
        std::filesystem::remove(*one, ignored);
    if (wrong.empty()) return {};
    return base::failure(wrong);
}

std::string OutputFolder::remark() const {
    struct stat status {};
    if (::stat(path_.c_str(), &status) != 0 || (status.st_mode & S_IWOTH) == 0 ||
        (status.st_mode & S_ISVTX) != 0)
        return {};
    return "every user of this machine may write to " + path_ +
           ", and so change what is told there; `chmod o-w " + path_ + "` ends that";
}

pages::FolderLink link_to(const config::TournamentConfig& tournament) {
    auto told = tournament.game + ", " + std::string(formats::name_of(tournament.format.kind()));
    std::replace(told.begin(), told.end(), '_', ' ');
    const auto dates = config::describe(tournament.calendar);
    return {tournament.id, dates.empty() ? told : told + ", " + dates};
}

Written OutputFolder::prepare(const std::vector<pages::FolderLink>& tournaments) const {
    for (const auto& [id, told] : tournaments) {
        if (auto made = files::make_folder(folder_of(id) + "/games"); !made) return made;
        if (auto written = write_page(id); !written) return written;
    }
    if (flat_) return {};
    return files::write_file(path_ + "/index.html",
                             pages::contents_html("Tournaments", tournaments));
}

Written OutputFolder::write_page(const std::string& tournament) const {
    const auto folder = folder_of(tournament);
    if (auto made = files::make_folder(folder + "/page/games"); !made) return made;
    const std::vector<std::pair<const char*, std::string>> files{
        {"/page/viewer.js", pages::script("folder")},
        {"/page/style.css", std::string(pages::style())},
        {"/index.html", folder_index(tournament)}};
    for (const auto& [name, text] : files)
        if (auto written = files::write_file(folder + name, text); !written) return written;
    return {};
}

Written OutputFolder::write_game(const records::GameRecord& game) const {
    return files::write_file(replay_file(game.result.key), game.replay);
}

std::string OutputFolder::showing_file(const GameKey& key) const {
    return folder_of(key.tournament) + "/page/games/" + file_name_of(key) + ".js";
}

Written OutputFolder::write_showing(const GameKey& key) const {
    const auto file = replay_file(key);
    const auto replay = files::read_named_file(file, replay_bytes_max);
    if (!replay) return base::failure(file + ' ' + replay.error());
    // The page needs no path of this machine.
    return files::write_file(showing_file(key),
                             showing_script(*replay, file_name_of(key) + ".ndjson"));
}

// In a long tournament these texts are large: each kind is written before the next is drawn up.
Written OutputFolder::write_standings(const Ledger& ledger) const {
    Written all;
    const auto write = [&](const std::string& name, const std::string& text) {
        if (all) all = files::write_file(folder_of(ledger.config.id) + "/" + name, text);
    };
    const auto write_kind = [&](const std::string& name, auto texts) {
        write(name + ".json", texts.json);
        if constexpr (requires { texts.csv; }) write(name + ".csv", texts.csv);
        write(name + ".txt", texts.text);
        if constexpr (requires { texts.statistics; }) write("statistics.txt", texts.statistics);
        write("page/" + name + ".js", pages::call_with(name, std::move(texts.json)));
    };
    write_kind("standings", standings_of(ledger));
    write_kind("crosstable", crosstable_text_of(ledger));
    write_kind("pairings", pairings_of(ledger));
    if (const auto trf = trf_file_of(ledger)) write("report.trf", *trf);
    return all;
}

std::string OutputFolder::debug_folder(const std::string& tournament,
                                       const std::string& bot) const {
    return folder_of(tournament) + "/debug/" + files::folder_name_of(bot);
}

std::string OutputFolder::debug_file(const GameKey& key, const std::string& bot) const {
    return debug_folder(key.tournament, bot) + "/" + file_name_of(key) + ".ndjson";
}

Written OutputFolder::write_debug(const GameKey& key, const std::string& bot,
                                  const std::string& text) const {
    if (auto made = files::make_folder(debug_folder(key.tournament, bot)); !made) return made;
    std::error_code ignored;
    std::filesystem::permissions(folder_of(key.tournament) + "/debug",
                                 std::filesystem::perms::others_all,
                                 std::filesystem::perm_options::remove, ignored);
    const auto file = debug_file(key, bot);
    if (const auto error = files::place_file(file, text, {.mode = debug_file_mode}); error != 0)
        return base::failure(file + ": can't be written: " + std::strerror(error));
    return {};
}

// A file that can't be removed is removed later, or stays.
void OutputFolder::drop_old_debug(const std::string& tournament, const std::string& bot) const {
    std::error_code trouble;
    std::vector<std::pair<std::filesystem::file_time_type, std::string>> files;
    const auto folder = debug_folder(tournament, bot);
    for (const auto& name : files::names_in(folder)) {
        auto file = folder + "/" + name;
        files.emplace_back(std::filesystem::last_write_time(file, trouble), std::move(file));
    }
    std::ranges::sort(files, std::greater<>());
    std::size_t kept = 0;
    for (const auto& [time, file] : files) {
        kept += std::max<std::size_t>(std::filesystem::file_size(file, trouble),
                                      debug_kept_bytes_least);
        if (kept > debug_kept_bytes_max) std::filesystem::remove(file, trouble);
    }
}

}  // namespace referee::report

#include "referee/forget/forget_bot.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "referee/launch/supply/program_launches.h"
#include "referee/report/output_folder.h"
#include "referee/store/store.h"
#include "referee/submit/versions/version_store.h"

namespace referee::forget {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view standings_file = "standings.json";

// No file of the referee's own is so large beside its store.
constexpr std::uintmax_t looked_at_bytes_max = std::uintmax_t{1} << 28U;

enum class Content : std::uint8_t {
    replay,
    json,      // of standings and pairings, or a page's call with it
    launches,  // of supply::LaunchChanges
    of_game,   // is made again of the game's replay
    drawn,     // for people: the next start draws it again
    others,
};

Content content_of(const fs::path& path) {
    static constexpr std::array<std::string_view, 9> tables{
        "standings.csv",  "standings.txt",  "statistics.txt", "crosstable.json", "crosstable.js",
        "crosstable.csv", "crosstable.txt", "pairings.txt",   "report.trf"};
    const auto name = path.filename().string();
    const auto folder = path.parent_path().filename();
    const auto ending = path.extension();
    if (ending == ".part") {
        const auto whole = content_of(fs::path(path).replace_extension());
        return whole == Content::others ? whole : Content::drawn;
    }
    if (folder == "games") {
        const bool in_page = path.parent_path().parent_path().filename() == "page";
        if (name.ends_with(".review.json") || (in_page && ending == ".js")) return Content::of_game;
        return ending == ".ndjson" ? Content::replay : Content::others;
    }
    if (name == supply::LaunchChanges::file_name) return Content::launches;
    const bool has_json = name == standings_file || name == "pairings.json" ||
                          (folder == "page" && (name == "standings.js" || name == "pairings.js"));
    if (has_json) return Content::json;
    const bool is_table = std::find(tables.begin(), tables.end(), name) != tables.end();
    return is_table ? Content::drawn : Content::others;
}

bool is_of_store(const std::string& path, const std::string& store) {
    static constexpr std::array<std::string_view, 11> endings{
        "",      "-wal",     "-shm",      "-journal",  ".head",        ".lock",
        ".part", ".reserve", ".part-wal", ".part-shm", ".part-journal"};
    if (!path.starts_with(store)) return false;
    const auto ending = std::string_view(path).substr(store.size());
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

std::optional<std::string> text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file || file.bad()) return std::nullopt;
    return text.str();
}

// Whether a tournament's table may tell of the bot: there its name may be cut, or quoted.
bool took_part(const fs::path& table, const records::Placeholder& of) {
    const auto folder = table.parent_path();
    const auto text =
        text_of((folder.filename() == "page" ? folder.parent_path() : folder) / standings_file);
    return !text || of.in_json(*text) != *text;
}

// The file's text without the bot, which is the same where it tells nothing of it; nothing where
// the file goes.
std::optional<std::string> without_bot(const fs::path& path, const std::string& text,
                                       const records::Forgetting& forgetting) {
    const auto& of = forgetting.of;
    auto renamed = of.in_json(text);
    switch (content_of(path)) {
        case Content::replay:
            return renamed == text ? text : records::forget_in_replay(forgetting, text);
        case Content::json:
            return renamed;
        case Content::launches:
            return supply::LaunchChanges::without(text, of.name());
        case Content::of_game:
            if (const auto shown = report::shown_by(text); shown && of.in_json(*shown) == *shown)
                return text;
            return std::nullopt;
        case Content::drawn:
            if (of.stands_in(text) || took_part(path, of)) return std::nullopt;
            return text;
        case Content::others:
            break;
    }
    return text;
}

// Whether a file that is not the referee's tells of the bot. In a database, such as a copy of the
// store, texts stand right behind one another.
bool is_told_by(const std::string& text, const records::Placeholder& of) {
    const bool is_binary = text.find('\0') != std::string::npos;
    return (is_binary ? text.find(of.name()) != std::string::npos : of.stands_in(text)) &&
           !report::is_of_every_folder(text);
}

}  // namespace

base::Result<FilesOfBot, std::string> files_of_bot(const std::string& folder,
                                                   const records::Forgetting& forgetting) {
    const auto& of = forgetting.of;
    FilesOfBot files;
    const auto store = fs::path(folder) / store::name_in_output_folder;
    const auto programs = fs::path(folder) / versions::folder_in_output;
    const auto own = files::folder_name_of(of.name());
    std::error_code error;
    auto each = fs::recursive_directory_iterator(folder, error);
    for (; !error && each != fs::recursive_directory_iterator(); each.increment(error)) {
        const auto& path = each->path();
        std::error_code gone;
        if (each->is_directory(gone)) {
            const auto above = path.parent_path();
            const bool is_own_folder = above.filename() == "debug" || above == programs;
            if (path.filename() != own || !is_own_folder) continue;
            files.removed.push_back(path.string());
            each.disable_recursion_pending();
            continue;
        }
        if (!each->is_regular_file(gone) || is_of_store(path.string(), store.string())) continue;
        if (each->file_size(gone) > looked_at_bytes_max) {
            files.too_large.push_back(path.string());
            continue;
        }
        const auto text = text_of(path);
        if (!text) return base::failure(path.string() + ": can't be read");
        if (content_of(path) == Content::others) {
            if (is_told_by(*text, of)) files.left.push_back(path.string());
            continue;
        }
        const auto fresh = without_bot(path, *text, forgetting);
        if (fresh != *text) (fresh ? files.rewritten : files.removed).push_back(path.string());
    }
    if (error) return base::failure(folder + ": " + error.message());
    for (auto* list : {&files.rewritten, &files.removed, &files.left, &files.too_large})
        std::sort(list->begin(), list->end());
    return files;
}

report::Written forget_in_files(const FilesOfBot& files, const records::Forgetting& forgetting) {
    const auto remove = [](const std::string& path) -> report::Written {
        std::error_code error;
        fs::remove_all(path, error);
        if (!error) return {};
        return base::failure(path + ": can't be removed: " + error.message());
    };
    for (const auto& path : files.removed) {
        if (auto removed = remove(path); !removed) return removed;
    }
    for (const auto& path : files.rewritten) {
        const auto text = text_of(path);
        if (!text) return base::failure(path + ": can't be read");
        const auto fresh = without_bot(path, *text, forgetting);
        if (auto done = fresh ? files::write_file(path, *fresh) : remove(path); !done) return done;
    }
    return {};
}

}  // namespace referee::forget

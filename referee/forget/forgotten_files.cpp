#include "referee/forget/forget_bot.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "referee/launch/supply/launch_changes.h"
#include "referee/report/output_folder.h"
#include "referee/store/store.h"
#include "referee/submit/versions/version_store.h"
#include "referee/watch/pages/pages.h"

namespace referee::forget {
namespace {

namespace fs = std::filesystem;

// Columns of a table may cut a name that is longer than this (a report of FIDE's has 33 places). A
// cut name is not found, so such a table is removed; the next start draws it up again.
constexpr std::size_t uncut_bytes_max = 30;

// No file of the referee's own is so large beside its store.
constexpr std::uintmax_t looked_at_bytes_max = std::uintmax_t{1} << 28U;

enum class Content : std::uint8_t {
    replay,
    showing,  // the script of a replay
    review,   // names the replay as it was, so it goes
    json,
    script,    // a call with JSON
    launches,  // of supply::LaunchChanges
    cells,
    aligned,
    crosstable,
    unfinished,
    others,
};

Content content_of(const fs::path& path) {
    static constexpr std::array<std::string_view, 4> tables{"standings", "statistics", "crosstable",
                                                            "pairings"};
    const auto ending = path.extension().string();
    const auto is_table = [](const fs::path& stem) {
        return std::find(tables.begin(), tables.end(), stem.string()) != tables.end();
    };
    if (path.filename() == "report.trf") return Content::aligned;
    if (path.parent_path().filename() == "games" && ending == ".ndjson") return Content::replay;
    if (path.parent_path().filename() == "games" &&
        path.filename().string().ends_with(".review.json"))
        return Content::review;
    const bool in_page = path.parent_path().parent_path().filename() == "page";
    if (in_page && path.parent_path().filename() == "games" && ending == ".js")
        return Content::showing;
    if (path.filename() == supply::LaunchChanges::file_name) return Content::launches;
    if (ending == ".part") {
        const auto whole = content_of(fs::path(path).replace_extension());
        return whole == Content::others ? whole : Content::unfinished;
    }
    if (!is_table(path.stem())) return Content::others;
    if (path.parent_path().filename() == "page" && ending == ".js") return Content::script;
    // The text of standings has a cross table in it.
    if (path.stem() == "crosstable" || path.filename() == "standings.txt")
        return Content::crosstable;
    if (ending == ".json") return Content::json;
    if (ending == ".csv") return Content::cells;
    return ending == ".txt" ? Content::aligned : Content::others;
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

// A crosstable names an opponent that is not in the standings between a letter for the result and
// one for the seat of a match of two: "Daliceb 0.5".
std::string in_crosstable(const records::Placeholder& of, const std::string& text) {
    auto out = of.in_table(text);
    for (const char result : std::string_view("WDL+-")) {
        for (const char seat : std::string_view("ab")) {
            const auto between = [&](const std::string& name) { return result + name + seat; };
            out = records::Placeholder(between(of.name()), between(of.placeholder()), {})
                      .in_table(out);
        }
    }
    return out;
}

// The JSON of a script that calls a function of the page; empty where it is none.
std::string_view value_in(std::string_view script) {
    for (const auto function :
         {report::showing_function, report::standings_function, report::pairings_function}) {
        if (const auto value = report::value_of(function, script); !value.empty()) return value;
    }
    return {};
}

// The same call with another value.
std::string script_with(const std::string& script, std::string_view value) {
    return pages::call_with(script.substr(0, script.find('(')), value);
}

// As the file writes it.
bool names_it(const records::Placeholder& of, const std::string& text, Content content) {
    if (of.stands_in(text)) return true;
    // In a database, such as a copy of the store, texts stand right behind one another.
    const bool is_binary = content == Content::others && text.find('\0') != std::string::npos;
    if (is_binary) return text.find(of.name()) != std::string::npos;
    if (content == Content::json || content == Content::replay || content == Content::review)
        return of.in_json(text) != text;
    if (content == Content::script || content == Content::showing) {
        const auto value = value_in(text);
        return !value.empty() && of.in_json(std::string(value)) != value;
    }
    if (content == Content::crosstable && in_crosstable(of, text) != text) return true;
    const bool may_cut = content == Content::aligned || content == Content::crosstable;
    return may_cut && of.name().size() > uncut_bytes_max;
}

// Nothing where the file can only be removed.
std::optional<std::string> rewritten(const std::string& text, Content content,
                                     const records::Forgetting& forgetting) {
    const auto& of = forgetting.of;
    switch (content) {
        case Content::replay:
            return records::forget_in_replay(forgetting, text);
        case Content::json:
            return of.in_json(text);
        case Content::script:
            if (const auto value = value_in(text); !value.empty())
                return script_with(text, of.in_json(std::string(value)));
            return std::nullopt;
        case Content::launches:
            return supply::LaunchChanges::without(text, of.name());
        case Content::cells:
            return of.in_words(text);
        case Content::aligned:
        case Content::crosstable:
            if (of.name().size() > uncut_bytes_max) return std::nullopt;
            return content == Content::aligned ? of.in_table(text) : in_crosstable(of, text);
        case Content::showing:  // made again from the replay, which is rewritten first
        case Content::review:
        case Content::unfinished:
        case Content::others:
            break;
    }
    return std::nullopt;
}

// The script of a game once its replay is without the bot; nothing where the replay is gone.
std::optional<std::string> shown_again(const std::string& path) {
    const auto script = fs::path(path);
    const auto folder = script.parent_path().parent_path().parent_path();
    const auto replay_path = folder / "games" / script.stem().concat(".ndjson");
    const auto replay = text_of(replay_path);
    if (!replay) return std::nullopt;
    return report::showing_script(*replay, replay_path.filename().string());
}

}  // namespace

base::Result<FilesOfBot, std::string> files_of_bot(const std::string& folder,
                                                   const records::Placeholder& of) {
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
        const auto content = content_of(path);
        if (!names_it(of, *text, content) || report::is_of_every_folder(*text)) continue;
        const bool goes = content == Content::unfinished || content == Content::review;
        auto& list = content == Content::others ? files.left
                     : goes                     ? files.removed
                                                : files.rewritten;
        list.push_back(path.string());
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
    // Replays go before what is made from them.
    auto paths = files.rewritten;
    std::stable_partition(paths.begin(), paths.end(),
                          [](const auto& path) { return content_of(path) != Content::showing; });
    for (const auto& path : paths) {
        const auto text = text_of(path);
        if (!text) return base::failure(path + ": can't be read");
        const auto content = content_of(path);
        const auto fresh =
            content == Content::showing ? shown_again(path) : rewritten(*text, content, forgetting);
        // A move stays, whatever word it is.
        const bool is_good = fresh && (content == Content::replay || content == Content::showing ||
                                       !forgetting.of.stands_in(*fresh));
        auto done = is_good ? files::write_file(path, *fresh) : remove(path);
        if (!done) return done;
    }
    return {};
}

}  // namespace referee::forget

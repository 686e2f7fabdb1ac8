#include "referee/forget/forget_bot.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "protocol/base/bytes.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/config/read_config.h"
#include "referee/files/file.h"
#include "referee/launch/supply/config_remarks.h"
#include "referee/report/output_folder.h"
#include "referee/store/records/forget_in_record.h"
#include "referee/store/store.h"
#include "referee/store/store_files.h"
#include "referee/submit/versions/version_store.h"
#include "referee/tournament/tournaments.h"
#include "referee/version.h"

namespace referee::forget {
namespace {

constexpr std::array<base::Named<ForgetTrouble>, 5> troubles = {{
    {ForgetTrouble::unknown, "unknown"},
    {ForgetTrouble::still_named, "still_named"},
    {ForgetTrouble::unfit, "unfit"},
    {ForgetTrouble::plays, "plays"},
    {ForgetTrouble::machine, "machine"},
}};
static_assert(base::in_order(troubles));

// As many digits as a game's fingerprint has.
constexpr std::size_t fingerprint_digits = 16;
// How many files are listed one by one.
constexpr std::size_t files_listed_max = 10;
// A config, or a roster, that is larger was refused when it was read.
constexpr std::size_t text_bytes_max = 16 * 1024 * 1024;

auto refused(ForgetTrouble trouble, std::string message) {
    return base::failure(ForgetRefusal{trouble, std::move(message)});
}

std::string store_of(const ForgetTask& task) {
    return task.out + "/" + std::string(store::name_in_output_folder);
}

records::Forgetting forgetting_of(const ForgetPlan& plan, const std::string& secret) {
    return {
        {plan.task.name, plan.placeholder, plan.mentions.known},
        [secret](const std::string& fingerprint) {
            return base::hex_of(base::digest_of(secret, fingerprint)).substr(0, fingerprint_digits);
        }};
}

std::string unknown(const ForgetTask& task, const std::vector<std::string>& known) {
    return store_of(task) + " has no bot \"" + task.name + "\": nothing is to be forgotten there" +
           base::did_you_mean(task.name, known);
}

base::Result<void, ForgetRefusal> check_names(const ForgetPlan& plan,
                                              const config::Config& config) {
    const auto& name = plan.task.name;
    if (base::contains(config.bots, name, &config::BotConfig::name)) {
        return refused(ForgetTrouble::still_named,
                       plan.task.config + " still names " + name +
                           " in \"bots\": take it out, or write " + plan.placeholder +
                           " in its place where a tournament that is not over lists its bots "
                           "({\"name\": \"" +
                           plan.placeholder + "\"}); then try again");
    }
    const auto& registration = config.registration;
    if (registration.class_roster && registration.class_roster->named(name) != nullptr)
        return refused(ForgetTrouble::still_named, registration.roster_file +
                                                       " still has a row for " + name +
                                                       ": remove it, then try again");
    return {};
}

// Whether the next start will go on with what is in the store then.
base::Result<void, ForgetRefusal> check_fit(const ForgetPlan& plan, const config::Config& config) {
    const auto forgetting = forgetting_of(plan, {});
    const auto past = [&](const auto& take) -> base::Result<void, std::string> {
        return store::read_history(
                   store_of(plan.task),
                   [&](const auto& record) { take(records::forget(forgetting, record)); })
            .map_error([](const store::StoreError& error) { return error.message; });
    };
    const auto open = tournament::open_tournaments(config, version, true, past);
    if (open) return {};
    return refused(ForgetTrouble::unfit,
                   "with " + plan.placeholder + " in place of " + plan.task.name + ", " +
                       plan.task.config + " would not fit the store: " + open.error() +
                       ". Put that right in the config, or let the tournament end first");
}

// Where the text of a file has the name still, as in a comment.
void note_text(const std::string& file, const records::Placeholder& of,
               std::vector<std::string>& left) {
    if (file.empty()) return;
    const auto text = files::read_named_file(file, text_bytes_max);
    if (text && of.stands_in(*text)) left.push_back(file + ": the name stands in its text");
}

void note_left(const records::Placeholder& of, const config::Config* config, ForgetPlan& plan) {
    auto& left = plan.left;
    for (std::size_t i = 0; i < plan.files.left.size() && i < files_listed_max; ++i)
        left.push_back(plan.files.left[i] +
                       ": names it, and is somebody else's (what another bot wrote, a copy)");
    if (plan.files.left.size() > files_listed_max)
        left.push_back(fmt::format("and {} more files below {} that name it",
                                   plan.files.left.size() - files_listed_max, plan.task.out));
    for (const auto& file : plan.files.too_large)
        left.push_back(file + ": is so large that it was not looked at");
    if (config != nullptr) {
        note_text(plan.task.config, of, left);
        note_text(config->registration.roster_file, of, left);
    } else {
        left.emplace_back(
            "the config and the roster: they were not looked at; --config FILE does that");
    }
    for (const auto& tournament : plan.mentions.under_way) {
        left.push_back("tournament " + tournament +
                       " is not over: where its config lists its bots, " + plan.placeholder +
                       " must stand there in place of the name; `referee ctl withdraw " +
                       tournament + " " + plan.placeholder + "` ends the wait for its matches");
    }
    left.emplace_back("archives, copies and backups elsewhere: remove them, and make new ones");
    left.emplace_back("the system's log, and what the referee printed");
    left.emplace_back("the student's program, other students' files, and e-mails");
}

namespace fs = std::filesystem;

constexpr std::string_view standings_file = "standings.json";

// No file of the referee's own is so large beside its store.
constexpr std::size_t looked_at_bytes_max = std::size_t{1} << 28U;

enum class Content : std::uint8_t {
    replay,
    json,      // of standings and pairings, or a page's call with it
    launches,  // of supply::launch_changes()
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
    if (name == supply::launches_file) return Content::launches;
    const bool has_json = name == standings_file || name == "pairings.json" ||
                          (folder == "page" && (name == "standings.js" || name == "pairings.js"));
    if (has_json) return Content::json;
    return base::contains(tables, name) ? Content::drawn : Content::others;
}

auto text_of(const fs::path& path) {
    return files::read_named_file(path, looked_at_bytes_max);
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
            return supply::launches_without(text, of.name());
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

// Looks through all files of the folder. An error names one that can't be read.
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
        if (!each->is_regular_file(gone) || store::is_of_store(path.string(), store.string()))
            continue;
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
        std::ranges::sort(*list);
    return files;
}

// Rewrites and removes them. May be done again where it was cut short.
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

}  // namespace

std::string_view name_of(ForgetTrouble trouble) {
    return base::row_of(troubles, trouble).name;
}

base::Result<ForgetPlan, ForgetRefusal> plan_forgetting(const ForgetTask& task) {
    auto mentions = store::mentions_of(store_of(task), task.name);
    if (!mentions) return refused(ForgetTrouble::machine, mentions.error().message);
    if (mentions->records == 0)
        return refused(ForgetTrouble::unknown, unknown(task, mentions->known));
    ForgetPlan plan{task, records::next_placeholder(mentions->known), *std::move(mentions), {}, {}};
    std::optional<config::Config> config;
    if (!task.config.empty()) {
        auto read = config::read_config_file(task.config);
        if (!read)
            return refused(ForgetTrouble::unfit,
                           config::describe(read.error().front(), task.config));
        config = *std::move(read);
        if (auto clean = check_names(plan, *config); !clean)
            return base::failure(std::move(clean.error()));
        if (auto fits = check_fit(plan, *config); !fits)
            return base::failure(std::move(fits.error()));
    }
    const auto forgetting = forgetting_of(plan, {});
    auto files = files_of_bot(task.out, forgetting);
    if (!files) return refused(ForgetTrouble::machine, files.error());
    plan.files = *std::move(files);
    note_left(forgetting.of, config ? &*config : nullptr, plan);
    return plan;
}

base::Result<store::Rewritten, ForgetRefusal> forget_bot(const ForgetPlan& plan,
                                                         const std::string& secret,
                                                         const store::OnRewritten& on_rewritten) {
    const auto store = store::file_of_store(store_of(plan.task));
    const auto lock = store::StoreLock::take(store);
    if (!lock) return refused(ForgetTrouble::machine, lock.error().message);
    const auto forgetting = forgetting_of(plan, secret);
    // What was written since the plan was made is looked at too.
    const auto files = files_of_bot(plan.task.out, forgetting);
    if (!files) return refused(ForgetTrouble::machine, files.error());
    if (auto written = forget_in_files(*files, forgetting); !written)
        return refused(ForgetTrouble::machine,
                       written.error() + "; the store is as it was. Try again when that is mended");
    auto rewritten = store::rewrite_without(store, forgetting, on_rewritten);
    if (!rewritten) return refused(ForgetTrouble::machine, rewritten.error().message);
    return *rewritten;
}

std::string describe(const ForgetPlan& plan) {
    const auto& files = plan.files;
    return base::counted(plan.mentions.records, "record that names it", "records that name it") +
           ", " + base::counted(plan.mentions.games, "game") + "; " +
           base::counted(files.rewritten.size(), "file") + " to rewrite, " +
           base::counted(files.removed.size(), "file or folder", "files and folders") +
           " to remove";
}

std::string told_of(const ForgetPlan& plan, const store::Rewritten& rewritten) {
    auto text = fmt::format("{} is forgotten: {} stands in its place in {} of {}", plan.task.name,
                            plan.placeholder, plan.mentions.records,
                            base::counted(rewritten.records, "record"));
    if (rewritten.replays_lost > 0)
        text += "; " + base::counted(rewritten.replays_lost, "replay could not be read and is lost",
                                     "replays could not be read and are lost");
    return text;
}

}  // namespace referee::forget

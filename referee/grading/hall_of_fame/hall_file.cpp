#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "protocol/base/overloaded.h"
#include "protocol/json/document.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/grading/hall_of_fame/hall.h"
#include "referee/store/records/forget_in_record.h"

namespace referee::hall_of_fame {

namespace fs = std::filesystem;
namespace json = protocol::json;

namespace {

constexpr std::size_t table_bytes_max = 64 * 1024 * 1024;
constexpr mode_t new_file_mode = 0600;

Ending unwritten(const std::string& file, const std::string& reason) {
    return {exit_trouble, file + " can't be written: " + reason};
}

// What the file has of an entry.
template <typename AnEntry, typename Each>
void for_each_member(AnEntry& entry, const Each& each) {
    each("game", entry.game);
    each("semester", entry.semester);
    each("name", entry.bot);
    each("thousandths", entry.thousandths);
    each("games", entry.games);
    each("seeds", entry.seeds);
    each("rubric", entry.rubric_hash);
    each("program", entry.program);
    each("version", entry.version);
    each("entered_ms", entry.entered_ms);
}

enum class Missing : std::uint8_t { refuse, make };

std::string text_of_table(const Entries& entries) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().key("hall_of_fame").begin_array();
    for (const auto& entry : entries) {
        text += '\n';
        writer.begin_object();
        for_each_member(entry,
                        [&](const char* name, const auto& value) { writer.member(name, value); });
        writer.end_object();
    }
    writer.end_array().end_object();
    return text + '\n';
}

}  // namespace

std::string file_of(const std::string& file_or_folder) {
    std::error_code unknown;
    if (!fs::is_directory(file_or_folder, unknown)) return file_or_folder;
    return (fs::path(file_or_folder) / default_name).string();
}

base::Result<Entries, Ending> read_table(const std::string& file) {
    const auto text = files::read_named_file(file, table_bytes_max);
    if (!text) return base::failure(Ending{exit_bad_input, file + " " + text.error()});
    json::Document document;
    if (!document.parse(*text, {.depth_max = protocol::limits::depth_max}) ||
        !document.root().find("hall_of_fame").is_array())
        return base::failure(
            Ending{exit_bad_input, file + " is no Hall of Fame: expected a JSON file with "
                                          "\"hall_of_fame\", a list of entries"});
    json::Mistakes mistakes;
    json::Reader table(document.root(), mistakes);
    Entries entries;
    const auto list = table.array("hall_of_fame");
    for (const auto element : list.elements()) {
        json::Reader reader(element);
        for_each_member(
            entries.emplace_back(),
            base::Overloaded{[&](const char* name, std::string& word) { word = reader.text(name); },
                             [&](const char* name, auto& number) {
                                 using Number = std::remove_reference_t<decltype(number)>;
                                 number = reader.member(name).integer_of<Number>().value_or(0);
                             }});
    }
    if (mistakes)
        return base::failure(Ending{exit_bad_input, file + ": " + mistakes.first().text()});
    return entries;
}

namespace {

// Under a lock: reads the table, lets it be changed, and writes it where `change` says that it did.
// Returns what that made.
template <typename Made, typename Change>
base::Result<Made, Ending> change_table(const std::string& named, Missing missing,
                                        const Change& change) {
    std::error_code unknown;
    if (missing == Missing::refuse) {
        if (auto there = read_table(named); !there) return base::failure(there.error());
    }
    // Of a link the file is replaced to which it leads.
    const auto target = fs::weakly_canonical(named, unknown);
    const auto file = unknown ? named : target.string();
    const auto lock_name = file + ".lock";
    const auto lock = files::take_lock(lock_name, new_file_mode);
    if (!lock && lock.error().holder.empty())
        return base::failure(unwritten(lock_name, std::strerror(lock.error().error)));
    if (!lock)
        return base::failure(Ending{exit_trouble, named + " is being changed by " +
                                                      lock.error().holder +
                                                      "; nothing was changed: try again"});
    Entries entries;
    if (missing == Missing::refuse || fs::exists(file, unknown)) {
        auto read = read_table(file);
        if (!read) return base::failure(read.error());
        entries = *std::move(read);
    }
    Made made{};
    if (!change(entries, made)) return made;
    const auto text = text_of_table(entries);
    if (text.size() > table_bytes_max) return base::failure(unwritten(named, std::strerror(EFBIG)));
    struct stat before {};
    const auto mode = ::stat(file.c_str(), &before) == 0 ? before.st_mode : new_file_mode;
    auto kept = files::keep_file(file, text, mode & ALLPERMS);
    if (!kept) return base::failure(unwritten(file, kept.error()));
    return made;
}

}  // namespace

base::Result<std::vector<Entering>, Ending> add(const std::string& file,
                                                const std::vector<Candidate>& candidates,
                                                std::int64_t bar) {
    return change_table<std::vector<Entering>>(
        file, Missing::make, [&](Entries& entries, std::vector<Entering>& all) {
            const auto before = text_of_table(entries);
            for (const auto& candidate : candidates) all.push_back(enter(entries, candidate, bar));
            return text_of_table(entries) != before || entries.empty();
        });
}

base::Result<std::size_t, Ending> remove(const std::string& file, const std::string& name,
                                         const Filter& filter) {
    return change_table<std::size_t>(
        file, Missing::refuse, [&](Entries& entries, std::size_t& removed) {
            removed = std::erase_if(entries, [&](const HallEntry& entry) {
                return entry.bot == name && entry.semester == filter.semester &&
                       (filter.game.empty() || entry.game == filter.game);
            });
            return removed > 0;
        });
}

base::Result<std::string, Ending> forget(const std::string& file, const std::string& name) {
    return change_table<std::string>(file, Missing::refuse,
                                     [&](Entries& entries, std::string& placeholder) {
                                         std::vector<std::string> known;
                                         for (const auto& entry : entries)
                                             known.push_back(entry.bot);
                                         if (std::ranges::find(known, name) == known.end())
                                             return false;
                                         placeholder = records::next_placeholder(known);
                                         for (auto& entry : entries) {
                                             if (entry.bot != name) continue;
                                             entry.bot = placeholder;
                                             entry.program.clear();  // it would tell whose it was
                                         }
                                         return true;
                                     });
}

}  // namespace referee::hall_of_fame

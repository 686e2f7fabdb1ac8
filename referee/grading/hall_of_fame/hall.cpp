#include "referee/grading/hall_of_fame/hall.h"

#include <fmt/chrono.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "protocol/base/find.h"
#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "referee/files/file.h"
#include "referee/files/text_table.h"
#include "referee/store/records/forget_in_record.h"

namespace referee::hall_of_fame {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;
using base::thousandths_text;

constexpr std::size_t table_bytes_max = 64 * 1024 * 1024;
constexpr std::size_t grade_bytes_max = 16 * 1024 * 1024;
constexpr mode_t new_file_mode = 0600;
// No game's score comes near; and a number beyond it is a mistake.
constexpr double average_most = 1e12;

// An error says what is wrong with the file, or with what `read` reads of it into a `Value`.
template <typename Value, typename Read>
base::Result<Value, std::string> read_json(const std::string& file, std::size_t bytes_max,
                                           const std::string& expected, const Read& read) {
    json::Document document;
    const auto parsed = files::read_named_json(file, bytes_max, expected, document);
    if (!parsed) return base::failure(parsed.error());
    if (!document.root().is_object()) return base::failure(file + ": " + expected);
    json::Mistakes mistakes;
    json::Reader root(document.root(), mistakes);
    Value value;
    read(root, value);
    if (mistakes) return base::failure(file + ": " + mistakes.first().text());
    return value;
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

auto unwritten(const std::string& file, const std::string& reason) {
    return base::failure(Ending{exit_trouble, file + " can't be written: " + reason});
}

// Under a lock: reads the table, lets it be changed, and writes it where that made a difference.
// Returns what `change` returns.
template <typename Change>
base::Result<std::invoke_result_t<Change, Entries&>, Ending> change_table(const std::string& named,
                                                                          bool makes_it,
                                                                          const Change& change) {
    const auto read = [&] {
        const bool is_new = makes_it && !files::is_there(named);
        return is_new ? base::Result<Entries, Ending>(Entries()) : read_table(named);
    };
    if (const auto there = read(); !there) return base::failure(there.error());
    // Of a link the file is replaced to which it leads.
    std::error_code unknown;
    const auto target = fs::weakly_canonical(named, unknown);
    const auto file = unknown ? named : target.string();
    const auto lock_name = file + ".lock";
    const auto lock = files::take_lock(lock_name, new_file_mode);
    if (!lock && lock.error().holder.empty())
        return unwritten(lock_name, std::strerror(lock.error().error));
    if (!lock)
        return base::failure(Ending{exit_trouble, named + " is being changed by " +
                                                      lock.error().holder +
                                                      "; nothing was changed: try again"});
    auto entries = read();
    if (!entries) return base::failure(entries.error());
    const auto before = text_of_table(*entries);
    auto made = change(*entries);
    const auto text = text_of_table(*entries);
    if (text == before && files::is_there(named)) return made;
    if (text.size() > table_bytes_max) return unwritten(named, std::strerror(EFBIG));
    struct stat now {};
    const auto mode = ::stat(file.c_str(), &now) == 0 ? now.st_mode : new_file_mode;
    const auto kept = files::keep_file(file, text, mode & ALLPERMS);
    if (!kept) return unwritten(file, kept.error());
    return made;
}

Entering enter(Entries& entries, const Candidate& candidate, std::int64_t bar) {
    const auto& entry = candidate.entry;
    const auto there = std::ranges::find_if(entries, [&entry](const HallEntry& other) {
        return other.game == entry.game && other.semester == entry.semester &&
               other.bot == entry.bot;
    });
    const bool is_there = there != entries.end();
    const auto best = is_there ? there->thousandths : 0;
    const auto name = base::visible_line(entry.bot);
    const auto average = thousandths_text(entry.thousandths);
    if (!candidate.hindrance.empty())
        return {is_there, name + " does not enter: " + base::visible_line(candidate.hindrance)};
    if (is_there && best >= entry.thousandths)
        return {true, name + " stays with " + thousandths_text(best) +
                          (best > entry.thousandths ? "; now it has " + average : std::string())};
    if (entry.thousandths < bar)
        return {is_there, name + " does not enter: " + average + " is below the bar of " +
                              thousandths_text(bar)};
    if (is_there) entries.erase(there);
    entries.push_back(entry);
    return {true, is_there ? name + " rises from " + thousandths_text(best) + " to " + average
                           : name + " enters with " + average};
}

// Into the entry, the average that counts. False: no step has one.
bool read_average(json::Reader& grade, const std::string& step, HallEntry& entry) {
    std::optional<double> found;
    const auto steps = grade.array("steps");
    for (const auto element : steps.elements()) {
        json::Reader reader(element);
        if ((!step.empty() && reader.given("id").string() != step) || !reader.has("average"))
            continue;
        json::Reader average(reader.object("average"));
        const auto score = average.member("score").number(-average_most, average_most).value_or(0);
        const auto games = average.member("games").unsigned_integer({.least = 1}).value_or(0);
        if (found && (found != score || entry.games != games))
            grade.wrong("steps", "different averages: say which one counts with --step ID");
        found = score;
        // Rounded down, so that nobody reaches a bar by rounding; what a double can't hold is made
        // up for.
        constexpr double unheld = 1e-6;
        entry.thousandths =
            static_cast<std::int64_t>(std::floor(score * thousandths_of_one + unheld));
        entry.games = games;
        entry.seeds =
            reader.given("hidden").boolean().value_or(false) ? "hidden" : average.text("seeds");
    }
    return found.has_value();
}

// Of a program that could not play, each step failed for that reason; empty where one didn't.
std::string why_unplayed(json::View steps) {
    std::string reason;
    for (const auto step : steps.elements()) {
        if (step.find("verdict").string() != "failed" || step.find("average")) return {};
        reason = step.find("reason").text();
    }
    return reason;
}

// "2026-12-18", in universal time.
std::string date_of(std::int64_t time_ms) {
    const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(time_ms)};
    return fmt::format("{:%Y-%m-%d}", std::chrono::floor<std::chrono::seconds>(time));
}

// Of "sha256:0123..." as many digits as people compare.
std::string shortened(const std::string& hash) {
    constexpr std::size_t digits_shown = 12;
    return hash.substr(hash.find(':') + 1, digits_shown);
}

// The heading, and a line for each entry; for people hashes are shortened.
std::vector<files::Cells> lines_of(const Entries& entries, bool for_people) {
    std::vector<files::Cells> lines{{"rank", "average", "name", "semester", "entered", "games",
                                     "seeds", "rubric", "program", "game"}};
    const auto hash = [for_people](const auto& of) { return for_people ? shortened(of) : of; };
    for (const auto& its : entries)
        lines.push_back({std::to_string(its.rank), thousandths_text(its.thousandths), its.bot,
                         its.semester, date_of(its.entered_ms), std::to_string(its.games),
                         its.seeds, hash(its.rubric_hash), hash(its.program), its.game});
    return lines;
}

}  // namespace

std::string file_of(const std::string& file_or_folder) {
    std::error_code unknown;
    if (!fs::is_directory(file_or_folder, unknown)) return file_or_folder;
    return (fs::path(file_or_folder) / default_name).string();
}

base::Result<Candidate, std::string> read_candidate(const std::string& file,
                                                    const std::string& step) {
    const auto read_grade = [&](json::Reader& grade, Candidate& candidate) {
        auto& entry = candidate.entry;
        entry.bot = grade.text("name");
        if (entry.bot.empty()) grade.wrong("name", "expected a name, found none");
        entry.program = grade.text("program");
        entry.version = grade.text("version");
        json::Reader rubric(grade.object("rubric"));
        entry.rubric_hash = rubric.text("hash");
        entry.game = rubric.text("game");
        if (!grade.boolean("final")) {
            candidate.hindrance = "the grade isn't final; grade again";
        } else if (!read_average(grade, step, entry)) {
            candidate.hindrance = why_unplayed(grade.given("steps"));
            if (candidate.hindrance.empty())
                grade.wrong("steps", "expected a step " + (step.empty() ? "" : '"' + step + "\" ") +
                                         "with an average (the rule average_score), found none");
        }
    };
    return read_json<Candidate>(file, grade_bytes_max,
                                "expected a grade.json, as `referee grade` writes it", read_grade);
}

base::Result<Entries, Ending> read_table(const std::string& file) {
    const auto read_entries = [](json::Reader& table, Entries& entries) {
        const auto list = table.array("hall_of_fame");
        for (const auto element : list.elements()) {
            json::Reader reader(element);
            for_each_member(
                entries.emplace_back(),
                base::Overloaded{
                    [&](const char* name, std::string& word) { word = reader.text(name); },
                    [&](const char* name, auto& number) {
                        using Number = std::remove_reference_t<decltype(number)>;
                        number = reader.member(name).integer_of<Number>().value_or(0);
                    }});
        }
    };
    return read_json<Entries>(
               file, table_bytes_max,
               "expected a Hall of Fame, JSON with \"hall_of_fame\", a list of entries",
               read_entries)
        .map_error([](const auto& wrong) {
            return Ending{exit_bad_input, wrong};
        });
}

base::Result<std::vector<Entering>, Ending> add(const std::string& file,
                                                const std::vector<Candidate>& candidates,
                                                std::int64_t bar) {
    return change_table(file, true, [&](Entries& entries) {
        std::vector<Entering> all;
        for (const auto& candidate : candidates) all.push_back(enter(entries, candidate, bar));
        return all;
    });
}

base::Result<std::size_t, Ending> remove(const std::string& file, const std::string& name,
                                         const Filter& filter) {
    return change_table(file, false, [&](Entries& entries) {
        return std::erase_if(entries, [&](const HallEntry& entry) {
            return entry.bot == name && filter.has(entry);
        });
    });
}

base::Result<std::string, Ending> forget(const std::string& file, const std::string& name) {
    return change_table(file, false, [&](Entries& entries) {
        if (!base::contains(entries, name, &HallEntry::bot)) return std::string();
        std::vector<std::string> known;
        for (const auto& entry : entries) known.push_back(entry.bot);
        const auto placeholder = records::next_placeholder(known);
        for (auto& entry : entries) {
            if (entry.bot != name) continue;
            entry.bot = placeholder;
            entry.program.clear();  // it would tell whose it was
        }
        return placeholder;
    });
}

Entries ranked(Entries entries, const Filter& filter) {
    std::erase_if(entries, [&](const HallEntry& entry) { return !filter.has(entry); });
    // Of those with the same average who came first stands first.
    std::ranges::stable_sort(entries, [](const HallEntry& one, const HallEntry& other) {
        return std::tie(one.game, other.thousandths) < std::tie(other.game, one.thousandths);
    });
    std::size_t first = 0;  // of its game
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto& its = entries[i];
        if (its.game != entries[first].game) first = i;
        const bool ties = i > first && entries[i - 1].thousandths == its.thousandths;
        its.rank = ties ? entries[i - 1].rank : i - first + 1;
    }
    return entries;
}

std::vector<std::string> doubts_about(const Entries& entries) {
    // What the averages of each game come from: by the game, and whether these are rubrics.
    std::map<std::pair<std::string, bool>, std::set<std::string>> sources;
    for (const auto& its : entries) {
        sources[{its.game, false}].insert(its.seeds);
        sources[{its.game, true}].insert(shortened(its.rubric_hash));
    }
    std::vector<std::string> doubts;
    for (const auto& [of, those] : sources) {
        if (those.size() < 2) continue;
        const auto list = base::joined(those, ", ", [](const auto& one) {
            return one.empty() ? "not told" : base::visible_line(one);
        });
        doubts.push_back(of.first + ": these averages come from different " +
                         (of.second ? "rubrics" : "seeds") + " (" + list +
                         "), so a better place need not be a better program");
    }
    return doubts;
}

std::string text_of(const Entries& entries) {
    if (entries.empty()) return "Nobody stands there yet.\n";
    return files::table_text(lines_of(entries, true));
}

std::string csv_of(const Entries& entries) {
    return files::csv_text(lines_of(entries, false));
}

std::string markdown_of(const Entries& entries) {
    std::string text;
    for (const auto& cells : lines_of(entries, true)) {
        const bool is_heading = text.empty();
        text += "| " + base::joined(cells, " | ", base::in_markdown) + " |\n";
        if (!is_heading) continue;
        for (std::size_t i = 0; i < cells.size(); ++i) text += "| --- ";
        text += "|\n";
    }
    return text;
}

std::string json_of(const Entries& entries) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().key("tie_breaks").begin_array().string("average").end_array();
    writer.key("bots").begin_array();
    for (const auto& entry : entries)
        writer.begin_object()
            .member("rank", entry.rank)
            .member("name", entry.bot)
            .member("average", static_cast<double>(entry.thousandths) / thousandths_of_one)
            .member("game", entry.game)
            .member("semester", entry.semester)
            .member("entered", date_of(entry.entered_ms))
            .member("games", entry.games)
            .member("seeds", entry.seeds)
            .member("rubric", entry.rubric_hash)
            .member("program", entry.program)
            .member("version", entry.version)
            .end_object();
    writer.end_array().end_object();
    return text + '\n';
}

}  // namespace referee::hall_of_fame

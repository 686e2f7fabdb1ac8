#include "referee/grading/hall_of_fame/hall.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <set>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/grading/feedback/shown.h"
#include "referee/report/text_table.h"

namespace referee::hall_of_fame {

using base::thousandths_text;
namespace json = protocol::json;

std::vector<HallRow> rows_of(const Entries& entries, const Filter& filter) {
    std::vector<HallRow> rows;
    for (const auto& entry : entries) {
        if (!filter.game.empty() && filter.game != entry.game) continue;
        if (!filter.semester.empty() && filter.semester != entry.semester) continue;
        rows.push_back({0, entry});
    }
    // Of those with the same average who came first stands first.
    std::ranges::stable_sort(rows, [](const HallRow& one, const HallRow& other) {
        if (one.entry.game != other.entry.game) return one.entry.game < other.entry.game;
        return one.entry.thousandths > other.entry.thousandths;
    });
    std::size_t first_of_game = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool begins = i == 0 || rows[i - 1].entry.game != rows[i].entry.game;
        if (begins) first_of_game = i;
        const bool ties = !begins && rows[i - 1].entry.thousandths == rows[i].entry.thousandths;
        rows[i].rank = ties ? rows[i - 1].rank : i - first_of_game + 1;
    }
    return rows;
}

Entering enter(Entries& entries, const Candidate& candidate, std::int64_t bar) {
    const auto& entry = candidate.entry;
    const auto there = std::ranges::find_if(entries, [&entry](const HallEntry& other) {
        return other.game == entry.game && other.semester == entry.semester &&
               other.bot == entry.bot;
    });
    const bool is_there = there != entries.end();
    const auto name = base::visible_line(entry.bot);
    const auto average = thousandths_text(entry.thousandths);
    const auto refused = name + " does not enter: ";
    if (!candidate.hindrance.empty())
        return {is_there, refused + base::visible_line(candidate.hindrance)};
    if (is_there && there->thousandths >= entry.thousandths)
        return {true, name + " stays with " + thousandths_text(there->thousandths) +
                          (there->thousandths > entry.thousandths ? "; now it has " + average
                                                                  : std::string())};
    if (entry.thousandths < bar)
        return {is_there, refused + average + " is below the bar of " + thousandths_text(bar)};
    auto told = name + " enters with " + average;
    if (is_there) {
        told = name + " rises from " + thousandths_text(there->thousandths) + " to " + average;
        entries.erase(there);
    }
    entries.push_back(entry);
    return {true, std::move(told)};
}

namespace {

constexpr std::size_t grade_bytes_max = 16 * 1024 * 1024;
// No game's score comes near; and a number beyond it is a mistake.
constexpr double average_most = 1e12;

// Rounded down, so that nobody reaches a bar by rounding; what a double can't hold is made up for.
std::int64_t in_thousandths(double score) {
    constexpr double unheld = 1e-6;
    return static_cast<std::int64_t>(std::floor(score * thousandths_of_one + unheld));
}

// Into the entry, the average that counts; or what is wrong with the steps.
base::Result<void, std::string> find_average(json::Reader& grade, const std::string& step,
                                             HallEntry& entry) {
    std::optional<double> found;
    const auto steps = grade.array("steps");
    for (const auto element : steps.elements()) {
        json::Reader reader(element);
        const auto id = element.view().find("id").string().value_or("");
        if ((!step.empty() && id != step) || !reader.has("average")) continue;
        json::Reader average(reader.object("average"));
        const auto score = average.member("score").number(-average_most, average_most).value_or(0);
        json::Bounds<std::uint64_t> least;
        least.least = 1;
        const auto games = average.member("games").integer_of(least).value_or(0);
        if (found && (found != score || entry.games != games))
            return base::failure(std::string(
                "its steps have different averages: say which one counts with --step ID"));
        found = score;
        entry.thousandths = in_thousandths(score);
        entry.games = games;
        entry.seeds = average.text("seeds");
    }
    if (found) return {};
    return base::failure("expected a step " + (step.empty() ? "" : '"' + step + "\" ") +
                         "with an average (the rule average_score), found none");
}

// Of a program that could not play, each step failed for that reason; empty where one didn't.
std::string why_unplayed(json::View steps) {
    std::string reason;
    for (const auto step : steps.elements()) {
        if (step.find("verdict").string() != "failed" || step.find("average")) return {};
        reason = step.find("reason").string().value_or("");
    }
    return reason;
}

}  // namespace

base::Result<Candidate, std::string> read_candidate(const std::string& file,
                                                    const std::string& step) {
    const auto text = files::read_named_file(file, grade_bytes_max);
    if (!text) return base::failure(file + " " + text.error());
    json::Document document;
    if (!document.parse(*text, {.depth_max = protocol::limits::depth_max}) ||
        !document.root().is_object())
        return base::failure(file + ": expected a grade.json, as `referee grade` writes it");
    json::Mistakes mistakes;
    json::Reader grade(document.root(), mistakes);
    Candidate candidate;
    auto& entry = candidate.entry;
    entry.bot = grade.text("name");
    if (entry.bot.empty()) grade.wrong("name", "name: expected a name, found none");
    entry.program = grade.text("program");
    entry.version = grade.text("version");
    const bool is_final = grade.member("final").boolean().value_or(false);
    json::Reader rubric(grade.object("rubric"));
    entry.rubric_hash = rubric.text("hash");
    entry.game = rubric.text("game");
    const auto average = find_average(grade, step, entry);
    if (mistakes) return base::failure(file + ": " + mistakes.first().text());
    if (!is_final) {
        candidate.hindrance = "the grade isn't final; grade again";
    } else if (!average) {
        candidate.hindrance = why_unplayed(document.root().find("steps"));
        if (candidate.hindrance.empty()) return base::failure(file + ": " + average.error());
    }
    return candidate;
}

namespace {

// As many digits of a hash as people compare.
constexpr std::size_t digits_shown = 12;

// "2026-12-18", in universal time.
std::string date_of(std::int64_t time_ms) {
    constexpr std::int64_t ms_of_second = 1000;
    const auto seconds = static_cast<std::time_t>(time_ms / ms_of_second);
    std::tm day{};
    ::gmtime_r(&seconds, &day);
    std::array<char, 16> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &day)};
}

// Of "sha256:0123..." its first digits.
std::string shortened(const std::string& hash) {
    const auto digits = hash.find(':');
    return hash.substr(digits == std::string::npos ? 0 : digits + 1, digits_shown);
}

using report::Cells;
const Cells heading{"rank",  "average", "name",   "semester", "entered",
                    "games", "seeds",   "rubric", "program",  "game"};

// The heading, and a line for each row; for people hashes are shortened.
std::vector<Cells> lines_of(std::vector<HallRow> rows, bool for_people) {
    std::vector<Cells> lines{heading};
    for (auto& row : rows) {
        auto& [game, semester, bot, thousandths, games, seeds, rubric, program, version, entered] =
            row.entry;
        if (for_people) rubric = shortened(rubric);
        if (for_people) program = shortened(program);
        lines.push_back({std::to_string(row.rank), thousandths_text(thousandths), bot, semester,
                         date_of(entered), std::to_string(games), seeds, rubric, program, game});
    }
    return lines;
}

}  // namespace

std::string text_of(const std::vector<HallRow>& rows) {
    if (rows.empty()) return "Nobody stands there yet.\n";
    return report::table_text(lines_of(rows, true));
}

std::vector<std::string> doubts_about(const std::vector<HallRow>& rows) {
    // Of each game, what its averages come from: seeds, and rubrics.
    std::map<std::string, std::array<std::set<std::string>, 2>> games;
    for (const auto& row : rows) {
        auto& [seeds, rubrics] = games[row.entry.game];
        seeds.insert(row.entry.seeds);
        rubrics.insert(shortened(row.entry.rubric_hash));
    }
    std::vector<std::string> doubts;
    for (const auto& [game, made] : games) {
        for (const auto& those : made) {
            if (those.size() < 2) continue;
            const auto list = base::joined(those, ", ", [](const auto& one) {
                return one.empty() ? "not told" : base::visible_line(one);
            });
            doubts.push_back(game + ": these averages come from different " +
                             (&those == &made[0] ? "seeds" : "rubrics") + " (" + list +
                             "), so a better place need not be a better program");
        }
    }
    return doubts;
}

std::string csv_of(const std::vector<HallRow>& rows) {
    return report::csv_text(lines_of(rows, false));
}

std::string markdown_of(const std::vector<HallRow>& rows) {
    std::string text;
    for (const auto& cells : lines_of(rows, true)) {
        const bool is_heading = text.empty();
        std::string rule = "|";
        text += '|';
        for (const auto& cell : cells) {
            text += ' ' + feedback::in_markdown(cell) + " |";
            rule += " --- |";
        }
        text += '\n' + (is_heading ? rule + '\n' : "");
    }
    return text;
}

std::string json_of(const std::vector<HallRow>& rows) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().key("tie_breaks").begin_array();
    writer.string("average").end_array().key("bots").begin_array();
    for (const auto& row : rows) {
        const auto& entry = row.entry;
        writer.begin_object().member("rank", row.rank).member("name", entry.bot).key("average");
        writer.real(static_cast<double>(entry.thousandths) / thousandths_of_one)
            .member("game", entry.game)
            .member("semester", entry.semester)
            .member("entered", date_of(entry.entered_ms))
            .member("games", entry.games)
            .member("seeds", entry.seeds)
            .member("rubric", entry.rubric_hash)
            .member("program", entry.program)
            .member("version", entry.version)
            .end_object();
    }
    writer.end_array().end_object();
    return text + '\n';
}

}  // namespace referee::hall_of_fame

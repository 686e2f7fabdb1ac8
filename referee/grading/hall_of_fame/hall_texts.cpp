#include <array>
#include <ctime>
#include <map>
#include <set>

#include "protocol/json/text.h"
#include "protocol/json/writer.h"
#include "referee/grading/feedback/escaped.h"
#include "referee/grading/hall_of_fame/hall.h"
#include "referee/report/text_table.h"

namespace referee::hall_of_fame {
namespace {

using protocol::json::Writer;
using Cells = std::vector<std::string>;

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

const Cells heading{"rank",  "average", "name",   "semester", "entered",
                    "games", "seeds",   "rubric", "program",  "game"};

Cells cells_of(const HallRow& row) {
    const auto& entry = row.entry;
    return {std::to_string(row.rank),
            average_text(entry.thousandths),
            entry.bot,
            entry.semester,
            date_of(entry.entered_ms),
            std::to_string(entry.games),
            entry.seeds,
            entry.rubric_hash,
            entry.program,
            entry.game};
}

Cells cells_for_people(HallRow row) {
    row.entry.rubric_hash = shortened(row.entry.rubric_hash);
    row.entry.program = shortened(row.entry.program);
    return cells_of(row);
}

std::string markdown_line(const Cells& cells) {
    std::string line = "|";
    for (const auto& cell : cells) line += ' ' + grading::in_markdown(cell) + " |";
    return line + '\n';
}

}  // namespace

std::string average_text(std::int64_t thousandths) {
    constexpr int decimals = 3;
    auto text = report::fixed_text(static_cast<double>(thousandths) / thousandths_of_one, decimals);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
}

std::string text_of(const std::vector<HallRow>& rows) {
    if (rows.empty()) return "Nobody stands there yet.\n";
    report::TextTable table(heading);
    for (const auto& row : rows) table.add(cells_for_people(row));
    return table.text();
}

std::vector<std::string> doubts_about(const std::vector<HallRow>& rows) {
    struct Made {
        std::set<std::string> seeds, rubrics;
    };
    std::map<std::string, Made> games;
    for (const auto& row : rows) {
        games[row.entry.game].seeds.insert(row.entry.seeds);
        games[row.entry.game].rubrics.insert(shortened(row.entry.rubric_hash));
    }
    std::vector<std::string> doubts;
    for (const auto& [game, made] : games) {
        const auto doubt = [&doubts, &game = game](const std::set<std::string>& those,
                                                   const char* what) {
            if (those.size() < 2) return;
            std::string list;
            for (const auto& one : those)
                list += (list.empty() ? "" : ", ") +
                        (one.empty() ? "not told" : protocol::json::visible_line(one));
            doubts.push_back(game + ": these averages come from different " + what + " (" + list +
                             "), so a better place need not be a better program");
        };
        doubt(made.seeds, "seeds");
        doubt(made.rubrics, "rubrics");
    }
    return doubts;
}

std::string csv_of(const std::vector<HallRow>& rows) {
    std::string text;
    report::add_csv_line(text, heading);
    for (const auto& row : rows) report::add_csv_line(text, cells_of(row));
    return text;
}

std::string markdown_of(const std::vector<HallRow>& rows) {
    auto text = markdown_line(heading) + "|";
    for (std::size_t i = 0; i < heading.size(); ++i) text += " --- |";
    text += '\n';
    for (const auto& row : rows) text += markdown_line(cells_for_people(row));
    return text;
}

std::string json_of(const std::vector<HallRow>& rows) {
    std::string text;
    Writer writer(text);
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

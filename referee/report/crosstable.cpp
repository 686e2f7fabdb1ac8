#include "referee/report/tournament_texts.h"

#include <algorithm>
#include <span>

#include "protocol/base/text.h"
#include "referee/files/text_table.h"
#include "referee/report/standings_rows.h"

namespace referee::report {
namespace {

namespace json = protocol::json;
using formats::FormatKind;

constexpr std::size_t matrix_entrants_most = 64;  // wider tables can't be read
constexpr std::size_t meetings_told_most = 4;     // in one cell; more are summed up
constexpr std::string_view seat_letters = "abcdefgh";

// "W", "D", "L"; "+" or "-" where somebody didn't come; "" where the bot was alone.
std::string letter_of(const Appearance& appearance) {
    const auto& [match, seat] = appearance;
    if (match->seats.size() == 1) return "";
    if (match->forfeit()) {
        const auto came = std::ranges::count(match->absent, false);
        if (match->absent[seat]) return "-";
        if (came == 1) return "+";
    }
    if (match->seats.size() > 2) return std::to_string(match->placing[seat]);
    const int other = match->placing[1 - seat];
    return match->placing[seat] < other ? "W" : match->placing[seat] > other ? "L" : "D";
}

std::string_view ruled_mark(const formats::MatchResult& match) {
    return match.ruled ? "*" : "";
}

class CrosstableLines {
 public:
    explicit CrosstableLines(const Ledger& ledger) : ledger_(ledger), rows_(rows_of(ledger)) {
        number_of_.assign(ledger.entries.size(), 0);
        for (std::size_t i = 0; i < rows_.size(); ++i) number_of_[rows_[i].entrant] = i + 1;
        for (standings::Entrant entrant = 0; entrant < ledger.entries.size(); ++entrant) {
            if (number_of_[entrant] > 0) continue;
            without_place_.push_back(entrant);
            number_of_[entrant] = rows_.size() + without_place_.size();
        }
        const auto kind = ledger.config.format.kind();
        const bool has_rounds = kind != FormatKind::ladder;
        by_opponent_ =
            (kind == FormatKind::round_robin || kind == FormatKind::gauntlet || !has_rounds) &&
            rows_.size() <= matrix_entrants_most;
        if (!has_rounds) return;
        for (const auto& match : ledger.results) rounds_ = std::max(rounds_, match.round);
        for (const auto& bye : ledger.byes) rounds_ = std::max(rounds_, bye.round);
    }

    std::vector<files::Cells> lines() const {
        std::vector<files::Cells> lines{heading()};
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto& row = rows_[i];
            files::Cells line{std::to_string(i + 1), ledger_.name(row.entrant)};
            const auto middle = by_opponent_ ? by_opponent(row) : by_round(row);
            line.insert(line.end(), middle.begin(), middle.end());
            line.push_back(points_of(row));
            line.push_back(rank_text(row.rank));
            lines.push_back(std::move(line));
        }
        for (const auto entrant : without_place_) {
            files::Cells line{std::to_string(number_of_[entrant]), ledger_.name(entrant)};
            line.resize(lines.front().size());
            line.back() = "opponent";
            lines.push_back(std::move(line));
        }
        return lines;
    }

    std::string legend() const {
        const auto ruled = [](const auto& match) { return match.ruled; };
        return cells_legend() + (std::ranges::any_of(ledger_.results, ruled)
                                     ? " A star behind points: an arbiter set that result."
                                     : "");
    }

 private:
    std::string cells_legend() const {
        if (!by_opponent_ && rounds_ == 0)
            return fmt::format(
                "A column for each bot stands here where there are {} bots or fewer.",
                matrix_entrants_most);
        constexpr std::string_view letters =
            ": W won, D drawn, L lost, in pods the place, + and - a forfeit; ";
        if (!by_opponent_)
            return "A column for each round" + std::string(letters) +
                   "the numbers of those met; the seat, from a; the points.";
        return fmt::format(
            "A column for each bot{}then the points of the match. More than {} meetings: points of "
            "matches.",
            letters, meetings_told_most);
    }

    files::Cells heading() const {
        files::Cells line{"no", "name"};
        for (std::size_t i = 0; by_opponent_ && i < rows_.size(); ++i)
            line.push_back(std::to_string(i + 1));
        for (std::uint32_t round = 1; !by_opponent_ && round <= rounds_; ++round)
            line.push_back("round " + std::to_string(round));
        line.insert(line.end(), {"points", "rank"});
        return line;
    }

    // In the way in which the standings count them.
    std::string points_of(const Row& row) const {
        engines::Score sum;
        for (const auto& [match, seat] : row.appearances) sum += match->points[seat];
        for (const auto& bye : row.byes) sum += bye.points;
        return sum.text();
    }

    files::Cells by_opponent(const Row& row) const {
        struct Meetings {
            std::string told;
            std::size_t count = 0;
            engines::Score points;
        };
        std::vector<Meetings> met(rows_.size());
        for (const auto& appearance : row.appearances) {
            const auto& [match, seat] = appearance;
            for (std::size_t other = 0; other < match->seats.size(); ++other) {
                if (other == seat) continue;
                auto& cell = met[number_of_[match->seats[other]] - 1];
                const bool pod = match->seats.size() > 2;
                cell.told += (cell.count == 0 ? "" : " ") + letter_of(appearance) +
                             (pod ? ":" : "") + match->points[seat].text() +
                             std::string(ruled_mark(*match));
                ++cell.count;
                cell.points += match->points[seat];
            }
        }
        files::Cells cells;
        for (std::size_t i = 0; i < met.size(); ++i) {
            const auto& cell = met[i];
            const bool summed = cell.count > meetings_told_most;
            const auto text =
                summed ? fmt::format("{} of {}", cell.points.text(), cell.count) : cell.told;
            cells.push_back(number_of_[row.entrant] == i + 1 ? "*" : text);
        }
        return cells;
    }

    // For example "W3b 1"; of a pod "1b (5 7 3) 6".
    std::string round_text(const Appearance& appearance) const {
        const auto& [match, seat] = appearance;
        const auto points = match->points[seat].text() + std::string(ruled_mark(*match));
        std::string others;
        for (std::size_t other = 0; other < match->seats.size(); ++other) {
            if (other == seat) continue;
            others += (others.empty() ? "" : " ") + std::to_string(number_of_[match->seats[other]]);
        }
        if (others.empty()) return points;
        const std::string seat_letter(1, seat_letters[seat]);
        if (match->seats.size() == 2)
            return letter_of(appearance) + others + seat_letter + " " + points;
        return letter_of(appearance) + seat_letter + " (" + others + ") " + points;
    }

    files::Cells by_round(const Row& row) const {
        std::vector<std::string> told(rounds_);
        if (rounds_ == 0) return told;
        const auto add = [&told](std::uint32_t round, const std::string& text) {
            auto& cell = told[round - 1];
            cell += (cell.empty() ? "" : "; ") + text;
        };
        for (const auto& appearance : row.appearances)
            add(appearance.match->round, round_text(appearance));
        for (const auto& bye : row.byes)
            add(bye.round,
                bye.kind == standings::ByeKind::zero_point ? "absent" : "bye " + bye.points.text());
        return told;
    }

    const Ledger& ledger_;
    std::vector<Row> rows_;
    std::vector<std::size_t> number_of_;             // by entrant, counted from 1
    std::vector<standings::Entrant> without_place_;  // they have numbers behind the rows
    std::uint32_t rounds_ = 0;
    bool by_opponent_ = false;
};

constexpr std::size_t cells_before = 2;                 // the number, the name
constexpr std::size_t cells_around = cells_before + 2;  // the points, the rank

// Numbers are numbers, and what is empty is null.
void write_figure(json::Writer& writer, const std::string& cell) {
    const bool is_number = cell.find_first_not_of("0123456789.-") == std::string::npos;
    cell.empty() ? writer.null() : is_number ? writer.raw(cell) : writer.string(cell);
}

std::string crosstable_json(const Ledger& ledger, std::span<const files::Cells> lines) {
    std::string text;
    json::Writer writer(text);
    const auto middle = [](std::span<const std::string> line) {
        return line.subspan(cells_before, line.size() - cells_around);
    };
    writer.begin_object().member("tournament", ledger.config.id);
    writer.key("columns").texts(middle(lines.front())).key("bots").begin_array();
    for (const auto& line : lines.subspan(1)) {
        writer.begin_object().key("number").raw(line.front()).member("name", line[1]);
        writer.key("cells").texts(middle(line)).key("points");
        write_figure(writer, *(line.end() - 2));
        write_figure(writer.key("rank"), line.back());
        writer.end_object();
    }
    writer.end_array().end_object();
    return text + '\n';
}

}  // namespace

CrosstableText crosstable_text_of(const Ledger& ledger) {
    const CrosstableLines crosstable(ledger);
    const auto lines = crosstable.lines();
    return {crosstable_json(ledger, lines), files::csv_text(lines),
            ledger.config.id + ": " + ledger.config.game + "\n\n" + files::table_text(lines) +
                '\n' + crosstable.legend() + '\n'};
}

}  // namespace referee::report

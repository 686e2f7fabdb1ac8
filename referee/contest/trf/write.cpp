#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "referee/contest/trf/trf_reading.h"

namespace referee::trf {

namespace {

using pairing::Colour;
using pairing::PairingPoints;

int width_of(std::string_view text) {
    return TrfColumns(text, 0).size();
}

// Cut or filled with blanks to a number of columns.
std::string left(std::string_view text, int width) {
    std::string cell(TrfColumns(text, 0).cut(1, width));
    cell.append(static_cast<std::size_t>(width - width_of(cell)), ' ');
    return cell;
}

std::string right(std::string_view text, int width) {
    const std::string cell(TrfColumns(text, 0).cut(1, width));
    return std::string(static_cast<std::size_t>(width - width_of(cell)), ' ') + cell;
}

std::string right(int number, int width) {
    return right(std::to_string(number), width);
}

std::string zeros(int number, int width) {
    std::string cell = right(number, width);
    std::replace(cell.begin(), cell.end(), ' ', '0');
    return cell;
}

std::string points(int points_tenths) {
    constexpr int columns = 4;
    return right(tenths_text(points_tenths), columns);
}

std::string round_columns_of(const TrfRound& entry) {
    if (entry.is_blank()) return std::string(round_columns, ' ');
    const std::string opponent = entry.opponent == 0 ? "0000" : right(entry.opponent, 4);
    return "  " + opponent + " " + entry.colour + " " + entry.result;
}

std::string player_line(const PlayerRecord& player) {
    std::string line = "001 " + right(player.number, 4) + " " + player.sex;
    line += right(player.title, 3) + " " + left(player.name, 33) + " " + right(player.rating, 4);
    line += " " + left(player.federation, 3) + " " + right(player.fide_number, 11) + " " +
            left(player.birth_date, 10) + " ";
    line += player.points_tenths ? points(*player.points_tenths) : "    ";
    line += " " + (player.rank ? right(*player.rank, 4) : std::string(4, ' '));
    for (const TrfRound& entry : player.rounds) line += round_columns_of(entry);
    return line;
}

std::string numbers(const std::vector<int>& list) {
    std::string text;
    for (const int number : list) text += " " + right(number, 4);
    return text;
}

// Only what is not usual: a reader need not know the codes of the others. A bye is worth a win
// unless told otherwise.
void write_points(const PairingPoints& given, std::vector<std::string>& lines) {
    struct Code {
        char letter;
        int value;
        int usual;
    };
    constexpr PairingPoints usual;
    const std::array<Code, 5> codes = {{{'W', given.win, usual.win},
                                        {'D', given.draw, usual.draw},
                                        {'L', given.loss, usual.loss},
                                        {'A', given.absent, usual.absent},
                                        {'P', given.allocated_bye, given.win}}};
    std::string line;
    for (const auto& code : codes) {
        if (code.value == code.usual) continue;
        line +=
            (line.empty() ? "162  " : "    ") + std::string(1, code.letter) + points(code.value);
    }
    if (!line.empty()) lines.push_back(line);
}

// Results that a 162 line can't tell apart, as one BB or XX code each.
void write_other_points(const PairingPoints& given, std::vector<std::string>& lines) {
    std::string line;
    const auto differs = [&](const char* code, int value, int usual) {
        if (value != usual) line += std::string(" ") + code + "=" + tenths_text(value);
    };
    differs("FW", given.forfeit_win, given.win);
    differs("FL", given.forfeit_loss, given.absent);
    differs("FPB", given.full_bye, given.win);
    differs("HPB", given.half_bye, given.draw);
    if (!line.empty()) lines.push_back("XXS" + line);
}

void write_settings(const Document& document, std::vector<std::string>& lines) {
    if (document.rounds_total) lines.push_back("142 " + std::to_string(*document.rounds_total));
    if (document.initial_colour)
        lines.push_back(*document.initial_colour == Colour::white ? "152 W" : "152 B");
    if (document.ranked_by_rank) lines.push_back("XXC rank");
    if (!document.points) return;
    write_points(*document.points, lines);
    write_other_points(*document.points, lines);
}

void write_groups(const Document& document, std::vector<std::string>& lines) {
    for (const ByeRecord& record : document.byes)
        lines.push_back(std::string("240 ") + record.type + " " + zeros(record.round, 3) +
                        numbers(record.numbers));
    for (const AccelerationRecord& record : document.accelerations)
        lines.push_back("250      " + points(record.points_tenths) + " " +
                        zeros(record.first_round, 3) + " " + zeros(record.last_round, 3) + " " +
                        zeros(record.first_number, 4) + " " + zeros(record.last_number, 4));
    for (const ForbiddenRecord& record : document.forbidden)
        lines.push_back("260 " + zeros(record.first_round, 3) + " " + zeros(record.last_round, 3) +
                        numbers(record.numbers));
    for (const AbnormalPoints& record : document.abnormal)
        lines.push_back(std::string("299 ") + record.type + std::string(8, ' ') +
                        points(record.points_tenths) + "  " + zeros(record.round, 3) +
                        numbers(record.numbers));
}

}  // namespace

std::string write(const Document& document, LineEnd line_end) {
    std::vector<std::string> head;
    std::vector<std::string> tail;
    for (const PlainRecord& record : document.plain)
        (in_tournament_section(record) ? head : tail).push_back(record.code + record.text);
    std::vector<std::string> lines = std::move(head);
    write_settings(document, lines);
    for (const PlayerRecord& player : document.players) lines.push_back(player_line(player));
    write_groups(document, lines);
    lines.insert(lines.end(), tail.begin(), tail.end());
    std::string text;
    for (const std::string& line : lines) text += line + (line_end == LineEnd::lf ? "\n" : "\r\n");
    return text;
}

}  // namespace referee::trf

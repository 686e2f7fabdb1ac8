#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "referee/contest/trf/trf.h"
#include "referee/contest/trf/trf_reading.h"

namespace referee::trf {
namespace {

constexpr int tenths_in_point = 10;

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text,
                               [](char byte) { return static_cast<unsigned char>(byte) < 0x80U; });
}

constexpr std::string_view digits = "0123456789";

bool is_of_the_tournament(std::string_view code) {
    return code.size() == 3 && code[2] == '2' && code[0] < '3' &&
           code.find_first_not_of(digits) == std::string_view::npos;
}

// Codes of digits are those of the format; other texts may be a federation, or a comment.
bool is_code(std::string_view code) {
    constexpr std::array<std::string_view, 14> others = {"001", "013", "240", "250", "260",
                                                         "299", "300", "310", "320", "330",
                                                         "352", "362", "801", "802"};
    if (code.size() != 3 || !is_ascii(code) || code.find_first_of(" \t") != std::string_view::npos)
        return false;
    return code.find_first_not_of(digits) != std::string_view::npos || is_of_the_tournament(code) ||
           base::contains(others, code);
}

Taken read_numbers(const TrfColumns& line, int first, Reading& reading, std::vector<int>& numbers) {
    for (const Word& word : words_from(line, first)) {
        const auto number = whole_number(word.text);
        if (!number || *number < 1) return wrong(line, word.column, "a player's number");
        numbers.push_back(*number);
        reading.mentions.push_back({*number, line.line(), word.column});
    }
    return {};
}

// A round in three columns. Blank and zero are read as 0 where they are allowed.
Taken read_round(const TrfColumns& line, int column, bool may_be_missing, int& round) {
    const std::string_view text = base::trimmed(line.cut(column, column + 2));
    const auto number = text.empty() && may_be_missing ? 0 : whole_number(text);
    if (!number || (*number == 0 && !may_be_missing))
        return wrong(line, column, "a round in three columns, such as '003'");
    round = *number;
    return {};
}

Taken read_byes(const TrfColumns& line, Reading& reading) {
    ByeRecord record;
    record.type = static_cast<char>(std::toupper(line.at(5)));
    if (record.type != 'F' && record.type != 'H' && record.type != 'Z')
        return wrong(line, 5, "F, H or Z, such as '240 H 003   26'");
    if (Taken taken = read_round(line, 7, false, record.round); !taken) return taken;
    if (Taken taken = read_numbers(line, 10, reading, record.numbers); !taken) return taken;
    reading.document.byes.push_back(std::move(record));
    return {};
}

Taken read_away(const TrfColumns& line, Reading& reading) {
    return read_numbers(line, 4, reading, reading.away);
}

Taken read_acceleration(const TrfColumns& line, Reading& reading) {
    AccelerationRecord record;
    std::string_view points = base::trimmed(line.cut(10, 13));
    if (points.empty()) points = base::trimmed(line.cut(5, 8));
    const auto value = tenths(points);
    if (!value) return wrong(line, 10, "virtual points, such as ' 1.0', in columns 10 to 13");
    record.points_tenths = *value;
    if (Taken taken = read_round(line, 15, false, record.first_round); !taken) return taken;
    if (Taken taken = read_round(line, 19, false, record.last_round); !taken) return taken;
    const auto first = whole_number(line.cut(23, 26));
    const auto last = whole_number(line.cut(28, 31));
    if (!first) return wrong(line, 23, "the first player's number in columns 23 to 26");
    if (!last) return wrong(line, 28, "the last player's number in columns 28 to 31");
    if (record.last_round < record.first_round)
        return wrong(line, 19, "a last round that is not before the first");
    if (*last < *first) return wrong(line, 28, "a last player who is not before the first");
    record.first_number = *first;
    record.last_number = *last;
    reading.document.accelerations.push_back(record);
    return {};
}

// XXA: a player, then his virtual points round by round.
Taken read_player_acceleration(const TrfColumns& line, Reading& reading) {
    const auto words = words_from(line, 4);
    const auto number = words.empty() ? std::nullopt : whole_number(words.front().text);
    if (!number || *number < 1) return wrong(line, 5, "a player's number");
    std::vector<int> by_round;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto value = tenths(words[i].text);
        if (!value) return wrong(line, words[i].column, "virtual points, such as '1.0'");
        by_round.push_back(*value);
    }
    reading.mentions.push_back({*number, line.line(), words.front().column});
    add_virtual_points(reading.document.accelerations, *number, by_round);
    return {};
}

Taken read_forbidden(const TrfColumns& line, Reading& reading) {
    ForbiddenRecord record;
    if (Taken taken = read_round(line, 5, false, record.first_round); !taken) return taken;
    if (Taken taken = read_round(line, 9, false, record.last_round); !taken) return taken;
    if (record.last_round < record.first_round)
        return wrong(line, 9, "a last round that is not before the first");
    if (Taken taken = read_numbers(line, 12, reading, record.numbers); !taken) return taken;
    reading.document.forbidden.push_back(std::move(record));
    return {};
}

Taken read_forbidden_always(const TrfColumns& line, Reading& reading) {
    ForbiddenRecord record;
    if (Taken taken = read_numbers(line, 4, reading, record.numbers); !taken) return taken;
    reading.document.forbidden.push_back(std::move(record));
    return {};
}

Taken read_abnormal(const TrfColumns& line, Reading& reading) {
    constexpr std::string_view types = "WDLFHZ+- ";
    AbnormalPoints record;
    record.type = static_cast<char>(std::toupper(line.at(5)));
    if (types.find(record.type) == std::string_view::npos)
        return wrong(line, 5, "W, D, L, F, H, Z, +, - or a blank");
    std::string_view points = base::trimmed(line.cut(13, 18));
    if (points.empty()) points = base::trimmed(line.cut(7, 12));
    const auto value = tenths(points);
    if (!value) return wrong(line, 14, "points, such as ' 1.0' or '-1.0', in columns 14 to 17");
    record.points_tenths = *value;
    if (Taken taken = read_round(line, 20, true, record.round); !taken) return taken;
    if (Taken taken = read_numbers(line, 24, reading, record.numbers); !taken) return taken;
    reading.document.abnormal.push_back(std::move(record));
    return {};
}

struct CodeReader {
    std::string_view code;
    Taken (*read)(const TrfColumns& line, Reading& reading);
};
constexpr std::array<CodeReader, 20> readers = {{
    {"001", read_player},
    {"142", read_total},
    {"XXR", read_total},
    {"152", read_initial_colour},
    {"XXC", read_configuration},
    {"162", read_points},
    {"XXS", read_assignments},
    {"BBW", read_single_points},
    {"BBD", read_single_points},
    {"BBL", read_single_points},
    {"BBZ", read_single_points},
    {"BBF", read_single_points},
    {"BBU", read_single_points},
    {"240", read_byes},
    {"XXZ", read_away},
    {"250", read_acceleration},
    {"XXA", read_player_acceleration},
    {"260", read_forbidden},
    {"XXP", read_forbidden_always},
    {"299", read_abnormal},
}};

// Whatever ends them.
std::vector<TrfColumns> lines_of(std::string_view text, Counting counting) {
    std::vector<TrfColumns> lines;
    int number = 1;
    for (std::size_t start = 0; start < text.size(); ++number) {
        const std::size_t end = std::min(text.find_first_of("\r\n", start), text.size());
        lines.emplace_back(text.substr(start, end - start), number, counting);
        const bool both = end + 1 < text.size() && text[end] == '\r' && text[end + 1] == '\n';
        start = end + (both ? 2 : 1);
    }
    return lines;
}

Taken read_line(const TrfColumns& line, Reading& reading) {
    const std::string_view code = line.cut(1, 3);
    if (base::trimmed(line.text()).empty()) return {};
    if (!is_code(code)) return wrong(line, 1, "a code of the format, such as '001' or '142'");
    const auto* const found = std::ranges::find(readers, code, &CodeReader::code);
    if (found != readers.end()) return found->read(line, reading);
    reading.document.plain.push_back({std::string(code), std::string(line.from(4))});
    return {};
}

void finish(Reading& reading) {
    Document& document = reading.document;
    std::stable_partition(document.plain.begin(), document.plain.end(), in_tournament_section);
    if (!reading.away.empty())
        document.byes.push_back({'Z', rounds_played(document) + 1, reading.away});
}

base::Result<Document, Mistake> read(std::string_view text, Counting counting) {
    Reading reading;
    const std::vector<TrfColumns> lines = lines_of(text, counting);
    for (const TrfColumns& line : lines)
        if (Taken taken = read_line(line, reading); !taken)
            return base::failure(std::move(taken.error()));
    if (reading.document.players.empty())
        return base::failure(Mistake{static_cast<int>(lines.size()) + 1, 1,
                                     "a player line, such as '001    1 ...'"});
    if (Taken taken = check_players(reading); !taken)
        return base::failure(std::move(taken.error()));
    finish(reading);
    return std::move(reading.document);
}

}  // namespace

TrfColumns::TrfColumns(std::string_view text, int line, Counting counting)
    : text_(text), line_(line), size_(static_cast<int>(text.size())) {
    if (counting == Counting::bytes || is_ascii(text)) return;
    for (std::size_t i = 0; i < text.size();) {
        starts_.push_back(i);
        i += base::first_character(text.substr(i)).bytes;
    }
    size_ = static_cast<int>(starts_.size());
}

std::string_view TrfColumns::cut(int first, int last) const {
    last = std::min(last, size_);
    if (first > last) return {};
    const auto begin = static_cast<std::size_t>(first - 1);
    const auto end = static_cast<std::size_t>(last);
    if (starts_.empty()) return text_.substr(begin, end - begin);
    const std::size_t stop = end < starts_.size() ? starts_[end] : text_.size();
    return text_.substr(starts_[begin], stop - starts_[begin]);
}

char TrfColumns::at(int column) const {
    const std::string_view character = cut(column, column);
    if (character.empty()) return ' ';
    return character.size() == 1 ? character.front() : '?';
}

std::optional<int> whole_number(std::string_view text) {
    const auto number = base::whole_number<int>(base::trimmed(text));
    return number && *number >= 0 ? number : std::nullopt;
}

std::optional<int> tenths(std::string_view text) {
    constexpr int most_points = 100'000;
    text = base::trimmed(text);
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    const std::size_t point = std::min(text.find_first_of(".,"), text.size());
    const std::string_view decimals = point < text.size() ? text.substr(point + 1) : "";
    if (decimals.find_first_not_of('0', 1) != std::string_view::npos) return std::nullopt;
    const auto whole = point == 0 && !decimals.empty() ? 0 : whole_number(text.substr(0, point));
    const auto tenth = decimals.empty() ? 0 : whole_number(decimals.substr(0, 1));
    if (!whole || !tenth || *whole > most_points) return std::nullopt;
    const int sum = *whole * tenths_in_point + *tenth;
    return negative ? -sum : sum;
}

std::string tenths_text(int points_tenths) {
    const int size = std::abs(points_tenths);
    return fmt::format("{}{}.{}", points_tenths < 0 ? "-" : "", size / tenths_in_point,
                       size % tenths_in_point);
}

std::vector<Word> words_from(const TrfColumns& line, int first) {
    std::vector<Word> words;
    const auto is_blank = [&](int column) {
        return line.at(column) == ' ' || line.at(column) == '\t';
    };
    for (int column = first; column <= line.size();) {
        if (is_blank(column)) {
            ++column;
            continue;
        }
        int end = column;
        while (end < line.size() && !is_blank(end + 1)) ++end;
        words.push_back({line.cut(column, end), column});
        column = end + 1;
    }
    return words;
}

base::Result<Document, Mistake> parse(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.substr(0, byte_order_mark.size()) == byte_order_mark)
        text.remove_prefix(byte_order_mark.size());
    auto by_characters = read(text, Counting::characters);
    if (by_characters || is_ascii(text)) return by_characters;
    auto by_bytes = read(text, Counting::bytes);
    return by_bytes ? by_bytes : by_characters;
}

bool in_tournament_section(const PlainRecord& record) {
    return is_of_the_tournament(record.code);
}

int rounds_played(const Document& document) {
    int played = 0;
    for (const PlayerRecord& player : document.players)
        for (int round = static_cast<int>(player.rounds.size()); round > played; --round) {
            const TrfRound& entry = player.rounds[static_cast<std::size_t>(round - 1)];
            if (entry.opponent != 0 || entry.result == 'U' || entry.result == '+') played = round;
        }
    return played;
}

}  // namespace referee::trf

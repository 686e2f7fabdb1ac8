#include <algorithm>
#include <array>

#include "referee/contest/trf/reading.h"

namespace referee::trf {

namespace {

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
           std::find(others.begin(), others.end(), code) != others.end();
}

Taken read_line(const Columns& line, Reading& reading) {
    const std::string_view code = line.cut(1, 3);
    if (trimmed(line.text()).empty()) return {};
    if (!is_code(code))
        return base::failure(
            Problem{line.line(), 1, "a code of the format, such as '001' or '142'"});
    if (code == "001") return read_player(line, reading);
    if (reads_settings(code)) return read_settings(line, reading);
    if (reads_groups(code)) return read_groups(line, reading);
    reading.document.plain.push_back({std::string(code), std::string(line.from(4))});
    return {};
}

void finish(Reading& reading) {
    Document& document = reading.document;
    std::stable_partition(document.plain.begin(), document.plain.end(), in_tournament_section);
    if (!reading.away.empty())
        document.byes.push_back({'Z', rounds_played(document) + 1, reading.away});
}

base::Result<Document, Problem> read(std::string_view text, Counting counting) {
    Reading reading;
    const std::vector<Columns> lines = lines_of(text, counting);
    for (const Columns& line : lines)
        if (Taken taken = read_line(line, reading); !taken)
            return base::failure(std::move(taken.error()));
    if (reading.document.players.empty())
        return base::failure(Problem{static_cast<int>(lines.size()) + 1, 1,
                                     "a player line, such as '001    1 ...'"});
    if (Taken taken = check_players(reading); !taken)
        return base::failure(std::move(taken.error()));
    finish(reading);
    return std::move(reading.document);
}

}  // namespace

base::Result<Document, Problem> parse(std::string_view text) {
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
            const RoundEntry& entry = player.rounds[static_cast<std::size_t>(round - 1)];
            if (entry.opponent != 0 || entry.result == 'U' || entry.result == '+') played = round;
        }
    return played;
}

}  // namespace referee::trf

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "protocol/base/text.h"
#include "referee/contest/trf/trf_reading.h"

namespace referee::trf {
namespace {

constexpr int greatest_number = 9999;
constexpr std::string_view game_results = "WDL1=0+-";
constexpr std::string_view lone_results = "HFUZ+- ";
constexpr std::string_view forfeits = "+-";
constexpr std::string_view wins = "W1+";

bool is_one_of(char c, std::string_view set) {
    return set.find(c) != std::string_view::npos;
}

int column_of_round(std::size_t index) {
    return first_round_column + round_columns * static_cast<int>(index);
}

std::string text_of(const TrfColumns& line, int first, int last) {
    return std::string(base::trimmed(line.cut(first, last)));
}

Taken read_entry(const TrfColumns& line, int column, TrfRound& entry) {
    constexpr int colour_offset = 5;
    constexpr int result_offset = 7;
    const auto wrong = [&](int offset, const char* expected) {
        return base::failure(Mistake{line.line(), column + offset, expected});
    };
    for (int offset = 4; offset < round_columns; ++offset)
        if (offset != colour_offset && offset != result_offset && line.at(column + offset) != ' ')
            return wrong(offset, "a blank: a round is ten columns, such as '  12 w 1  '");
    const std::string_view number = base::trimmed(line.cut(column, column + 3));
    const auto opponent = number.empty() ? 0 : whole_number(number);
    if (!opponent) return wrong(0, "an opponent's number, '0000' or blanks");
    entry.opponent = *opponent;
    entry.colour = static_cast<char>(std::tolower(line.at(column + colour_offset)));
    if (entry.colour == ' ') entry.colour = '-';
    if (!is_one_of(entry.colour, "wb-")) return wrong(colour_offset, "a colour: w, b or -");
    entry.result = static_cast<char>(std::toupper(line.at(column + result_offset)));
    if (entry.opponent == 0) {
        if (!is_one_of(entry.result, lone_results))
            return wrong(result_offset, "H, F, U, Z, + or -, as no opponent is written");
        if (entry.colour != '-') return wrong(colour_offset, "-, as no opponent is written");
        return {};
    }
    if (!is_one_of(entry.result, game_results))
        return wrong(result_offset, "a result against an opponent: 1, =, 0, W, D, L, + or -");
    if (entry.colour == '-' && !is_one_of(entry.result, forfeits))
        return wrong(colour_offset, "w or b, the colour of a game that was played");
    return {};
}

Taken read_rounds(const TrfColumns& line, PlayerRecord& player) {
    const int end = static_cast<int>(line.size());
    for (int column = first_round_column; column <= end; column += round_columns) {
        TrfRound entry;
        if (Taken taken = read_entry(line, column, entry); !taken) return taken;
        player.rounds.push_back(entry);
    }
    while (!player.rounds.empty() && player.rounds.back().is_blank()) player.rounds.pop_back();
    return {};
}

Taken check_entry(const Reading& reading, std::size_t player, std::size_t round) {
    const PlayerRecord& own = reading.document.players[player];
    const TrfRound& entry = own.rounds[round];
    const auto wrong = [&](std::string expected) {
        return base::failure(
            Mistake{reading.player_lines[player], column_of_round(round), std::move(expected)});
    };
    if (entry.opponent == 0) return {};
    if (entry.opponent == own.number) return wrong("an opponent other than the player");
    const auto found = reading.index.find(entry.opponent);
    if (found == reading.index.end())
        return wrong("the number of a player of this file; there is no " +
                     std::to_string(entry.opponent));
    const PlayerRecord& other = reading.document.players[found->second];
    const TrfRound answer = round < other.rounds.size() ? other.rounds[round] : TrfRound{};
    const std::string where = fmt::format("player {}'s round {}", entry.opponent, round + 1);
    if (answer.opponent != own.number)
        return wrong("an opponent who has this player as his own; " + where + " says otherwise");
    if (entry.colour != '-' && entry.colour == answer.colour)
        return wrong("the other colour than " + where + " has");
    if (is_one_of(entry.result, forfeits) != is_one_of(answer.result, forfeits))
        return wrong("a forfeit on both sides or on neither, as in " + where);
    if (is_one_of(entry.result, wins) && is_one_of(answer.result, wins))
        return wrong("one winner at most; " + where + " is won too");
    return {};
}

// No round has two allocated byes, or is beyond the rounds that there are.
Taken check_round(const Reading& reading, std::size_t player, std::size_t round,
                  std::vector<int>& byes) {
    const PlayerRecord& own = reading.document.players[player];
    const char result = own.rounds[round].result;
    const auto wrong = [&](std::string expected) {
        return base::failure(
            Mistake{reading.player_lines[player], column_of_round(round), std::move(expected)});
    };
    const auto total = reading.document.rounds_total;
    const bool took_part = own.rounds[round].opponent != 0 || result == 'U';
    if (took_part && total && static_cast<int>(round) >= *total)
        return wrong(fmt::format("no more rounds than the {} of code 142 or XXR", *total));
    if (result != 'U') return {};
    if (byes.size() <= round) byes.resize(round + 1, 0);
    if (byes[round] != 0)
        return wrong(fmt::format("one allocated bye (U) a round; player {} has it in round {}",
                                 byes[round], round + 1));
    byes[round] = own.number;
    return {};
}

// In a team's file the numbers of other lines may be those of teams.
bool has_teams(const Document& document) {
    return std::ranges::any_of(document.plain, [](const PlainRecord& record) {
        return record.code == "310" || record.code == "013";
    });
}

using pairing::Colour;
using pairing::PairingPoints;

// What a word of XXS sets, W=3 for one.
struct PointsCode {
    std::string_view word;
    std::array<int PairingPoints::*, 3> sets;  // ends in nulls
};
constexpr std::array<PointsCode, 12> points_codes = {{
    {"W", {&PairingPoints::win, &PairingPoints::forfeit_win, &PairingPoints::full_bye}},
    {"D", {&PairingPoints::draw, &PairingPoints::half_bye}},
    {"L", {&PairingPoints::loss}},
    {"WW", {&PairingPoints::win}},
    {"WD", {&PairingPoints::draw}},
    {"WL", {&PairingPoints::loss}},
    {"ZPB", {&PairingPoints::absent}},
    {"HPB", {&PairingPoints::half_bye}},
    {"FPB", {&PairingPoints::full_bye}},
    {"PAB", {&PairingPoints::allocated_bye}},
    {"FW", {&PairingPoints::forfeit_win}},
    {"FL", {&PairingPoints::forfeit_loss}},
}};

// False where nobody knows the word.
bool set_points(Reading& reading, std::string_view word, int value) {
    const auto* const found = std::ranges::find(points_codes, word, &PointsCode::word);
    if (found == points_codes.end()) return false;
    if (!reading.document.points) reading.document.points.emplace();
    PairingPoints& points = *reading.document.points;
    for (const auto member : found->sets)
        if (member != nullptr) points.*member = value;
    if (word == "W" && !reading.bye_points_given) points.allocated_bye = value;
    if (word == "PAB") reading.bye_points_given = true;
    return true;
}

// By the letters of 162 and of BBW, BBD and so on.
void set_by_letter(Reading& reading, char letter, int value) {
    const auto word = letter == 'Z'                    ? "ZPB"
                      : letter == 'F'                  ? "FL"
                      : letter == 'P' || letter == 'U' ? "PAB"
                                                       : std::string_view(&letter, 1);
    set_points(reading, word, value);
}

}  // namespace

Taken read_total(const TrfColumns& line, Reading& reading) {
    const auto words = words_from(line, 4);
    const auto total = words.empty() ? std::nullopt : whole_number(words.front().text);
    if (!total || *total < 1 || *total >= last_round_ever)
        return wrong(line, words.empty() ? 5 : words.front().column,
                     "the number of rounds, such as '142 9'");
    reading.document.rounds_total = *total;
    return {};
}

Taken read_initial_colour(const TrfColumns& line, Reading& reading) {
    const auto words = words_from(line, 4);
    const std::string_view word = words.empty() ? "" : words.front().text;
    if (word != "W" && word != "B" && word != "w" && word != "b")
        return wrong(line, words.empty() ? 5 : words.front().column,
                     "the initial colour, W or B, such as '152 W'");
    reading.document.initial_colour = word == "W" || word == "w" ? Colour::white : Colour::black;
    return {};
}

Taken read_configuration(const TrfColumns& line, Reading& reading) {
    for (const Word& word : words_from(line, 4)) {
        if (word.text == "white1")
            reading.document.initial_colour = Colour::white;
        else if (word.text == "black1")
            reading.document.initial_colour = Colour::black;
        else if (word.text == "rank")
            reading.document.ranked_by_rank = true;
        else
            return wrong(line, word.column, "white1, black1 or rank");
    }
    return {};
}

// 162: pairs of a code and its points, nine columns each.
Taken read_points(const TrfColumns& line, Reading& reading) {
    constexpr int first_code = 6;
    constexpr int step = 9;
    for (int column = first_code; column <= line.size(); column += step) {
        const char code = static_cast<char>(std::toupper(line.at(column)));
        if (code == ' ' && base::trimmed(line.from(column)).empty()) break;
        const auto value = tenths(line.cut(column + 1, column + 4));
        if (!value) return wrong(line, column + 1, "points, such as ' 1.0'");
        if (std::string_view("WDLAZPX").find(code) == std::string_view::npos)
            return wrong(line, column, "one of W, D, L, A, P and X");
        if (code == 'X') continue;  // nothing here has an unknown result
        const bool is_absence = code == 'A' || code == 'Z';
        set_by_letter(reading, is_absence ? 'Z' : code, *value);
        if (is_absence) set_by_letter(reading, 'F', *value);
    }
    return {};
}

// XXS: words such as W=3.
Taken read_assignments(const TrfColumns& line, Reading& reading) {
    for (const Word& word : words_from(line, 4)) {
        const std::size_t equals = std::min(word.text.find('='), word.text.size());
        const auto value = tenths(word.text.substr(std::min(equals + 1, word.text.size())));
        if (!value || !set_points(reading, word.text.substr(0, equals), *value))
            return wrong(
                line, word.column,
                "W=, D=, L=, WW=, WD=, WL=, ZPB=, HPB=, FPB=, PAB=, FW= or FL= and points");
    }
    return {};
}

// BBW, BBD, BBL, BBZ, BBF, BBU: one result's points each.
Taken read_single_points(const TrfColumns& line, Reading& reading) {
    const auto value = tenths(line.from(4));
    if (!value) return wrong(line, 5, "points, such as '1.0'");
    set_by_letter(reading, line.at(3), *value);
    return {};
}

Taken read_player(const TrfColumns& line, Reading& reading) {
    PlayerRecord player;
    const auto number = whole_number(line.cut(5, 8));
    if (!number || *number < 1 || *number > greatest_number)
        return wrong(line, 5, "a starting rank from 1 to 9999 in columns 5 to 8");
    player.number = *number;
    if (!reading.index.emplace(*number, reading.document.players.size()).second)
        return wrong(line, 5, "a starting rank that no other player has");
    player.sex = line.at(10);
    player.title = text_of(line, 11, 13);
    player.name = text_of(line, 15, 47);
    player.rating = text_of(line, 49, 52);
    player.federation = text_of(line, 54, 56);
    player.fide_number = text_of(line, 58, 68);
    player.birth_date = text_of(line, 70, 79);
    if (const std::string_view points = base::trimmed(line.cut(81, 84)); !points.empty()) {
        player.points_tenths = tenths(points);
        if (!player.points_tenths)
            return wrong(line, 81, "points, such as ' 4.5', in columns 81 to 84");
    }
    if (const std::string_view rank = base::trimmed(line.cut(86, 89)); !rank.empty()) {
        player.rank = whole_number(rank);
        if (!player.rank) return wrong(line, 86, "a rank in columns 86 to 89");
    }
    if (Taken taken = read_rounds(line, player); !taken) return taken;
    reading.document.players.push_back(std::move(player));
    reading.player_lines.push_back(line.line());
    return {};
}

Taken check_players(const Reading& reading) {
    std::vector<int> byes;  // by round: who has the allocated one
    for (std::size_t i = 0; i < reading.document.players.size(); ++i)
        for (std::size_t round = 0; round < reading.document.players[i].rounds.size(); ++round) {
            if (Taken taken = check_entry(reading, i, round); !taken) return taken;
            if (Taken taken = check_round(reading, i, round, byes); !taken) return taken;
        }
    if (has_teams(reading.document)) return {};
    for (const Mention& mention : reading.mentions)
        if (!reading.index.contains(mention.number))
            return base::failure(Mistake{mention.line, mention.column,
                                         "the number of a player of this file; there is no " +
                                             std::to_string(mention.number)});
    return {};
}

}  // namespace referee::trf

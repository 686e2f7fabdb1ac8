#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "referee/contest/trf/reading.h"

// Lines about the tournament as a whole: its length, the first colour, what results are worth.

namespace referee::trf {

namespace {

using pairing::Colour;
using pairing::PairingPoints;

PairingPoints& points_of(Reading& reading) {
    if (!reading.document.points) reading.document.points.emplace();
    return *reading.document.points;
}

void set_win(Reading& reading, int value) {
    PairingPoints& points = points_of(reading);
    points.win = points.forfeit_win = points.full_bye = value;
    if (!reading.bye_points_given) points.allocated_bye = value;
}

void set_draw(Reading& reading, int value) {
    PairingPoints& points = points_of(reading);
    points.draw = points.half_bye = value;
}

void set_bye(Reading& reading, int value) {
    points_of(reading).allocated_bye = value;
    reading.bye_points_given = true;
}

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
        if (code == ' ' && trimmed(line.from(column)).empty()) break;
        const auto value = tenths(line.cut(column + 1, column + 4));
        if (!value) return wrong(line, column + 1, "points, such as ' 1.0'");
        switch (code) {
            case 'W':
                set_win(reading, *value);
                break;
            case 'D':
                set_draw(reading, *value);
                break;
            case 'L':
                points_of(reading).loss = *value;
                break;
            case 'A':
            case 'Z':
                points_of(reading).absent = points_of(reading).forfeit_loss = *value;
                break;
            case 'P':
                set_bye(reading, *value);
                break;
            case 'X':
                break;  // nothing here has an unknown result
            default:
                return wrong(line, column, "one of W, D, L, A, P and X");
        }
    }
    return {};
}

// XXS: words such as W=3.
Taken read_assignments(const TrfColumns& line, Reading& reading) {
    struct Assignment {
        std::string_view code;
        void (*set)(Reading&, int);
    };
    static constexpr std::array<Assignment, 12> assignments = {{
        {"W", set_win},
        {"D", set_draw},
        {"L", [](Reading& r, int value) { points_of(r).loss = value; }},
        {"WW", [](Reading& r, int value) { points_of(r).win = value; }},
        {"WD", [](Reading& r, int value) { points_of(r).draw = value; }},
        {"WL", [](Reading& r, int value) { points_of(r).loss = value; }},
        {"ZPB", [](Reading& r, int value) { points_of(r).absent = value; }},
        {"HPB", [](Reading& r, int value) { points_of(r).half_bye = value; }},
        {"FPB", [](Reading& r, int value) { points_of(r).full_bye = value; }},
        {"PAB", set_bye},
        {"FW", [](Reading& r, int value) { points_of(r).forfeit_win = value; }},
        {"FL", [](Reading& r, int value) { points_of(r).forfeit_loss = value; }},
    }};
    for (const Word& word : words_from(line, 4)) {
        const std::size_t equals = std::min(word.text.find('='), word.text.size());
        const auto value = tenths(word.text.substr(std::min(equals + 1, word.text.size())));
        const auto found =
            std::find_if(assignments.begin(), assignments.end(), [&](const Assignment& assignment) {
                return assignment.code == word.text.substr(0, equals);
            });
        if (found == assignments.end() || !value)
            return wrong(
                line, word.column,
                "W=, D=, L=, WW=, WD=, WL=, ZPB=, HPB=, FPB=, PAB=, FW= or FL= and points");
        found->set(reading, *value);
    }
    return {};
}

// BBW, BBD, BBL, BBZ, BBF, BBU: one result's points each.
Taken read_single_points(const TrfColumns& line, Reading& reading) {
    const auto value = tenths(line.from(4));
    if (!value) return wrong(line, 5, "points, such as '1.0'");
    switch (line.at(3)) {
        case 'W':
            set_win(reading, *value);
            break;
        case 'D':
            set_draw(reading, *value);
            break;
        case 'L':
            points_of(reading).loss = *value;
            break;
        case 'Z':
            points_of(reading).absent = *value;
            break;
        case 'F':
            points_of(reading).forfeit_loss = *value;
            break;
        default:
            set_bye(reading, *value);
            break;
    }
    return {};
}

constexpr std::array<CodeReader, 12> settings_readers = {{
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
}};

}  // namespace

LineReader settings_reader(std::string_view code) {
    return reader_of(code, settings_readers);
}

}  // namespace referee::trf

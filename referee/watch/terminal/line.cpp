#include "referee/watch/terminal/line.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "protocol/base/names.h"
#include "protocol/base/text.h"
#include "protocol/json/text.h"

namespace referee::terminal {
namespace {

constexpr std::size_t board_lines_min = 3;

struct Letter {
    char letter;
    Paint paint;
};
// Letters that mean colours have these; seats, which are a to d, have four that differ.
constexpr Letter letters[] = {
    {'r', Paint::red},     {'g', Paint::green},  {'b', Paint::blue}, {'y', Paint::yellow},
    {'p', Paint::magenta}, {'a', Paint::yellow}, {'c', Paint::cyan}, {'d', Paint::magenta},
    {'t', Paint::red},     {'o', Paint::green},
};

std::string_view escape_of(Paint paint) {
    static constexpr std::array<base::Named<Paint>, 11> escapes{{
        {Paint::plain, ""},
        {Paint::faint, "\x1b[2m"},
        {Paint::strong, "\x1b[1m"},
        {Paint::bad, "\x1b[1;31m"},
        {Paint::red, "\x1b[31m"},
        {Paint::green, "\x1b[32m"},
        {Paint::yellow, "\x1b[33m"},
        {Paint::blue, "\x1b[34m"},
        {Paint::magenta, "\x1b[35m"},
        {Paint::cyan, "\x1b[36m"},
        {Paint::figure, "\x1b[36m"},
    }};
    static_assert(base::in_order(escapes));
    return base::row_of(escapes, paint).name;
}

Piece painted(char c) {
    Piece piece{std::string(1, c)};
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
        piece.paint = Paint::figure;
    } else if (c == '.' || c == '#') {
        piece.paint = Paint::faint;
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
        const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const auto* const found =
            std::find_if(std::begin(letters), std::end(letters),
                         [&](const auto& each) { return each.letter == lower; });
        if (found != std::end(letters)) piece.paint = found->paint;
        piece.bold = lower != c;
    } else {
        piece.bold = c != ' ';
    }
    return piece;
}

Line board_line(std::string_view text) {
    Line line;
    for (const char c : text) {
        auto piece = painted(c);
        if (!line.empty() && c == ' ') {  // has no colour that can be seen
            line.back().text += c;
        } else if (!line.empty() && line.back().paint == piece.paint &&
                   line.back().bold == piece.bold) {
            line.back().text += c;
        } else {
            line.push_back(std::move(piece));
        }
    }
    return line;
}

}  // namespace

std::string drawn(const Line& line, std::size_t columns_max, bool colour) {
    std::string out;
    std::size_t columns = 0;
    for (const auto& piece : line) {
        const auto text = protocol::json::fitting(piece.text, columns_max - columns);
        columns += protocol::json::columns_of(text);
        const bool styled = colour && (piece.paint != Paint::plain || piece.bold);
        if (styled) out.append(piece.bold ? "\x1b[1m" : "").append(escape_of(piece.paint));
        out += text;
        if (styled) out += "\x1b[0m";
        if (text.size() < piece.text.size()) break;
    }
    return out;
}

std::vector<Line> position_lines(std::string_view text) {
    std::vector<std::string_view> texts;
    while (!text.empty()) texts.push_back(base::next_line(text));
    std::size_t best_begin = 0;
    std::size_t best_count = 0;
    for (std::size_t begin = 0; begin < texts.size();) {
        auto end = begin;
        while (end < texts.size() && texts[end].size() == texts[begin].size()) ++end;
        if (end - begin > best_count) {
            best_begin = begin;
            best_count = end - begin;
        }
        begin = end;
    }
    std::vector<Line> lines;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool of_board =
            best_count >= board_lines_min && i >= best_begin && i < best_begin + best_count;
        lines.push_back(of_board ? board_line(texts[i]) : Line{{std::string(texts[i])}});
    }
    return lines;
}

}  // namespace referee::terminal

#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "engines/game.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/reader.h"

namespace engines {

// What was wrong first with a game's params, as start() tells it. Requires that something was.
inline SetupError refusal(const json::Mistakes& mistakes) {
    return {mistakes.first().path, mistakes.first().message};
}

// The operations of an RFC 6902 patch, each an object in the patch's array.

// `write_value()` writes what is put there.
template <typename WriteValue>
void write_change(json::Writer& patch, std::string_view operation, std::string_view path,
                  const WriteValue& write_value) {
    patch.begin_object().member("op", operation).member("path", path).key("value");
    write_value();
    patch.end_object();
}
template <typename Value>
void write_replace(json::Writer& patch, std::string_view path, Value value) {
    patch.begin_object().member("op", "replace").member("path", path);
    patch.member("value", value).end_object();
}
inline void write_remove(json::Writer& patch, std::string_view path) {
    patch.begin_object().member("op", "remove").member("path", path).end_object();
}

// What a person typed, without the blanks around it.
inline std::string_view typed_word(std::string_view line) {
    return base::trimmed(line, " \t\r\n");
}

// What was expected of a person, and what was typed instead.
inline std::string typed_instead(std::string_view expected, std::string_view line) {
    constexpr std::size_t told_bytes_max = 40;  // more of a line helps nobody
    const auto word = typed_word(line);
    std::string text = "expected ";
    text += expected;
    if (word.empty()) return text + ", and nothing was typed";
    text += ", found '" + base::visible_line(word.substr(0, told_bytes_max)) + "'";
    return word.size() > told_bytes_max ? text + " and more" : text;
}

// ---- The part of a board that a terminal has room for -----------------------------------------

// Some rows or columns of a board, counted from 0.
struct Span {
    int first = 0;
    int count = 0;

    int end() const { return first + count; }
    bool holds(int place) const { return place >= first && place < end(); }
};

// As many of `size` as there is room for, at least one: with `center` in their middle, or as near
// to it as the board's edge allows.
inline Span span_around(int center, int size, int room) {
    const int count = std::clamp(room, 1, size);
    return {std::clamp(center - count / 2, 0, size - count), count};
}

// What of a board is shown.
struct Window {
    Span rows;
    Span columns;

    bool holds(int row, int column) const { return rows.holds(row) && columns.holds(column); }
};

inline Window whole_board(int rows, int columns) {
    return {{0, rows}, {0, columns}};
}

// The lines of a screen that a picture leaves for rows, if it needs `others` for figures.
inline int lines_for_rows(const Screen& screen, std::size_t others) {
    return screen.lines > others ? static_cast<int>(screen.lines - others) : 1;
}

// A line that says where the window lies, "(shown: rows 3 to 21 of 99, columns 0 to 19 of 99)";
// nothing where the window shows the whole board. Numbers begin at `first_number`.
inline std::string place_of(const Window& window, int rows, int columns, int first_number) {
    if (window.rows.count == rows && window.columns.count == columns) return {};
    const auto part = [&](const char* what, Span span, int size) {
        return fmt::format("{}{} to {} of {}", what, span.first + first_number,
                           span.end() - 1 + first_number, size);
    };
    return "(shown: " + part("rows ", window.rows, rows) +
           part(", columns ", window.columns, columns) + ")\n";
}

}  // namespace engines

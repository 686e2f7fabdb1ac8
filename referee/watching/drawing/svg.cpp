#include "referee/watching/drawing/svg.h"

#include <algorithm>
#include <vector>

#include "engines/boards.h"
#include "protocol/json/printable.h"
#include "referee/watching/drawing/board_facts.h"
#include "referee/watching/drawing/interpreter.h"
#include "referee/watching/pages/markup.h"
#include "referee/watching/pages/pages.h"

namespace referee::drawing {
namespace {

// Pixels of a cell: a large board fits a screen, a small one is not tiny.
constexpr int cell_pixels = 24;
// Of letters of the same width, in pixels: how wide, how high, how far from line to line.
constexpr int letter_width = 9;
constexpr int letter_size = 15;
constexpr int line_height = 18;
constexpr int margin = 12;

std::string script_for(std::string_view board) {
    const auto module = [](std::string_view name) {
        return pages::module_as_object(pages::file_text(name));
    };
    return "var board = " + pages::module_as_object(board) +
           ";\nvar pen = " + module("pen_svg.js") + ";\nvar colours = " + module("palette.js") +
           ".palette(\"light\");\n"
           "function past(k) { return JSON.parse(state_before(k)); }\n"
           "pen.svg_picture(board, JSON.parse(showing_text), JSON.parse(state_text), past, "
           "colours, " +
           std::to_string(cell_pixels) + ");\n";
}

}  // namespace

base::Result<std::string, std::string> svg_of(showing::Film& film, std::size_t frame) {
    const auto board = engines::board_of(film.info().id);
    if (!board) return svg_of_text(film.state(frame).render(), film.game_id());
    Interpreter interpreter;
    interpreter.set("showing_text", board_facts(film));
    interpreter.set("state_text", state_text(film.state(frame)));
    interpreter.set("state_before", [&](double back) -> std::string {
        if (!(back >= 0) || back > static_cast<double>(frame)) return {};
        return state_text(film.state(frame - static_cast<std::size_t>(back)));
    });
    auto drawn = interpreter.run(script_for(*board));
    if (drawn) return drawn;
    return base::failure("the board of " + std::string(film.info().title) +
                         " can't be drawn: " + drawn.error());
}

std::string svg_of_text(const std::string& text, const std::string& title) {
    std::vector<std::string> lines;
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    const auto width = std::to_string(2 * margin + static_cast<int>(longest) * letter_width);
    const auto height = std::to_string(2 * margin + static_cast<int>(lines.size()) * line_height);
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width +
                      "\" height=\"" + height + "\" role=\"img\"><title>" +
                      pages::escaped(protocol::json::visible_line(title)) +
                      "</title>\n<rect width=\"" + width + "\" height=\"" + height +
                      "\" fill=\"#ffffff\"/>\n<g font-family=\"monospace\" font-size=\"" +
                      std::to_string(letter_size) + "\" fill=\"#1c2128\" xml:space=\"preserve\">\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto y = margin + static_cast<int>(i) * line_height + letter_size;
        svg += "<text x=\"" + std::to_string(margin) + "\" y=\"" + std::to_string(y) + "\">" +
               pages::escaped(lines[i]) + "</text>\n";
    }
    return svg + "</g>\n</svg>\n";
}

}  // namespace referee::drawing

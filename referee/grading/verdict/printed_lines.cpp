#include "referee/grading/verdict/printed_lines.h"

#include <algorithm>
#include <map>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/json/text.h"
#include "referee/grading/verdict/words.h"
#include "referee/limits.h"

namespace referee::verdict {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view without_blanks_behind(std::string_view line) {
    const auto last = line.find_last_not_of(blanks);
    return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

std::string without_blanks(std::string_view line) {
    std::string text(line);
    std::erase_if(text, [](char c) { return blanks.find(c) != std::string_view::npos; });
    return text;
}

std::vector<std::string_view> lines_in(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(without_blanks_behind(text.substr(0, end)));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

}  // namespace

std::string quoted_line(std::string_view line) {
    const bool cut = line.size() > limits::shown_line_bytes_max;
    return '"' + protocol::json::visible_line(line.substr(0, limits::shown_line_bytes_max)) +
           (cut ? "...\"" : "\"");
}

std::string difference_of_lines(std::string_view expected, std::string_view printed) {
    const auto should = lines_in(expected);
    const auto is = lines_in(printed);
    for (std::size_t i = 0; i < std::max(should.size(), is.size()); ++i) {
        const auto where = "line " + std::to_string(i + 1) + ": expected ";
        if (i >= is.size())
            return where + quoted_line(should[i]) + ", found the end after " +
                   base::counted(is.size(), "line");
        if (i >= should.size())
            return where + "the end after " + base::counted(should.size(), "line") + ", found " +
                   quoted_line(is[i]);
        if (should[i] != is[i])
            return where + quoted_line(should[i]) + ", found " + quoted_line(is[i]) +
                   (without_blanks(should[i]) == without_blanks(is[i])
                        ? ": they differ in their blanks alone"
                        : "");
    }
    return {};
}

std::string difference_in_any_order(std::string_view expected, std::string_view printed) {
    std::map<std::string_view, std::ptrdiff_t> open;  // how often each is still to come
    const auto should = lines_in(expected);
    for (const auto line : should) ++open[line];
    std::size_t number = 0;
    for (const auto line : lines_in(printed)) {
        ++number;
        if (--open[line] >= 0) continue;
        const bool is_known = std::find(should.begin(), should.end(), line) != should.end();
        return "line " + std::to_string(number) + ": " + quoted_line(line) +
               (is_known ? " is there too often" : " is none of the lines that were expected");
    }
    for (const auto line : should) {
        if (open[line] > 0) return "the line " + quoted_line(line) + " is missing";
    }
    return {};
}

}  // namespace referee::verdict

#include "tests/mistake_rows.h"

#include <sstream>

namespace tests {

std::vector<MistakeRow> mistake_rows(const std::string& table) {
    constexpr std::string_view arrow = " -> ";
    std::vector<std::string> texts;
    std::istringstream lines(table);
    std::size_t indentation = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto begin = line.find_first_not_of(' ');
        if (begin == std::string::npos) continue;
        if (texts.empty()) indentation = begin;
        if (begin > indentation) {
            texts.back() += ' ' + line.substr(begin);
        } else if (begin == indentation) {
            texts.push_back(line.substr(begin));
        }
    }
    std::vector<MistakeRow> rows;
    for (const auto& text : texts) {
        const auto member = text.rfind(arrow);
        const auto says = text.find(": ", member);
        rows.push_back({text.substr(0, member),
                        text.substr(member + arrow.size(), says - member - arrow.size()),
                        says == std::string::npos ? rows.back().says : text.substr(says + 2)});
    }
    return rows;
}

}  // namespace tests

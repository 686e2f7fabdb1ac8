#include "referee/report/cells.h"

#include <array>
#include <charconv>

#include "protocol/base/assertion.h"
#include "protocol/json/printable.h"
#include "protocol/json/writer.h"

namespace referee::report {

std::string score_text(engines::Score score) {
    std::string text;
    protocol::json::Writer writer(text);
    score.write(writer);
    return text;
}

std::string fixed_text(double value, int decimals) {
    constexpr std::size_t digits_most = 400;  // the greatest double has fewer
    std::array<char, digits_most> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                   std::chars_format::fixed, decimals);
    REFEREE_ASSERT(end.ec == std::errc());
    std::string text(digits.data(), end.ptr);
    const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
    return is_zero && text.front() == '-' ? text.substr(1) : text;
}

void add_csv_line(std::string& text, const std::vector<std::string>& cells) {
    bool first = true;
    for (const auto& plain : cells) {
        if (!first) text += ',';
        first = false;
        const auto cell =
            protocol::json::is_formula(plain) ? protocol::json::text_mark + plain : plain;
        if (cell.find_first_of(",\"\r\n") == std::string::npos) {
            text += cell;
            continue;
        }
        text += '"';
        for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
        text += '"';
    }
    text += '\n';
}

}  // namespace referee::report

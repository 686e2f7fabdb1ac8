#include "protocol/base/numbers.h"

#include <array>
#include <utility>

namespace base {

std::string span_text(std::int64_t seconds) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{
        {{" d", 24 * 60 * 60}, {" h", 60 * 60}, {" min", 60}, {" s", 1}}};
    std::string text;
    int told = 0;
    for (const auto& [unit, length] : units) {
        const auto many = seconds / length;
        seconds %= length;
        if (many == 0 || told == 2) continue;
        text.append(told++ == 0 ? "" : " ").append(std::to_string(many)).append(unit);
    }
    return told == 0 ? "0 s" : text;
}

std::string thousandths_text(std::int64_t thousandths) {
    constexpr std::uint64_t whole = 1000;
    const auto given = static_cast<std::uint64_t>(thousandths);
    const auto size = thousandths < 0 ? 0 - given : given;
    auto decimals = std::to_string(whole + size % whole);
    decimals.front() = '.';
    decimals.erase(decimals.find_last_not_of(".0") + 1);
    return (thousandths < 0 ? "-" : "") + std::to_string(size / whole) + decimals;
}

}  // namespace base

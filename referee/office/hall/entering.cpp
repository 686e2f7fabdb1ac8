#include "referee/office/hall/entering.h"

#include "protocol/json/printable.h"
#include "referee/office/report/cells.h"

namespace referee::hall {

std::string average_text(std::int64_t thousandths) {
    constexpr int decimals = 3;
    auto text = report::fixed_text(static_cast<double>(thousandths) / thousandths_of_one, decimals);
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
}

Entering enter(const Hall& hall, const Candidate& candidate, const std::string& semester,
               std::int64_t bar) {
    auto entry = candidate.entry;
    entry.semester = semester;
    const auto name = protocol::json::visible_line(entry.bot);
    const auto* const there = hall.find(entry.game, semester, entry.bot);
    const auto average = average_text(entry.thousandths);
    if (!candidate.is_final)
        return {{}, there != nullptr, name + " does not enter: the grade isn't final; grade again"};
    if (!candidate.unplayed.empty())
        return {{},
                there != nullptr,
                name + " does not enter: " + protocol::json::visible_line(candidate.unplayed)};
    if (there != nullptr && there->thousandths >= entry.thousandths)
        return {{},
                true,
                name + " stays with " + average_text(there->thousandths) +
                    (there->thousandths > entry.thousandths ? "; now it has " + average
                                                            : std::string())};
    if (entry.thousandths < bar)
        return {{},
                there != nullptr,
                name + " does not enter: " + average + " is below the bar of " + average_text(bar)};
    auto told = there == nullptr
                    ? name + " enters with " + average
                    : name + " rises from " + average_text(there->thousandths) + " to " + average;
    return {std::move(entry), true, std::move(told)};
}

}  // namespace referee::hall

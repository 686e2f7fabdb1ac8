#include "referee/grading/verdict/played.h"

#include <algorithm>

#include "protocol/json/document.h"

namespace referee::verdict {

bool PlayedGame::won() const {
    if (forfeited) return false;
    if (placing.size() > 1)
        return seat < placing.size() && placing[seat] == 1 &&
               std::count(placing.begin(), placing.end(), 1) == 1;
    protocol::json::Document outcome;
    if (!outcome.parse(detail)) return false;
    const auto says = [&](std::string_view member) {
        return outcome.root().find(member).boolean().value_or(false);
    };
    return says("win") || says("finished");
}

std::string last_words(const Played& played) {
    for (const auto& [id, series] : played.series) {
        for (const auto& game : series.games) {
            for (const auto& fault : game.faults) {
                if (fault.evidence.stderr_tail && !fault.evidence.stderr_tail->empty())
                    return *fault.evidence.stderr_tail;
            }
        }
        for (const auto& run : series.runs) {
            if (!run.right && !run.printed.empty()) return run.printed;
        }
    }
    return {};
}

}  // namespace referee::verdict

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

}  // namespace referee::verdict

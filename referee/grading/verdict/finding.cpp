#include "referee/grading/verdict/finding.h"

#include <algorithm>
#include <cmath>

namespace referee::verdict {

Finding passed(std::string reason) {
    Finding finding;
    finding.got = 1;
    finding.reason = std::move(reason);
    return finding;
}

Finding failed(std::string reason) {
    Finding finding;
    finding.reason = std::move(reason);
    return finding;
}

Finding in_trouble(std::string reason) {
    auto finding = failed(std::move(reason));
    finding.trouble = true;
    return finding;
}

double points_of(const Finding& finding, double points) {
    if (finding.trouble || finding.not_counted || finding.got <= 0) return 0;
    if (finding.got >= finding.of) return points;
    constexpr long double parts = 100;
    // Whole hundredths times counted numbers: a half is met exactly.
    const auto whole = std::round(static_cast<long double>(points) * parts);
    const auto share =
        whole * static_cast<long double>(finding.got) / static_cast<long double>(finding.of);
    return static_cast<double>(std::floor(share + 0.5L) / parts);
}

std::vector<std::string> ids_of(const std::vector<const PlayedGame*>& first,
                                const std::vector<const PlayedGame*>& all) {
    std::vector<std::string> ids;
    for (const auto* game : first) ids.push_back(game->id);
    for (const auto* game : all) {
        if (std::find(first.begin(), first.end(), game) == first.end()) ids.push_back(game->id);
    }
    return ids;
}

}  // namespace referee::verdict

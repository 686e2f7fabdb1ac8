#include "referee/arena/scheduler/told_names.h"

#include <algorithm>

namespace referee::scheduler {

std::shared_ptr<const pseudonyms::Aliases> ToldNames::in(const std::string& tournament) {
    if (settings_.names_secret.empty()) return nullptr;
    const auto& bots = lobby_.bots();
    const bool same =
        secret_ == settings_.names_secret &&
        std::equal(names_.begin(), names_.end(), bots.begin(), bots.end(),
                   [](const auto& name, const auto& bot) { return name == bot.first; });
    if (!same) {
        aliases_.clear();
        names_.clear();
        for (const auto& bot : bots) names_.push_back(bot.first);
        secret_ = settings_.names_secret;
    }
    auto& aliases = aliases_[tournament];
    if (aliases == nullptr)
        aliases = std::make_shared<const pseudonyms::Aliases>(secret_, tournament, names_);
    return aliases;
}

}  // namespace referee::scheduler

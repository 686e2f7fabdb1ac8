#include "referee/tournament/scheduler/display_names.h"

#include <algorithm>

namespace referee::scheduler {

std::vector<std::string_view> DisplayNames::names() const {
    std::vector<std::string_view> names(settings_.names.begin(), settings_.names.end());
    for (const auto& bot : lobby_.bots()) names.push_back(bot.first);
    for (const auto& slot : slots_) {
        for (const auto& entry : slot->contest->entries()) names.push_back(entry.name);
    }
    return names;
}

std::shared_ptr<const pseudonyms::Aliases> DisplayNames::in(const std::string& tournament) {
    if (settings_.names_secret.empty()) return nullptr;
    const auto all = names();
    if (secret_ != settings_.names_secret || !std::ranges::equal(names_, all)) {
        aliases_.clear();
        names_.assign(all.begin(), all.end());
        secret_ = settings_.names_secret;
    }
    auto& aliases = aliases_[tournament];
    if (aliases == nullptr)
        aliases = std::make_shared<const pseudonyms::Aliases>(secret_, tournament, names_);
    return aliases;
}

}  // namespace referee::scheduler

#include "referee/store/database/background_check.h"

#include <algorithm>

#include "referee/limits.h"

namespace referee::store {

std::string describe(const StoreCheck& check) {
    const auto records =
        std::to_string(check.records) + " of " + std::to_string(check.records_in_all) + " records";
    if (check.damages_total > 0) {
        const auto more = check.damages_total > 1
                              ? ", and " + std::to_string(check.damages_total - 1) + " more"
                              : std::string();
        return "DAMAGED: " + check.damages.front().what + more + "; referee store verify tells all";
    }
    return check.is_over ? "whole, " + records + " of earlier runs"
                         : "being checked, " + records + " so far";
}

std::optional<StoreCheck> BackgroundCheck::go_on() {
    if (is_over()) return std::nullopt;
    try {
        audit_.go_on(limits::records_checked_at_once);
    } catch (const DatabaseError& error) {
        if (error.is_busy()) return std::nullopt;
        refusal_ = Damage{0, true, error.what()};
        is_over_ = true;
    }
    StoreCheck check{audit_.records(), audit_.records_in_all(), is_over(), audit_.damages(),
                     audit_.damages_total()};
    if (refusal_) {
        check.damages.push_back(*refusal_);
        ++check.damages_total;
    }
    const bool is_news = check.damages_total != damages_told_ || check.is_over ||
                         check.records >= records_told_ + limits::records_between_check_news;
    if (!is_news) return std::nullopt;
    damages_told_ = check.damages_total;
    records_told_ = check.records;
    return check;
}

std::optional<Damage> BackgroundCheck::damage_that_counts() const {
    if (refusal_) return refusal_;
    const auto& damages = audit_.damages();
    const auto found = std::find_if(damages.begin(), damages.end(),
                                    [](const Damage& damage) { return damage.counts; });
    return found == damages.end() ? std::nullopt : std::optional(*found);
}

}  // namespace referee::store

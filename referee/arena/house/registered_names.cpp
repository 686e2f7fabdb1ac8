#include "referee/arena/house/registered_names.h"

#include <array>

#include "protocol/base/names.h"

namespace referee::house {
namespace {

constexpr std::array<base::Named<Standing>, 5> standings = {{
    {Standing::registered, "registered"},
    {Standing::waiting, "waiting"},
    {Standing::approved, "approved"},
    {Standing::refused, "refused"},
    {Standing::given, "ctl"},
}};
static_assert(base::in_order(standings));

bool counts(Standing standing) {
    return standing != Standing::refused && standing != Standing::given;
}

}  // namespace

std::string_view name_of(Standing standing) {
    return base::row_of(standings, standing).name;
}

void RegisteredNames::know(const journal::TokenRecord& record) {
    if (const auto found = names_.find(record.bot); found != names_.end()) {
        if (counts(found->second.standing)) --counted_;
        names_.erase(found);
    }
    if (record.hash.empty()) return;
    const auto standing =
        base::value_named(standings, record.origin).value_or(Standing::registered);
    names_.emplace(record.bot, Name{record.hash, standing});
    if (counts(standing)) ++counted_;
}

const RegisteredNames::Name* RegisteredNames::find(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : &found->second;
}

std::optional<journal::TokenRecord> RegisteredNames::judged(std::string_view name,
                                                            Standing standing) const {
    const auto* known = find(name);
    if (known == nullptr) return std::nullopt;
    return journal::TokenRecord{std::string(name), known->hash, std::string(name_of(standing))};
}

}  // namespace referee::house

#include "referee/tournament/referee/registered_names.h"

#include <algorithm>
#include <array>

#include "protocol/base/names.h"

namespace referee::tournament {
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

std::string origin_of(Standing standing, const std::string& from) {
    return std::string(name_of(standing)) + (from.empty() ? "" : " " + from);
}

void RegisteredNames::know(const records::TokenRecord& record) {
    if (const auto found = names_.find(record.bot); found != names_.end()) {
        if (counts(found->second.standing)) --counted_;
        names_.erase(found);
    }
    if (record.hash.empty()) return;
    const auto space = std::min(record.origin.find(' '), record.origin.size());
    const auto standing =
        base::value_named(standings, std::string_view(record.origin).substr(0, space))
            .value_or(Standing::registered);
    auto from = record.origin.substr(std::min(space + 1, record.origin.size()));
    names_.emplace(record.bot, Name{record.hash, standing, std::move(from)});
    if (counts(standing)) ++counted_;
}

const RegisteredNames::Name* RegisteredNames::find(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : &found->second;
}

std::optional<records::TokenRecord> RegisteredNames::judged(std::string_view name,
                                                            Standing standing) const {
    const auto* known = find(name);
    if (known == nullptr) return std::nullopt;
    return records::TokenRecord{std::string(name), known->hash, origin_of(standing, known->from)};
}

}  // namespace referee::tournament

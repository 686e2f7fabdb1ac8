#include "referee/grading/grading_places.h"

#include <algorithm>

#include "protocol/json/document.h"
#include "referee/files/named_file.h"

namespace referee::grading {
namespace {

constexpr std::size_t standings_bytes_max = 64 * 1024 * 1024;

}  // namespace

std::string Places::read(const std::string& file) {
    if (file.empty()) return {};
    const auto text = files::read_named_file(file, standings_bytes_max);
    if (!text) return "--standings: " + file + " " + text.error();
    protocol::json::Document document;
    const bool parsed = document.parse(*text).has_value();
    const auto rows = document.root().find("bots");
    if (!parsed || rows.size() == 0)
        return "--standings: expected a tournament's standings.json, as a run writes it; " + file +
               " is none";
    for (const auto row : rows.elements()) {
        const auto name = row.find("name").string();
        if (row.find("house").boolean().value_or(false)) continue;
        const auto rank = row.find("rank").integer();
        if (!name || !rank || *rank < 1)
            return "--standings: " + file + ": expected a \"name\" and a \"rank\" in each row";
        places_.emplace(*name, static_cast<std::size_t>(*rank));
    }
    known_ = true;
    return {};
}

std::optional<std::size_t> Places::of(const std::string& bot) const {
    const auto found = places_.find(bot);
    if (found == places_.end()) return std::nullopt;
    return found->second;
}

std::size_t Places::shared_by(std::optional<std::size_t> place) const {
    return static_cast<std::size_t>(std::count_if(
        places_.begin(), places_.end(), [place](const auto& one) { return one.second == place; }));
}

}  // namespace referee::grading

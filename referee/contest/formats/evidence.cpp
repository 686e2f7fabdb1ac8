#include "referee/contest/formats/evidence.h"

#include <utility>

namespace referee::formats {

bool Evidence::is_new(const MatchResult& match) {
    std::set<std::string> fingerprints;
    for (const auto& game : match.counted) fingerprints.insert(game.fingerprint);
    return is_new(fingerprints);
}

bool Evidence::is_new(const std::set<std::string>& fingerprints) {
    if (fingerprints.empty() || fingerprints.contains(std::string())) return true;
    std::string all;
    for (const auto& fingerprint : fingerprints) all += fingerprint + '\n';
    return seen_.insert(std::move(all)).second;
}

std::vector<bool> new_matches(const std::vector<MatchResult>& matches) {
    Evidence evidence;
    std::vector<bool> is_new;
    for (const auto& match : matches) is_new.push_back(evidence.is_new(match));
    return is_new;
}

}  // namespace referee::formats

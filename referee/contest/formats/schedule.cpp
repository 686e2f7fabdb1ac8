#include "referee/contest/formats/schedule.h"

#include <algorithm>
#include <utility>

namespace referee::formats {

namespace {

bool names_bot(const ForbiddenPairs& pairs, std::string_view bot) {
    return std::find(pairs.bots.begin(), pairs.bots.end(), bot) != pairs.bots.end();
}

bool overlaps(const ForbiddenPairs& a, const ForbiddenPairs& b) {
    const auto shared = std::count_if(a.bots.begin(), a.bots.end(),
                                      [&b](const auto& bot) { return names_bot(b, bot); });
    return shared >= 2 && a.first_round <= b.last_round && b.first_round <= a.last_round;
}

// What is left of `pairs`, pair by pair.
void add_rest(const ForbiddenPairs& pairs, const ForbiddenPairs& lifted,
              std::vector<ForbiddenPairs>& rest) {
    for (std::size_t a = 0; a < pairs.bots.size(); ++a) {
        for (std::size_t b = a + 1; b < pairs.bots.size(); ++b) {
            const std::vector<std::string> two{pairs.bots[a], pairs.bots[b]};
            if (!names_bot(lifted, two[0]) || !names_bot(lifted, two[1])) {
                rest.push_back({two, pairs.first_round, pairs.last_round});
                continue;
            }
            if (pairs.first_round < lifted.first_round)
                rest.push_back({two, pairs.first_round, lifted.first_round - 1});
            if (pairs.last_round > lifted.last_round)
                rest.push_back({two, lifted.last_round + 1, pairs.last_round});
        }
    }
}

}  // namespace

void forbid(std::vector<ForbiddenPairs>& all, const ForbiddenPairs& pairs) {
    all.push_back(pairs);
}

void lift(std::vector<ForbiddenPairs>& all, const ForbiddenPairs& pairs) {
    std::vector<ForbiddenPairs> rest;
    for (auto& each : all) {
        if (overlaps(each, pairs)) {
            add_rest(each, pairs, rest);
        } else {
            rest.push_back(std::move(each));
        }
    }
    all = std::move(rest);
}

bool is_forbidden(const std::vector<ForbiddenPairs>& all, std::string_view a, std::string_view b,
                  std::uint32_t round) {
    return std::any_of(all.begin(), all.end(), [&](const auto& pairs) {
        return pairs.first_round <= round && round <= pairs.last_round && names_bot(pairs, a) &&
               names_bot(pairs, b);
    });
}

}  // namespace referee::formats

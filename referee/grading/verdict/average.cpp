#include "referee/grading/verdict/average.h"

#include <algorithm>
#include <cstdint>

namespace referee::verdict {
namespace {

// Each seed once, those that follow one another as "1-100".
std::string in_words(std::vector<std::uint32_t> seeds) {
    std::sort(seeds.begin(), seeds.end());
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    std::string text;
    for (std::size_t first = 0; first < seeds.size();) {
        auto last = first;
        while (last + 1 < seeds.size() && seeds[last + 1] == seeds[last] + 1) ++last;
        if (!text.empty()) text += ", ";
        text += std::to_string(seeds[first]);
        if (last > first) text += '-' + std::to_string(seeds[last]);
        first = last + 1;
    }
    return text;
}

}  // namespace

Average average_of(const std::vector<const PlayedGame*>& games) {
    Average average;
    average.games = games.size();
    std::vector<std::uint32_t> seeds;
    for (const auto* game : games) {
        average.score += game->score;
        if (game->seed > 0) seeds.push_back(game->seed);
    }
    average.score /= static_cast<double>(games.size());
    if (seeds.size() == games.size()) average.seeds = in_words(std::move(seeds));
    return average;
}

}  // namespace referee::verdict

#include "referee/contest/standings/match_result.h"

#include "protocol/base/assertion.h"

namespace referee::standings {

CountedGames::CountedGames(std::vector<CountedGame> games,
                           std::vector<std::optional<engines::Score>> scores) {
    REFEREE_ASSERT(games.empty() ? scores.empty() : scores.size() % games.size() == 0);
    games.shrink_to_fit();
    scores.shrink_to_fit();
    all_ = std::make_shared<const All>(All{std::move(games), std::move(scores)});
}

CountedGames::Scored CountedGames::operator[](std::size_t i) const {
    const auto width = all_->scores.size() / all_->games.size();
    return {all_->games[i], Scores(all_->scores).subspan(i * width, width)};
}

namespace {

double share_in(const std::vector<engines::Score>& points, std::size_t seat) {
    REFEREE_ASSERT(points.size() >= 2 && seat < points.size());
    const auto own = static_cast<double>(points[seat].in_halves());
    double all = 0;
    for (const auto each : points) all += static_cast<double>(each.in_halves());
    constexpr double level = 0.5;
    // Of points by result nobody gets more than twice the average: that much is for being ahead of
    // all.
    const double most = 2 * all / static_cast<double>(points.size());
    return most > 0 ? std::clamp(own / most, 0.0, 1.0) : level;
}

constexpr std::uint64_t block_size = 64;  // ordinals

// Where in a block the result of a match is, or would be.
template <typename Block>
auto place_in(Block& block, std::uint64_t match) {
    return std::ranges::lower_bound(block, match, {}, [](const auto& its) { return its->match; });
}

}  // namespace

void ResultList::put(MatchResult result) {
    auto& held = blocks_[result.match / block_size];
    auto block = held == nullptr ? std::make_shared<Block>() : std::make_shared<Block>(*held);
    const auto place = place_in(*block, result.match);
    const bool is_there = place != block->end() && (*place)->match == result.match;
    auto kept = std::make_shared<const MatchResult>(std::move(result));
    if (is_there) {
        *place = std::move(kept);
    } else {
        block->insert(place, std::move(kept));
        ++size_;
    }
    held = std::move(block);
}

void ResultList::erase(std::uint64_t match) {
    if (!contains(match)) return;
    const auto held = blocks_.find(match / block_size);
    auto block = std::make_shared<Block>(*held->second);
    block->erase(place_in(*block, match));
    --size_;
    if (block->empty()) {
        blocks_.erase(held);
    } else {
        held->second = std::move(block);
    }
}

const MatchResult* ResultList::find(std::uint64_t match) const {
    const auto* block = base::find_in(blocks_, match / block_size);
    if (block == nullptr) return nullptr;
    const auto place = place_in(**block, match);
    return place == (*block)->end() || (*place)->match != match ? nullptr : place->get();
}

const MatchResult& ResultList::at(std::uint64_t match) const {
    const auto* result = find(match);
    REFEREE_ASSERT(result != nullptr);
    return *result;
}

std::vector<MatchResult> ResultList::copied(std::uint64_t from) const {
    std::vector<MatchResult> all;
    if (from == 0) all.reserve(size_);
    for (const auto& [ordinal, result] : *this) {
        if (ordinal >= from) all.push_back(result);
    }
    return all;
}

double share_of(const MatchResult& result, std::size_t seat) {
    return share_in(result.points, seat);
}

double share_of_games(const MatchResult& result, std::size_t seat) {
    // Of a match whose result an arbiter set no game counts: it is worth what was set.
    return share_in(result.ruled ? result.points : result.game_points, seat);
}

bool NewGames::is_new(const MatchResult& match) {
    std::set<std::string> fingerprints;
    for (const auto& game : match.counted) fingerprints.insert(game.fingerprint.text());
    return is_new(fingerprints);
}

bool NewGames::is_new(const std::set<std::string>& fingerprints) {
    if (fingerprints.empty() || fingerprints.contains(std::string())) return true;
    std::string all;
    for (const auto& fingerprint : fingerprints) all += fingerprint + '\n';
    return seen_.insert(std::move(all)).second;
}

std::vector<bool> new_matches(const std::vector<MatchResult>& matches) {
    NewGames new_games;
    std::vector<bool> is_new;
    for (const auto& match : matches) is_new.push_back(new_games.is_new(match));
    return is_new;
}

unsigned repetitions(const ResultList& results, const MatchResult& match) {
    unsigned times = 0;
    std::vector<std::string> last;
    const auto note = [&](const MatchResult& one) {
        std::vector<std::string> games;
        for (const auto& game : one.counted) games.push_back(game.fingerprint.text());
        const bool is_known = !games.empty() && !base::contains(games, std::string());
        times = is_known && games == last ? times + 1 : 0;
        last = std::move(games);
    };
    for (const auto& [ordinal, earlier] : results) {
        if (ordinal < match.match && earlier.seats == match.seats) note(earlier);
    }
    note(match);
    return times;
}

}  // namespace referee::standings

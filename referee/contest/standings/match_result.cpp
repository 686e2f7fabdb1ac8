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

}  // namespace referee::standings

#include "referee/contest/standings/match_result.h"

#include <utility>

#include "protocol/base/assertion.h"

namespace referee::standings {

void ResultList::put(MatchResult result) {
    const auto number = result.match / block_size;
    if (blocks_.empty()) first_block_ = number;
    if (number < first_block_) {
        blocks_.insert(blocks_.begin(), first_block_ - number, nullptr);
        first_block_ = number;
    }
    const auto index = number - first_block_;
    if (index >= blocks_.size()) blocks_.resize(index + 1);
    const auto& old = blocks_[index];
    auto block = old == nullptr ? std::make_shared<Block>() : std::make_shared<Block>(*old);
    auto& place = block->results[result.match % block_size];
    if (place == nullptr) {
        ++block->count;
        ++size_;
    }
    place = std::make_shared<const MatchResult>(std::move(result));
    blocks_[index] = std::move(block);
}

void ResultList::erase(std::uint64_t match) {
    if (!contains(match)) return;
    auto& held = blocks_[match / block_size - first_block_];
    --size_;
    if (held->count == 1) {
        held = nullptr;
        drop_empty_ends();
        return;
    }
    auto block = std::make_shared<Block>(*held);
    block->results[match % block_size] = nullptr;
    --block->count;
    held = std::move(block);
}

void ResultList::drop_empty_ends() {
    while (!blocks_.empty() && blocks_.back() == nullptr) blocks_.pop_back();
    std::size_t empty = 0;
    while (empty < blocks_.size() && blocks_[empty] == nullptr) ++empty;
    blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(empty));
    first_block_ += empty;
}

const MatchResult* ResultList::find(std::uint64_t match) const {
    const auto number = match / block_size;
    if (number < first_block_ || number - first_block_ >= blocks_.size()) return nullptr;
    const auto& block = blocks_[number - first_block_];
    return block == nullptr ? nullptr : block->results[match % block_size].get();
}

const MatchResult& ResultList::at(std::uint64_t match) const {
    const auto* result = find(match);
    REFEREE_ASSERT(result != nullptr);
    return *result;
}

const MatchResult& ResultList::back() const {
    REFEREE_ASSERT(!empty());
    auto at = places() - 1;
    while (place(at) == nullptr) --at;
    return *place(at);
}

std::vector<MatchResult> ResultList::copied(std::uint64_t from) const {
    std::vector<MatchResult> all;
    if (from == 0) all.reserve(size_);
    for (const auto& [ordinal, result] : *this) {
        if (ordinal >= from) all.push_back(result);
    }
    return all;
}

std::size_t ResultList::next_taken(std::size_t at) const {
    while (at < places()) {
        if (blocks_[at / block_size] == nullptr) {
            at = (at / block_size + 1) * block_size;
        } else if (place(at) == nullptr) {
            ++at;
        } else {
            return at;
        }
    }
    return places();
}

}  // namespace referee::standings

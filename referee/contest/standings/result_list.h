#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "referee/contest/standings/match_result.h"

namespace referee::standings {

// The results of a tournament's matches, in the order of their ordinals. A copy shares what is in
// it, so it costs a pointer for every few dozen results. A copy may be read on another thread while
// this one changes, because what is shared never changes.
class ResultList {
    static constexpr std::size_t block_size = 64;

    struct Block {
        std::array<std::shared_ptr<const MatchResult>, block_size> results;
        std::size_t count = 0;
    };

 public:
    class Iterator {
     public:
        // The ordinal, and the result.
        std::pair<std::uint64_t, const MatchResult&> operator*() const {
            const auto& result = *list_->place(at_);
            return {result.match, result};
        }
        Iterator& operator++() {
            at_ = list_->next_taken(at_ + 1);
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

     private:
        friend class ResultList;
        Iterator(const ResultList& list, std::size_t at) : list_(&list), at_(at) {}

        const ResultList* list_;
        std::size_t at_;
    };

    // Puts the result under its ordinal, in place of the one that was there.
    void put(MatchResult result);
    // Nothing happens where there is none.
    void erase(std::uint64_t match);

    // Null where there is none.
    const MatchResult* find(std::uint64_t match) const;
    bool contains(std::uint64_t match) const { return find(match) != nullptr; }
    // Requires: there is one.
    const MatchResult& at(std::uint64_t match) const;
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    // All of them, or those from an ordinal on, as a list of their own.
    std::vector<MatchResult> copied(std::uint64_t from = 0) const;
    // Requires: not empty.
    const MatchResult& front() const { return *place(next_taken(0)); }
    const MatchResult& back() const;

    Iterator begin() const { return {*this, next_taken(0)}; }
    Iterator end() const { return {*this, places()}; }

 private:
    // Places are counted from the first block that is held.
    std::size_t places() const { return blocks_.size() * block_size; }
    const std::shared_ptr<const MatchResult>& place(std::size_t at) const {
        return blocks_[at / block_size]->results[at % block_size];
    }
    std::size_t next_taken(std::size_t at) const;
    void drop_empty_ends();

    std::vector<std::shared_ptr<const Block>> blocks_;  // null: nothing in it
    std::uint64_t first_block_ = 0;                     // the ordinal of its first place / size
    std::size_t size_ = 0;
};

}  // namespace referee::standings

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "referee/game/result/result.h"

namespace referee::scheduler {

// Plays that counted and were annulled by order, and why.
class AnnulledGames {
 public:
    using All = std::map<GameKey, std::string>;

    void note(const GameKey& key, const std::string& reason);
    // It counts again.
    void take_back(const GameKey& key);
    // The match lies far back.
    void forget(std::uint64_t match);
    // As a value that never changes: calls between two changes share one copy.
    std::shared_ptr<const All> shared() const;

 private:
    All all_;
    mutable std::shared_ptr<const All> shared_;  // null where there is none since the last change
};

}  // namespace referee::scheduler

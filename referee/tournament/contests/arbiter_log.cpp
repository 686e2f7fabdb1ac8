#include "referee/tournament/contests/arbiter_log.h"

namespace referee::contests {

void AnnulledGames::note(const GameKey& key, const std::string& reason) {
    shared_ = nullptr;
    all_[key] = reason;
}

void AnnulledGames::take_back(const GameKey& key) {
    shared_ = nullptr;
    all_.erase(key);
}

void AnnulledGames::forget(std::uint64_t match) {
    shared_ = nullptr;
    std::erase_if(all_, [match](const auto& game) { return game.first.match == match; });
}

std::shared_ptr<const AnnulledGames::All> AnnulledGames::shared() const {
    if (shared_ == nullptr) shared_ = std::make_shared<const All>(all_);
    return shared_;
}

}  // namespace referee::contests

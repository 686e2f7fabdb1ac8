#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "referee/store/records/records.h"

namespace referee::records {

// What was ordered of a play after it ended, which its replay can't tell: that it doesn't count,
// and which play of its game does; that an arbiter set its match's result. Give it all records, in
// their order.
class LaterOrders {
 public:
    // `key`: of the play.
    explicit LaterOrders(GameKey key) : key_(std::move(key)) {}

    void take(const Record& record) {
        if (const auto* game = std::get_if<GameRecord>(&record)) {
            const auto& result = game->result;
            if (is_same_game(result.key) && counts(result.status)) plays_.insert(result.key);
        } else if (const auto* annulment = std::get_if<AnnulmentRecord>(&record)) {
            if (is_same_game(annulment->key)) annulled_[annulment->key] = annulment->reason;
        } else if (const auto* back = std::get_if<RestorationRecord>(&record)) {
            annulled_.erase(back->key);
        } else if (const auto* ruling = std::get_if<RulingRecord>(&record)) {
            if (ruling->tournament != key_.tournament || ruling->match != key_.match) return;
            ruling_.reset();
            if (!ruling->placing.empty()) ruling_ = ruling->reason;
        }
    }

    // In words, a sentence each; none where nothing was ordered, or it was taken back.
    std::vector<std::string> sentences() const {
        std::vector<std::string> said;
        if (const auto found = annulled_.find(key_); found != annulled_.end())
            said.push_back("This play of the game does not count, by order: " + found->second +
                           ". " + play_instead());
        if (ruling_)
            said.push_back("An arbiter set the result of its match, " +
                           match_id(key_.tournament, key_.match) +
                           ", whatever its games came to: " + *ruling_ + ".");
        return said;
    }

 private:
    bool is_same_game(const GameKey& key) const {
        return key.tournament == key_.tournament && key.match == key_.match &&
               key.number == key_.number;
    }
    std::string play_instead() const {
        for (const auto& play : plays_) {
            if (!annulled_.contains(play)) return "The play that counts is " + game_id(play) + ".";
        }
        return "It is still to be played again.";
    }

    GameKey key_;
    std::set<GameKey> plays_;  // that counted when they ended
    std::map<GameKey, std::string> annulled_;
    std::optional<std::string> ruling_;
};

}  // namespace referee::records

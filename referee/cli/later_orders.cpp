#include "referee/cli/later_orders.h"

#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <variant>

#include "protocol/json/in_log.h"
#include "referee/store/database/store.h"

namespace referee::cli {
namespace {

// What the records say of one game, taken in their order.
class Orders {
 public:
    explicit Orders(GameKey key) : key_(std::move(key)) {}

    void take(const records::Record& record) {
        if (const auto* game = std::get_if<records::GameRecord>(&record)) {
            const auto& result = game->result;
            if (is_same_game(result.key) && counts(result.status)) plays_.insert(result.key);
        } else if (const auto* annulment = std::get_if<records::AnnulmentRecord>(&record)) {
            if (is_same_game(annulment->key)) annulled_[annulment->key] = annulment->reason;
        } else if (const auto* back = std::get_if<records::RestorationRecord>(&record)) {
            annulled_.erase(back->key);
        } else if (const auto* ruling = std::get_if<records::RulingRecord>(&record)) {
            if (ruling->tournament != key_.tournament || ruling->match != key_.match) return;
            ruling_.reset();
            if (!ruling->placing.empty()) ruling_ = ruling->reason;
        }
    }

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

}  // namespace

std::vector<std::string> later_orders(const std::string& store, const GameKey& key) {
    auto opened = store::StoreReader::open(store);
    Orders orders(key);
    const auto read = opened ? opened->history([&orders](const store::StoredRecord& stored) {
        orders.take(stored.record);
    })
                             : base::Result<void, store::StoreError>(base::failure(opened.error()));
    if (!read)
        std::cerr << "whether the game still counts can't be told: " << read.error().message
                  << '\n';
    return orders.sentences();
}

}  // namespace referee::cli

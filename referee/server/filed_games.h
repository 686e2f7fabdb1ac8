#pragma once

#include <functional>
#include <map>
#include <string>

#include "referee/net/loop/background.h"
#include "referee/net/loop/life.h"
#include "referee/report/output_folder.h"
#include "referee/store/store.h"
#include "referee/tournament/referee.h"

namespace referee::server {

// The games of an output folder, for the bots that played them: read from their files and, where a
// file is gone, from the store; and told on the thread that writes these files. So a game's debug
// text, which waits there to be written when the game is over, is there when it is asked for, and
// no question keeps a game's record waiting.
class FiledGames final : public tournament::RefereeObserver {
 public:
    // The background outlives it.
    FiledGames(report::OutputFolder folder, loop::Background& beside)
        : folder_(std::move(folder)), beside_(beside) {}

    // Whose games these are. The referee outlives its questions.
    void follow(tournament::Referee& referee);
    // The store that has what files don't; null: none any more.
    void use(store::Store* store) { store_ = store; }

    // The game doesn't count any more, by order: its story begins with that. Or it counts again.
    void annul(const GameKey& key, const std::string& reason) { annulled_[key] = reason; }
    void count_again(const GameKey& key) { annulled_.erase(key); }

    void on_annulled(const std::string& tournament, const Annulled& annulled) override;

    // A game's replay as the store has it; empty: it has none, or a larger one than is told.
    void stored(const GameKey& key, std::function<void(std::string replay)> then);
    void story(const GameKey& key, const std::string& bot, const pseudonyms::NameMask& names,
               tournament::OnStory on_story);

 private:
    // Whether a tournament of that id is, or was, played here. Names of files are made of no other.
    bool is_known(const std::string& tournament) const {
        return referee_->scheduler().status_of(tournament).has_value();
    }
    // What the story of the game begins with: by which orders it doesn't stand as it was played.
    std::string orders_about(const GameKey& key, const pseudonyms::NameMask& names) const;
    void look_in_store(const GameKey& key, const std::string& bot,
                       const pseudonyms::NameMask& names, tournament::OnStory on_story);

    report::OutputFolder folder_;
    loop::Background& beside_;
    tournament::Referee* referee_ = nullptr;  // before follow()
    store::Store* store_ = nullptr;
    std::map<GameKey, std::string> annulled_;  // and why
    loop::Life life_;
};

}  // namespace referee::server

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/exit_code.h"
#include "referee/game/trace/replay.h"
#include "referee/single_game/single_game.h"
#include "referee/watch/review/review.h"
#include "referee/watch/showing/showing.h"
#include "sample_bots/cpp/bot/bot.h"
#include "sample_bots/cpp/reference/reference_players.h"

namespace referee::playouts {

// Who plays playouts, in one way or another.
class PlayersPlayouts : public review::Playouts {
 public:
    // What holds of their playouts, a sentence each; once they are played.
    virtual std::vector<std::string> assumed() const = 0;
    // By which messages they were told what came before.
    virtual std::vector<std::string> past_told_by() const { return {}; }
    // The exit status of whoever asked, where play() gave an error.
    virtual int status_of_failure() const { return exit_bad_input; }
};

struct InsideTerms {
    const engines::GameInfo* game = nullptr;
    std::string params;              // full, as JSON text
    std::vector<std::string> names;  // by seat
    // By seat; null: any legal move with equal probability.
    std::vector<const bots::ReferencePlayer*> players;
    unsigned slips_percent = 0;  // moves that are drawn at random instead
    std::uint64_t seed = 1;
};

// Playouts by players within this program: no process, no clock, no time charged. What is drawn at
// random in a turn follows from the playout's number and the turn, so two branches have the same
// luck turn by turn. A player that draws its own random numbers does so from the game's id, which
// is the playout's.
class InsidePlayouts final : public PlayersPlayouts {
 public:
    explicit InsidePlayouts(InsideTerms terms) : terms_(std::move(terms)) {}

    base::Result<std::vector<review::PlayedOut>, std::string> play(const review::Branch& branch,
                                                                   const engines::State& from,
                                                                   std::uint64_t first,
                                                                   std::size_t count) override;
    bool cost_much() const override { return false; }
    std::vector<std::string> assumed() const override;

 private:
    InsideTerms terms_;
    // By seat, made of the first position that is played from; null: by its text.
    std::vector<std::unique_ptr<bots::InsidePlayer>> inside_;
};

// From now on this process, and what it starts, runs only where nobody else wants the core. False
// where the kernel doesn't allow it.
bool take_idle_cores_only();

// How much is spent of the time that playouts within this program may take: 1 is all. It is of
// their own work, so that others on the machine take none of it; where those leave no core it ends
// too.
double spent(std::chrono::duration<double> worked, std::chrono::duration<double> passed);
// The same of this process, from now on.
std::function<double()> time_spent();

// Who is wished to play the playouts of a game.
struct PlayoutPlayersChoice {
    // By seat, or one for all of them; none: the game's quick reference bot. Where all are random
    // or reference bots, they play within this program.
    std::vector<std::string> commands;
    std::optional<unsigned> slips_percent;  // of reference bots within this program
    std::uint64_t seed = 1;
    const trace::ForkPoint* point = nullptr;  // the game's beginning
    single_game::SingleGame launch;           // where commands are meant, and what they may read
};

struct PlayoutPlayers {
    std::vector<std::string> commands;  // by seat
    std::unique_ptr<PlayersPlayouts> playouts;
};

// An error says what is wrong with the wish. What is given must outlive the players.
base::Result<PlayoutPlayers, std::string> players_for(const PlayoutPlayersChoice& choice,
                                                      const showing::ReplayFrames& replay_frames,
                                                      const std::string& file,
                                                      const engines::Registry& registry);

}  // namespace referee::playouts

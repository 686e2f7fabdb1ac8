#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/exit_code.h"
#include "referee/game/result/game_result.h"
#include "referee/watch/showing/showing.h"

// Games that somebody names to look at them, with what the bots said of their moves where the
// replay lies in the folder of its run.

namespace referee::cli {

// A game is named by its replay file; by "-", the standard input; or by its id behind the folder of
// its run, as in "out/friday/12.1". That run's files have it, or its store.
struct NamedGame {
    std::string name;   // by which a command finds it again; "-": none does
    std::string place;  // its file; else the store and its id
    std::string replay;
    // Of one that is named by its id: the run's store and the id, where there is a store.
    std::string store{};
    std::optional<GameKey> key{};
};
base::Result<NamedGame, Ending> named_game(const std::string& name);

// Errors are for a person. What the record tells otherwise than the rules do now goes to the
// standard error, as a warning. A review must be one of that replay; no file, no review.
base::Result<showing::Showing, std::string> viewed_showing(const std::string& name,
                                                           const engines::Registry& registry,
                                                           const std::string& review_file = {});
base::Result<std::unique_ptr<showing::ReplayFrames>, std::string> viewed_frames(
    const std::string& name, const engines::Registry& registry);
base::Result<std::unique_ptr<showing::ReplayFrames>, std::string> viewed_frames(
    const NamedGame& game, const engines::Registry& registry);

// What a file has that should be a review of that replay, as JSON.
base::Result<std::string, std::string> review_in(const std::string& review_file,
                                                 std::string_view replay);

// The showing of a replay's text, with a review of the game where there is one (JSON text). It
// warns of nothing.
base::Result<showing::Showing, std::string> reviewed_showing(const std::string& replay,
                                                             const std::string& file,
                                                             const engines::Registry& registry,
                                                             const std::string& review);

// What the bots of a game said of their moves, for people: their debug texts in the folder of the
// run, if the replay lies in one; else empty. `replay`: the replay's file.
std::string debug_beside(const std::string& replay);

}  // namespace referee::cli

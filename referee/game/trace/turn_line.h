#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"

namespace referee::trace {

// A line of moves, read: {"moves": [...], "used_us": [...]}. Reusable. In a replay a line may be
// {"forfeit": seat} instead.
class TurnLine {
 public:
    // An error says what is wrong, with the member: "moves: expected ...".
    base::Result<void, std::string> read(std::string_view line, std::size_t seats, bool is_replay);

    // By seat; views are valid until the next read().
    const std::vector<engines::Answer>& answers() const { return answers_; }
    const std::optional<engines::Seat>& forfeit() const { return forfeit_; }
    // The result of a replay's last line; absent otherwise.
    engines::json::View result() const { return result_; }

 private:
    base::Result<void, std::string> read_moves(engines::json::View moves, std::size_t seats);
    base::Result<void, std::string> read_used(engines::json::View used, std::size_t seats);

    engines::json::Document document_;
    std::vector<engines::Answer> answers_;
    std::optional<engines::Seat> forfeit_;
    engines::json::View result_;
};

}  // namespace referee::trace

// What became of cycles, in words, and by whom.

#include <array>
#include <limits>
#include <string_view>

#include "engines/light_cycles/light_cycles.h"
#include "protocol/base/text.h"

namespace engines::light_cycles {

// The mean is rounded up, so that it is over the limit as it is told, too.
Note CyclesState::note_of_mean(Seat team) const {
    const auto turn = arena_.turn();
    return {
        .seat = team,
        .is_fault = true,
        .code = "over_mean",
        .message = fmt::format(
            "It used {}{}, and the mean of its turns may be no more than {}: all its cycles are "
            "terminated.",
            base::milliseconds((arena_.used_us(team) - 1) / turn + 1),
            turn == 1 ? " in turn 1" : fmt::format(" a turn, the mean of its turns 1 to {}", turn),
            base::milliseconds(arena_.setup().mean_budget_us)),
        .over_time = true};
}

// Whose trails are around a living cycle that is shut in. Unless all are its own, each is told in
// the same words, so that reports tell several that were shut in as one thing.
std::string CyclesState::neighbours_of(std::size_t cycle) const {
    struct Side {
        Cell step;
        std::string_view name;
    };
    constexpr std::array<Side, 4> sides{
        {{{1, 0}, "right"}, {{0, 1}, "below"}, {{-1, 0}, "left"}, {{0, -1}, "above"}}};
    const Cell at = arena_.position(cycle);
    std::string text;
    bool all_own = true;
    for (const auto& [step, name] : sides) {
        const Cell cell{at.x + step.x, at.y + step.y};
        const bool is_outside = cell.x < 0 || cell.y < 0 || cell.x >= arena_.setup().width ||
                                cell.y >= arena_.setup().height;
        all_own = all_own && !is_outside && arena_.holder(cell) == cycle;
        text += (text.empty() ? " (" : ", ") + std::string(name) + " by " +
                (is_outside ? "the edge" : "cycle " + std::to_string(arena_.holder(cell)));
    }
    return all_own ? " by its own trail" : text + ')';
}

// The fastest of the others that a cycle met in a contest.
void CyclesState::find_rivals(std::span<const Verdict> verdicts) {
    const auto is_contest = [&](std::size_t cycle) {
        return verdicts[cycle] == Verdict::contest_lost || verdicts[cycle] == Verdict::contest_tied;
    };
    for (std::size_t cycle = 0; cycle < verdicts.size(); ++cycle) {
        if (!is_contest(cycle)) continue;
        auto least = std::numeric_limits<std::int64_t>::max();
        for (std::size_t other = 0; other < verdicts.size(); ++other) {
            const bool is_rival = other != cycle && choices_[other].x == choices_[cycle].x &&
                                  choices_[other].y == choices_[cycle].y &&
                                  (is_contest(other) || verdicts[other] == Verdict::moved);
            if (!is_rival || arena_.used_us(arena_.team_of(other)) >= least) continue;
            least = arena_.used_us(arena_.team_of(other));
            before_[cycle].holder = other;
        }
    }
}

// All ends without a fault of a team of the usual size; of a larger one the last.
void CyclesState::keep_ends(std::span<const Note> notes) {
    for (const auto& note : notes) {
        if (note.code == "team_out" || (note.is_fault && note.code != "shut_in")) continue;
        auto& ends = ends_[note.seat];
        if (ends.size() == cycles_per_team_default) ends.erase(ends.begin());
        auto& end = ends.emplace_back(fmt::format("turn {}: {}", arena_.turn(), note.message));
        end.pop_back();  // the full stop
    }
}

std::optional<std::string> CyclesState::tell_play(Seat team) const {
    if (ends_[team].empty()) return "";
    return fmt::format("it played as team {}; {}", team, base::joined(ends_[team], "; "));
}

}  // namespace engines::light_cycles
